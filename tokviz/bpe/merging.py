"""Applying merges: join the pair of neighbors whose merge has the lowest rank, and repeat until no pair has a merge.

That is all there is to encoding a pre-token, and `plain.encode` says it in five lines. Here it is done for

| what | by | result |
| --- | --- | --- |
| a row of pre-tokens (see `alphabet`), for a replay | `apply_merges` | the row, and which merge fired where |
| one pre-token, for its ids | `merge_symbols` | its symbols; short ones without a heap |
| bytes, by a vocabulary of ranks as tiktoken's | `merge_bytes` | the bytes of its tokens |
| a token of such a vocabulary, but for its last merge | `recover_parents` | the two tokens it is made of |
| two symbols beside each other, without merging them | `joins_across` | whether merging joins across their border |

Example: with the merges `th`, `the`, `he` at ranks 0, 1, 2, `t h e` becomes `th e`, then `the`; `he` never fires.
"""

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.immutable import PickledWithoutCaches

Pair = tuple[int, int]


@dataclass(frozen=True)
class Merges(PickledWithoutCaches):
    """A tokenizer's merges in rank order: `left` and `right` are joined into `new`. Columns of equal length."""

    left: Int32Array
    right: Int32Array
    new: Int32Array

    @classmethod
    def from_dict(cls, merges: Mapping[Pair, int]) -> "Merges":
        """Build the columns from pair -> new id, in rank order."""
        pairs = np.fromiter(chain.from_iterable(merges), np.int32, 2 * len(merges)).reshape(-1, 2)
        columns = cls(pairs[:, 0], pairs[:, 1], np.fromiter(merges.values(), np.int32, len(merges)))
        # Shares the pairs, which take a third of the memory.
        columns.restore_caches({"rank": {pair: rank for rank, pair in enumerate(merges)}})
        return columns

    def __len__(self) -> int:
        return len(self.new)

    def first(self, num_merges: int) -> "Merges":
        """Return the `num_merges` merges of lowest rank."""
        return Merges(self.left[:num_merges], self.right[:num_merges], self.new[:num_merges])

    @cached_property
    def rank(self) -> dict[Pair, int]:
        """Pair -> rank."""
        pairs = zip(self.left.tolist(), self.right.tolist(), strict=True)
        return {pair: rank for rank, pair in enumerate(pairs)}

    @cached_property
    def new_ids(self) -> list[int]:
        """`new` as a list, for faster lookups."""
        ids: list[int] = self.new.tolist()
        return ids

    @cached_property
    def in_order(self) -> bool:
        """Whether each merge joins only symbols that exist before it: from the alphabet, or made by lower ranks.

        Then joining the lowest rank first means going through the ranks once, from 0 up. This holds for the results of
        training, and for all shipped tokenizers.
        """
        rank_of_new = np.full(max(self.left.max(), self.right.max(), self.new.max()) + 1 if len(self) else 0, -1)
        rank_of_new[self.new[::-1]] = np.arange(len(self))[::-1]
        ranks = np.arange(len(self))
        return bool(((rank_of_new[self.left] < ranks) & (rank_of_new[self.right] < ranks)).all())


GONE = -3
"""Placeholder in a merged row for a symbol that was joined to its left neighbor: neither an id nor a separator."""


@dataclass(frozen=True)
class Merged:
    """The result of merging a row.

    `row` is the final row, as long as before, with `GONE` in place of removed symbols. In the order applied, `left` and
    `right` are the places of the two symbols that each firing joined, and `rank` is the merge that fired. The joined
    symbol takes the place of the left one.
    """

    row: Int32Array
    left: Int32Array
    right: Int32Array
    rank: Int32Array


def apply_merges(row: Sequence[int], merges: Merges) -> Merged:
    """Merge a row of symbols until no merge applies, lowest rank first and left to right.

    Pairs wait in a heap, ordered by rank and place. A pair that has changed by the time it is popped is skipped;
    whatever replaced it has its own entry.
    """
    size = len(row)
    symbol = list(row)
    following = list(range(1, size + 1))
    previous = list(range(-1, size - 1))
    rank_of, new_of = merges.rank, merges.new_ids
    ranks = map(rank_of.get, zip(symbol, symbol[1:], strict=False))
    waiting = [rank * size + place for place, rank in enumerate(ranks) if rank is not None]
    heapq.heapify(waiting)
    fired: list[int] = []
    while waiting:
        rank, left = divmod(heapq.heappop(waiting), size)
        right = following[left]
        if right >= size or rank_of.get((symbol[left], symbol[right])) != rank:
            continue
        after = following[right]
        new = new_of[rank]
        symbol[left] = new
        symbol[right] = GONE
        following[left] = after
        fired += (left, right, rank)
        before = previous[left]
        if before >= 0 and (next_rank := rank_of.get((symbol[before], new))) is not None:
            heapq.heappush(waiting, next_rank * size + before)
        if after < size:
            previous[after] = left
            if (next_rank := rank_of.get((new, symbol[after]))) is not None:
                heapq.heappush(waiting, next_rank * size + left)
    columns = np.array(fired, np.int32).reshape(-1, 3).T
    return Merged(np.array(symbol, np.int32), *columns)


class MergedSymbols(NamedTuple):
    """The symbols left after merging, and the rank of the merge that fired last, if any did."""

    symbols: list[int]
    last_rank: int | None


def merge_symbols(symbols: Sequence[int], merges: Merges) -> MergedSymbols:
    """Merge one pre-token until no merge applies, as `apply_merges` does, but faster if it is short.

    >>> merges = Merges.from_dict({(0, 1): 3, (3, 2): 4})
    >>> merge_symbols([0, 1, 2], merges)
    MergedSymbols(symbols=[4], last_rank=1)
    """
    if len(symbols) > _MAX_LINEAR_SEARCH:
        merged = apply_merges(symbols, merges)
        last = int(merged.rank[-1]) if len(merged.rank) else None
        return MergedSymbols(merged.row[merged.row != GONE].tolist(), last)
    rank_of, new_of = merges.rank, merges.new_ids
    left = list(symbols)
    ranks = [rank_of.get(pair, _UNRANKED) for pair in pairwise(left)]
    last_rank = None
    while ranks and (lowest := min(ranks)) < _UNRANKED:
        at = ranks.index(lowest)
        left[at : at + 2] = [new_of[lowest]]
        del ranks[at]
        if at > 0:
            ranks[at - 1] = rank_of.get((left[at - 1], left[at]), _UNRANKED)
        if at < len(ranks):
            ranks[at] = rank_of.get((left[at], left[at + 1]), _UNRANKED)
        last_rank = lowest
    return MergedSymbols(left, last_rank)


def joins_across(left: int, right: int, merges: Merges, rank_of_new: Mapping[int, int]) -> bool:
    """Return whether merging what two symbols are made of, in a row, joins parts across their border before these two.

    If not, and merging makes each of the two alone, it makes the symbol that joins them. `rank_of_new` has the rank of
    the only merge that makes each symbol; it joins symbols of lower ranks. Only the symbols beside the border matter,
    one of each side at a time: the work is as the depth of their trees, however long the symbols are.
    """
    until = until_right = merges.rank[left, right]
    while True:
        rank = merges.rank.get((left, right), _UNRANKED)
        if rank < until and rank <= until_right:  # of two places for one merge, the left one comes first
            return True
        made_left, made_right = rank_of_new.get(left, -1), rank_of_new.get(right, -1)
        latest = max(made_left, made_right)
        if latest < 0:
            return False
        if made_left == latest:
            left, until = int(merges.right[latest]), latest
        if made_right == latest:
            right, until_right = int(merges.left[latest]), latest


_MAX_LINEAR_SEARCH = 100
"""Longest row, in symbols, for which searching all pairs for the lowest rank is faster than a heap."""


def merge_bytes(data: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Merge bytes as tiktoken does: the two neighbors that make the token of lowest rank first.

    >>> merge_bytes(b"abab", {b"a": 0, b"b": 1, b"ab": 2})
    [b'ab', b'ab']
    """
    parts = [data[place : place + 1] for place in range(len(data))]
    joined = [ranks.get(left + right, _UNRANKED) for left, right in pairwise(parts)]
    while joined and (lowest := min(joined)) < _UNRANKED:
        at = joined.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del joined[at]
        if at > 0:
            joined[at - 1] = ranks.get(parts[at - 1] + parts[at], _UNRANKED)
        if at < len(joined):
            joined[at] = ranks.get(parts[at] + parts[at + 1], _UNRANKED)
    return parts


def recover_merges(ids: Mapping[bytes, int], most: int | None = None) -> dict[Pair, int]:
    """Recover the merges of a vocabulary that lists only tokens, as tiktoken's files do: pair -> new id, in rank order.

    With such a vocabulary, any two neighbors whose joined bytes are a token are joined, the lowest id first. `ids`
    holds all tokens but the special ones; ranks follow the ids. A token that merging never makes has no merge (see
    `recover_parents`). With `most`, recovers the merges of that many tokens, those with the lowest ids.
    """
    parents = ((recover_parents(token, ids), ids[token]) for token in merged_tokens(ids)[:most])
    return {pair: new for pair, new in parents if pair is not None}


def merged_tokens(ids: Mapping[bytes, int]) -> list[bytes]:
    """Return the tokens of such a vocabulary that have more than one byte, in id order."""
    return sorted((token for token in ids if len(token) > 1), key=ids.__getitem__)


def recover_parents(token: bytes, ids: Mapping[bytes, int]) -> Pair | None:
    """Return the ids of the two tokens that `token` is merged from: the last two when its bytes are merged alone.

    No other pair is ever merged into it, in any text: until the two are joined, no merge crosses the token's
    boundaries, so its bytes are merged as if they stood alone. None if their merging ends in more than two tokens: then
    merging never makes the token.
    """
    starts = list(range(len(token) + 1))  # where parts begin, and the end
    joined_ids = [ids.get(token[start : start + 2], _UNRANKED) for start in range(len(token) - 1)]
    while len(joined_ids) > 1:
        lowest = min(joined_ids)
        if lowest == _UNRANKED:
            return None
        at = joined_ids.index(lowest)
        del starts[at + 1], joined_ids[at]
        if at > 0:
            joined_ids[at - 1] = ids.get(token[starts[at - 1] : starts[at + 1]], _UNRANKED)
        if at < len(joined_ids):
            joined_ids[at] = ids.get(token[starts[at] : starts[at + 2]], _UNRANKED)
    left, right = token[: starts[1]], token[starts[1] :]
    return (ids[left], ids[right]) if left in ids and right in ids else None


_UNRANKED = 1 << 62  # above every id and rank


def as_ranks(ids: Mapping[bytes, int], merges: Mapping[Pair, int]) -> dict[bytes, int] | None:
    """Return the vocabulary that means the same as `merges` when read as tiktoken does (see `recover_merges`), or None.

    `ids` holds the tokens that the merges start from and make. Besides the pair that a token is really made of, files
    may list others, which have no effect. Tokens that merging never makes are left out.
    """
    rank_of = {pair: rank for rank, pair in enumerate(merges)}
    ranks = {token: token_id for token, token_id in ids.items() if len(token) == 1}
    last_rank = -1
    for token in merged_tokens(ids):
        pair = recover_parents(token, ids)
        if pair is None:
            continue
        if merges.get(pair) != ids[token] or rank_of[pair] < last_rank:
            return None
        last_rank = rank_of[pair]
        ranks[token] = ids[token]
    return ranks


def ending_in(symbols: Collection[int], merges: Mapping[Pair, int]) -> frozenset[int]:
    """Return `symbols` and all tokens that merges make with one of them as their last symbol."""
    ending = set(symbols)
    while more := {new for (_, right), new in merges.items() if right in ending} - ending:
        ending |= more
    return frozenset(ending)
