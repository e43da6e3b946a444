"""The task that a solution is checked against: the texts to train on, and the settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tokviz.analysis.checking.corpus import Corpus
from tokviz.bpe.training import TieBreak
from tokviz.tokenizers.pretoken_counts import count_pretokens


@dataclass(frozen=True)
class Task:
    """A training to check a solution of.

    `split_pattern` is the pattern itself, or None. `num_merges` is None if as many were wanted as there are in the
    solution. Without a `tie_break`, any of equally frequent pairs may be joined. Without a `min_count`, pairs that
    occur once may be joined, and needn't be.
    """

    texts: tuple[str, ...]
    split_pattern: str | None = None
    special_tokens: tuple[str, ...] = ()
    num_merges: int | None = None
    tie_break: TieBreak | None = None
    min_count: int | None = None

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The pre-tokens of the texts with their counts, in the order of first occurrence."""
        return count_pretokens(self.texts, self.split_pattern, self.special_tokens).counts

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus to learn merges from."""
        return Corpus(self.counts)


class Mistake(NamedTuple):
    """A known mistake: a name for programs, and a sentence that says what was done and what should be."""

    name: str
    sentence: str
