"""Tables for display and export: rows under column names."""

import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tokviz.display import hex_bytes, printable

Rows = Sequence[NamedTuple] | Mapping[str, Sequence[NamedTuple]]
"""Rows of one type, or several such tables by tokenizer name, which becomes the first column."""


class Table(NamedTuple):
    """Column names and rows."""

    columns: list[str]
    rows: list[list[Any]]


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
    cells = [[printable(column) for column in columns], *([cell_text(cell) for cell in row] for row in rows)]
    is_number = [
        any(isinstance(row[i], int | float) for row in rows) and not any(isinstance(row[i], str) for row in rows)
        for i in range(len(columns))
    ]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(_padded, row, widths, is_number)).rstrip() for row in cells)
    return "\n".join(lines)


def cell_text(value: Any) -> str:
    """Format a cell for people: `1,234`, `0.667`, `e4 bd`; an unknown value as a dash."""
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
        case _:
            return printable(str(value))


def _padded(text: str, width: int, is_number: bool) -> str:
    room = " " * (width - _width(text))
    return room + text if is_number else text + room


def _width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


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
