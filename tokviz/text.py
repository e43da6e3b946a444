"""Where things stand in a text: bytes, code points, UTF-16 units, grapheme clusters.

Tokens are counted in UTF-8 bytes, Python strings in code points, browsers in UTF-16 units and readers in
grapheme clusters (what they call one character). This module converts between the four for a whole column of
positions at once, and repairs the one kind of string that has no UTF-8 bytes at all: one with lone surrogates.
"""

import numpy as np
import regex

from tokviz.arrays import BoolArray, Int32Array

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_QUOTED = 100

_CLUSTER = regex.compile(r"\X")
_FLAGS = regex.compile(r"[\U0001F1E6-\U0001F1FF]+")


def repair(text: str) -> tuple[str, int]:
    """Make `text` encodable: join surrogate pairs, replace lone surrogates by U+FFFD.

    Returns the repaired text and the number of lone surrogates replaced. tiktoken repairs texts the same way.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text must be a str, not {type(text).__name__}" + _decode_hint(text))
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return joined, joined.count(REPLACEMENT) - text.count(REPLACEMENT)
    return text, 0


def quote(text: str | bytes) -> str:
    """A text as messages quote it: its first 100 characters."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


def shorten(text: str) -> str:
    """The first 100 characters of a text, for a message."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def token_text(data: bytes) -> str | None:
    """The text of a token; None for one that is no text, and for the mark at the end of words, which has no bytes."""
    try:
        return data.decode() or None
    except UnicodeDecodeError:
        return None


def _decode_hint(value: object) -> str:
    return ": decode it first, for example with .decode('utf-8')" if isinstance(value, bytes | bytearray) else ""


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
    ends = [match.end() for match in _CLUSTER.finditer(_FLAGS.sub(_paired, text))]
    return np.array([0, *ends], np.int32)


def _paired(run: "regex.Match[str]") -> str:
    """A stand-in for a run of regional indicators that `\\X` cuts at the same places.

    Flags are pairs of indicators counted from the run's beginning. `\\X` counts anew from there at each of them, which
    is quadratic; a letter and a combining mark make a cluster of two as well, and its neighbors join it alike.
    """
    length = run.end() - run.start()
    return "a\u0301" * (length // 2) + "a" * (length % 2)
