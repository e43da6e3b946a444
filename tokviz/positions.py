"""Where things stand in a text: bytes, code points, UTF-16 units, grapheme clusters.

Tokens are counted in UTF-8 bytes, Python strings in code points, browsers in UTF-16 units and readers in grapheme
clusters (what they call one character). This module converts between the four for a whole column of positions at once.
"""

import numpy as np
import regex

from tokviz.arrays import BoolArray, Int32Array

_CLUSTER = regex.compile(r"\X")
_FLAGS = regex.compile(r"[\U0001F1E6-\U0001F1FF]+")
_LINKER = regex.compile(r"\p{InCB=Linker}")
_LINKING = regex.compile(r"(\p{InCB=Consonant})?[\p{InCB=Linker}\p{InCB=Extend}]+")


def code_point_offsets(data: bytes, byte_offsets: Int32Array) -> Int32Array:
    """For each byte offset into UTF-8 `data`, the code points that end at or before it.

    At a code point's border this is its index in the string; inside one, the index of the code point that is cut.
    """
    return _units_before(data, byte_offsets, units_of_four_bytes=1)


def utf16_offsets(data: bytes, byte_offsets: Int32Array) -> Int32Array:
    """Like `code_point_offsets`, in UTF-16 units: the positions that browsers use."""
    return _units_before(data, byte_offsets, units_of_four_bytes=2)


def inside_code_point(data: bytes, byte_offsets: Int32Array) -> BoolArray:
    """Which byte offsets into UTF-8 `data` fall inside a code point (bool, one per offset)."""
    octets = np.append(np.frombuffer(data, np.uint8), np.uint8(0))
    inside: BoolArray = (octets[byte_offsets] & 0xC0) == 0x80
    return inside


def _units_before(data: bytes, byte_offsets: Int32Array, units_of_four_bytes: int) -> Int32Array:
    octets = np.frombuffer(data, np.uint8)
    starts = ((octets & 0xC0) != 0x80).astype(np.int32)
    wide = octets >= 0xF0
    begun = np.zeros(len(octets) + 1, np.int32)
    np.cumsum(np.where(wide, units_of_four_bytes, starts), out=begun[1:])
    # Inside a code point, that code point has begun but not ended: take its units off again.
    cut = inside_code_point(data, byte_offsets)
    before = begun[byte_offsets]
    if cut.any():
        lead = np.flatnonzero(starts)
        holder = lead[np.searchsorted(lead, byte_offsets[cut], side="right") - 1]
        before[cut] -= np.where(wide[holder], units_of_four_bytes, 1).astype(np.int32)
    return before


def grapheme_offsets(text: str) -> Int32Array:
    """The code point offsets at which grapheme clusters (UAX #29) begin, and the text's length: m + 1 entries."""
    stand_in = _FLAGS.sub(_paired, text)
    if _LINKER.search(stand_in):
        stand_in = _LINKING.sub(_linking_after_consonants, stand_in)
    ends = [match.end() for match in _CLUSTER.finditer(stand_in)]
    return np.array([0, *ends], np.int32)


def _linking_after_consonants(run: "regex.Match[str]") -> str:
    """A stand-in for marks, and the consonant before them if there is one, that `\\X` cuts as UAX #29 says (GB9c).

    A mark that links consonants, such as a virama, does so after a consonant only; in some releases of `regex`, after
    anything.
    """
    return run[0] if run[1] else _LINKER.sub("\u0301", run[0])


def _paired(run: "regex.Match[str]") -> str:
    """A stand-in for a run of regional indicators that `\\X` cuts at the same places.

    Flags are pairs of indicators counted from the run's beginning. `\\X` counts anew from there at each of them, which
    is quadratic; a letter and a combining mark make a cluster of two as well, and its neighbors join it alike.
    """
    length = run.end() - run.start()
    return "a\u0301" * (length // 2) + "a" * (length % 2)
