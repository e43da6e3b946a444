"""Tests of the repository: repeated facts agree, and linters and type checks pass."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lowest_versions import lowest_requirements
from sources import parse

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")


def test_requirements_match_pyproject() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    required = [line for line in lines if line and not line.startswith("#")]
    assert required == PROJECT["dependencies"] + PROJECT["optional-dependencies"]["app"]


def test_every_dependency_has_a_lower_bound() -> None:
    """`lowest_versions.py` runs the tests with exactly these versions."""
    assert all(re.fullmatch(r"[\w\[\]-]+==[\d.]+(;.*)?", requirement) for requirement in lowest_requirements())


def test_readme_does_not_install_tokviz_from_pypi() -> None:
    """The name belongs to another project there."""
    assert not re.search(r"pip install (-U |--upgrade )?[\"']?tokviz", README)


def test_readme_python_examples() -> None:
    """Lines of a README example that end in `# -> value` evaluate to that value."""
    examples = re.findall(r"```python\n(.*?)```", README, re.S)
    assert examples
    for example in examples:
        names: dict[str, object] = {}
        checked = 0
        for line in example.splitlines():
            code, _, expected = line.partition("# -> ")
            if expected:
                assert repr(eval(code, names)) == expected.strip(), line
                checked += 1
            else:
                exec(line, names)
        assert checked


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        # Apart, as other modules have the same names.
        ["mypy", "app.py", "tests/conftest.py", *map(str, ROOT.glob("pages/*.py"))],
    ],
    ids=["lint", "format", "types", "page types"],
)
def test_checks_are_clean(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


TESTS = sorted({*(ROOT / "tests").rglob("*.py")} - {*(ROOT / "tests" / "benchmarks").iterdir()})


def test_tests_use_no_fixed_waits_and_do_not_import_each_other() -> None:
    """Fixed waits are too short on a busy machine and too long on an idle one."""
    for path in TESTS:
        source = path.read_text("utf-8")
        assert not re.search(r"wait_for_" r"timeout|import" r"orskip", source), path
        shared = "code shared by tests belongs in a separate module"
        assert not re.search(r"^(from|import) test_", source, re.M), f"{path}: {shared}"


MODULES = [path for folder in ("tokviz", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_functions_have_at_most_80_lines() -> None:
    for path in MODULES:
        functions = (node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        assert [each.name for each in functions if (each.end_lineno or 0) - each.lineno >= 80] == [], path


def test_local_names_are_not_those_of_imports() -> None:
    """Within a function, another meaning of an imported name misleads who reads it, or edits it."""
    for path in MODULES:
        tree = parse(path)
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        imported = {each.asname or each.name for node in imports for each in node.names}
        functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        for function in functions:
            parts = [*ast.walk(function)]
            names = {part.arg for part in parts if isinstance(part, ast.arg)}
            names |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
            assert names & imported == set(), f"{path}: {function.name}"


def test_modules_have_at_most_600_lines() -> None:
    modules = [*MODULES, *(ROOT / "tokviz").rglob("*.js")]
    lengths = {path.relative_to(ROOT): len(path.read_text("utf-8").splitlines()) for path in modules}
    assert {path: length for path, length in lengths.items() if length > 600} == {}
