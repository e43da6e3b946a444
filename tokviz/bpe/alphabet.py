"""Alphabets, the symbols that merging starts from, and rows of such symbols.

A *row* is one column of symbol ids that holds many pre-tokens end to end, with `SEPARATOR` before, between and after
them. No merge joins anything with a separator, so each pre-token in a row is merged as if it were alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import regex

from tokviz.arrays import Int32Array
from tokviz.display import code_point
from tokviz.immutable import PickledWithoutCaches
from tokviz.texts import distinct

Units = Literal["bytes", "characters"]

SEPARATOR = -1

# Placeholders that no pre-token can contain: texts are repaired first, and UTF-8 never contains the byte FF.
_SEPARATOR_CHAR = "\ud800"
_MARK_CHAR = "\udc00"
_SEPARATOR_BYTE = b"\xff"

_SPACE = regex.compile(r"\s")


@dataclass(frozen=True)
class Alphabet(PickledWithoutCaches):
    """A mapping of units (byte values or code points) to symbol ids.

    `mark` is the id of the end-of-word mark, a symbol without bytes that ends each pre-token that isn't white space;
    None if there is none. Only alphabets of characters may have one.
    """

    units: Units
    ids: Mapping[int, int]
    mark: int | None = None

    @classmethod
    def of(cls, units: Units, symbols: Mapping[int, bytes]) -> "Alphabet":
        """Build an alphabet from symbol ids and their bytes. Among characters, the one without bytes is the mark."""
        if units == "bytes":
            return cls(units, {data[0]: token for token, data in symbols.items() if len(data) == 1})
        mark = next((token for token, data in symbols.items() if not data), None)
        return cls(units, {ord(data.decode()): token for token, data in symbols.items() if data}, mark)

    @cached_property
    def _table(self) -> Int32Array:
        """Symbol ids, indexed by unit, up to the highest unit."""
        table = np.full(self.table_size, SEPARATOR, np.int32)
        table[list(self.ids)] = list(self.ids.values())
        if self.units == "bytes":
            table[_SEPARATOR_BYTE[0]] = SEPARATOR
        if self.mark is not None:
            table[ord(_MARK_CHAR)] = self.mark
        return table

    @property
    def table_size(self) -> int:
        """The entries of a table by unit, of four bytes each."""
        return 256 if self.units == "bytes" else max(ord(_MARK_CHAR), max(self.ids, default=0)) + 1

    @property
    def tokens(self) -> list[bytes]:
        """The bytes of the symbols, in the order of `ids`, with the mark last. A new list each time."""
        mark = [] if self.mark is None else [b""]
        return [bytes([unit]) if self.units == "bytes" else chr(unit).encode() for unit in self.ids] + mark

    @property
    def has_all_bytes(self) -> bool:
        """Whether the alphabet has all 256 byte values, so that it covers every text."""
        return self.units == "bytes" and len(self.ids) == 256

    def row(self, pretokens: Sequence[str]) -> Int32Array:
        """Return the symbols of `pretokens` as a row. The alphabet must cover them (see `check`)."""
        row: Int32Array = self._table[self._units_of(pretokens)]
        return row

    def length(self, pretoken: str) -> int:
        """Count the symbols that a pre-token starts as, including an end-of-word mark."""
        units = len(pretoken.encode()) if self.units == "bytes" else len(pretoken)
        return units if self.mark is None or _SPACE.match(pretoken) else units + 1

    def check(self, text: str, place: int = 0) -> None:
        """Raise ValueError naming the first character of `text` that the alphabet lacks, and its position.

        `place` is the position where `text` starts in a longer text.
        """
        if self.has_all_bytes:
            return
        units = text.encode() if self.units == "bytes" else map(ord, distinct(text))
        if self.ids.keys() >= set(units):
            return
        for position, char in enumerate(text, start=place):
            char_units = char.encode() if self.units == "bytes" else [ord(char)]
            if not self.ids.keys() >= set(char_units):
                raise ValueError(
                    f"character {char!r} ({code_point(char)}) at position {position}, counted from 0, is not in this "
                    f"tokenizer's alphabet of {len(self.ids)} {self.units}: leave it out, or train on a text that "
                    "holds it"
                )

    def _units_of(self, pretokens: Sequence[str]) -> np.ndarray:
        if self.units == "bytes":
            joined = _SEPARATOR_BYTE.join([b"", *(pretoken.encode() for pretoken in pretokens), b""])
            return np.frombuffer(joined, np.uint8)
        if self.mark is not None:
            pretokens = [word if _SPACE.match(word) else word + _MARK_CHAR for word in pretokens]
        joined = _SEPARATOR_CHAR.join(["", *pretokens, ""]).encode("utf-32-le", "surrogatepass")
        return np.frombuffer(joined, np.uint32)
