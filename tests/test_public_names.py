"""The names of `import tokviz`, each loaded when it is first used."""

import ast
from pathlib import Path

import pytest
from new_process import output_of
from sources import parse

import tokviz

ROOT = Path(tokviz.__file__).parents[1]


def test_the_stub_that_names_are_read_from_says_all_of_them() -> None:
    """Each of its lines is a name that is loaded."""
    stub = parse(Path(tokviz.__file__).with_suffix(".pyi")).body
    imported = {name.asname: each.module for each in stub if isinstance(each, ast.ImportFrom) for name in each.names}
    variables = {ast.unparse(each.target) for each in stub if isinstance(each, ast.AnnAssign)}
    loaded = vars(tokviz)
    assert len(imported) > 40 and imported.keys() | variables == {*loaded["_MODULES"], *loaded["_OBJECTS"]}
    assert {name for name, module in imported.items() if module == "tokviz"} == {*loaded["_MODULES"]}


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
