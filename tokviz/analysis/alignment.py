"""Laying the tokens of several tokenizers side by side over the bytes of one text, as columns.

A *shared boundary* is a place in the text where every tokenizer has a boundary; a *segment* is what lies between two
neighbors of them. An empty token (an end-of-word mark) belongs to the segment that it ends; one at the very beginning,
where nothing ends, to the first.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tokviz.arrays import BoolArray, Int32Array
from tokviz.tokenization import Tokenization

Ends = npt.NDArray[np.uint8]
"""How many tokens end at each byte offset of a text: 0 or 1, and 2 where an empty token stands after another."""


def token_ends(tokenization: Tokenization) -> Ends:
    """How many tokens end at each byte offset of the text: one entry more than there are bytes.

    Two tokenizers cut a stretch of text alike where these agree.
    """
    return np.bincount(tokenization.byte_offsets[1:], minlength=len(tokenization.data) + 1).astype(np.uint8)


def shared_boundaries(ends: Sequence[Ends]) -> Int32Array:
    """The byte offsets at which tokens of all tokenizers end, and 0: one entry more than there are segments."""
    everywhere = np.logical_and.reduce([column > 0 for column in ends])
    everywhere[0] = True
    return np.flatnonzero(everywhere).astype(np.int32)


def first_tokens(ends: Ends, boundaries: Int32Array) -> Int32Array:
    """The number of the first token of each segment, and at last the number of tokens (int32)."""
    firsts: Int32Array = ends.cumsum(dtype=np.int32)[boundaries]
    if len(boundaries) > 1:
        firsts[0] = 0  # tokens without bytes may stand before the first byte
    return firsts


def any_byte(marked: BoolArray, boundaries: Int32Array) -> BoolArray:
    """Which segments have a marked place among the ends of their bytes. `marked` has an entry for each byte offset."""
    found = _any(marked[1:], boundaries)
    found[:1] |= marked[:1]  # the beginning, where a token without bytes may stand
    return found


def any_token(marked: BoolArray, firsts: Int32Array) -> BoolArray:
    """Which segments have a marked token. `marked` has an entry for each token."""
    return _any(marked, firsts)


def _any(marked: BoolArray, borders: Int32Array) -> BoolArray:
    """Which of the stretches between neighboring borders, none of them empty, hold something marked."""
    if len(borders) < 2:
        return np.zeros(0, np.bool_)
    return np.logical_or.reduceat(marked, borders[:-1])


def jaccard(first: Ends, second: Ends) -> float:
    """How well two tokenizers agree on where to cut: inner boundaries of both, over inner boundaries of either.

    From 0 to 1; 1.0 where there are none.
    """
    one, other = first[1:-1] > 0, second[1:-1] > 0
    either = np.count_nonzero(one | other)
    return float(np.count_nonzero(one & other) / either) if either else 1.0


def tokens_in_common(first: Tokenization, second: Tokenization) -> int:
    """How many tokens cover the very same bytes in both."""
    starts = [_starts_by_end(one) for one in (first, second)]
    same = (starts[0] == starts[1]) & (starts[0] >= 0)
    return int(np.count_nonzero(same)) + len(np.intersect1d(_empty_at(first), _empty_at(second), assume_unique=True))


def _starts_by_end(tokenization: Tokenization) -> Int32Array:
    """Where the token begins that ends at a byte offset, -1 where none ends; empty tokens left out."""
    starts, ends = tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:]
    has_bytes = starts < ends
    by_end = np.full(len(tokenization.data) + 1, -1, np.int32)
    by_end[ends[has_bytes]] = starts[has_bytes]
    return by_end


def _empty_at(tokenization: Tokenization) -> Int32Array:
    """The byte offsets at which empty tokens stand."""
    starts, ends = tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:]
    empty: Int32Array = starts[starts == ends]
    return empty
