"""Training history of a tokenizer, merge by merge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from tokviz.arrays import Int64Array
from tokviz.bpe.merging import Merges
from tokviz.bpe.training import StopReason, TieBreak


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """One learned merge.

    `count` is the number of places where the pair occurred, overlaps counted (`aaa` holds (a, a) twice); `merged` the
    number that were joined; `tied` the number of other pairs that were equally frequent.
    """

    left: int
    right: int
    new: int
    count: int
    merged: int
    tied: int


class Training(Sequence[TrainingStep]):
    """Training history of a tokenizer: a `TrainingStep` per merge, in rank order.

    `counts`, `merged` and `tied` are the same data as columns. `tie_break` is the rule that chose between equally
    frequent pairs. `stopped` says why training ended: `"size"`, the requested size was reached; `"min_count"`, no pair
    occurred often enough any more. `text_bytes` and `text_symbols` are the size of the training text (without special
    tokens): in bytes, and in the symbols that it started as. The first `num_known` merges are those of a tokenizer that
    training continued from: they were not chosen, but are counted in these texts like the others.
    """

    def __init__(
        self,
        merges: Merges,
        counts: Int64Array,
        merged: Int64Array,
        tied: Int64Array,
        tie_break: TieBreak,
        stopped: StopReason,
        text_bytes: int,
        text_symbols: int,
        num_known: int = 0,
    ) -> None:
        self._merges = merges
        self.counts = counts
        self.merged = merged
        self.tied = tied
        self.tie_break = tie_break
        self.stopped = stopped
        self.text_bytes = text_bytes
        self.text_symbols = text_symbols
        self.num_known = num_known

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, rank: int) -> TrainingStep: ...
    @overload
    def __getitem__(self, rank: slice) -> list[TrainingStep]: ...
    def __getitem__(self, rank: int | slice) -> TrainingStep | list[TrainingStep]:
        if isinstance(rank, slice):
            return [self[number] for number in range(*rank.indices(len(self)))]
        merges = self._merges
        columns = (merges.left, merges.right, merges.new, self.counts, self.merged, self.tied)
        return TrainingStep(*(int(column[rank]) for column in columns))

    def __repr__(self) -> str:
        return f"<Training: {len(self)} merges, ties by {self.tie_break!r}, stopped by {self.stopped!r}>"

    def first(self, num_merges: int) -> "Training":
        """Return the history that training with a limit of `num_merges` would have had."""
        if num_merges > len(self):
            return self
        return Training(
            self._merges.first(num_merges),
            self.counts[:num_merges],
            self.merged[:num_merges],
            self.tied[:num_merges],
            self.tie_break,
            "size",
            self.text_bytes,
            self.text_symbols,
            min(self.num_known, num_merges),
        )
