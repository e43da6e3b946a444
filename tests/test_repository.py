"""The repository's frame: what it says of itself in several places agrees, and its checks are clean."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lowest_versions import lowest_requirements

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")


def test_requirements_are_those_of_the_app() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    required = [line for line in lines if line and not line.startswith("#")]
    assert required == PROJECT["dependencies"] + PROJECT["optional-dependencies"]["app"]


def test_every_dependency_has_a_lower_bound() -> None:
    """`lowest_versions.py` installs just these, and runs the tests with them."""
    assert all(re.fullmatch(r"[\w-]+==[\d.]+(;.*)?", requirement) for requirement in lowest_requirements())


def test_nobody_is_told_to_install_tokviz_from_pypi() -> None:
    """The name belongs to somebody else there."""
    assert not re.search(r"pip install (-U |--upgrade )?[\"']?tokviz", README)


def test_the_readmes_python_examples_are_true() -> None:
    """Lines of a README example that end in a comment `# -> value` give that value."""
    examples = re.findall(r"```python\n(.*?)```", README, re.S)
    assert examples
    for example in examples:
        names: dict[str, object] = {}
        checked = 0
        for line in example.splitlines():
            code, _, said = line.partition("# -> ")
            if said:
                assert repr(eval(code, names)) == said.strip(), line
                checked += 1
            else:
                exec(line, names)
        assert checked


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]],
    ids=["lint", "format", "types"],
)
def test_checks_are_clean(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


TESTS = sorted({*(ROOT / "tests").rglob("*.py")} - {*(ROOT / "tests" / "benchmarks").iterdir()})


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_tests_wait_for_what_the_page_says_and_stand_by_themselves(path: Path) -> None:
    """Fixed waits are too short on a busy machine and too long on any other."""
    source = path.read_text("utf-8")
    assert not re.search(r"wait_for_" r"timeout|import" r"orskip", source)
    assert not re.search(r"^(from|import) test_", source, re.M), "what tests share stands in a module of its own"
