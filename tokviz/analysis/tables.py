"""Tables for display and export: rows under column names."""

import csv
import html
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeVar, overload

from tokviz.display import counted, hex_bytes, printable, text_width, visible

R = TypeVar("R", bound=NamedTuple)

Rows = Sequence[NamedTuple] | Mapping[str, Sequence[NamedTuple]]
"""Rows of one type, or several such tables by tokenizer name, which becomes the first column."""


class Table(NamedTuple):
    """Column names and rows."""

    columns: list[str]
    rows: list[list[Any]]


_ID_COLUMNS = ("id", "ids")

_PADDING = "padding: 2px 8px"

_SHOWN = 20  # maximum rows that are displayed; a table may have one for each token of a vocabulary


class RowList(list[R]):
    """A list of rows, which is displayed as a table. Slices are tables as well."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> "RowList[R]": ...
    def __getitem__(self, index: SupportsIndex | slice) -> "R | RowList[R]":
        return RowList(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __repr__(self) -> str:
        columns, rows = self._shown()
        return "\n".join(filter(None, (aligned(columns, rows), self._rest()))) if columns else "no rows"

    def _repr_html_(self) -> str:
        """Render the table for a notebook."""
        columns, rows = self._shown()
        return table_html(columns, rows) + (f"<div>{self._rest()}</div>" if self._rest() else "")

    def _shown(self) -> Table:
        return as_table(self[:_SHOWN])

    def _rest(self) -> str:
        rest = len(self) - _SHOWN
        return f"… and {counted('more row', rest)}" if rest > 0 else ""


def as_table(rows: Rows) -> Table:
    """Convert rows to a table. Bytes are written in hex. Without rows there are no columns."""
    if not isinstance(rows, Mapping):
        return Table(list(rows[0]._fields) if rows else [], [_cells(row) for row in rows])
    first = next((row for rows_of_name in rows.values() for row in rows_of_name), None)
    columns = [] if first is None else ["tokenizer", *first._fields]
    return Table(columns, [[name, *_cells(row)] for name, rows_of_name in rows.items() for row in rows_of_name])


def _cells(row: NamedTuple) -> list[Any]:
    return [hex_bytes(cell) if isinstance(cell, bytes) else cell for cell in row]


def aligned(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Format a table as lines of text with a header: numbers to the right, all else to the left.

    >>> print(aligned(["name", "tokens"], [["gpt2", 1234], ["o200k_base", None]]))
    name        tokens
    gpt2         1,234
    o200k_base       –
    """
    cells = [[printable(column) for column in columns], *(list(map(cell_text, row, columns)) for row in rows)]
    is_number = _are_numbers(len(columns), rows)
    widths = [max(map(text_width, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(_padded, row, widths, is_number)).rstrip() for row in cells)
    return "\n".join(lines)


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Format a table as HTML with inline styles only, which untrusted notebooks keep."""
    is_number = _are_numbers(len(columns), rows)
    sides = ["right" if each else "left" for each in is_number]
    head = "".join(
        f'<th style="text-align: {side}; {_PADDING}">{html.escape(c)}</th>'
        for c, side in zip(columns, sides, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell_html, row, columns, sides))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell_html(value: Any, column: str, side: str) -> str:
    text = html.escape(cell_text(value, column))
    return f'<td style="text-align: {side}; {_PADDING}; white-space: pre-wrap">{text}</td>'


def _are_numbers(columns: int, rows: Sequence[Sequence[Any]]) -> list[bool]:
    """Return which columns hold numbers and nothing else but unknown values."""
    return [
        all(cell is None or isinstance(cell, int | float) for cell in (row[i] for row in rows)) for i in range(columns)
    ]


def cell_text(value: Any, column: str = "") -> str:
    """Format a cell for people: `1,234`, an id as `1234`, `0.667`, `e4 bd`; an unknown value as a dash."""
    if column in _ID_COLUMNS:
        return str(value)
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3g}"
        case bytes():
            return hex_bytes(value)
        case str() if value != value.strip():
            return printable(visible(value))
        case list() | tuple():
            return ", ".join(map(cell_text, value))
        case _:
            return printable(str(value))


def _padded(text: str, width: int, is_number: bool) -> str:
    room = " " * (width - text_width(text))
    return room + text if is_number else text + room


def to_csv(rows: Rows) -> str:
    """Format rows as CSV (RFC 4180) with a header line. Without rows the result is empty.

    >>> class Row(NamedTuple):
    ...     id: int
    ...     bytes: bytes
    >>> to_csv([Row(220, b" ")])
    'id,bytes\\r\\n220,20\\r\\n'
    """
    table = as_table(rows)
    file = io.StringIO(newline="")
    csv.writer(file).writerows([table.columns, *table.rows] if table.columns else [])
    return file.getvalue()
