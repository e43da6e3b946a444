"""The tower of a replay: a block for every symbol, and, beneath its two parts, one for every token that a merge makes.

Symbols stand still in one row. A token spans the symbols that it was made of, one row below the lower of its parts, as
in a flame graph. After any number of steps, the lowest blocks that are there already are the tokens of that moment.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.bpe.merge_replay import MergeReplay


class Blocks(NamedTuple):
    """Columns over blocks: first all symbols, in their order, then the merged tokens by step, then by place.

    A block spans the symbols from `starts` up to, but excluding, `ends`; a merged one was joined of the block up to
    `middles` and the block from there on (for a symbol, `middles` equals `starts`). `steps` is the step that makes it,
    counted from 0, or -1 for a symbol; `depths` its row, 0 for a symbol; `ids` its token id.
    """

    starts: Int32Array
    middles: Int32Array
    ends: Int32Array
    steps: Int32Array
    depths: Int32Array
    ids: Int32Array


def blocks_of(replay: MergeReplay, stretches: Sequence[range]) -> Blocks:
    """Return the blocks of stretches of symbols, each of which is one or several whole pre-tokens."""
    rows = [(i, i, i + 1, -1, 0, int(replay.symbols[i])) for symbols in stretches for i in symbols]
    depth_of = {(start, end): depth for start, _, end, _, depth, _ in rows}
    for start, middle, end, step in sorted(_joins(replay, stretches), key=lambda join: (join[3], join[0])):
        depth = 1 + max(depth_of[start, middle], depth_of[middle, end])
        depth_of[start, end] = depth
        rows.append((start, middle, end, step, depth, int(replay.new_ids[step])))
    columns = np.array(rows, np.int32).reshape(-1, len(Blocks._fields)).T
    return Blocks(*map(np.ascontiguousarray, columns))


def _joins(replay: MergeReplay, stretches: Sequence[range]) -> list[tuple[int, int, int, int]]:
    """Return the start, middle, end and step of every join within stretches of symbols.

    The joined token reaches to the nearest boundaries that are not removed before it. (In one step, no two joins share
    a token, so a boundary removed in the same step is a token's edge as well.)
    """
    found = []
    for symbols in stretches:
        removed_at = [*replay.removed_at[symbols.start : symbols.stop].tolist(), len(replay)]
        starts, ends = _nearest_not_lower(removed_at), _nearest_not_lower(removed_at[::-1])[::-1]
        for at, step in enumerate(removed_at[:-1]):
            if at and step < len(replay):
                start, end = starts[at], len(removed_at) - 1 - ends[at]
                found.append((symbols.start + start, symbols.start + at, symbols.start + end, step))
    return found


def _nearest_not_lower(values: Sequence[int]) -> list[int]:
    """For each value, find the index of the nearest value before it that is not lower; 0 if there is none.

    >>> _nearest_not_lower([9, 2, 1, 2, 5])
    [0, 0, 1, 1, 0]
    """
    found, standing = [], [0]
    for i, value in enumerate(values):
        while len(standing) > 1 and values[standing[-1]] < value:
            standing.pop()
        found.append(standing[-1])
        if i:
            standing.append(i)
    return found
