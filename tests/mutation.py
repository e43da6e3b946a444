"""How many faults the tests without a browser catch: a random sample of mutants of the core, tried one by one.

    python tests/mutation.py [--sample 150] [--seed 1]

Needs mutmut (`pip install mutmut`), which changes a function in one place and runs the tests that call it. A run that
was stopped goes on where it was. The mutants, and which tests call what, are kept in `mutants/`, which may be deleted
and must be when the code has changed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MUTANTS = ROOT / "mutants"
NOT_CAUGHT = {0, 5, 33}
"""mutmut's exit codes for a mutant that survived, and for one in a function that no test calls."""
FIRST = "tokviz.bpe.alphabet.*__mutmut_1"
"""mutmut makes all mutants when it is asked to try some: these few."""


def main() -> None:
    """Draw the sample, try what was not tried yet, and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not (MUTANTS / "mutmut-stats.json").exists():
        mutmut("run", "--max-children", "1", FIRST)
    drawn = random.Random(options.seed).sample(sorted(outcomes()), options.sample)
    untried = [name for name in drawn if outcomes()[name] is None]
    if untried:
        mutmut("run", "--max-children", "1", *untried)  # one at a time: some tests are about time limits
    missed = [name for name in drawn if outcomes()[name] in NOT_CAUGHT]
    for name in missed:
        mutmut("show", name)
    caught = len(drawn) - len(missed)
    print(f"{caught} of {len(drawn)} caught: {caught / len(drawn):.0%}")


def outcomes() -> dict[str, int | None]:
    """Each mutant's exit code; None where it was not tried yet."""
    files = MUTANTS.rglob("*.meta")
    return {name: code for file in files for name, code in json.loads(file.read_text())["exit_code_by_key"].items()}


def mutmut(*arguments: str) -> None:
    """Run the tool, which is a program only."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["mutmut", *arguments], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main()
