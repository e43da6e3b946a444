"""Positions in a text: bytes, code points, UTF-16 units and grapheme clusters.

Tokens are measured in UTF-8 bytes, Python strings in code points and browser strings in UTF-16 units; readers count
grapheme clusters (what they call one character). This module converts whole columns of positions between the four.
"""

from array import array
from bisect import bisect_left

import numpy as np
import regex

from tokviz.arrays import BoolArray, Int32Array

_CLUSTER = regex.compile(r"\X")
_FLAGS = regex.compile(r"[\U0001F1E6-\U0001F1FF]+")
_LINKER = regex.compile(r"\p{InCB=Linker}")
_LINKING_MARK = regex.compile(r"(?=\p{GCB=Extend})\p{InCB=Linker}")
_LINKING_RUN = regex.compile(r"(\p{InCB=Consonant})?[\p{InCB=Linker}\p{InCB=Extend}]+")

# A character after which a cluster ends whatever else is around: one that joins nothing in front of it but a prepended
# mark comes next, or a control character or line end is on either side.
_SURE = (
    r"(?s:[\p{GCB=Control}\n](?=.)|\r(?=[^\n])|.(?=[\p{GCB=Control}\r])|[^\r](?=\n)"
    r"|\P{GCB=Prepend}(?=(?![\p{Extended_Pictographic}\p{InCB=Consonant}])\p{GCB=Other}))"
)
_SURE_BORDER = regex.compile(_SURE)
_LAST_SURE_BORDER = regex.compile(f"(?r){_SURE}")

_AROUND = 1_000  # code points before and after a place of interest in which grapheme clusters are found


def byte_starts(text: str) -> Int32Array:
    """Return the byte offset at which each code point of a text begins, and the text's length."""
    starts = np.arange(len(text) + 1, dtype=np.int32)
    if not text.isascii():
        code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        lengths = sum((code_points >= least).astype(np.int32) for least in (0, 0x80, 0x800, 0x10000))
        np.cumsum(lengths, out=starts[1:])
    return starts


def code_point_offsets(data: bytes, byte_offsets: Int32Array) -> Int32Array:
    """Count the code points that end at or before each byte offset into UTF-8 `data`.

    At a code point boundary, this is the index in the string; inside a code point, the index of that code point.
    """
    return _units_before(data, byte_offsets, units_of_four_bytes=1)


def utf16_offsets(data: bytes, byte_offsets: Int32Array) -> Int32Array:
    """Convert byte offsets like `code_point_offsets`, but to UTF-16 units, the positions that browsers use."""
    return _units_before(data, byte_offsets, units_of_four_bytes=2)


def inside_code_point(data: bytes, byte_offsets: Int32Array) -> BoolArray:
    """Return which byte offsets into UTF-8 `data` fall inside a code point (bool, one per offset)."""
    if data.isascii():
        return np.zeros(len(byte_offsets), np.bool_)
    octets = np.append(np.frombuffer(data, np.uint8), np.uint8(0))
    inside: BoolArray = (octets[byte_offsets] & 0xC0) == 0x80
    return inside


def _units_before(data: bytes, byte_offsets: Int32Array, units_of_four_bytes: int) -> Int32Array:
    if data.isascii():
        return byte_offsets
    octets = np.frombuffer(data, np.uint8)
    starts = ((octets & 0xC0) != 0x80).astype(np.int32)
    is_wide = octets >= 0xF0
    units_before = np.zeros(len(octets) + 1, np.int32)
    np.cumsum(np.where(is_wide, units_of_four_bytes, starts), out=units_before[1:])
    # Inside a code point, that code point has begun but not ended: subtract its units again.
    is_inside = inside_code_point(data, byte_offsets)
    counts = units_before[byte_offsets]
    if is_inside.any():
        starts_at = np.flatnonzero(starts)
        containing = starts_at[np.searchsorted(starts_at, byte_offsets[is_inside], side="right") - 1]
        counts[is_inside] -= np.where(is_wide[containing], units_of_four_bytes, 1).astype(np.int32)
    return counts


def grapheme_offsets(text: str) -> Int32Array:
    """Return the code point offsets where grapheme clusters (UAX #29) begin, and the text's length.

    There are m + 1 entries for m clusters.
    """
    # With `concurrent`, other threads run during a match.
    substitute = _FLAGS.sub(_replace_flags, text, concurrent=True)
    if _LINKER.search(substitute, concurrent=True):
        substitute = _LINKING_RUN.sub(_neutralize_stray_linkers, substitute, concurrent=True)
    ends = array("i", map(regex.Match.end, _CLUSTER.finditer(substitute, concurrent=True)))
    return np.array(array("i", [0]) + ends)


class GraphemeBorders:
    """The places where grapheme clusters begin or the text ends, found only where they are asked for.

    Mostly the two characters beside a place tell. Else, whether there is a border depends on the cluster before it and
    the character after it alone: what is between two borders can be cut into clusters by itself. One stretch of the
    text is known, and grows to each place asked for.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._borders = array("i")  # of the known stretch, which begins at the first
        self._end = 0  # places before this are known

    def __contains__(self, place: int) -> bool:
        if place and _SURE_BORDER.match(self._text, place - 1):
            return True
        if not self._borders or place < self._borders[0]:
            self._grow_back(place)
        if place >= self._end:
            self._grow_on(place)
        index = bisect_left(self._borders, place)
        return index < len(self._borders) and self._borders[index] == place

    @property
    def _margin(self) -> int:
        """How far the stretch grows beyond a place: as it doubles, a long cluster is not read again at each step."""
        return max(_AROUND, self._end - self._borders[0]) if self._borders else _AROUND

    def _grow_back(self, place: int) -> None:
        sure = _LAST_SURE_BORDER.search(self._text, 0, max(0, place - self._margin) + 1, concurrent=True)
        start = sure.end() if sure else 0
        if self._borders:
            self._borders = self._find(start, self._borders[0]) + self._borders
        else:
            self._borders, self._end = array("i", [start]), start
            self._grow_on(place)

    def _grow_on(self, place: int) -> None:
        end = min(place + self._margin, len(self._text))
        self._borders += self._find(self._borders.pop(), end)
        self._end = end
        if end == len(self._text):
            self._borders.append(end)
            self._end += 1

    def _find(self, start: int, end: int) -> "array[int]":
        """Find the borders from the border `start` on that are before `end`, which may be within a cluster."""
        return array("i", (start + grapheme_offsets(self._text[start:end])[:-1]).astype(np.int32).tobytes())


def _neutralize_stray_linkers(run: "regex.Match[str]") -> str:
    """Replace linking characters that follow no consonant, so that `\\X` splits as rule GB9c of UAX #29 says.

    A character that links consonants, such as a virama, does so only after a consonant; in some releases of `regex`,
    after anything. Most linkers are marks; since Unicode 18, a few are letters, which join nothing in front of them.
    """
    return run[0] if run[1] else _LINKER.sub("a", _LINKING_MARK.sub("\u0301", run[0]))


def _replace_flags(run: "regex.Match[str]") -> str:
    """Replace a run of regional indicators by characters that `\\X` splits at the same places.

    Flags are pairs of indicators, counted from the start of the run. `\\X` counts again from there at each indicator,
    which is quadratic. A letter and a combining mark also form a cluster of two, and join their neighbors in the same
    way.
    """
    length = run.end() - run.start()
    return "a\u0301" * (length // 2) + "a" * (length % 2)
