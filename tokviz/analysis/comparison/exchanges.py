"""One tokenizer with a stage of another: its split patterns, or its normalization."""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from tokviz.analysis.comparison.alignment import Ends, ends_at
from tokviz.analysis.comparison.reasons import EffectColumn, Side, effect_of
from tokviz.analysis.known_patterns import patterns_of
from tokviz.arrays import Int32Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.rewriting import Edit


class Exchange(Enum):
    """An exchange of split patterns: `NEEDLESS` if they are the same, `IMPOSSIBLE` if an engine cuts itself."""

    DONE = "done"
    NEEDLESS = "needless"
    IMPOSSIBLE = "impossible"


MAX_NORMALIZED = 20_000
"""Maximum code points of a text that is given another tokenizer's normalization, which goes through it one by one."""


def with_splits_of(giver: Tokenizer, taker: Tokenizer) -> Tokenizer | None:
    """Return a tokenizer with the split patterns of another; None if that can't be done, or they are the same."""
    patterns = patterns_of(giver)
    if not taker.takes_split_patterns or patterns is None or patterns == patterns_of(taker):
        return None
    return taker.with_splits_of(giver) if giver.takes_split_patterns else taker.with_split_patterns(patterns)


def exchange_of(first: Tokenizer, second: Tokenizer) -> Exchange:
    """Return whether the split patterns of two tokenizers can be exchanged: one of them must take the other's."""
    one, other = patterns_of(first), patterns_of(second)
    if one is None or other is None or not (first.takes_split_patterns or second.takes_split_patterns):
        return Exchange.IMPOSSIBLE
    return Exchange.NEEDLESS if one == other else Exchange.DONE


def normalization_effects(first: Side, second: Side, boundaries: Int32Array) -> EffectColumn | None:
    """Effect, by segment, of giving one of two tokenizers the other's normalization; None if that can't be done."""
    for giver, taker in ((first, second), (second, first)):
        ends = _ends_if_normalized(giver, taker)
        if ends is not None:
            return effect_of(ends, taker.ends, giver.ends, boundaries)
    return None


def _ends_if_normalized(giver: Side, taker: Side) -> Ends | None:
    """Return the token ends of `taker` if it got a text normalized as for `giver`; None if that can't be done.

    It can be done if only the latter normalizes, and tells what it changes.
    """
    other, text = taker.tokenizer, giver.tokenization.text
    if other.is_of_library or other.rewriting or len(text) > MAX_NORMALIZED:
        return None
    edits = giver.tokenizer.edits(text, giver.allowed_special)
    if not edits:
        return None
    normalized, offsets = _apply(text.encode(), edits)
    found = other.tokenize(normalized.decode(), taker.allowed_special)
    return ends_at(offsets[found.byte_offsets], offsets[-1])


def _apply(data: bytes, edits: Sequence[Edit]) -> tuple[bytes, Int32Array]:
    """Return the edited text, and for each of its offsets the one in the text before.

    An offset inside an edit is at as many characters from its start as before, or else at its end.
    """
    parts: list[bytes] = []
    offsets: list[int] = []
    place = 0
    for start, old, new in edits:
        parts += [data[place:start], new.encode()]
        offsets += range(place, start)
        ends = [start]
        for character in old:
            ends.append(ends[-1] + len(character.encode()))
        for number, character in enumerate(new):
            offsets += [ends[min(number, len(old))]] * len(character.encode())
        place = ends[-1]
    parts.append(data[place:])
    offsets += range(place, len(data) + 1)
    return b"".join(parts), np.array(offsets, np.int32)
