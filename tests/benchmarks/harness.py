"""Measuring in fresh processes, the peers in turn, so that a machine whose speed drifts drifts for all of them.

A benchmark is a table of jobs. Each job runs in a process of its own, round after round, and reports seconds that it
took itself; the peak memory is the operating system's account of the whole process. Figures are medians of the rounds,
and ratios are medians of the ratios within each round.
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

# One thread for every peer.
ENVIRONMENT = os.environ | {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Figure:
    """What one run of a job took."""

    seconds: float
    megabytes: float


@cache
def corpus(size: int) -> str:
    """About `size` bytes of text that every machine has: the standard library's sources."""
    parts = []
    for file in sorted(Path(sysconfig.get_paths()["stdlib"]).rglob("*.py")):
        if "site-packages" not in file.parts and size > 0:
            data = file.read_bytes()[:size]
            parts.append(data.decode("utf-8", "ignore"))
            size -= len(data)
    return "".join(parts)


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run_in_turn(script: str, jobs: list[list[str]], rounds: int) -> dict[tuple[str, ...], list[Figure]]:
    """Run `script` with each job's arguments, all of them once a round."""
    figures: dict[tuple[str, ...], list[Figure]] = {tuple(job): [] for job in jobs}
    for _ in range(rounds):
        for job in jobs:
            figures[tuple(job)].append(_run(script, job))
    return figures


def _run(script: str, job: list[str]) -> Figure:
    with subprocess.Popen([sys.executable, script, *job], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as child:
        assert child.stdout
        answer = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{script} {' '.join(job)} failed")
    return Figure(json.loads(answer), usage.ru_maxrss / 1024)


def median(figures: list[Figure]) -> Figure:
    """The median of the seconds and of the megabytes."""
    return Figure(
        statistics.median(figure.seconds for figure in figures),
        statistics.median(figure.megabytes for figure in figures),
    )


def ratio(ours: list[Figure], theirs: list[Figure]) -> float:
    """The median of our seconds over theirs, round by round."""
    return statistics.median(a.seconds / b.seconds for a, b in zip(ours, theirs, strict=True))


def chromium() -> str | None:
    """An installed Chrome or Chromium; None leaves it to Playwright's own."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


def table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    """A Markdown table, a line at a time."""
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
