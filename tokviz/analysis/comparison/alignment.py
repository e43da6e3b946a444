"""Alignment of the tokens of several tokenizers over the bytes of one text, as columns.

A *shared boundary* is a byte offset where every tokenizer has a boundary; a *segment* is the text between two
neighboring shared boundaries. An empty token (an end-of-word mark) belongs to the segment that it ends; one at the very
beginning, where nothing ends, belongs to the first segment.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tokviz.arrays import BoolArray, Int32Array
from tokviz.tokenization import Tokenization

Ends = npt.NDArray[np.uint8]
"""Number of tokens that end at each byte offset of a text: 0 or 1, or 2 where an empty token follows another."""


def token_ends(tokenization: Tokenization) -> Ends:
    """Number of tokens that end at each byte offset of the text: one entry more than there are bytes.

    Two tokenizers cut a stretch of text alike where these columns agree.
    """
    return ends_at(tokenization.byte_offsets, len(tokenization.data))


def ends_at(byte_offsets: Int32Array, length: int) -> Ends:
    """Return the same of tokens with these byte offsets in a text of `length` bytes."""
    return np.bincount(byte_offsets[1:], minlength=length + 1).astype(np.uint8)


def shared_boundaries(ends: Sequence[Ends]) -> Int32Array:
    """Byte offsets at which tokens of all tokenizers end, and 0: one entry more than there are segments."""
    everywhere = np.logical_and.reduce([column > 0 for column in ends])
    everywhere[0] = True
    return np.flatnonzero(everywhere).astype(np.int32)


def first_tokens(ends: Ends, boundaries: Int32Array) -> Int32Array:
    """Index of the first token of each segment, and finally the number of tokens (int32)."""
    firsts: Int32Array = ends.cumsum(dtype=np.int32)[boundaries]
    if len(boundaries) > 1:
        firsts[0] = 0  # empty tokens may precede the first byte
    return firsts


def any_byte(marked: BoolArray, boundaries: Int32Array) -> BoolArray:
    """Mark the segments that have a marked offset at the end of any byte. `marked` has one entry per byte offset."""
    found = _any(marked[1:], boundaries)
    found[:1] |= marked[:1]  # offset 0, where an empty token may stand
    return found


def any_token(marked: BoolArray, firsts: Int32Array) -> BoolArray:
    """Mark the segments that have a marked token. `marked` has one entry per token."""
    return _any(marked, firsts)


def _any(marked: BoolArray, borders: Int32Array) -> BoolArray:
    """Mark the stretches between neighboring borders, none of them empty, that hold a marked entry."""
    if len(borders) < 2:
        return np.zeros(0, np.bool_)
    return np.logical_or.reduceat(marked, borders[:-1])


def jaccard(first: Ends, second: Ends) -> float:
    """Jaccard index of two tokenizers' cuts: inner boundaries that both have, over those that either has.

    From 0 to 1; 1.0 if there are none.
    """
    one, other = first[1:-1] > 0, second[1:-1] > 0
    either = np.count_nonzero(one | other)
    return float(np.count_nonzero(one & other) / either) if either else 1.0


def tokens_in_common(first: Tokenization, second: Tokenization) -> int:
    """Number of tokens that cover exactly the same bytes in both."""
    starts = [_starts_by_end(one) for one in (first, second)]
    same = (starts[0] == starts[1]) & (starts[0] >= 0)
    return int(np.count_nonzero(same)) + len(np.intersect1d(_empty_at(first), _empty_at(second), assume_unique=True))


def _starts_by_end(tokenization: Tokenization) -> Int32Array:
    """Start of the token that ends at each byte offset, -1 where none ends; empty tokens are left out."""
    starts, ends = tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:]
    has_bytes = starts < ends
    by_end = np.full(len(tokenization.data) + 1, -1, np.int32)
    by_end[ends[has_bytes]] = starts[has_bytes]
    return by_end


def _empty_at(tokenization: Tokenization) -> Int32Array:
    """Byte offsets of the empty tokens."""
    starts, ends = tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:]
    empty: Int32Array = starts[starts == ends]
    return empty
