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


WITHOUT = r"""
import inspect, pydoc, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("plotly", "dask"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
import tokviz
members = dict(inspect.getmembers(tokviz)) | dict(inspect.getmembers(tokviz.integrations))
assert members["train"] is tokviz.train and "figures" not in members
text = pydoc.plain(pydoc.render_doc(tokviz))
assert "\n    train(" in text and "\n    compare(" in text
try:
    tokviz.figures
except ImportError as error:
    print(error)
try:
    tokviz.integrations.dask
except ImportError as error:
    print(error)
"""


def test_help_and_inspection_work_without_the_libraries_of_charts_and_dask() -> None:
    assert output_of(WITHOUT).splitlines() == [
        "charts need plotly, which is not installed: pip install plotly",
        "this needs Dask: pip install 'dask[distributed]'",
    ]


def test_integrations_are_reached_as_the_readme_writes_them() -> None:
    script = (
        "import tokviz; assert 'dask' not in __import__('sys').modules; "
        "print(tokviz.integrations.dask.count_pretokens.__module__, hasattr(tokviz.integrations, 'spark'))"
    )
    assert output_of(script).split() == ["tokviz.integrations.dask", "False"]
    assert {"figures", "integrations"} <= set(dir(tokviz))


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"^module 'tokviz' has no attribute 'encode'$"):
        tokviz.encode  # type: ignore[attr-defined]  # noqa: B018
