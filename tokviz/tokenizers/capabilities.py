"""Attributes and methods that not every tokenizer has, with neutral values and refusals."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from tokviz.arrays import BoolArray
from tokviz.bpe.alphabet import Alphabet
from tokviz.bpe.merging import Pair
from tokviz.sendable import Sendable
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.engines.rewriting import Edit, Version
from tokviz.tokenizers.engines.stages import CutOut, Model
from tokviz.tokenizers.history import Training
from tokviz.tokenizers.unstable_tail import Healed, UnstableTail

Vocabulary = Mapping[int, bytes]

_MERGED_HERE = "byte pair encodings that tokviz merges itself (`BPETokenizer`)"


class Capabilities(Sendable):
    """Neutral values of what only some tokenizers have, and refusals of what only some can do.

    Each kind of tokenizer overrides what it has, so callers ask for an attribute and never for a class.
    """

    name: str
    vocab: Vocabulary
    split_patterns: tuple[str, ...]
    special_tokens: Mapping[str, int]

    merges_here = False
    """Whether tokviz applies the merges, as in `BPETokenizer`, so that all of them are known."""

    is_of_library = False
    """Whether another library encodes in this process, by the rules of a file, whose parts are known."""

    added_texts: Mapping[int, str] = MappingProxyType({})
    """Texts read as one token wherever they stand, control tokens or not, by id."""

    alphabet: Alphabet | None = None
    """The symbols that merging starts from, if tokviz merges."""

    training: Training | None = None
    """The history of training; None for a tokenizer that `train` did not make."""

    end_of_word: str | None = None
    """The label of the end-of-word mark; None without one."""

    marks: tuple[str, str] = ("", "")
    """Prefix of the pieces inside a word, and suffix of those at its end, as a file spells them: such as `##`."""

    ignore_merges: bool = False
    """Whether a pre-token that is in the vocabulary is that token, whatever the merges would make of it."""

    unapplied: Mapping[str, Any] = MappingProxyType({})
    """Settings of a file that play no part in encoding, by name."""

    @property
    def algorithm(self) -> str | None:
        """The algorithm that makes tokens of a pre-token, such as "bpe"; None if each is a token, or unknown."""
        return None

    @property
    def model(self) -> Model | None:
        """The parts of the model in another library's file; None without one."""
        return None

    @property
    def unknown(self) -> int | None:
        """The id of the token that stands for what no piece of a file spells; None without one."""
        return None

    @property
    def byte_ids(self) -> frozenset[int]:
        """The ids of the tokens for single bytes, which spell what no other piece of a file does."""
        return frozenset()

    @property
    def units(self) -> str:
        """The kind of symbols that tokens are made of: "bytes", "characters" or "words"."""
        return "bytes"

    @property
    def merges_pieces(self) -> bool:
        """Whether tokens are merged, each in one way: `rank`, `parents` and `tree` say which."""
        return False

    @property
    def num_merges(self) -> int:
        """The number of merges."""
        return 0

    @property
    def merge_results(self) -> Sequence[int]:
        """The id of the token that each merge makes, by rank, if tokviz merges."""
        return ()

    @property
    def ranks(self) -> Mapping[int, int]:
        """The rank of the merge that makes a token, by its id, for every token that merging makes, if tokviz merges."""
        return {}

    @property
    def in_order(self) -> bool:
        """Whether each merge that ever fires joins only symbols of the alphabet, or tokens that lower ranks make."""
        return False

    @property
    def takes_tokens_whole(self) -> bool:
        """Whether some pre-token becomes a token that its merges would not make of it (see `ignore_merges`)."""
        return self.ignore_merges

    @property
    def tokens_are_merged(self) -> bool:
        """Whether a pre-token becomes a token only by merging its symbols, without a mark or `ignore_merges`."""
        return False

    @property
    def cutting_steps(self) -> Sequence[Mapping[str, Any]] | None:
        """The steps that cut a text into pre-tokens, as a `tokenizer.json` has them; None without such a file."""
        return None

    @property
    def drops_spaces(self) -> bool:
        """Whether the white space between words is in no pre-token, though tokens cover it."""
        return False

    takes_split_patterns = True
    """True if this tokenizer takes another split pattern. Some engines cut texts by rules that no pattern replaces."""

    rewriting: tuple[str, ...] = ()
    """Descriptions of what is done to a text before it is split. Most tokenizers do nothing."""

    def rewriting_at(
        self, text: str, places: Iterable[tuple[int, int]], allowed_special: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Describe which steps of `rewriting` changed `text` at some places, given as start and end in bytes."""
        return self.rewriting

    @property
    def normalizer_settings(self) -> object:
        """What decides how a text is changed before it is cut, to compare with that of another tokenizer."""
        return self.rewriting

    @property
    def split_settings(self) -> object:
        """What decides how a text is cut into pre-tokens, to compare with that of another tokenizer."""
        return self.split_patterns

    @property
    def cut_out_tokens(self) -> frozenset[CutOut]:
        """The tokens that are cut out of a text before it is split, as far as their texts say so, with their rules."""
        return frozenset(CutOut(token, text) for text, token in self.special_tokens.items())

    @property
    def cut_out_ids(self) -> frozenset[int]:
        """Ids of tokens cut out of a text before anything is merged (see `cut_out`): special, added, user-defined."""
        return frozenset(self.special_tokens.values())

    def cut_out(self, tokenization: Tokenization) -> BoolArray:
        """Return a mask of the tokens that were cut out of a text. The model may make the same of other text."""
        return np.isin(tokenization.ids, list(self.cut_out_ids))

    def edits(self, text: str, allowed_special: Collection[str] = ()) -> list[Edit]:
        """Return the changes that normalization makes to `text`, in order (see `Edit`); none if they are unknown."""
        return []

    def versions(self, text: str, allowed_special: Collection[str] = ()) -> list[Version]:
        """Return `text` before and after each step that changes it; nothing if the steps are unknown."""
        return []

    # Merges

    def rank(self, token: int) -> int | None:
        """Return the rank of the merge that makes a token; None if merging never makes it."""
        return None

    def parents(self, token: int) -> Pair | tuple[()]:
        """Return the ids of the two tokens that the merge of rank `rank(token)` joins; () if merging never makes it."""
        return ()

    def merge_alone(self, token: int) -> tuple[int, ...]:
        """Return the ids that result from merging a token's own symbols: the token itself without merges."""
        return (token,)

    def merges_to(self, token: bytes) -> bool:
        """Return whether the token with these bytes is a symbol or made by merging; True if tokviz does not merge."""
        return True

    def ends_word(self, token: int) -> bool:
        """Return whether the token ends in the end-of-word mark."""
        return False

    # Each of these is a ValueError that says why, unless a class defines it.

    _why_not_exact = "it merges nothing"
    """Reason, for a message, why merges don't decide what a text that follows changes, or what goes with a token."""

    def unstable_tail(
        self, text: str, allowed_special: Collection[str] = (), *, max_seconds: float | None = None
    ) -> UnstableTail:
        """Return how many of the last tokens may change if text follows (see `BPETokenizer.unstable_tail`).

        Raises ValueError for all but byte pair encodings that tokviz merges itself.
        """
        raise self._only_merged_here(f"it can't be told which tokens of {self.name} may change if text follows")

    def heal(self, prefix: str, allowed_special: Collection[str] = ()) -> Healed:
        """Return the ids of `prefix` that stay whatever follows, and what the next tokens must begin with.

        Raises ValueError, as `unstable_tail` does.
        """
        raise self._only_merged_here(f"it can't be told which tokens of {self.name} stay if text follows")

    def segmentations(self, text: str, n: int, allowed_special: Collection[str] = ()) -> list[list[int]]:
        """Return the first `n` ways to put `text` together from tokens (see `BPETokenizer.segmentations`).

        Raises ValueError for a tokenizer that has no tokens of several lengths for one text.
        """
        raise ValueError(f"{self.name} has one way to put a text together: its tokens are not subwords")

    def sample(self, text: str, dropout: float, seed: int, allowed_special: Collection[str] = ()) -> list[int]:
        """Return ids of `text` with merges left out at random (see `BPETokenizer.sample`).

        Raises ValueError for a tokenizer that merges nothing.
        """
        raise ValueError(f"{self.name} merges nothing, so BPE-dropout can leave nothing out")

    def _only_merged_here(self, refusal: str) -> ValueError:
        return ValueError(f"{refusal}: {self._why_not_exact}, and this works only for {_MERGED_HERE}")
