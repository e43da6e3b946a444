"""Mutation testing: measure how many of a random sample of mutants of the core the tests without a browser catch.

    pip install cosmic-ray pytest-cov
    python tests/mutation.py [--commit HEAD] [--sample 150] [--seed 1]

cosmic-ray changes one place in a copy of the commit, and the tests that execute that line run until one fails. Results
are kept in `build/mutation/COMMIT/`, so an interrupted run can be resumed. The last lines of the output are the mutants
that no test caught, and the share that was caught. `coverage report -m`, in the folder `copy` there, shows which lines
and branches no test executes.
"""

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from coverage import CoverageData

ROOT = Path(__file__).parent.parent
CORE = (
    "tokviz/pretokens/*.py",
    "tokviz/bpe/*.py",
    "tokviz/tokenizers/**/*.py",
    "tokviz/analysis/**/*.py",
    "tokviz/formats/*.py",
    "tokviz/app/answers/routes/*.py",
)
TESTS = ("tests", "--ignore=tests/browser", "--ignore=tests/js", "--ignore=tests/test_repository.py")
EXCLUDED_OPERATOR = "BitOr"
"""Excluded operator, as in `int | None`: nearly all uses are in type annotations, where a change has no effect."""


def main() -> None:
    """Draw the sample, run the mutants that were not run yet, and print those that survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    parsed = subprocess.run(["git", "rev-parse", options.commit], cwd=ROOT, capture_output=True, text=True, check=True)
    revision = parsed.stdout.strip()
    folder = ROOT / "build" / "mutation" / revision[:12]
    copy = folder / "copy"
    if not (folder / "times.json").exists():
        _prepare(revision, copy, folder)
    times: dict[str, float] = json.loads((folder / "times.json").read_text())
    covered = _tests_by_line(copy)
    results_file = folder / "results.jsonl"
    results = {tuple(row["mutant"]): row for row in map(json.loads, results_file.read_text().splitlines())}
    drawn = random.Random(options.seed).sample(list(_mutations(copy)), options.sample)
    for mutation in drawn:
        key = (mutation.module_path, mutation.operator_name, mutation.occurrence)
        if key not in results:
            results[key] = _run_mutant(copy, mutation, covered, times)
            with results_file.open("a") as file:
                file.write(json.dumps(results[key]) + "\n")
    survivors = [row for row in results.values() if row["outcome"] == "survived"]
    for row in survivors:
        print(row["diff"], f"{row['tests']} tests run this line\n", sep="\n")
    print(f"{len(results) - len(survivors)} of {len(results)} mutants caught: {1 - len(survivors) / len(results):.0%}")


def _prepare(revision: str, copy: Path, folder: Path) -> None:
    """Copy the commit, and record which tests execute each line and how long each test takes."""
    subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
    subprocess.run(["git", "checkout", "-q", revision], cwd=copy, check=True)
    report = folder / "report.xml"
    measure = [
        "--dist=no",  # with distribution, coverage doesn't know which test runs
        "--cov=tokviz",
        "--cov-branch",
        "--cov-context=test",
        "--cov-report=",
        f"--junitxml={report}",
        "-o",
        "junit_family=xunit1",
    ]
    subprocess.run([sys.executable, "-m", "pytest", "-q", *TESTS, *measure], cwd=copy, check=True)
    times: dict[str, float] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        times[f"{case.get('file')}::{case.get('name')}"] = float(case.get("time", 0))
    (folder / "results.jsonl").touch()
    (folder / "times.json").write_text(json.dumps(times))


def _mutations(copy: Path) -> Iterator[Any]:
    modules = sorted(path.relative_to(copy) for pattern in CORE for path in copy.glob(pattern))
    with chdir(copy):
        for item in _all_work_items(modules, {}):
            (mutation,) = item.mutations
            if EXCLUDED_OPERATOR not in mutation.operator_name:
                yield mutation


def _run_mutant(
    copy: Path, mutation: Any, covered: dict[str, dict[int, set[str]]], times: dict[str, float]
) -> dict[str, Any]:
    """Run the tests of the changed line, fastest first, or of the whole module if the line runs only on import."""
    lines = covered.get(str(mutation.module_path), {})
    line = max((line for line in lines if line <= mutation.start_pos[0]), default=0)
    tests = lines.get(line) or set().union(*lines.values())
    ordered = sorted(tests & times.keys(), key=times.__getitem__)
    row = {"mutant": [str(mutation.module_path), mutation.operator_name, mutation.occurrence], "tests": len(ordered)}
    (copy / "chosen.txt").write_text("\n".join(ordered))
    longest = 30 + 5 * max(map(times.__getitem__, ordered), default=0)  # a mutant may loop for ever
    stop = f"-o faulthandler_timeout={longest:.0f} -o faulthandler_exit_on_timeout=true"
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {stop} @chosen.txt"
    timeout = 60 + 5 * sum(map(times.__getitem__, ordered))
    with chdir(copy):
        result = mutate_and_test([mutation], command, timeout)
    return {**row, "outcome": result.test_outcome.value if ordered else "survived", "diff": result.diff}


def _tests_by_line(copy: Path) -> dict[str, dict[int, set[str]]]:
    data = CoverageData(str(copy / ".coverage"))
    data.read()
    found: dict[str, dict[int, set[str]]] = {}
    for file in data.measured_files():
        contexts = data.contexts_by_lineno(file)
        found[str(Path(file).relative_to(copy))] = {
            line: {context.removesuffix("|run") for context in names if context.endswith("|run")}
            for line, names in contexts.items()
        }
    return found


if __name__ == "__main__":
    main()
