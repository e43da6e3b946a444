"""The corpus that merges are checked against: its pre-tokens, and the merges that training learns from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tokviz.analysis.checking.solutions import BytePair
from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.alphabet import SEPARATOR, Alphabet
from tokviz.bpe.merging import Pair
from tokviz.bpe.training import Learned, TieBreak, learn

_ALL_BYTES = Alphabet("bytes", {value: value for value in range(256)})


class Learnable(NamedTuple):
    """A merge that training learns at some place: its pair, its count, and how many other pairs have the same."""

    pair: BytePair
    places: int
    tied: int


class Agreement(NamedTuple):
    """How many merges a training has in common with a solution, and what it learns then; None if it ends there."""

    num_merges: int
    then: Learnable | None


@dataclass(frozen=True)
class Corpus:
    """Pre-tokens with their counts, in the order of first occurrence, and the alphabet that merging starts from."""

    counts: Mapping[str, int]
    alphabet: Alphabet = _ALL_BYTES

    @classmethod
    def of_characters(cls, counts: Mapping[str, int]) -> "Corpus":
        """The same pre-tokens, merged from characters instead of bytes."""
        return cls(counts, Alphabet.of_characters(set().union(*counts), has_mark=False, glued=False))

    @cached_property
    def _columns(self) -> tuple[Int32Array, Int64Array]:
        """The row of all symbols, and how often the pre-token of each occurs."""
        row = self.alphabet.row(list(self.counts))
        lengths = np.diff(np.flatnonzero(row == SEPARATOR), append=len(row))
        return row, np.repeat(np.array([*self.counts.values(), 0], np.int64), lengths)

    def agreement(self, merges: Sequence[BytePair], tie_break: TieBreak, min_count: int) -> Agreement:
        """Count the leading merges that training learns as well, with ties broken by a rule."""

        def differs(so_far: Learned) -> bool:
            rank = len(so_far.pairs) - 1
            return rank == len(merges) or _bytes_of(so_far, rank) != merges[rank]

        learned = self._learn(len(merges) + 1, tie_break, min_count=min_count, is_last=differs)
        if learned.pairs and differs(learned):
            return Agreement(len(learned.pairs) - 1, _last(learned))
        return Agreement(len(learned.pairs), None)

    def first_rare(self, merges: Sequence[BytePair]) -> int | None:
        """Return the rank of the first merge whose pair is not a most frequent one; None if there is none."""
        known = self._known(merges)
        learned = self._after(known, "first-seen")
        for rank in range(len(known)):
            if not learned.counts[rank] or learned.counts[rank] < learned.highest[rank]:
                return rank
        return None if len(known) == len(merges) else len(known)

    def count_of_last(self, merges: Sequence[BytePair]) -> int:
        """Return in how many places the pair of the last merge stands after the others; 0 if one can't be made."""
        known = self._known(merges)
        return self._after(known, "first-seen").counts[len(known) - 1] if len(known) == len(merges) else 0

    def learned(self, num_merges: int, tie_break: TieBreak) -> set[BytePair]:
        """Return the merges that training learns, without their order."""
        learned = self._learn(num_merges, tie_break)
        return {_bytes_of(learned, rank) for rank in range(len(learned.pairs))}

    def rank_of(self, pair: BytePair, tie_break: TieBreak, most: int) -> int | None:
        """Return the rank at which training learns a pair; None if that is not among so many merges."""
        learned = self._learn(most, tie_break, is_last=lambda so_far: _last(so_far).pair == pair)
        return len(learned.pairs) - 1 if learned.pairs and _last(learned).pair == pair else None

    def next_after(self, merges: Sequence[BytePair], tie_break: TieBreak) -> Learnable | None:
        """Return what training learns after some merges, frequent or not; None if no pair is left."""
        known = self._known(merges)
        learned = self._after(known, tie_break)
        return _last(learned) if len(learned.pairs) > len(known) else None

    def _after(self, known: Mapping[Pair, int], tie_break: TieBreak) -> Learned:
        """Learn one merge after some that are known."""
        return self._learn(1, tie_break, known=known)

    def _learn(
        self,
        num_merges: int,
        tie_break: TieBreak,
        *,
        min_count: int = 1,
        known: Mapping[Pair, int] | None = None,
        is_last: Callable[[Learned], bool] = lambda _: False,
    ) -> Learned:
        """Learn merges after those that are known, until one is the last."""
        row, weights = self._columns
        tokens = self.alphabet.tokens
        for left, right in known or ():
            tokens.append(tokens[left] + tokens[right])
        for learned in learn(
            row, weights, tokens, num_merges=num_merges, tie_break=tie_break, min_count=min_count, known=known
        ):
            if learned.pairs and is_last(learned):
                break
        return learned

    def _known(self, merges: Sequence[BytePair]) -> dict[Pair, int]:
        """Return the merges by ids, up to the first that repeats another, or joins what nothing has made."""
        ids = {token: number for number, token in enumerate(self.alphabet.tokens)}
        known: dict[Pair, int] = {}
        first = len(ids)
        for left, right in merges:
            if left not in ids or right not in ids or (pair := (ids[left], ids[right])) in known:
                break
            known[pair] = first + len(known)
            ids.setdefault(left + right, known[pair])
        return known


def _last(learned: Learned) -> Learnable:
    return Learnable(_bytes_of(learned, len(learned.pairs) - 1), learned.counts[-1], learned.tied[-1])


def _bytes_of(learned: Learned, rank: int) -> BytePair:
    left, right = learned.pairs[rank]
    return learned.tokens[left], learned.tokens[right]
