"""Tables for people and files: rows under names of columns."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Rows = Sequence[NamedTuple] | Mapping[str, Sequence[NamedTuple]]
"""Rows of one kind; or several such tables by the name of their tokenizer, which becomes the first column."""


class Table(NamedTuple):
    """The names of the columns, and the rows."""

    columns: list[str]
    rows: list[list[Any]]


def as_table(rows: Rows) -> Table:
    """Rows as a table. Bytes are in hex. There are no columns where there are no rows."""
    if not isinstance(rows, Mapping):
        return Table(list(rows[0]._fields) if rows else [], [_cells(row) for row in rows])
    first = next((row for its_rows in rows.values() for row in its_rows), None)
    columns = [] if first is None else ["tokenizer", *first._fields]
    return Table(columns, [[name, *_cells(row)] for name, its_rows in rows.items() for row in its_rows])


def _cells(row: NamedTuple) -> list[Any]:
    return [cell.hex(" ") if isinstance(cell, bytes) else cell for cell in row]


def to_csv(rows: Rows) -> str:
    """Rows as CSV (RFC 4180), with a line of names before them. None is empty.

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
