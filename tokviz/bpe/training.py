"""Learning merges: repeatedly join the most frequent pair of neighbors into a new symbol.

The obvious way counts every pair again at each step. This module computes the same merges, and the same history, by
updating counts instead, which relies on three properties of byte pair encoding:

- A merge changes only the pairs on its two sides: `l a b r` becomes `l ab r`, so `(l, a)` and `(b, r)` each lose a
  place and `(l, ab)` and `(ab, r)` each gain one.
- All places of a pair are created in the one step that makes its newer symbol. From then on its count can only fall, so
  any earlier count of a pair is an upper bound.
- The highest count therefore never rises from one step to the next, so pairs can be put into buckets by count, and
  looked at again only when training has come down to the count of their bucket.

Each distinct pre-token is stored once, weighted by the number of times it occurs. If a pair has many places, NumPy
joins them all at once; if it has few, a plain loop is faster.

Worked example, `aaabdaaabac` without splitting, ties going to the lowest ids: `(a, a)` occurs in four places, counted
with overlaps, and is joined in two; then `(a, b)` ties with `(Z, a)` at two and wins; then `(Z, Y)`, and no pair occurs
twice any more. See Gage, "A New Algorithm for Data Compression" (1994); Sennrich, Haddow and Birch, "Neural Machine
Translation of Rare Words with Subword Units" (2016).
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tokviz.arrays import Int32Array, Int64Array, IntArray
from tokviz.bpe.alphabet import SEPARATOR

TieBreak = Literal["first-seen", "lowest-ids", "greatest-bytes"]
TIE_BREAKS: tuple[TieBreak, ...] = ("first-seen", "lowest-ids", "greatest-bytes")

StopReason = Literal["size", "min_count"]

_NO_PAIR = -1
# Minimum places for NumPy: with fewer, a plain loop beats its fixed cost per call (measured: 32 to 256 make no
# difference).
_MIN_FOR_NUMPY = 64


@dataclass
class Learned:
    """The result of training: per merge, in rank order, its pair and the statistics when it was chosen."""

    pairs: list[tuple[int, int]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    merged: list[int] = field(default_factory=list)
    tied: list[int] = field(default_factory=list)
    stopped: StopReason = "size"


def learn(
    row: Int32Array,
    weights: Int64Array,
    alphabet: Sequence[bytes],
    *,
    num_merges: int | None,
    tie_break: TieBreak,
    min_count: int,
    watch: Callable[["Learned"], object],
    max_length: int | None = None,
    lengths: Sequence[int] = (),
) -> Learned:
    """Learn up to `num_merges` merges (None: all there are) from a row of symbols.

    `row` is a row of pre-tokens (see `alphabet`); `weights`, of the same length, gives the number of occurrences of the
    pre-token that each symbol belongs to. `alphabet` holds the bytes of the symbols 0, 1, ...; new symbols take the ids
    that follow. Pairs that occur fewer than `min_count` times are not merged, nor those that would make a token longer
    than `max_length`, given the `lengths` of the symbols in `alphabet`. `watch` is called with what is learned so far,
    at first nothing, and after each merge; it must not change it.
    """
    index = PairIndex(row, weights)
    sort_keys = [_descending_key(token) for token in alphabet]
    candidates = _Candidates(
        index, _tie_key(tie_break, index, sort_keys), min_count, _Limit(max_length, index, lengths)
    )
    learned = Learned()
    watch(learned)
    while num_merges is None or len(learned.pairs) < num_merges:
        pair = candidates.pop()
        if pair is None:
            learned.stopped = "min_count"
            break
        left, right = index.left[pair], index.right[pair]
        new = len(alphabet) + len(learned.pairs)
        sort_keys.append(sort_keys[left].removesuffix(_END) + sort_keys[right])
        candidates.limit.add_symbol(left, right)
        learned.pairs.append((left, right))
        learned.counts.append(index.count[pair])
        learned.tied.append(candidates.tied)
        candidates.remove(pair)
        merged, changes = index.merge(pair, new)
        candidates.update(changes)
        learned.merged.append(merged)
        watch(learned)
    return learned


# The old pair on one side of the places that a merge joined, and the new pair that replaces it there.
_Change = tuple[int, int]


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
        self._pair_at = np.full(size, _NO_PAIR, np.int32)
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

    def merge(self, pair: int, new: int) -> tuple[int, list[_Change]]:
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
        self._pair_at[lefts] = _NO_PAIR
        self._pair_at[rights] = _NO_PAIR

        # If two joined places are neighbors, the pair (new, new) is created once, on the right of the first.
        before = self._previous[lefts]
        before = before[self._pair_at[before] != _NO_PAIR]
        followed = lefts[old_after != _NO_PAIR]
        keys = np.concatenate((self._symbol[before] * 2, self._symbol[self._next[followed]] * 2 + 1))
        old_pairs = np.concatenate((self._pair_at[before], old_after[old_after != _NO_PAIR]))
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
                pair_at[left] = pair_at[right] = _NO_PAIR
                merged += weight[left]

        groups: dict[int, tuple[int, list[int]]] = {}
        for left, old_after in joined:
            before = previous[left]
            old_before = pair_at[before]
            if old_before != _NO_PAIR:
                groups.setdefault(symbol[before] * 2, (old_before, []))[1].append(before)
            if old_after != _NO_PAIR:
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


class _Limit:
    """The maximum length of a token, if there is one, and the lengths of all symbols."""

    def __init__(self, max_length: int | None, index: PairIndex, lengths: Sequence[int]) -> None:
        self._max_length = max_length
        self._index = index
        self._lengths = list(lengths)

    def add_symbol(self, left: int, right: int) -> None:
        """Add the length of the symbol that joins two others."""
        if self._max_length is not None:
            self._lengths.append(self._lengths[left] + self._lengths[right])

    def forbids(self, pair: int) -> bool:
        """Return whether joining a pair would make too long a token."""
        if self._max_length is None:
            return False
        left, right = self._index.left[pair], self._index.right[pair]
        return self._lengths[left] + self._lengths[right] > self._max_length


class _Candidates:
    """The pairs that may be merged next, in buckets by count; those of the highest count are a heap in tie-break order.

    A pair is in the bucket of the count it had when added, which may be too high by now but never too low. It is added
    again when its bucket is opened or when it is popped from the heap. A pair that would make too long a token has no
    count, and is never a candidate.
    """

    def __init__(self, index: PairIndex, tie_key: Callable[[int], Any], min_count: int, limit: _Limit) -> None:
        self.limit = limit
        self._index = index
        self._tie_key = tie_key
        self._min_count = min_count
        self._buckets: dict[int, list[int]] = {}
        self._bucket_counts: list[int] = []  # a heap of the buckets' counts, negated
        self._heap_count = 0
        self._heap: list[tuple[Any, int]] = []
        self._num_at_count = 0  # number of pairs with exactly the heap's count
        for pair in range(len(index)):
            self._remove_if_forbidden(pair)
            self._add(pair)

    @property
    def tied(self) -> int:
        """The number of other pairs with the same count as the pair popped last."""
        return self._num_at_count - 1

    def pop(self) -> int | None:
        """Remove and return the most frequent pair, the first in tie-break order; None if none is frequent enough."""
        count = self._index.count
        while True:
            while self._heap:
                # While a pair's count is unchanged, so is its key: even a first place moves only if it is merged away.
                _, pair = heapq.heappop(self._heap)
                if count[pair] == self._heap_count:
                    return pair
                self._add(pair)
            if not self._bucket_counts:
                return None
            self._open_next_bucket()

    def remove(self, pair: int) -> None:
        """Set the count of the pair popped last to zero, since it is being merged away."""
        self._index.count[pair] = 0
        self._num_at_count -= 1

    def update(self, changes: Sequence[_Change]) -> None:
        """Update the counts after places moved from old pairs to new ones."""
        count = self._index.count
        for old, new in changes:
            if count[old] == self._heap_count:
                self._num_at_count -= 1
            count[old] -= count[new]
            self._remove_if_forbidden(new)
            if count[new] == self._heap_count:
                self._num_at_count += 1
                heapq.heappush(self._heap, (self._tie_key(new), new))
            else:
                self._add(new)

    def _remove_if_forbidden(self, pair: int) -> None:
        if self.limit.forbids(pair):
            self._index.count[pair] = 0

    def _add(self, pair: int) -> None:
        count = self._index.count[pair]
        if count < self._min_count:
            return
        if count not in self._buckets:
            self._buckets[count] = []
            heapq.heappush(self._bucket_counts, -count)
        self._buckets[count].append(pair)

    def _open_next_bucket(self) -> None:
        self._heap_count = -heapq.heappop(self._bucket_counts)
        for pair in self._buckets.pop(self._heap_count):
            if self._index.count[pair] == self._heap_count:
                self._heap.append((self._tie_key(pair), pair))
            else:
                self._add(pair)
        heapq.heapify(self._heap)
        self._num_at_count = len(self._heap)


def _tie_key(tie_break: TieBreak, index: PairIndex, sort_keys: Sequence[str]) -> Callable[[int], Any]:
    """Return the sort key of a tie rule: of equally frequent pairs, the one with the smallest key is merged.

    `sort_keys` holds the result of `_descending_key` by symbol.
    """
    if tie_break == "first-seen":
        return index.first_place
    left, right = index.left, index.right
    if tie_break == "lowest-ids":
        return lambda pair: (left[pair], right[pair])
    # Different symbols may have equal bytes, as `t` and `t` with an end-of-word mark do: then the lowest ids win.
    return lambda pair: (sort_keys[left[pair]], sort_keys[right[pair]], left[pair], right[pair])


_END = chr(256)


def _descending_key(token: bytes) -> str:
    """Return a string that sorts in reverse of `token`: the greatest bytes first, a longer token before its prefix."""
    return "".join(chr(255 - byte) for byte in token) + _END
