"""The wire format of columns: packing round-trips, and every part is aligned for a browser."""

import json
import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from tokviz.widgets.wire import Column, pack, unpack

int32 = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20).map(lambda values: np.array(values, np.int32))
uint8 = st.lists(st.integers(0, 255), max_size=20).map(lambda values: np.array(values, np.uint8))
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
named_columns = st.dictionaries(names, int32 | uint8, max_size=4)
metas = st.dictionaries(names, st.none() | st.integers() | names | st.lists(names, max_size=2), max_size=3)


@examples(60)
@given(named_columns, metas)
def test_packed_columns_round_trip(named: dict[str, Column], meta: dict[str, Any]) -> None:
    columns, unpacked_meta = unpack(pack(named, meta))
    assert unpacked_meta == meta
    assert list(columns) == list(named)
    for name, column in named.items():
        assert columns[name].dtype == column.dtype
        assert columns[name].tolist() == column.tolist()


@examples(60)
@given(named_columns, metas)
def test_every_part_starts_at_a_multiple_of_four(named: dict[str, Column], meta: dict[str, Any]) -> None:
    data = pack(named, meta)
    (length,) = struct.unpack_from("<I", data, 4)
    assert data[:4] == b"TKV1"
    assert (8 + length) % 4 == 0
    assert len(data) == 8 + length + sum(-(-column.nbytes // 4) * 4 for column in named.values())


def test_packed_bytes_are_exact() -> None:
    data = pack({"a": np.array([1, -1], np.int32), "b": np.array([7], np.uint8)}, {})
    header = b'{"columns":[{"name":"a","type":"i4","length":2},{"name":"b","type":"u1","length":1}],"meta":{}}'
    assert json.loads(header)
    padded = header + b" " * (-len(header) % 4)
    assert data == (
        b"TKV1" + struct.pack("<I", len(padded)) + padded + b"\x01\0\0\0" + b"\xff\xff\xff\xff" + b"\x07\0\0\0"
    )


def test_big_endian_columns_are_byte_swapped() -> None:
    columns, _ = unpack(pack({"a": np.array([1, 2], ">i4")}, {}))
    assert columns["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "column", [np.zeros(2), np.zeros(2, np.int64), np.zeros(2, np.bool_), np.zeros((2, 2), np.int32)]
)
def test_unsupported_columns_raise_type_error(column: Column) -> None:
    with pytest.raises(TypeError, match="column 'a' must be one row of int32 or uint8"):
        pack({"a": column}, {})


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_numbers_that_json_has_not_raise_value_error(number: float) -> None:
    with pytest.raises(ValueError, match="infinite or undefined"):
        pack({}, {"score": [number]})


def test_foreign_bytes_raise_value_error() -> None:
    with pytest.raises(ValueError, match="these are no columns"):
        unpack(b"PK\x03\x04")
