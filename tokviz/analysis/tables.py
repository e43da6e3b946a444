"""Tables as files."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


def to_csv(rows: Sequence[NamedTuple]) -> str:
    """The rows of a table as CSV (RFC 4180), with a line of names before them. Bytes are in hex, None is empty.

    >>> class Row(NamedTuple):
    ...     id: int
    ...     bytes: bytes
    >>> to_csv([Row(220, b" ")])
    'id,bytes\\r\\n220,20\\r\\n'
    """
    if not rows:
        return ""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(rows[0]._fields)
    writer.writerows(map(_cells, rows))
    return file.getvalue()


def _cells(row: Iterable[Any]) -> list[Any]:
    return [cell.hex(" ") if isinstance(cell, bytes) else cell for cell in row]
