"""Where things stand in a text: bytes, code points, UTF-16 units, grapheme clusters.

Tokens are counted in UTF-8 bytes, Python strings in code points, browsers in UTF-16 units and readers in
grapheme clusters (what they call one character). This module converts between the four for a whole column of
positions at once, and repairs the one kind of string that has no UTF-8 bytes at all: one with lone surrogates.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, runtime_checkable

import numpy as np
import regex

from tokviz.arrays import BoolArray, Int32Array

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_QUOTED = 100

Texts = str | Iterable[str]
"""One text, or several that are never joined. An open file is one text; an iterator is read once."""

_PART = 1_000_000
"""Code points that are read of a file at a time."""

# The last place in a string where a word is before white space, and a grapheme cluster ends.
_LAST_BEFORE_SPACE = regex.compile(r"(?r)[^\s\p{GCB=Prepend}](?=[ \t])")

_CLUSTER = regex.compile(r"\X")
_FLAGS = regex.compile(r"[\U0001F1E6-\U0001F1FF]+")
_LINKER = regex.compile(r"\p{InCB=Linker}")
_LINKING = regex.compile(r"(\p{InCB=Consonant})?[\p{InCB=Linker}\p{InCB=Extend}]+")


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


def in_pieces(text: str, size: int = 100_000) -> Iterator[str]:
    """`text` in pieces of `size` code points.

    For functions in C that go through a whole text before another thread has its turn.

    >>> list(in_pieces("abcde", 2))
    ['ab', 'cd', 'e']
    """
    return (text[start : start + size] for start in range(0, len(text), size))


def distinct(text: str) -> set[str]:
    """The different code points of `text`: `set(text)`, which lets other threads run meanwhile."""
    found: set[str] = set()
    for piece in in_pieces(text):
        found.update(piece)
    return found


def quote(text: str | bytes) -> str:
    """A text as messages quote it: its first 100 characters."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


def shorten(text: str) -> str:
    """The first 100 characters of a text, for a message."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


@runtime_checkable
class _File(Protocol):
    def read(self, size: int, /) -> str: ...


def each_text(texts: Texts, *, cut_at_spaces: bool = False) -> Iterator[str]:
    """The texts one by one, repaired. Raises TypeError for what is no text.

    With `cut_at_spaces`, a file comes in parts that end before white space, so that memory doesn't grow with it.
    """
    if isinstance(texts, bytes | bytearray | Mapping) or not isinstance(texts, Iterable):
        hint = ": take its values()" if isinstance(texts, Mapping) else _decode_hint(texts)
        raise TypeError(f"texts must be a str, or several of them, not {type(texts).__name__}{hint}")
    if isinstance(texts, str):
        texts = [texts]
    elif isinstance(texts, _File):
        texts = _parts(texts) if cut_at_spaces else [_checked(texts.read(-1))]
    for text in texts:
        yield repair(text)[0]


def _parts(file: _File) -> Iterator[str]:
    held: list[str] = []
    while part := _checked(file.read(_PART)):
        found = _LAST_BEFORE_SPACE.search(part)
        if found:
            yield "".join(held) + part[: found.end()]
            held, part = [], part[found.end() :]
        held.append(part)
    if held:
        yield "".join(held)


def _checked(read: object) -> str:
    if not isinstance(read, str):
        raise TypeError(f"a file of texts must give str, not {type(read).__name__}: open it without 'b' in its mode")
    return read


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
