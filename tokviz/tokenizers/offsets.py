"""Offsets of the tokens of given ids in the text that they decode to."""

import codecs
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int64Array


class Offsets(NamedTuple):
    """Borders of n tokens: token i goes from entry i to entry i + 1 (two columns of int64, n + 1).

    `byte_offsets` count in the joined bytes of the tokens, `code_point_offsets` in the decoded text. A character that
    the border cuts counts as not yet begun. Bytes that aren't UTF-8 are U+FFFD in the text, as in `decode`.
    """

    byte_offsets: Int64Array
    code_point_offsets: Int64Array


def offsets_of(tokens: Sequence[bytes]) -> Offsets:
    """Return the borders of tokens, given as their bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    lengths = [len(decoder.decode(token)) for token in tokens]
    if lengths:
        lengths[-1] += len(decoder.decode(b"", final=True))
    return Offsets(_borders([len(token) for token in tokens]), _borders(lengths))


def _borders(lengths: Sequence[int]) -> Int64Array:
    borders = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=borders[1:])
    return borders
