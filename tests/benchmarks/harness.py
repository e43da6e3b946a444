"""Measurement in fresh processes, alternating between libraries, so that drift of the machine affects all alike.

A benchmark is a table of jobs. Each job runs in a separate process in every round, and reports the seconds that it
measured itself; the peak memory is the operating system's figure for the whole process. Figures are medians over the
rounds, and ratios are medians of the ratios within each round.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# Python without bytecode would compile our modules at each start, but not those that pip has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# One thread for every library.
ENVIRONMENT = os.environ | {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Figure:
    """Time and peak memory of one run of a job."""

    seconds: float
    megabytes: float


@cache
def corpus(size: int) -> str:
    """Return about `size` bytes of text available on every machine: the standard library's sources."""
    return "".join(documents(size))


def documents(size: int) -> list[str]:
    """Return the same as a text for each file."""
    parts = []
    for file in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if "site-packages" not in file.parts and size > 0:
            data = file.read_bytes()[:size]
            parts.append(data.decode("utf-8", "ignore"))
            size -= len(data)
    return parts


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds of one call of `work`."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run_in_turn(script: str, jobs: list[list[str]], rounds: int) -> dict[tuple[str, ...], list[Figure]]:
    """Run `script` with each job's arguments, all jobs once per round."""
    figures: dict[tuple[str, ...], list[Figure]] = {tuple(job): [] for job in jobs}
    for _ in range(rounds):
        for job in jobs:
            figures[tuple(job)].append(_run(script, job))
    return figures


def _run(script: str, job: list[str]) -> Figure:
    return Figure(*run_once(script, job))


def run_once(script: str, job: list[str]) -> tuple[Any, float]:
    """Run `script` with a job's arguments in its own process. Returns what it printed, as JSON, and its peak in MB."""
    with subprocess.Popen([sys.executable, script, *job], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as child:
        assert child.stdout
        answer = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{script} {' '.join(job)} failed")
    return json.loads(answer), usage.ru_maxrss / 1024


def median(figures: list[Figure]) -> Figure:
    """Return the medians of the seconds and of the megabytes."""
    return Figure(
        statistics.median(figure.seconds for figure in figures),
        statistics.median(figure.megabytes for figure in figures),
    )


def ratio(ours: list[Figure], theirs: list[Figure]) -> float:
    """Return the median over the rounds of our seconds divided by theirs."""
    return statistics.median(a.seconds / b.seconds for a, b in zip(ours, theirs, strict=True))


def chromium() -> str | None:
    """Return the path of an installed Chrome or Chromium; None to use Playwright's own."""
    names = (
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    )
    return next(filter(None, map(shutil.which, names)), None)


def table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
