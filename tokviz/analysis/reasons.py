"""Why two tokenizers cut a segment differently, decided from the tokenizers themselves.

The reasons of all segments come as one column of flags. Each is decided in the segment's place in the text, never on a
copy of the segment alone: what a split pattern does may depend on what stands before and after. (What merges do
doesn't. A boundary that is left in the end is one that no merge crossed, so both its sides were merged as if alone.)

A tokenizer is a split pattern and all the rest: its tokens, with the merges and the alphabet behind them. So there are
two things to exchange, and four tokenizers to look at: the two themselves, and each with the other's split pattern,
which is the other with this one's tokens. What exchanging either alone does follows from comparing the four.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.alignment import Ends, any_byte, any_token
from tokviz.arrays import BoolArray, Int32Array
from tokviz.formats.prepared import PreparedTokenizer
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import CharacterTokenizer, WordTokenizer

ReasonColumn = npt.NDArray[np.uint8]
"""Sums of `Reason`s, one per segment; 0 where the two tokenizers cut alike."""


class Reason(IntFlag):
    """Why two tokenizers cut a segment differently. All but `ORDER` may hold together.

    `ALPHABET`: what the two begin with is at stake. One knows whole words only; or one cuts a character, which the
    other, made of characters, can't; or one ends a word with a mark, which the other doesn't have; or a token is cut
    out before anything is merged: a special one, or one that was added; or one has rewritten the text before it cut it
    (see `Tokenizer.rewriting`).
    `SPLIT`: if one of the two had the other's split pattern, it would cut this segment as the other does. Or the split
    patterns are a cause together with another: giving either of the two the other's pattern changes its cut, though
    not into the other's.
    `VOCABULARY`: a token that one of them uses here is missing from the other.
    `ORDER`: both have all the tokens, but join pairs in another order, or the merges of one never make one of them,
    which it may take whole (see `ignore_merges`). Only where it is neither the alphabet nor the vocabulary, and the
    split pattern is not the whole cause.
    """

    ALPHABET = 1
    SPLIT = 2
    VOCABULARY = 4
    ORDER = 8


class Effect(IntEnum):
    """What giving one of two tokenizers something of the other does to its cut of a segment.

    `NOTHING`: it cuts as before. `CHANGES`: it cuts otherwise, and still not as the other does. `AGREES`: it cuts as
    the other does.
    """

    NOTHING = 0
    CHANGES = 1
    AGREES = 2


EffectColumn = npt.NDArray[np.uint8]
"""An `Effect` per segment; 0 where the two tokenizers cut alike."""


class SplitEffects(NamedTuple):
    """What giving each of two tokenizers the other's split pattern does to its cut, for each segment."""

    first: EffectColumn
    second: EffectColumn


def effects_alone(split_effects: tuple[Effect, Effect]) -> dict[Reason, Effect]:
    """What exchanging one thing alone does, by reason: the better of the two ways to exchange it.

    Alphabet, vocabulary and merge order can't be exchanged one without the other; they have one effect.

    Where a tokenizer with the other's split pattern cuts as before, the other with this one's tokens cuts as this one
    does, and the other way round: what one exchange leaves undone, the opposite one does.
    """
    split = max(split_effects)
    rest = Effect(Effect.AGREES - min(split_effects))
    return {Reason.SPLIT: split, Reason.ALPHABET: rest, Reason.VOCABULARY: rest, Reason.ORDER: rest}


@dataclass(frozen=True, eq=False)
class Side:
    """One of the tokenizers compared, and what it makes of the text.

    `ends` counts the tokens that end at each byte offset; `firsts` numbers the first token of each segment.
    """

    tokenizer: Tokenizer
    tokenization: Tokenization
    ends: Ends
    firsts: Int32Array

    @property
    def control(self) -> BoolArray:
        """Which tokens are cut out before anything is merged. `<unk>` isn't: it stands for a word."""
        if units_of(self.tokenizer) == "words":
            return np.zeros_like(self.tokenization.special)
        return self.tokenization.special | np.isin(self.tokenization.ids, list(added_ids(self.tokenizer)))

    @property
    def ends_word(self) -> BoolArray:
        """Which tokens end in an end-of-word mark."""
        return self._by_id(lambda token: ends_word(self.tokenizer, token))

    @property
    def rewritten(self) -> BoolArray:
        """Which tokens have other bytes than those that they cover. What is cut out may just take in white space."""
        tokenization, vocab = self.tokenization, self.tokenizer.vocab
        tokens = zip(tokenization.ids.tolist(), tokenization.token_bytes, strict=True)
        return np.array([vocab[token] != covered for token, covered in tokens], np.bool_) & ~self.control

    def lacked_by(self, other: Tokenizer) -> BoolArray:
        """Which tokens `other` doesn't have (see `lacks`). Tokens that are cut out don't count, nor does `<unk>`."""
        is_apart = self.control | self.tokenization.special
        return self._by_id(lambda token: lacks(other, self.tokenizer, token)) & ~is_apart

    def _by_id(self, is_true_of: Callable[[int], bool]) -> BoolArray:
        """What is true of each token, asked once for each id."""
        ids, which = np.unique(self.tokenization.ids, return_inverse=True)
        answers: BoolArray = np.array([is_true_of(token) for token in ids.tolist()], np.bool_)[which]
        return answers


def split_effects(first: Ends, second: Ends, boundaries: Int32Array, swapped: tuple[Ends, Ends] | None) -> SplitEffects:
    """What giving each of two tokenizers the other's split pattern does.

    `first` and `second` are the ends of their tokens, `swapped` the same with the split patterns exchanged; None where
    both have the same.
    """
    if swapped is None:
        nothing = np.zeros(len(boundaries) - 1, np.uint8)
        return SplitEffects(nothing, nothing)
    differs = _differs(first, second, boundaries)
    pairs = ((swapped[0], first, second), (swapped[1], second, first))
    return SplitEffects(*(_effect(*ends, boundaries) * differs for ends in pairs))


def _effect(changed: Ends, before: Ends, other: Ends, boundaries: Int32Array) -> EffectColumn:
    agrees, same = (~_differs(changed, ends, boundaries) for ends in (other, before))
    effects: EffectColumn = np.select([agrees, same], [Effect.AGREES, Effect.NOTHING], Effect.CHANGES).astype(np.uint8)
    return effects


def reasons_of_segments(first: Side, second: Side, boundaries: Int32Array, effects: SplitEffects) -> ReasonColumn:
    """Why two tokenizers differ, for each segment. `effects` are those of exchanging their split patterns."""
    agrees = (effects.first == Effect.AGREES) | (effects.second == Effect.AGREES)
    # Where one of the two keeps its cut with the other's pattern, exchanging the tokens is enough (see above).
    acts_together = (effects.first == Effect.CHANGES) & (effects.second == Effect.CHANGES)
    flags = _alphabet_at_stake(first, second, boundaries) * np.uint8(Reason.ALPHABET)
    for side, other in ((first, second), (second, first)):
        flags[any_token(side.lacked_by(other.tokenizer), side.firsts)] |= Reason.VOCABULARY.value
    flags[(flags == 0) & ~agrees] = Reason.ORDER.value
    flags[agrees | acts_together] |= Reason.SPLIT.value
    flags[~_differs(first.ends, second.ends, boundaries)] = 0
    return flags


def _differs(ends: Ends, others: Ends, boundaries: Int32Array) -> BoolArray:
    """Which segments aren't cut alike. Tokens that stick out of a segment cut it otherwise than those that don't."""
    sticks_out = (ends == 0)[boundaries[:-1]]
    sticks_out[:1] = False  # nothing ends before the text begins
    differs: BoolArray = sticks_out | any_byte(ends != others, boundaries)
    return differs


def _alphabet_at_stake(first: Side, second: Side, boundaries: Int32Array) -> BoolArray:
    units = {units_of(first.tokenizer), units_of(second.tokenizer)}
    if len(units) == 2 and "words" in units:
        return np.ones(len(boundaries) - 1, np.bool_)
    at_stake = np.zeros(len(boundaries) - 1, np.bool_)
    one_has_marks = has_marks(first.tokenizer) != has_marks(second.tokenizer)
    for side in (first, second):
        at_stake |= any_token(side.control, side.firsts)
        if len(units) == 2:
            at_stake |= any_token(side.tokenization.inside_character[1:], side.firsts)
        if first.tokenizer.rewriting != second.tokenizer.rewriting and side.tokenizer.rewriting:
            at_stake |= any_token(side.rewritten, side.firsts)
        if one_has_marks and has_marks(side.tokenizer):
            at_stake |= any_token(side.ends_word, side.firsts)
    return at_stake


def units_of(tokenizer: Tokenizer) -> str:
    """What a tokenizer begins with: bytes, characters or words."""
    if isinstance(tokenizer, BPETokenizer):
        return tokenizer.alphabet.units
    if isinstance(tokenizer, CharacterTokenizer):
        return "characters"
    return "words" if isinstance(tokenizer, WordTokenizer) else "bytes"


def added_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """The tokens that are cut out of every text before it is split, unlike special ones, which must be allowed."""
    added = tokenizer.preparation.added_tokens if isinstance(tokenizer, PreparedTokenizer) else ()
    return frozenset(token.id for token in added if not token.special)


def has_marks(tokenizer: Tokenizer) -> bool:
    """Whether its words end in a mark."""
    return isinstance(tokenizer, BPETokenizer) and tokenizer.end_of_word is not None


def ends_word(tokenizer: Tokenizer, token: int) -> bool:
    """Whether a token ends in an end-of-word mark."""
    return isinstance(tokenizer, BPETokenizer) and tokenizer.ends_word(token)


def lacks(other: Tokenizer, tokenizer: Tokenizer, token: int) -> bool:
    """Whether `other` has no token with the bytes of an ordinary token of `tokenizer`.

    Where both have end-of-word marks, `low` with the mark and `low` without are two tokens. A mere mark has no bytes
    and is never lacked.
    """
    data = tokenizer.vocab[token]
    return data != b"" and not other.knows(data, has_marks(other) and ends_word(tokenizer, token))
