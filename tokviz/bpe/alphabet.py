"""Alphabets, the symbols that merging starts from, and rows of such symbols.

A *row* is one column of symbol ids that holds many pre-tokens end to end, with `SEPARATOR` before, between and after
them. No merge joins anything with a separator, so each pre-token in a row is merged as if it were alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import regex

from tokviz.arrays import Int32Array
from tokviz.display import code_point
from tokviz.immutable import PickledWithoutCaches
from tokviz.pretokens.words import ANY_SPACE, SPACES_AND_LINES, apart_from_space, last_cut_at_word
from tokviz.texts import distinct

Units = Literal["bytes", "characters"]

SEPARATOR = -1

# Placeholders that no pre-token can contain: texts are repaired first, and UTF-8 never contains the byte FF.
_SEPARATOR_CHAR = "\ud800"
_MARK_CHAR = "\udc00"
_SEPARATOR_BYTE = b"\xff"

_SPACE = regex.compile(f"[{ANY_SPACE}]")
_BETWEEN_WORDS = regex.compile(f"[{SPACES_AND_LINES}]")  # where the mark is glued, as in subword-nmt


@dataclass(frozen=True)
class Alphabet(PickledWithoutCaches):
    """A mapping of units (byte values or code points) to symbol ids.

    Words, which are the pre-tokens that aren't white space, may end in a mark, if the units are characters. `mark` is
    its id if it is a symbol of its own, without bytes, else None. If it is glued to the last character, `finals` maps
    each character but those between words to its second symbol, that with the mark.
    """

    units: Units
    ids: Mapping[int, int]
    mark: int | None = None
    finals: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, units: Units, symbols: Mapping[int, bytes]) -> "Alphabet":
        """Build an alphabet from symbol ids and their bytes.

        Among characters, the one without bytes is the mark. If all but white space are there twice, the mark is glued
        to those with the higher ids.
        """
        if units == "bytes":
            return cls(units, {data[0]: token for token, data in symbols.items() if len(data) == 1})
        mark = next((token for token, data in symbols.items() if not data), None)
        found: dict[int, list[int]] = {}
        for token, data in symbols.items():
            if data:
                found.setdefault(ord(data.decode()), []).append(token)
        twice = {unit: ids for unit, ids in found.items() if len(ids) == 2}
        if mark is None and twice and all(unit in twice or _SPACE.match(chr(unit)) for unit in found):
            first = {unit: min(ids) for unit, ids in found.items()}
            return cls(units, first, finals={unit: max(ids) for unit, ids in twice.items()})
        return cls(units, {unit: ids[-1] for unit, ids in found.items()}, mark)

    @classmethod
    def of_characters(cls, characters: Iterable[str], *, has_mark: bool, glued: bool) -> "Alphabet":
        """Number some characters in ascending order, with the mark after them, if there is one, or glued to them."""
        units = sorted(map(ord, characters))
        ids = {unit: number for number, unit in enumerate(units)}
        if not glued:
            return cls("characters", ids, mark=len(ids) if has_mark else None)
        inner = (unit for unit in units if not _BETWEEN_WORDS.match(chr(unit)))
        return cls("characters", ids, finals={unit: number for number, unit in enumerate(inner, start=len(ids))})

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

    @cached_property
    def _final_table(self) -> Int32Array:
        """The same for the last character of a pre-token."""
        table = self._table.copy()
        table[list(self.finals)] = list(self.finals.values())
        return table

    @property
    def ends_words(self) -> bool:
        """Whether words end in a mark, glued to their last character or not."""
        return self.mark is not None or bool(self.finals)

    @cached_property
    def space(self) -> str:
        """A pattern of the separators of words that end in marks: white space, or if glued, what can't end a word."""
        if self.mark is not None or not self.finals:
            return ANY_SPACE
        others = sorted(chr(unit) for unit in self.ids.keys() - self.finals.keys() if _SPACE.match(chr(unit)))
        return SPACES_AND_LINES + "".join(map(regex.escape, others))

    def is_space(self, part: str) -> bool:
        """Return whether a part that `words` gives is between words."""
        return _SPACE.match(part) is not None and ord(part[0]) not in self.finals

    def last_cut(self, text: str) -> int:
        """Return the last place at which a word of `text`, or what separates words, ends; 0 if there is none."""
        return last_cut_at_word(text, self.space)

    def words(self, pretokens: list[str]) -> list[str]:
        """Return pre-tokens, cut into words and what separates them if words end in marks."""
        return apart_from_space(pretokens, self.space) if self.ends_words else pretokens

    @property
    def endings(self) -> frozenset[int]:
        """The ids of the symbols that end words: the mark, or the characters with it."""
        return frozenset(self.finals.values() if self.mark is None else [self.mark])

    @property
    def symbols(self) -> list[int]:
        """The ids of all symbols, in the order of `tokens`. A new list each time."""
        return [*self.ids.values(), *self.finals.values(), *([] if self.mark is None else [self.mark])]

    @property
    def table_size(self) -> int:
        """The entries of a table by unit, of four bytes each."""
        return 256 if self.units == "bytes" else max(ord(_MARK_CHAR), max(self.ids, default=0)) + 1

    @property
    def tokens(self) -> list[bytes]:
        """The bytes of the symbols, in the order of `ids` and `finals`, with the mark last. A new list each time."""
        if self.units == "bytes":
            return [bytes([unit]) for unit in self.ids]
        return [chr(unit).encode() for unit in (*self.ids, *self.finals)] + ([] if self.mark is None else [b""])

    @property
    def has_all_bytes(self) -> bool:
        """Whether the alphabet has all 256 byte values, so that it covers every text."""
        return self.units == "bytes" and len(self.ids) == 256

    def row(self, pretokens: Sequence[str]) -> Int32Array:
        """Return the symbols of `pretokens` as a row. The alphabet must cover them (see `check`)."""
        units = self._units_of(pretokens)
        row: Int32Array = self._table[units]
        if self.finals:
            last = np.flatnonzero(units == ord(_SEPARATOR_CHAR))[1:] - 1
            row[last] = self._final_table[units[last]]
        return row

    def symbols_of(self, data: bytes, ends_word: bool) -> list[int]:
        """Return the symbols of a token's bytes, `SEPARATOR` for what the alphabet lacks."""
        units = list(data) if self.units == "bytes" else list(map(ord, data.decode()))
        symbols = [self.ids.get(unit, SEPARATOR) for unit in units]
        if not ends_word:
            return symbols
        return [*symbols[:-1], self.finals[units[-1]]] if self.mark is None else [*symbols, self.mark]

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
