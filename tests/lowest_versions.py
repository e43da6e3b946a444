"""Run the tests, except those in a browser, with the lowest version of each package that pyproject.toml allows.

By hand, whenever a bound changes; it needs a package index and takes minutes:

    python tests/lowest_versions.py [pytest's arguments]
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

# What mypy says depends on how the libraries describe their types, which newer ones do better.
NOT_OF_THE_LOWEST = "tests/test_repository.py::test_checks_are_clean[types]"

ROOT = Path(__file__).parent.parent


def lowest_requirements() -> list[str]:
    """The requirements of tokviz, its app and its tests, each with its lower bound as the only version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *extras["app"], *extras["test"]]
    return [pinned(requirement) for requirement in requirements if not requirement.startswith("tokviz[")]


def pinned(requirement: str) -> str:
    """`numpy>=2.0,<3; marker` as `numpy==2.0; marker`. Raises ValueError for a requirement without a lower bound."""
    found = re.fullmatch(r"([\w-]+)>=([\w.]+)[^;]*(;.*)?", requirement)
    if found is None:
        raise ValueError(f"{requirement!r} has no lower bound")
    name, bound, marker = found.groups("")
    return f"{name}=={bound}{marker}"


def main() -> int:
    """Make the environment, show what is in it, and run the tests. Returns pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", *lowest_requirements()], check=True)
        subprocess.run([python, "-m", "pip", "list"], check=True)
        command = [python, "-m", "pytest", "--ignore=tests/browser", f"--deselect={NOT_OF_THE_LOWEST}", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
