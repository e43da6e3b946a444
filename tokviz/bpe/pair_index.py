"""The pairs of neighbors in a row of symbols, and their places: the index that learning merges works on.

The place of a pair is the position in the row at which its right symbol begins, so it lies between its two symbols. A
joined symbol keeps the positions of all its parts. Joining a pair therefore moves nothing: its place is gone, and the
pairs change at the next places to the left and right, which are as far away as its two symbols are long.

Example: in `t h e r e` at positions 1 to 5, `h e` is at place 3. Joining it turns `t h` at place 2 into `t he`, and
`e r` at place 4 into `he r`. Joining `t he` then changes place 4 again, two away from place 2, since `he` is two long.
So the pair at each place is all that has to be kept, without the symbols or links between them.

If a pair has many places, NumPy joins them all at once; if it has few, a plain loop is faster.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tokviz.arrays import Int32Array, Int64Array, IntArray
from tokviz.bpe.alphabet import SEPARATOR

NO_PAIR = -1
"""Pair number of a place next to a separator, where there is no pair. Inside a symbol, the last pair's number stays."""

# Minimum places for NumPy: with fewer, a plain loop beats its fixed cost per call (measured: 64 to 512 make no
# difference).
_MIN_FOR_NUMPY = 128

Loss = tuple[int, int]
"""A pair, and the weighted number of places that it has lost to new pairs."""

# Which symbols of a pair that a merge creates are the new one (flags).
_LEFT, _RIGHT = 1, 2


class PairIndex:
    """The pairs of neighbors in a row of symbols and their places, kept up to date while pairs are joined.

    Pairs are numbered as they are created. By number: `left` and `right`, the two symbols; `count`, the weighted number
    of places, overlaps counted; `places`, ascending, some of which may be stale. A place of a pair that has not been
    merged is valid while `pair_at[place]` is still the pair.
    """

    def __init__(self, row: Int32Array, weights: Int64Array) -> None:
        self._pair_at = np.full(len(row), NO_PAIR, np.int32)
        self.pair_at = _scalars(self._pair_at)
        self._weights = weights
        self._weight_at = _scalars(weights)
        self.left: list[int] = []
        self.right: list[int] = []
        self._left_size: list[int] = []
        self._right_size: list[int] = []
        self.count: list[int] = []
        self.places: list[Sequence[int] | Int32Array] = []
        self._find_pairs(row)

    def __len__(self) -> int:
        return len(self.count)

    def _find_pairs(self, row: Int32Array) -> None:
        left, right = row[:-1], row[1:]
        starts = np.flatnonzero((left != SEPARATOR) & (right != SEPARATOR)).astype(np.int32)
        base = int(row.max()) + 1
        key_type = np.min_scalar_type(base * base - 1)  # 16 bits for bytes, which NumPy sorts fastest
        keys = left[starts].astype(key_type) * base + right[starts].astype(key_type)
        for key in self._create_groups(keys, starts + np.int32(1)):
            self.left.append(key // base)
            self.right.append(key % base)
        self._left_size = [1] * len(self)
        self._right_size = [1] * len(self)

    def _create_groups(self, keys: IntArray, places: Int32Array) -> list[int]:
        """Create a pair, but not its symbols, from each group of `places` with equal keys. Returns the keys."""
        if not len(keys):
            return []
        order = np.argsort(keys, kind="stable")  # stable: places stay ascending within a group
        keys, places = keys[order], places[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        ends = [*starts[1:].tolist(), len(places)]
        numbers = np.arange(len(self), len(self) + len(starts), dtype=np.int32)
        self._pair_at[places] = np.repeat(numbers, np.diff(starts, append=len(places)))
        self.count.extend(np.add.reduceat(self._weights[places], starts).tolist())
        self.places.extend(places[start:end] for start, end in zip(starts.tolist(), ends, strict=True))
        found: list[int] = keys[starts].tolist()
        return found

    def merge(self, pair: int, new: int, min_count: int = 1) -> tuple[int, list[Loss]]:
        """Join every place of `pair` into the symbol `new`, left to right if places overlap, and set its count to zero.

        This creates the pairs that are now at the places next to those joined; those that occur fewer than `min_count`
        times may be left out. Returns the weighted number of places joined, and what the old pairs there have lost: the
        caller has to update their counts.
        """
        merged, places = self.count[pair], self.places[pair]
        self.count[pair], self.places[pair] = 0, ()
        if self.left[pair] == self.right[pair]:
            places = _without_overlaps(self._still_at(places, pair), self._left_size[pair])
            merged = int(self._weights[places].sum())
        if len(places) < _MIN_FOR_NUMPY:
            return merged, self._join_few(places, pair, new, min_count)
        return merged, self._join_many(places, pair, new)

    def _still_at(self, places: Sequence[int] | Int32Array, pair: int) -> Int32Array:
        column = np.asarray(places, np.int32)
        valid: Int32Array = column[self._pair_at[column] == pair]
        return valid

    # Both ways of joining work alike: they group the places next to those joined by a key that encodes the old pair
    # there and which of its symbols is now the new one, and create a pair from each group. What is recorded at the
    # places joined, now inside the new symbol, stays, since nothing looks there any more.

    def _join_many(self, places: Sequence[int] | Int32Array, pair: int, new: int) -> list[Loss]:
        joined = self._still_at(places, pair)
        before, after = joined - self._left_size[pair], joined + self._right_size[pair]
        between = np.flatnonzero(before[1:] == after[:-1])  # is in both, and kept only in `after`
        changed = np.concatenate((before, after))
        old = self._pair_at[changed]
        keys = old << 2
        keys[: len(before)] += _RIGHT
        keys[len(before) :] += _LEFT
        keys[len(before) + between] += _RIGHT
        old[between + 1] = NO_PAIR
        is_pair = old != NO_PAIR
        lost, size = [], self._left_size[pair] + self._right_size[pair]
        for key in self._create_groups(keys[is_pair], changed[is_pair]):
            lost.append((key >> 2, self.count[len(self.left)]))
            self._append_symbols(key, new, size)
        return lost

    def _join_few(self, places: Sequence[int] | Int32Array, pair: int, new: int, min_count: int) -> list[Loss]:
        pair_at, weight_at = self.pair_at, self._weight_at
        left_size, right_size = self._left_size[pair], self._right_size[pair]
        groups: defaultdict[int, list[int]] = defaultdict(list)
        after = 0  # no pair is there
        for place in places if isinstance(places, list) else np.asarray(places).tolist():
            if pair_at[place] == pair:
                before = place - left_size
                old = pair_at[before]
                if old != NO_PAIR:
                    key = old << 2 | _RIGHT
                    if before == after:  # the place is between two that are joined
                        groups[old << 2 | _LEFT].pop()
                        key |= _LEFT
                    groups[key].append(before)
                after = place + right_size
                old = pair_at[after]
                if old != NO_PAIR:
                    groups[old << 2 | _LEFT].append(after)

        lost, size = [], left_size + right_size
        for key, group in groups.items():
            if not group:  # all of its places are between two that are joined
                continue
            number, count = len(self.count), 0
            for place in group:
                pair_at[place] = number
                count += weight_at[place]
            lost.append((key >> 2, count))
            if count >= min_count:
                self.count.append(count)
                self.places.append(group)
                self._append_symbols(key, new, size)
            else:
                for place in group:
                    pair_at[place] = NO_PAIR
        return lost

    def _append_symbols(self, key: int, new: int, size: int) -> None:
        """Append the symbols of a pair just created: those of an old one, but for the `new` one of length `size`."""
        old = key >> 2
        if key & _LEFT:
            self.left.append(new)
            self._left_size.append(size)
        else:
            self.left.append(self.left[old])
            self._left_size.append(self._left_size[old])
        if key & _RIGHT:
            self.right.append(new)
            self._right_size.append(size)
        else:
            self.right.append(self.right[old])
            self._right_size.append(self._right_size[old])

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


def _without_overlaps(places: Int32Array, size: int) -> Int32Array:
    """Select, from ascending places of a pair (a, a), those to join left to right: every other one of each run.

    `size` is that of a.
    """
    if not len(places):
        return places
    run_starts = np.concatenate(([True], places[:-1] + size != places[1:]))
    index = np.arange(len(places))
    start_of_run = np.maximum.accumulate(np.where(run_starts, index, 0))
    selected: Int32Array = places[(index - start_of_run) % 2 == 0]
    return selected
