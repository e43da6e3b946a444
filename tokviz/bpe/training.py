"""Learning merges: repeatedly join the most frequent pair of neighbors into a new symbol.

The same as `plain.train`, fast. That counts every pair again at each step; this module updates counts instead, which
relies on three properties of byte pair encoding:

- A merge changes only the pairs on its two sides: `l a b r` becomes `l ab r`, so `(l, a)` and `(b, r)` each lose a
  place and `(l, ab)` and `(ab, r)` each gain one.
- All places of a pair are created in the one step that makes its newer symbol. From then on its count can only fall, so
  any earlier count of a pair is an upper bound.
- The highest count therefore never rises from one step to the next, so pairs can be put into buckets by count, and
  looked at again only when training has come down to the count of their bucket.

Each distinct pre-token is stored once, weighted by the number of times it occurs (see `pair_index`).

Worked example, `aaabdaaabac` without splitting, ties going to the lowest ids: `(a, a)` occurs in four places, counted
with overlaps, and is joined in two; then `(a, b)` ties with `(Z, a)` at two and wins; then `(Z, Y)`, and no pair occurs
twice any more. See Gage, "A New Algorithm for Data Compression" (1994); Sennrich, Haddow and Birch, "Neural Machine
Translation of Rare Words with Subword Units" (2016).
"""

import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.pair_index import NO_PAIR, Loss, PairIndex

TieBreak = Literal["first-seen", "lowest-ids", "greatest-bytes"]
TIE_BREAKS: tuple[TieBreak, ...] = ("first-seen", "lowest-ids", "greatest-bytes")

StopReason = Literal["size", "min_count"]


@dataclass
class Learned:
    """The result of training: per merge, in rank order, its pair, the new id, and the statistics when it was chosen.

    `tokens` holds the bytes of all ids, of which the new ones are the last. `highest` are the counts of the most
    frequent pairs, which are those of the pairs themselves, except for merges that were known before.
    """

    tokens: list[bytes]
    pairs: list[tuple[int, int]] = field(default_factory=list)
    new_ids: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    merged: list[int] = field(default_factory=list)
    tied: list[int] = field(default_factory=list)
    highest: list[int] = field(default_factory=list)
    stopped: StopReason = "size"


def learn(
    row: Int32Array,
    weights: Int64Array,
    tokens: Sequence[bytes],
    *,
    num_merges: int | None,
    tie_break: TieBreak,
    min_count: int,
    max_length: int | None = None,
    lengths: Sequence[int] = (),
    known: Mapping[tuple[int, int], int] | None = None,
    unmade: Mapping[bytes, int] | None = None,
    spelled: Sequence[bytes] | None = None,
) -> Iterator[Learned]:
    """Learn up to `num_merges` merges (None: all there are) from a row of symbols; yield what is learned so far.

    The same object is yielded each time, at first with nothing learned, then after each merge. It must not be changed.

    `row` is a row of pre-tokens (see `alphabet`); `weights`, of the same length, gives the number of occurrences of the
    pre-token that each symbol belongs to. `tokens` holds the bytes of the ids 0, 1, ..., which are the alphabet or
    hold it; new symbols take the ids that follow. Pairs that occur fewer than `min_count` times are not merged, nor
    those that would make a token longer than `max_length`, given the `lengths` of `tokens`.

    `known` merges (pair -> new id, in rank order) come first, whether they are frequent or not; they are part of the
    result, but not of `num_merges`. `unmade` holds the ids of tokens that they may not make: a new symbol with the
    bytes of one is this token. `spelled` are the tokens as "greatest-bytes" compares them, if not by their bytes.
    """
    index = PairIndex(row, weights)
    learned = Learned(list(tokens))
    if known:
        _apply_known(index, known, learned)
    sort_keys = list(map(_descending_key, spelled or tokens)) if tie_break == "greatest-bytes" else []
    symbols = _Symbols(learned.tokens, unmade or {}, max_length, list(lengths), sort_keys)
    candidates = _Candidates(index, _tie_key(tie_break, index, sort_keys), min_count, symbols)
    yield learned
    for _ in itertools.count() if num_merges is None else range(num_merges):
        pair = candidates.pop()
        if pair is None:
            learned.stopped = "min_count"
            return
        learned.pairs.append((index.left[pair], index.right[pair]))
        learned.new_ids.append(new := symbols.join(*learned.pairs[-1]))
        learned.counts.append(candidates.count)
        learned.highest.append(candidates.count)
        learned.tied.append(candidates.num_tied)
        merged, lost = index.merge(pair, new, min_count)
        candidates.update(lost)
        learned.merged.append(merged)
        yield learned


def _apply_known(index: PairIndex, known: Mapping[tuple[int, int], int], learned: Learned) -> None:
    """Join the pairs of known merges, in rank order, and record what there was to see, as if they had been learned."""
    learned.pairs.extend(known)
    learned.new_ids.extend(known.values())
    number_of = {pair: number for number, pair in enumerate(zip(index.left, index.right, strict=True))}
    pairs_at = Counter(index.count)  # count -> number of pairs with this count
    highest = max(pairs_at, default=0)
    for symbols, new in known.items():
        while highest and not pairs_at[highest]:  # it never rises
            highest -= 1
        learned.highest.append(highest)
        pair = number_of.get(symbols, NO_PAIR)
        count = 0 if pair == NO_PAIR else index.count[pair]
        learned.counts.append(count)
        learned.tied.append(pairs_at[count] - 1 if count else 0)
        if not count:
            learned.merged.append(0)
            continue
        pairs_at[count] -= 1
        num_before = len(index)
        merged, lost = index.merge(pair, new)
        learned.merged.append(merged)
        for old, places in lost:
            pairs_at[index.count[old]] -= 1
            index.count[old] -= places
            pairs_at[index.count[old]] += 1
        for created in range(num_before, len(index)):
            pairs_at[index.count[created]] += 1
            number_of[index.left[created], index.right[created]] = created


class _Symbols:
    """The symbols by id: their bytes, their lengths if there is a maximum, and their keys if ties go by bytes.

    New ones are appended to the lists given.
    """

    def __init__(
        self,
        tokens: list[bytes],
        unmade: Mapping[bytes, int],
        max_length: int | None,
        lengths: list[int],
        sort_keys: list[str],
    ) -> None:
        self._tokens = tokens
        self._unmade = unmade
        self._max_length = max_length
        self._lengths = lengths
        self._sort_keys = sort_keys

    def join(self, left: int, right: int) -> int:
        """Return the id of the symbol that joins two others, which is a new one unless a token has its bytes."""
        token = self._tokens[left] + self._tokens[right]
        if token in self._unmade:
            return self._unmade[token]
        self._tokens.append(token)
        if self._sort_keys:
            self._sort_keys.append(self._sort_keys[left].removesuffix(_END) + self._sort_keys[right])
        if self._max_length is not None:
            self._lengths.append(self._lengths[left] + self._lengths[right])
        return len(self._tokens) - 1

    @property
    def has_limit(self) -> bool:
        """Whether there is a maximum length."""
        return self._max_length is not None

    def is_too_long(self, left: int, right: int) -> bool:
        """Return whether joining two symbols would exceed the maximum length."""
        return self._max_length is not None and self._lengths[left] + self._lengths[right] > self._max_length


class _Candidates:
    """The pairs that may be merged next, in buckets by count; those of the highest count are a heap in tie-break order.

    A pair is in the bucket of the count it had when added, which may be too high by now but never too low. It is added
    again when its bucket is opened or when it is popped from the heap. A pair that would make too long a token has no
    count, and is never a candidate.

    `count` is the count of the heap's pairs, and `num_tied` the number of pairs that have it, without those popped.
    """

    def __init__(
        self, index: PairIndex, tie_key: Callable[[int], tuple[Any, ...]], min_count: int, symbols: _Symbols
    ) -> None:
        self.count = 0
        self.num_tied = 0
        self._symbols = symbols
        self._index = index
        self._tie_key = tie_key
        self._min_count = min_count
        self._buckets: defaultdict[int, list[int]] = defaultdict(list)
        self._bucket_counts: list[int] = []  # a heap of the buckets' counts, negated
        self._heap: list[tuple[Any, ...]] = []
        self._num_pairs = 0  # number of pairs of the index that have been added
        self._add_new_pairs()

    def pop(self) -> int | None:
        """Remove and return the most frequent pair, the first in tie-break order; None if none is frequent enough."""
        counts = self._index.count
        while True:
            while self._heap:
                # While a pair's count is unchanged, so is its key: even a first place moves only if it is merged away.
                pair: int = heapq.heappop(self._heap)[-1]
                if counts[pair] == self.count:
                    self.num_tied -= 1
                    return pair
                self._add([pair])
            if not self._bucket_counts:
                return None
            self._open_next_bucket()

    def update(self, lost: Sequence[Loss]) -> None:
        """Update the counts after a merge, in which old pairs have `lost` places and new ones were created."""
        counts = self._index.count
        for pair, places in lost:
            if counts[pair] == self.count:
                self.num_tied -= 1
            counts[pair] -= places
        if len(counts) > self._num_pairs:
            self._add_new_pairs()

    def _add_new_pairs(self) -> None:
        index = self._index
        new = range(self._num_pairs, len(index))
        self._num_pairs = len(index)
        if self._symbols.has_limit:
            for pair in new:
                if self._symbols.is_too_long(index.left[pair], index.right[pair]):
                    index.count[pair] = 0
        self._add(new)

    def _add(self, pairs: Iterable[int]) -> None:
        counts = self._index.count
        for pair in pairs:
            count = counts[pair]
            if count < self._min_count:
                continue
            if count == self.count:
                self.num_tied += 1
                heapq.heappush(self._heap, self._tie_key(pair))
                continue
            bucket = self._buckets[count]
            if not bucket:
                heapq.heappush(self._bucket_counts, -count)
            bucket.append(pair)

    def _open_next_bucket(self) -> None:
        counts = self._index.count
        self.count = -heapq.heappop(self._bucket_counts)
        pairs = self._buckets.pop(self.count)
        self._heap = [self._tie_key(pair) for pair in pairs if counts[pair] == self.count]
        self.num_tied = len(self._heap)
        heapq.heapify(self._heap)
        self._add([pair for pair in pairs if counts[pair] < self.count])


def _tie_key(tie_break: TieBreak, index: PairIndex, sort_keys: Sequence[str]) -> Callable[[int], tuple[Any, ...]]:
    """Return the sort key of a tie rule, which ends with the pair: of equally frequent ones, the smallest is merged.

    `sort_keys` holds the result of `_descending_key` by symbol, for "greatest-bytes".
    """
    if tie_break == "first-seen":
        return lambda pair: (index.first_place(pair), pair)
    left, right = index.left, index.right
    if tie_break == "lowest-ids":
        return lambda pair: (left[pair], right[pair], pair)
    # Different symbols may have equal bytes, as `t` and `t` with an end-of-word mark do: then the lowest ids win.
    return lambda pair: (sort_keys[left[pair]], sort_keys[right[pair]], left[pair], right[pair], pair)


_END = chr(256)


def _descending_key(token: bytes) -> str:
    """Return a string that sorts in reverse of `token`: the greatest bytes first, a longer token before its prefix."""
    return "".join(chr(255 - byte) for byte in token) + _END
