"""Byte offsets that tile a text, from the spans that another library reports for its tokens.

Such spans are in whole characters. The tokens of one character share its span, a composed character has the span of its
first part only, and what is dropped from a text has no token at all.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import regex

from tokviz.arrays import BoolArray, Int32Array

_SPACES = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_BEFORE_SPACE = regex.compile(r"\S+")


class Encoded(NamedTuple):
    """Tokens as columns: ids, which of them were put around the text, byte offsets, and the index of the pre-token."""

    ids: Int32Array
    is_added: BoolArray
    byte_offsets: Int32Array
    pretoken_index: Int32Array


def cover(data: bytes, starts: Int32Array, ends: Int32Array, bytes_of: Callable[[int], bytes]) -> Int32Array:
    """Return n + 1 offsets, by which n tokens tile `data` and each covers at least what it alone has the span of.

    `starts` and `ends` are byte offsets, at the boundaries of characters. `bytes_of` gives the bytes that a token
    stands for: of a character that tokens share, each covers its own bytes. If these are not the character's, the last
    of the tokens covers it. White space between spans joins the token after it, anything else the token before it.
    Without tokens, there is one offset: 0.
    """
    if not len(starts):
        return np.zeros(1, np.int32)
    starts = np.maximum.accumulate(starts)
    ends = np.maximum(np.maximum.accumulate(ends), starts)
    before, after = ends[:-1], starts[1:]
    offsets = np.concatenate(([0], np.minimum(before, after), [len(data)])).astype(np.int32)
    octets = np.append(np.frombuffer(data, np.uint8), np.uint8(0))
    for token in np.flatnonzero((before < after) & ~_SPACES[octets[before]]).tolist():
        offsets[token + 1] = before[token] + _length_before_space(data[before[token] : after[token]])
    for token in np.flatnonzero(before > after).tolist():
        place = _boundary(data, int(offsets[token]), int(after[token]), int(before[token]), bytes_of(token))
        offsets[token + 1] = place
    return offsets


def _length_before_space(dropped: bytes) -> int:
    found = _BEFORE_SPACE.match(dropped.decode("utf-8", "replace"))
    return len(found[0].encode()) if found else 0


def _boundary(data: bytes, start: int, shared: int, end: int, token: bytes) -> int:
    """Return where a token that begins at `start` ends within `data[shared:end]`, which it shares with the next one."""
    if start > shared:
        found = len(token) if data.startswith(token, start) else 0
        return min(start + found, end)
    character = data[shared:end]
    lengths = range(min(len(token), len(character)), 0, -1)
    return shared + next((length for length in lengths if character.startswith(token[-length:])), 0)


def with_added(offsets: Int32Array, is_added: BoolArray, length: int) -> Int32Array:
    """Return the offsets of all n tokens, of which some were put around the text, from the offsets of the others.

    The added ones cover nothing; only if nothing else is left of a text of `length` bytes, the last of them covers it.
    """
    others_before = np.concatenate(([0], np.cumsum(~is_added)))
    complete: Int32Array = offsets[others_before].astype(np.int32, copy=False)
    if len(is_added):
        complete[-1] = length
    return complete
