"""Wire format of columns: typed arrays that a browser reads without parsing.

All numbers are little endian, and every column starts at a multiple of four bytes, so that the browser can view the
received bytes as an `Int32Array` without copying:

    4 bytes   "TKV1" in ASCII
    u32       H, the header's length in bytes
    H bytes   the header: UTF-8 JSON, {"columns": [{"name", "type", "length"}, ...], "meta": {...}}, padded with spaces
    columns   in the header's order, each padded with zero bytes to the next multiple of four

A column's type is "i4" (int32) or "u1" (uint8).
"""

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = b"TKV1"
_TYPES: dict[str, np.dtype[np.integer[Any]]] = {"i4": np.dtype("<i4"), "u1": np.dtype("u1")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}

Column = npt.NDArray[np.integer[Any]]
Columns = dict[str, Column]


def pack(columns: Mapping[str, Column], meta: Mapping[str, Any]) -> bytes:
    """Pack columns and their metadata into bytes.

    Raises TypeError for a column that is not one-dimensional int32 or uint8, and ValueError for a number in the
    metadata that is infinite or none: JSON has no such numbers.
    """
    said = {"columns": [_column_header(name, column) for name, column in columns.items()], "meta": dict(meta)}
    try:
        header = json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except ValueError:
        raise ValueError("some of these numbers are infinite or undefined, so they can't be shown") from None
    header += b" " * _padding(len(header))
    parts = [MAGIC, struct.pack("<I", len(header)), header]
    for column in columns.values():
        data = column.astype(column.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += (data, b"\0" * _padding(len(data)))
    return b"".join(parts)


def unpack(data: bytes) -> tuple[dict[str, Column], dict[str, Any]]:
    """Return the columns and metadata packed by `pack`. Raises ValueError if the bytes do not start with `MAGIC`."""
    if data[:4] != MAGIC:
        raise ValueError(f"these are no columns: they begin with {data[:4]!r}, not {MAGIC!r}")
    (length,) = struct.unpack_from("<I", data, 4)
    offset = 8 + length
    header = json.loads(data[8:offset])
    columns = {}
    for entry in header["columns"]:
        column: Column = np.frombuffer(data, _TYPES[entry["type"]], entry["length"], offset)
        columns[entry["name"]] = column
        offset += column.nbytes + _padding(column.nbytes)
    return columns, header["meta"]


def _column_header(name: str, column: Column) -> dict[str, Any]:
    dtype = column.dtype.newbyteorder("<")
    if column.ndim != 1 or dtype not in _NAMES:
        raise TypeError(f"column {name!r} must be one row of int32 or uint8, not {column.ndim} of {column.dtype}")
    return {"name": name, "type": _NAMES[dtype], "length": len(column)}


def _padding(length: int) -> int:
    """Number of bytes from `length` up to the next multiple of four."""
    return -length % 4
