"""Tables for display and export: rows under column names."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tokviz.display import hex_bytes

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
