"""Applying merges: of all pairs of neighbors that have a merge, join the one of lowest rank; repeat until none has.

That is all there is to encoding a pre-token. The functions here do it to a whole row of pre-tokens (see `alphabet`)
and say not only what comes out, but which merge removed which boundary between symbols: the material of a replay.

Example: with the merges `th`, `the`, `he` at ranks 0, 1, 2, `t h e` becomes `th e`, then `the`; `he` finds nothing.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.immutable import PickledWithoutCaches

Pair = tuple[int, int]


@dataclass(frozen=True)
class Merges(PickledWithoutCaches):
    """A tokenizer's merges, by rank: `left` and `right` are joined into `new`. Columns of equal length."""

    left: Int32Array
    right: Int32Array
    new: Int32Array

    @classmethod
    def from_dict(cls, merges: Mapping[Pair, int]) -> "Merges":
        """From pair -> new id, in rank order."""
        pairs = np.array(list(merges), np.int32).reshape(-1, 2)
        return cls(pairs[:, 0], pairs[:, 1], np.array(list(merges.values()), np.int32))

    def __len__(self) -> int:
        return len(self.new)

    def first(self, num_merges: int) -> "Merges":
        """The merges of the lowest ranks."""
        return Merges(self.left[:num_merges], self.right[:num_merges], self.new[:num_merges])

    @cached_property
    def rank(self) -> dict[Pair, int]:
        """Pair -> rank."""
        pairs = zip(self.left.tolist(), self.right.tolist(), strict=True)
        return {pair: rank for rank, pair in enumerate(pairs)}

    @cached_property
    def new_ids(self) -> list[int]:
        """`new` as a list, which is faster to look into."""
        ids: list[int] = self.new.tolist()
        return ids

    @cached_property
    def in_order(self) -> bool:
        """Whether each merge joins symbols that exist before it: of the alphabet, or made by lower ranks.

        Then joining the lowest rank first means going through the ranks once, from 0 up. It holds for what training
        gives, and for all shipped tokenizers.
        """
        rank_of_new = np.full(max(self.left.max(), self.right.max(), self.new.max()) + 1 if len(self) else 0, -1)
        rank_of_new[self.new[::-1]] = np.arange(len(self))[::-1]
        ranks = np.arange(len(self))
        return bool(((rank_of_new[self.left] < ranks) & (rank_of_new[self.right] < ranks)).all())


GONE = -3
"""Stands in a merged row where a symbol was joined to its left neighbor: neither an id nor a separator."""


@dataclass(frozen=True)
class Merged:
    """What merging did to a row.

    `row` is the row at the end, as long as before, with `GONE` where symbols went. In the order applied, `left` and
    `right` are the places of the two symbols that each firing joined, and `rank` the merge that fired. The joined
    symbol stands where the left one did.
    """

    row: Int32Array
    left: Int32Array
    right: Int32Array
    rank: Int32Array


def apply_merges(row: Sequence[int], merges: Merges) -> Merged:
    """Merge a row of symbols to its end, lowest rank first and left to right.

    Pairs wait in a heap, ordered by rank and place. A pair that has changed by the time its turn comes is passed over;
    whatever took its place has an entry of its own.
    """
    size = len(row)
    symbol = list(row)
    following = list(range(1, size + 1))
    previous = list(range(-1, size - 1))
    rank_of, new_of = merges.rank, merges.new_ids
    ranks = map(rank_of.get, zip(symbol, symbol[1:], strict=False))
    waiting = [rank * size + place for place, rank in enumerate(ranks) if rank is not None]
    heapq.heapify(waiting)
    fired: list[tuple[int, int, int]] = []
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
        fired.append((left, right, rank))
        before = previous[left]
        if before >= 0 and (found := rank_of.get((symbol[before], new))) is not None:
            heapq.heappush(waiting, found * size + before)
        if after < size:
            previous[after] = left
            if (found := rank_of.get((new, symbol[after]))) is not None:
                heapq.heappush(waiting, found * size + left)
    columns = np.array(fired, np.int32).reshape(-1, 3).T
    return Merged(np.array(symbol, np.int32), *columns)


class MergedSymbols(NamedTuple):
    """What merging left of a few symbols, and the rank of the merge that fired last, if any did."""

    symbols: list[int]
    last_rank: int | None


def merge_symbols(symbols: Sequence[int], merges: Merges) -> MergedSymbols:
    """Merge one pre-token to its end, as `apply_merges` does; faster where it is short.

    >>> merges = Merges.from_dict({(0, 1): 3, (3, 2): 4})
    >>> merge_symbols([0, 1, 2], merges)
    MergedSymbols(symbols=[4], last_rank=1)
    """
    if len(symbols) > _MOST_SEARCHED:
        merged = apply_merges(symbols, merges)
        last = int(merged.rank[-1]) if len(merged.rank) else None
        return MergedSymbols(merged.row[merged.row != GONE].tolist(), last)
    rank_of, new_of = merges.rank, merges.new_ids
    left = list(symbols)
    ranks = [rank_of.get(pair, _NOTHING) for pair in pairwise(left)]
    last_rank = None
    while ranks and (lowest := min(ranks)) < _NOTHING:
        at = ranks.index(lowest)
        left[at : at + 2] = [new_of[lowest]]
        del ranks[at]
        if at > 0:
            ranks[at - 1] = rank_of.get((left[at - 1], left[at]), _NOTHING)
        if at < len(ranks):
            ranks[at] = rank_of.get((left[at], left[at + 1]), _NOTHING)
        last_rank = lowest
    return MergedSymbols(left, last_rank)


_MOST_SEARCHED = 100
"""Longest row in which looking through all pairs for the lowest rank is faster than keeping them in a heap."""


def recover_merges(ids: Mapping[bytes, int]) -> dict[Pair, int]:
    """The merges behind a vocabulary that tells only its tokens, as tiktoken's files do: pair -> new id, by rank.

    There, any two neighbors are joined whose bytes together are a token, the lowest id first. `ids` holds the tokens
    that are no special tokens; ranks follow the ids. A token that can't come about has no merge (see
    `recover_parents`).
    """
    found = ((recover_parents(token, ids), ids[token]) for token in merged_tokens(ids))
    return {pair: new for pair, new in found if pair is not None}


def merged_tokens(ids: Mapping[bytes, int]) -> list[bytes]:
    """The tokens of such a vocabulary that have more than one byte, by id."""
    return sorted((token for token in ids if len(token) > 1), key=ids.__getitem__)


def recover_parents(token: bytes, ids: Mapping[bytes, int]) -> Pair | None:
    """The ids of the two tokens that `token` is merged from: what merging its bytes alone comes to in the end.

    No other pair ever becomes it, in no text: until the two are joined, nothing crosses the token's borders, so that
    its bytes are merged as if they stood alone. None if their merging ends in more than two tokens: then the token
    never comes about by merging.
    """
    parts = [token[i : i + 1] for i in range(len(token))]
    made = [ids.get(left + right, _NOTHING) for left, right in zip(parts, parts[1:], strict=False)]
    while len(parts) > 2:
        lowest = min(made)
        if lowest == _NOTHING:
            return None
        at = made.index(lowest)
        joined = parts[at] + parts[at + 1]
        parts[at : at + 2] = [joined]
        del made[at]
        if at > 0:
            made[at - 1] = ids.get(parts[at - 1] + joined, _NOTHING)
        if at < len(made):
            made[at] = ids.get(joined + parts[at + 1], _NOTHING)
    left, right = parts
    return (ids[left], ids[right]) if left in ids and right in ids else None


_NOTHING = 1 << 62  # above every id


def as_ranks(ids: Mapping[bytes, int], merges: Mapping[Pair, int]) -> dict[bytes, int] | None:
    """The vocabulary that says the same as `merges`, read as tiktoken reads one (see `recover_merges`), or None.

    `ids` holds the tokens that the merges begin with and make. Besides the pair that a token is really made of, files
    may list others, which do nothing. What can't come about is left out.
    """
    rank_of = {pair: rank for rank, pair in enumerate(merges)}
    ranks = {token: number for token, number in ids.items() if len(token) == 1}
    last = -1
    for token in merged_tokens(ids):
        pair = recover_parents(token, ids)
        if pair is None:
            continue
        if merges.get(pair) != ids[token] or rank_of[pair] < last:
            return None
        last = rank_of[pair]
        ranks[token] = ids[token]
    return ranks


def ending_in(symbol: int, merges: Mapping[Pair, int]) -> frozenset[int]:
    """Return a symbol and all tokens that merges make with it at their end."""
    found = {symbol}
    while more := {new for (_, right), new in merges.items() if right in found} - found:
        found |= more
    return frozenset(found)
