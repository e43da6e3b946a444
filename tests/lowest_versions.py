"""Run the tests, except those in a browser, with the lowest version of each package that pyproject.toml allows.

Run it by hand whenever a bound changes. It needs a package index and takes several minutes:

    python tests/lowest_versions.py [pytest's arguments]
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

# Excluded because mypy's result depends on the libraries' type annotations, which are better in newer versions.
EXCLUDED_TEST = "tests/test_repository.py::test_checks_are_clean[types]"

ROOT = Path(__file__).parent.parent


def lowest_requirements() -> list[str]:
    """Return the requirements of tokviz, its app and its tests, each pin to its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *extras["app"], *extras["fast"], *extras["test"]]
    return [pin(requirement) for requirement in requirements if not requirement.startswith("tokviz[")]


def pin(requirement: str) -> str:
    """Pin a requirement to its lower bound: `numpy>=2.0,<3; marker` becomes `numpy==2.0; marker`.

    Raises ValueError if it has no lower bound.
    """
    found = re.fullmatch(r"([\w\[\]-]+)>=([\w.]+)[^;]*(;.*)?", requirement)
    if found is None:
        raise ValueError(f"{requirement!r} has no lower bound")
    name, bound, marker = found.groups("")
    return f"{name}=={bound}{marker}"


def main() -> int:
    """Create the environment, list its packages, and run the tests. Returns pytest's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", *lowest_requirements()], check=True)
        subprocess.run([python, "-m", "pip", "list"], check=True)
        command = [python, "-m", "pytest", "--ignore=tests/browser", f"--deselect={EXCLUDED_TEST}", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
