"""The names of `import tokviz`, each loaded when it is first used."""

import ast
from pathlib import Path

import pytest
from new_process import output_of
from sources import parse

import tokviz

ROOT = Path(tokviz.__file__).parents[1]


def test_type_checkers_are_told_what_is_loaded() -> None:
    block = next(node for node in parse(Path(tokviz.__file__)).body if isinstance(node, ast.If))
    imported = {
        each.asname: f"{node.module}.{each.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    modules = {name: f"tokviz.{name}" for name in tokviz._MODULES}
    assert imported | {"split_patterns": "tokviz.pretokens.splitting.PATTERNS"} == modules | tokviz._OBJECTS


def test_every_public_name_is_there() -> None:
    """Also in a new process, which has loaded nothing, and from `*`."""
    script = (
        "import tokviz; before = set(dir(tokviz)); from tokviz import *; "
        "assert before.issuperset(tokviz.__all__) and globals().keys() >= set(tokviz.__all__); "
        "print(tokviz.formats.__name__, tokviz.figures.__name__, train is tokviz.tokenizers.train.train)"
    )
    assert output_of(script).split() == ["tokviz.formats", "tokviz.figures", "True"]


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"^module 'tokviz' has no attribute 'encode'$"):
        tokviz.encode  # type: ignore[attr-defined]  # noqa: B018
