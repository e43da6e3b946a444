"""Columns on the wire: typed arrays that a browser reads without parsing them.

All numbers are little endian, and every column begins at a multiple of four, so that the browser can lay an
`Int32Array` over the bytes as they came:

    4 bytes   the letters TKV1
    u32       H, the length of the header
    H bytes   the header: JSON in UTF-8, {"columns": [{"name", "type", "length"}, ...], "meta": {...}}, then spaces
    columns   one after the other, each with zero bytes up to the next multiple of four

A column's type is "i4" (int32) or "u1" (uint8).
"""

import json
import struct
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tokviz.analysis.branches import branch_columns
from tokviz.arrays import Int32Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

MAGIC = b"TKV1"
_TYPES: dict[str, np.dtype[np.integer[Any]]] = {"i4": np.dtype("<i4"), "u1": np.dtype("u1")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}

Column = npt.NDArray[np.integer[Any]]


def pack(columns: Mapping[str, Column], meta: Mapping[str, Any]) -> bytes:
    """The columns, and what else there is to say about them, as bytes.

    Raises TypeError for a column that is neither int32 nor uint8.
    """
    header = json.dumps(
        {"columns": [_described(name, column) for name, column in columns.items()], "meta": dict(meta)},
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()
    header += b" " * _padding(len(header))
    parts = [MAGIC, struct.pack("<I", len(header)), header]
    for column in columns.values():
        data = column.astype(column.dtype.newbyteorder("<"), copy=False).tobytes()
        parts += (data, b"\0" * _padding(len(data)))
    return b"".join(parts)


def unpack(data: bytes) -> tuple[dict[str, Column], dict[str, Any]]:
    """The columns and the meta that `pack` was given. Raises ValueError for bytes that it did not write."""
    if data[:4] != MAGIC:
        raise ValueError(f"these are no columns: they begin with {data[:4]!r}, not {MAGIC!r}")
    (length,) = struct.unpack_from("<I", data, 4)
    place = 8 + length
    header = json.loads(data[8:place])
    columns = {}
    for described in header["columns"]:
        column: Column = np.frombuffer(data, _TYPES[described["type"]], described["length"], place)
        columns[described["name"]] = column
        place += column.nbytes + _padding(column.nbytes)
    return columns, header["meta"]


def _described(name: str, column: Column) -> dict[str, Any]:
    dtype = column.dtype.newbyteorder("<")
    if column.ndim != 1 or dtype not in _NAMES:
        raise TypeError(f"column {name!r} must be one row of int32 or uint8, not {column.ndim} of {column.dtype}")
    return {"name": name, "type": _NAMES[dtype], "length": len(column)}


def _padding(length: int) -> int:
    """How many bytes are missing to the next multiple of four."""
    return -length % 4


def ranks_column(tokenizer: Tokenizer, ids: Int32Array) -> dict[str, Column]:
    """The column `ranks`: those of the tokens' merges, -1 where there is none. No column without merges."""
    if not isinstance(tokenizer, BPETokenizer):
        return {}
    used, which = np.unique(ids, return_inverse=True)
    ranks = [tokenizer.rank(token) for token in used.tolist()]
    return {"ranks": np.array([-1 if rank is None else rank for rank in ranks], np.int32)[which]}


def pretoken_columns(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> dict[str, Column]:
    """The pre-tokens of a text: `byte_lengths`, and `branches`, which say what cut them (see `analysis.branches`).

    Where the text is rewritten first, also `tokens`, how many tokens each consists of: some may cover no bytes.
    """
    byte_lengths, branches = branch_columns(tokenizer, text, allowed_special)
    named: dict[str, Column] = {"byte_lengths": byte_lengths, "branches": branches}
    if tokenizer.rewriting:
        index = tokenizer.tokenize(text, allowed_special).pretoken_index
        named["tokens"] = np.bincount(index, minlength=len(branches)).astype(np.int32)
    return named
