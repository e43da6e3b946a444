"""CONTRIBUTING's table "How to add" names the files that a new thing of a kind goes into, and no others.

Lists of all things of a kind are found by what they hold: a file that names most of them is one.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import tokviz
from tokviz.app.answers.visitors.shipped_tokenizers import SHIPPED
from tokviz.app.shields.processes.training_recipes import ALGORITHMS
from tokviz.chats.templates import TITLES
from tokviz.course.chapters import figure_names
from tokviz.course.figures import FIGURES
from tokviz.samples.index import INDEX

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "tokviz"
TABLE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## How to add")[2].partition("\n## ")[0]

QUOTED = r"""["'`]NAME["'`]"""
WORD = r"\bNAME\b"


def stems(pattern: str, *without: str) -> list[str]:
    """Return the names of files without their endings."""
    return sorted({path.stem for path in ROOT.glob(pattern)} - {"__init__", *without})


def found_in(pattern: str, expression: str) -> list[str]:
    """Return what the group of a regular expression finds in files."""
    texts = (path.read_text("utf-8") for path in ROOT.glob(pattern))
    return sorted(name for text in texts for name in re.findall(expression, text, re.MULTILINE))


class Kind(NamedTuple):
    """What a row of the table adds: the things of this kind that there are, and how one is written in a list."""

    row: str
    names: Collection[str]
    written: str = QUOTED


FORMATS = [path.stem for path in PACKAGE.glob("formats/*.py") if "\nFORMAT = " in path.read_text("utf-8")]

KINDS = (
    Kind("a page", stems("pages/*.py", "tokens"), rf"{QUOTED}|pages/NAME\.py"),
    Kind("a widget", ("exercises", "frame", "slides"), rf"{QUOTED}|NAME/widget"),
    Kind("a chart", found_in("tokviz/charts/*.py", r"^def (\w+_chart)\("), WORD),
    Kind(
        "a subcommand",
        stems("tokviz/command/*.py", "inputs", "main", "parsers", "terminal"),
        rf"{QUOTED}|command import .*{WORD}",
    ),
    Kind("a public name", vars(tokviz)["__all__"], rf"{QUOTED}|\bNAME as NAME\b"),
    Kind("a result that shows itself", found_in("tokviz/__init__.py", r'"tokviz\.widgets\.\w+\.(\w+)"'), WORD),
    Kind("a file format", FORMATS, WORD),
    Kind("a tokenizer over units", ("ByteTokenizer", "CharacterTokenizer"), WORD),
    Kind("an algorithm", ("unigram", "wordpiece")),
    Kind("a chat template", TITLES, WORD),
    Kind("a pretrained tokenizer", [each.name for each in SHIPPED]),
    Kind("an option", {field.name for recipe in ALGORITHMS.values() for field in fields(recipe)}, WORD),
    Kind("a chapter", stems("tokviz/course/chapters/*.md"), rf"{QUOTED}|import .*{WORD}"),
    Kind("a term", found_in("tokviz/widgets/shared/text/glossary.js", r'^  \["([^"]+)"'), WORD),
    Kind("an example text", [name for kind in INDEX.values() for name, _, _ in kind]),
)


@cache
def sources() -> Mapping[Path, str]:
    """Return the text of the files of the app and the package, and of what stands beside it."""
    found = (path for ending in ("py", "pyi", "js", "md") for path in PACKAGE.rglob(f"*.{ending}"))
    beside = (
        path for path in (*ROOT.glob("tests/*.py"), *ROOT.glob("deploy/*.py")) if not path.name.startswith("test_")
    )
    return {path: path.read_text("utf-8") for path in (ROOT / "app.py", *found, *beside)}


def lists_of(kind: Kind) -> set[Path]:
    """Return the files that name most things of a kind."""
    expressions = {name: re.compile(kind.written.replace("NAME", re.escape(name))) for name in kind.names}
    return {
        path
        for path, text in sources().items()
        if sum(name in text and bool(each.search(text)) for name, each in expressions.items()) > len(expressions) / 2
    }


def files_of(text: str) -> Iterator[Path]:
    """Yield the files that a part of a row names, but for those that are named after the thing itself."""
    for written in re.findall(r"`([\w./]+\.(?:pyi?|js|css|md|toml|txt))`", text):
        pattern = re.sub("NAME|QUESTION|KIND", "*", written)
        found = [path for folder in (ROOT, PACKAGE) for path in folder.glob(pattern)]
        assert found, f"there is no {written}"
        if pattern == written:
            yield from found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.row)
def test_a_new_thing_goes_into_the_files_that_its_row_names(kind: Kind) -> None:
    (row,) = (line for line in TABLE.splitlines() if line.startswith(f"| {kind.row}"))
    always, _, _ = row.partition("; ")
    lists = lists_of(kind)
    assert lists, "nothing is found by these names"
    assert lists - set(files_of(row)) == set(), "the row leaves these out"
    assert set(files_of(always)) - lists == set(), "these don't list things of this kind"


def test_no_file_lists_all_figures_of_chapters() -> None:
    """Each stands in its chapter, and in the module of the chapter that computes it."""
    assert lists_of(Kind("a figure", figure_names())) == set()
    for name in figure_names() & FIGURES.keys():
        (module,) = (path for path, text in sources().items() if re.search(rf'^    "{name}": Figure\(', text, re.M))
        assert module.parent == PACKAGE / "course"
