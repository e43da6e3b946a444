"""Reasons why two tokenizers cut a segment differently, decided from the tokenizers themselves.

The reasons of all segments form one column of flags. Each segment is judged in its place in the text, never as a
separate copy, because a split pattern may depend on the text before and after it. (Merges don't: no merge crossed a
boundary that is left in the end, so both its sides were merged as if alone.)

A tokenizer consists of a split pattern and the rest: its tokens, with the merges and the alphabet behind them. So there
are two things to exchange, and four tokenizers to compare: the two themselves, and each with the other's split pattern,
which is the other with this one's tokens. Comparing the four shows the effect of exchanging either thing alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.availability import (
    Place,
    Places,
    Words,
    drops_space,
    has_marked_pieces,
    lacks,
    text_bytes,
)
from tokviz.analysis.comparison.alignment import Ends, any_byte, any_token
from tokviz.arrays import BoolArray, Int32Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

ReasonColumn = npt.NDArray[np.uint8]
"""Sums of `Reason` flags, one per segment; 0 where the two tokenizers cut alike."""


class Reason(IntFlag):
    """Why two tokenizers cut a segment differently. All but `ORDER` and `ALGORITHM` may apply together.

    `ALPHABET`: the two start from different symbols. One knows whole words only; or one cuts a character, which the
    other, built on characters, can't; or one ends a word with a mark, which the other doesn't have; or a special or
    added token is cut out before merging, or stands for what no token spells.
    `NORMALIZATION`: one rewrote the text here before cutting it, and the other does not rewrite texts likewise (see
    `Tokenizer.rewriting`), unless the other would cut as before if it got the text rewritten; or it drops white space
    that is a token of the other, or the end of one.
    `SPLIT`: with the other's split pattern, one of the two would cut this segment as the other does. Or the split
    patterns are a cause together with another: giving either of the two the other's pattern changes its cut, but not
    into the other's. Or, if one is of another library, the other cuts through one of its tokens before it looks for
    tokens, so that it can't have that token here, whatever its vocabulary.
    `VOCABULARY`: one of them lacks a token that the other uses here, or has it for other places in a word only.
    `ORDER`: both have all the tokens, but merge pairs in another order, or the merges of one never make one of these
    tokens, which it may take whole (see `ignore_merges`). Set only where neither alphabet nor vocabulary is a reason
    and the split pattern is not the whole cause.
    `ALGORITHM`: the same, but one merges pairs and the other doesn't, or they choose differently: Unigram takes the
    pieces with the best scores, WordPiece the longest that fit.
    """

    ALPHABET = 1
    SPLIT = 2
    VOCABULARY = 4
    ORDER = 8
    NORMALIZATION = 16
    ALGORITHM = 32


class Effect(IntEnum):
    """Effect on a tokenizer's cut of a segment of giving it a part of another tokenizer.

    `NOTHING`: it cuts as before. `CHANGES`: it cuts differently, but still not as the other does. `AGREES`: it cuts as
    the other does.
    """

    NOTHING = 0
    CHANGES = 1
    AGREES = 2


EffectColumn = npt.NDArray[np.uint8]
"""One `Effect` per segment; 0 where the two tokenizers cut alike."""


class SplitEffects(NamedTuple):
    """Effect on the cut of each segment of giving each of two tokenizers the other's split pattern.

    If only one of them takes the other's, its effect stands for both.
    """

    first: EffectColumn
    second: EffectColumn


def effects_alone(split_effects: tuple[Effect, Effect]) -> dict[Reason, Effect]:
    """Effect of exchanging one thing alone, by reason: the better of the two ways to exchange it.

    All but the split pattern can only be exchanged together, so they share one effect.

    Where a tokenizer with the other's split pattern cuts as before, the other with this one's tokens cuts as this one
    does, and vice versa: what one exchange leaves undone, the opposite one does.
    """
    split = max(split_effects)
    rest = Effect(Effect.AGREES - min(split_effects))
    return {reason: split if reason is Reason.SPLIT else rest for reason in Reason}


@dataclass(frozen=True, eq=False)
class Side:
    """One of the compared tokenizers, with its tokenization of the text and the special tokens that it recognizes.

    `ends` counts the tokens that end at each byte offset; `firsts` holds the index of each segment's first token.
    """

    tokenizer: Tokenizer
    tokenization: Tokenization
    allowed_special: frozenset[str]
    ends: Ends
    firsts: Int32Array

    @cached_property
    def control(self) -> BoolArray:
        """Mask of tokens that are cut out before merging, or stand for what none spells; not the `<unk>` of words."""
        if units_of(self.tokenizer) == "words":
            return np.zeros_like(self.tokenization.special)
        unknown = self.tokenizer.unknown
        is_unknown = np.isin(self.tokenization.ids, [] if unknown is None else [unknown])
        control: BoolArray = self.tokenization.special | self.added | is_unknown
        return control

    @cached_property
    def added(self) -> BoolArray:
        """See `added`."""
        return added(self.tokenizer, self.tokenization)

    @cached_property
    def pretoken_begins(self) -> BoolArray:
        """Mask of tokens that begin a pre-token. The last entry, one more than there are tokens, is the text's end."""
        return np.append(np.diff(self.tokenization.pretoken_index, prepend=-1) != 0, True)

    @property
    def ends_word(self) -> BoolArray:
        """Mask of tokens that end in an end-of-word mark."""
        ids, inverse = np.unique(self.tokenization.ids, return_inverse=True)
        column: BoolArray = np.array([*map(self.tokenizer.ends_word, ids.tolist())], np.bool_)[inverse]
        return column

    @property
    def rewritten(self) -> BoolArray:
        """Mask of tokens whose bytes differ from those they cover; not of cut-out ones, which may take in space."""
        ids, covered = self.tokenization.ids.tolist(), self.tokenization.token_bytes
        is_other = (is_rewritten(self.tokenizer, *token) for token in zip(ids, covered, strict=True))
        return np.fromiter(is_other, np.bool_, len(ids)) & ~self.control

    @cached_property
    def _words(self) -> Words:
        return Words.of(self.tokenizer, self.tokenization, self.control)

    def places_in(self, other: "Side") -> Places:
        """Places of the tokens as `other` reads the text; whole words if neither is of another library.

        Such have no marked pieces, and their split patterns are exchanged.
        """
        if not (self.tokenizer.is_of_library or other.tokenizer.is_of_library):
            return Places.of_words(len(self.tokenization))
        return other._words.places_of(self.tokenizer, self.tokenization)

    def lacked_by(self, other: Tokenizer, places: Places) -> BoolArray:
        """Mask of tokens that `other` lacks at their places (see `lacks`), except cut-out ones and `<unk>`."""
        codes = places.codes & (7 if has_marked_pieces(other) else 4)
        keys, inverse = np.unique(self.tokenization.ids.astype(np.int64) * 8 + codes, return_inverse=True)
        pairs = ((key >> 3, Place(bool(key & 1), bool(key & 2), False, bool(key & 4))) for key in keys.tolist())
        column = np.array([lacks(other, self.tokenizer, *pair) for pair in pairs], np.bool_)[inverse]
        return column & ~(self.control | self.tokenization.special)


def split_effects(
    first: Ends, second: Ends, boundaries: Int32Array, swapped: tuple[Ends | None, Ends | None]
) -> SplitEffects:
    """Effect, for each segment, of giving each of two tokenizers the other's split pattern.

    `first` and `second` are their token ends, `swapped` the same with the split patterns exchanged; None if both have
    the same patterns, or if that can't be done.
    """
    differs = _differs(first, second, boundaries)
    pairs = ((swapped[0], first, second), (swapped[1], second, first))
    done = [
        effect_of(changed, before, other, boundaries) * differs
        for changed, before, other in pairs
        if changed is not None
    ]
    nothing = np.zeros(len(boundaries) - 1, np.uint8)
    return SplitEffects(done[0], done[-1]) if done else SplitEffects(nothing, nothing)


def effect_of(changed: Ends, before: Ends, other: Ends, boundaries: Int32Array) -> EffectColumn:
    """Effect, for each segment, of what changes a tokenizer's token ends from `before`; `other` are another's."""
    agrees, same = (~_differs(changed, ends, boundaries) for ends in (other, before))
    effects: EffectColumn = np.select([agrees, same], [Effect.AGREES, Effect.NOTHING], Effect.CHANGES).astype(np.uint8)
    return effects


def reasons_of_segments(
    first: Side,
    second: Side,
    places: tuple[Places, Places],
    boundaries: Int32Array,
    effects: SplitEffects,
    normalization: Callable[[], EffectColumn | None],
) -> ReasonColumn:
    """Reasons why two tokenizers differ, for each segment.

    `places` are those of the tokens of each as the other reads the text, `effects` those of exchanging their split
    patterns; `normalization` finds that of giving one of them the other's normalization, or None, and is called only if
    that matters.
    """
    agrees = (effects.first == Effect.AGREES) | (effects.second == Effect.AGREES)
    # Where one keeps its cut with the other's pattern, exchanging the tokens is enough (see `effects_alone`).
    acts_together = (effects.first == Effect.CHANGES) & (effects.second == Effect.CHANGES)
    flags = _alphabet_applies(first, second, boundaries) * np.uint8(Reason.ALPHABET)
    flags |= _normalization_applies(first, second, boundaries, normalization) * np.uint8(Reason.NORMALIZATION)
    for side, other, among in ((first, second, places[0]), (second, first, places[1])):
        flags[any_token(side.lacked_by(other.tokenizer, among), side.firsts)] |= Reason.VOCABULARY.value
        flags[any_token(among.is_cut & ~side.control, side.firsts)] |= Reason.SPLIT.value
    same = same_algorithm(first.tokenizer, second.tokenizer)
    flags[(flags == 0) & ~agrees] = (Reason.ORDER if same else Reason.ALGORITHM).value
    flags[agrees | acts_together] |= Reason.SPLIT.value
    flags[~_differs(first.ends, second.ends, boundaries)] = 0
    return flags


def _differs(ends: Ends, other_ends: Ends, boundaries: Int32Array) -> BoolArray:
    """Mask of segments that are not cut alike. A token that reaches across a segment's boundary is a difference."""
    crosses_start = (ends == 0)[boundaries[:-1]]
    crosses_start[:1] = False  # no token can cross the start of the text
    differs: BoolArray = crosses_start | any_byte(ends != other_ends, boundaries)
    return differs


def _alphabet_applies(first: Side, second: Side, boundaries: Int32Array) -> BoolArray:
    units = {units_of(first.tokenizer), units_of(second.tokenizer)}
    if len(units) == 2 and "words" in units:
        return np.ones(len(boundaries) - 1, np.bool_)
    applies = np.zeros(len(boundaries) - 1, np.bool_)
    one_has_marks = (first.tokenizer.end_of_word is None) != (second.tokenizer.end_of_word is None)
    for side in (first, second):
        applies |= any_token(side.control, side.firsts)
        if len(units) == 2:
            applies |= any_token(side.tokenization.inside_character[1:], side.firsts)
        if one_has_marks and side.tokenizer.end_of_word is not None:
            applies |= any_token(side.ends_word, side.firsts)
    return applies


def _normalization_applies(
    first: Side, second: Side, boundaries: Int32Array, effects: Callable[[], EffectColumn | None]
) -> BoolArray:
    applies = np.zeros(len(boundaries) - 1, np.bool_)
    for side in (first, second):
        if first.tokenizer.rewriting != second.tokenizer.rewriting and side.tokenizer.rewriting:
            applies |= any_token(side.rewritten, side.firsts)
    effect = effects() if applies.any() else None
    if effect is not None:
        applies &= effect != Effect.NOTHING
    for side, other in ((first, second), (second, first)):
        if drops_space(other.tokenizer) and not drops_space(side.tokenizer):
            has_space = [piece[-1:].isspace() for piece in side.tokenization.token_bytes]
            applies |= any_token(np.array(has_space, np.bool_), side.firsts)
    return applies


def is_rewritten(tokenizer: Tokenizer, token: int, covered: bytes) -> bool:
    """Return whether an ordinary token stands for other bytes than it covers, not counting white space that is dropped.

    A token for what no token spells is not counted either.
    """
    own = text_bytes(tokenizer, token)
    if own in (covered, covered.lstrip()) or token == tokenizer.unknown:
        return False
    return own != covered.strip() or not drops_space(tokenizer)


def same_algorithm(first: Tokenizer, second: Tokenizer) -> bool:
    """Return whether two tokenizers have the same algorithm, as far as it is known."""
    return first.algorithm == second.algorithm or None in (first.algorithm, second.algorithm)


def units_of(tokenizer: Tokenizer) -> str:
    """Kind of symbols a tokenizer starts from: bytes, characters or words. Other libraries' may fall back to bytes."""
    return "bytes" if tokenizer.is_of_library else tokenizer.units


def added(tokenizer: Tokenizer, tokenization: Tokenization) -> BoolArray:
    """Return a mask of the tokens that were cut out of a text before it was split, other than special ones."""
    return tokenizer.cut_out(tokenization) & ~tokenization.special
