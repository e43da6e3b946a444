"""A row of symbols and the places of each pair of neighbors in it, the index that learning merges works on.

If a pair has many places, NumPy joins them all at once; if it has few, a plain loop is faster.
"""

from collections.abc import Sequence

import numpy as np

from tokviz.arrays import Int32Array, Int64Array, IntArray
from tokviz.bpe.alphabet import SEPARATOR

NO_PAIR = -1
"""Placeholder for a place where no pair begins."""

# Minimum places for NumPy: with fewer, a plain loop beats its fixed cost per call (measured: 32 to 256 make no
# difference).
_MIN_FOR_NUMPY = 64


PairChange = tuple[int, int]
"""The old pair on one side of the places that a merge joined, and the new pair that replaces it there."""


class PairIndex:
    """A row of symbols and the places of each pair of neighbors in it, kept up to date while pairs are joined.

    Pairs are numbered as they are created. By number: `left` and `right`, the two symbols; `count`, the weighted number
    of places, overlaps counted; `places`, the positions in the row, ascending, some of which may be stale. A place is
    valid while `pair_at[place]` is still the pair.
    """

    def __init__(self, row: Int32Array, weights: Int64Array) -> None:
        size = len(row)
        self._symbol = row.copy()
        self._weight = weights
        self._next = np.arange(1, size + 1, dtype=np.int32)
        self._previous = np.arange(-1, size - 1, dtype=np.int32)
        self._pair_at = np.full(size, NO_PAIR, np.int32)
        self.pair_at = _scalars(self._pair_at)
        self.left: list[int] = []
        self.right: list[int] = []
        self.count: list[int] = []
        self.places: list[Sequence[int] | Int32Array] = []
        self._find_pairs()

    def __len__(self) -> int:
        return len(self.count)

    def _find_pairs(self) -> None:
        left, right = self._symbol[:-1], self._symbol[1:]
        places = np.flatnonzero((left != SEPARATOR) & (right != SEPARATOR)).astype(np.int32)
        keys = left[places].astype(np.int64) << 32 | right[places]
        for key, _, _ in self._number_groups(keys, places, places):
            self.left.append(key >> 32)
            self.right.append(key & 0xFFFFFFFF)

    def _number_groups(self, keys: Int64Array, places: Int32Array, old_pairs: Int32Array) -> list[tuple[int, int, int]]:
        """Create a pair from each group of `places` with equal keys. Returns (key, an old pair, the new pair)."""
        if not len(keys):
            return []
        order = np.argsort(keys, kind="stable")  # stable: places stay ascending within a group
        keys, places = keys[order], places[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        first = len(self.count)
        numbers = np.arange(first, first + len(starts), dtype=np.int32)
        ends = [*starts[1:].tolist(), len(places)]
        self._pair_at[places] = np.repeat(numbers, np.diff(starts, append=len(places)))
        self.count.extend(np.add.reduceat(self._weight[places], starts).tolist())
        self.places.extend(places[start:end] for start, end in zip(starts.tolist(), ends, strict=True))
        return list(zip(keys[starts].tolist(), old_pairs[order[starts]].tolist(), numbers.tolist(), strict=True))

    def merge(self, pair: int, new: int) -> tuple[int, list[PairChange]]:
        """Join every place of `pair` into the symbol `new`, left to right if places overlap.

        Returns the weighted number of places joined, and (old pair, new pair) for each pair created: the old one loses
        as many places as the new one has. The caller has to update the counts of old pairs.
        """
        places = self.places[pair]
        self.places[pair] = ()
        join = self._join_many if len(places) >= _MIN_FOR_NUMPY else self._join_few
        merged, new_pairs = join(places, pair, new)
        for key, _, _ in new_pairs:
            neighbor, is_right = key >> 1, key & 1
            self.left.append(new if is_right else neighbor)
            self.right.append(neighbor if is_right else new)
        return merged, [(old, number) for _, old, number in new_pairs]

    # Both ways of joining work alike: first all places are relinked, then the pairs on their two sides are created,
    # grouped by a key that encodes the neighbor and its side: 2 * neighbor, plus 1 on the right.

    def _join_many(
        self, places: Sequence[int] | Int32Array, pair: int, new: int
    ) -> tuple[int, list[tuple[int, int, int]]]:
        lefts = np.asarray(places, np.int32)
        lefts = lefts[self._pair_at[lefts] == pair]
        if self.left[pair] == self.right[pair]:
            lefts = _without_overlaps(lefts, self._next)
        rights = self._next[lefts]
        after = self._next[rights]
        old_after = self._pair_at[rights]
        self._next[lefts] = after
        self._previous[after] = lefts
        self._symbol[lefts] = new
        self._pair_at[lefts] = NO_PAIR
        self._pair_at[rights] = NO_PAIR

        # If two joined places are neighbors, the pair (new, new) is created once, on the right of the first.
        before = self._previous[lefts]
        before = before[self._pair_at[before] != NO_PAIR]
        followed = lefts[old_after != NO_PAIR]
        keys = np.concatenate((self._symbol[before] * 2, self._symbol[self._next[followed]] * 2 + 1))
        old_pairs = np.concatenate((self._pair_at[before], old_after[old_after != NO_PAIR]))
        new_pairs = self._number_groups(keys.astype(np.int64), np.concatenate((before, followed)), old_pairs)
        return int(self._weight[lefts].sum()), new_pairs

    def _join_few(
        self, places: Sequence[int] | Int32Array, pair: int, new: int
    ) -> tuple[int, list[tuple[int, int, int]]]:
        symbol, weight = _scalars(self._symbol), _scalars(self._weight)
        following, previous, pair_at = _scalars(self._next), _scalars(self._previous), self.pair_at
        merged = 0
        joined: list[tuple[int, int]] = []
        for left in places if isinstance(places, list) else np.asarray(places).tolist():
            if pair_at[left] == pair:
                right = following[left]
                after = following[right]
                joined.append((left, pair_at[right]))
                following[left] = after
                previous[after] = left
                symbol[left] = new
                pair_at[left] = pair_at[right] = NO_PAIR
                merged += weight[left]

        groups: dict[int, tuple[int, list[int]]] = {}
        for left, old_after in joined:
            before = previous[left]
            old_before = pair_at[before]
            if old_before != NO_PAIR:
                groups.setdefault(symbol[before] * 2, (old_before, []))[1].append(before)
            if old_after != NO_PAIR:
                groups.setdefault(symbol[following[left]] * 2 + 1, (old_after, []))[1].append(left)

        new_pairs = []
        for number, (key, (old, group)) in enumerate(groups.items(), start=len(self.count)):
            for place in group:
                pair_at[place] = number
            self.count.append(sum([weight[place] for place in group]))
            self.places.append(group)
            new_pairs.append((key, old, number))
        return merged, new_pairs

    def first_place(self, pair: int) -> int:
        """Return the first place where `pair` still occurs. It must occur somewhere."""
        places = self.places[pair]
        num_stale = 0
        while self.pair_at[places[num_stale]] != pair:
            num_stale += 1
        if num_stale:
            self.places[pair] = places[num_stale:]
        return int(places[num_stale])


def _scalars(column: IntArray) -> "memoryview[int]":
    """Return a view of the same memory that is faster to read and write one number at a time."""
    return column.data


def _without_overlaps(places: Int32Array, following: Int32Array) -> Int32Array:
    """Select, from ascending places of a pair (a, a), those to join left to right: every other one of each run."""
    if not len(places):
        return places
    run_starts = np.concatenate(([True], following[places[:-1]] != places[1:]))
    index = np.arange(len(places))
    start_of_run = np.maximum.accumulate(np.where(run_starts, index, 0))
    selected: Int32Array = places[(index - start_of_run) % 2 == 0]
    return selected
