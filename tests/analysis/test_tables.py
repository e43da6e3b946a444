"""Tests of tables as text and as HTML."""

import pickle
import unicodedata
from html.parser import HTMLParser
from importlib import import_module
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.analysis.tables import RowList, aligned, table_html


class Row(NamedTuple):
    id: int
    name: str
    merges: int | None
    share: float


ROWS = RowList([Row(1234, "a", 1234, 0.5), Row(5, " the", None, 1 / 3), Row(6, "\x1b[31m<b>", 7, 1.0)])


class Cells(HTMLParser):
    """The text of the cells of a table, and the names of its tags and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.used: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.used |= {tag, *(name for name, _ in attrs)}
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_text_and_html_have_the_same_cells() -> None:
    expected = [
        ["id", "name", "merges", "share"],
        ["1234", "a", "1,234", "0.5"],
        ["5", "·the", "–", "0.333"],
        ["6", "[ESC][31m<b>", "7", "1"],
    ]
    assert [line.split() for line in repr(ROWS).splitlines()] == expected
    cells = Cells(ROWS._repr_html_())
    assert cells.rows == expected
    assert cells.used == {"table", "thead", "tbody", "tr", "th", "td", "style"}


def test_rows_are_a_list_also_for_pandas_and_pickle() -> None:
    assert list(ROWS) == ROWS
    assert ROWS[1].name == " the"
    assert isinstance(ROWS[1:], RowList)
    assert pickle.loads(pickle.dumps(ROWS)) == ROWS
    assert list(import_module("pandas").DataFrame(ROWS).columns) == list(Row._fields)
    assert repr(RowList([])) == "no rows"


def test_long_tables_are_cut() -> None:
    many = RowList(Row(number, "x", 1, 0.1) for number in range(1000))
    assert repr(many).splitlines()[-1] == "… and 980 more rows"
    assert "… and 980 more rows" in many._repr_html_()
    assert len(repr(many).splitlines()) == 22
    assert "more" not in repr(many[:20])


def test_tables_of_the_package_are_row_lists() -> None:
    measured = tokviz.measure("the cat", ["gpt2"])
    curve = tokviz.compression_curve("the cat", "gpt2")
    words = tokviz.WordTokenizer(["the", "cat"])
    assert all(
        isinstance(rows, RowList)
        for rows in (measured, curve.table(), tokviz.token_frequencies("a", "gpt2"), tokviz.vocabulary_table(words))
    )
    assert isinstance(tokviz.vocabulary_costs(curve, width=8, context=8), RowList)


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else unicodedata.combining(char) == 0 for char in text)


@examples(50)
@given(st.lists(st.tuples(st.text(max_size=5), st.integers()), max_size=4))
def test_columns_are_aligned_and_nothing_unprintable_is_left(rows: list[tuple[str, int]]) -> None:
    lines = aligned(["name", "number"], rows).split("\n")
    assert len(lines) == len(rows) + 1
    assert all(line.isprintable() for line in lines)
    assert len({width(line) for line in lines}) == 1  # numbers end in one column
    assert len(Cells(table_html(["name", "number"], rows)).rows) == len(lines)
