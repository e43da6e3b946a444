"""Examples in docstrings are true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for path in (ROOT / "tokviz").rglob("*.py") if ">>> " in path.read_text("utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_examples_give_what_they_say(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    assert doctest.testmod(module).failed == 0
