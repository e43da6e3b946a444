"""Comparison of several tokenizers on one text: where they differ, by how much, and why."""

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from tokviz import renderers
from tokviz.analysis import classes
from tokviz.analysis.availability import Places
from tokviz.analysis.classes import ClassColumn
from tokviz.analysis.comparison import alignment
from tokviz.analysis.comparison.cuts import Cut
from tokviz.analysis.comparison.exchanges import exchange_of, normalization_effects, with_splits_of
from tokviz.analysis.comparison.explanations import Explanation, explain
from tokviz.analysis.comparison.reasons import (
    Effect,
    EffectColumn,
    Reason,
    ReasonColumn,
    Side,
    SplitEffects,
    reasons_of_segments,
    split_effects,
)
from tokviz.analysis.comparison.rewriting import own_pieces, rewriting_of_tokens
from tokviz.analysis.corpus import as_tokenizers, distinct
from tokviz.analysis.known_patterns import patterns_of
from tokviz.analysis.vocabulary.unknown_tokens import Unknown, unknown_in, unknown_sentence
from tokviz.arrays import BoolArray, Int32Array, Int64Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

MOST_TOKENIZERS = 8


def chosen_tokenizers(tokenizers: Iterable[str | Tokenizer]) -> list[Tokenizer]:
    """Return the tokenizers of a comparison. Raises ValueError if there are too few or too many."""
    chosen = as_tokenizers(tokenizers)
    if not 2 <= len(chosen) <= MOST_TOKENIZERS:
        raise ValueError(f"a comparison takes 2 to {MOST_TOKENIZERS} tokenizers, not {len(chosen)}")
    return chosen


def names_of(tokenizers: Sequence[Tokenizer], names: Sequence[str] | None) -> Sequence[str]:
    """Return the display names of tokenizers. Raises TypeError or ValueError if `names` does not fit them."""
    if names is None:
        return [tokenizer.name for tokenizer in tokenizers]
    if isinstance(names, str):
        raise TypeError(f"names must be a list of names, not the single one {names!r}")
    if len(names) != len(tokenizers):
        raise ValueError(f"there are {len(names)} names for {len(tokenizers)} tokenizers")
    return names


def allowed_by_tokenizer(tokenizers: Sequence[Tokenizer], allowed_special: Collection[str]) -> list[frozenset[str]]:
    """Allowed special tokens that each tokenizer has."""
    if allowed_special == "all":
        return [frozenset(tokenizer.special_tokens) for tokenizer in tokenizers]
    if isinstance(allowed_special, str):
        raise TypeError(
            f'allowed_special must be "all" or a set of special tokens; for one, write {{{allowed_special!r}}}'
        )
    allowed = [frozenset(allowed_special) & tokenizer.special_tokens.keys() for tokenizer in tokenizers]
    unknown = sorted(map(str, frozenset(allowed_special).difference(*allowed)))
    if unknown:
        raise ValueError(f"none of the tokenizers has the special token {', '.join(unknown)}")
    return allowed


def tokenize(tokenizer: Tokenizer, text: str, allowed_special: frozenset[str]) -> Tokenization:
    """Encode a text. Raises ValueError, naming the tokenizer, if its alphabet lacks a character."""
    try:
        return tokenizer.tokenize(text, allowed_special)
    except ValueError as error:
        raise ValueError(f"{tokenizer.name} can't encode this text: {error}") from error


_ELLIPSIS = "…".encode()


class Agreement(NamedTuple):
    """Agreement of a second tokenizer with a first.

    `jaccard` is the number of inner boundaries that both have, over the number that either has: from 0 to 1, and 1.0
    if there are none. `in_common` counts the tokens that cover exactly the same bytes. `difference` is the second's
    token count minus the first's, and `percent` the same in percent of the first's.
    """

    jaccard: float
    in_common: int
    difference: int
    percent: float


class Segment(NamedTuple):
    """The text between two neighboring shared boundaries, bytes `start` to `end`, and how each tokenizer cuts it.

    `cuts` holds the pieces of each tokenizer, `ids` their token ids. An end-of-word mark is a piece without bytes.
    """

    start: int
    end: int
    cuts: tuple[tuple[bytes, ...], ...]
    ids: tuple[tuple[int, ...], ...]


class Comparison(Sequence[Segment]):
    """Tokenizations of one text by two or more tokenizers. As a sequence, it holds the segments.

    Tokenizers are identified by their index in `tokenizers`; 0 is the reference. `names` are their display names, no
    two alike. `tokenizations` and `token_counts` have one entry per tokenizer.

    `boundaries` (int32) are the byte offsets of the boundaries that all share, from 0 to the text's end; segment i lies
    between entries i and i + 1. Segment i holds the tokens `token_starts[t][i]` up to `token_starts[t][i + 1]` of
    tokenizer t; so `token_starts[t] - token_starts[0]` is how far t has run ahead of the reference by each boundary.

    Everything else is computed on first use.
    """

    def __init__(
        self,
        tokenizers: Sequence[Tokenizer],
        tokenizations: Sequence[Tokenization],
        allowed_special: Sequence[frozenset[str]],
        names: Sequence[str] | None = None,
    ) -> None:
        self.tokenizers = tuple(tokenizers)
        self.tokenizations = tuple(tokenizations)
        self.names = distinct(names_of(tokenizers, names))
        self.token_counts = tuple(map(len, tokenizations))
        self.text = tokenizations[0].text
        self.data = tokenizations[0].data
        self._allowed_special = tuple(allowed_special)
        self._ends = [alignment.token_ends(tokenization) for tokenization in tokenizations]
        self.boundaries = alignment.shared_boundaries(self._ends)
        self.token_starts = tuple(alignment.first_tokens(ends, self.boundaries) for ends in self._ends)
        columns = zip(tokenizers, tokenizations, allowed_special, self._ends, self.token_starts, strict=True)
        self._sides = [Side(*column) for column in columns]
        self._places_in: dict[tuple[int, int], Places] = {}
        self._reasons: dict[int, ReasonColumn] = {}
        self._split_effects: dict[int, SplitEffects] = {}
        self._ends_by_patterns: dict[tuple[int, tuple[str, ...] | None], alignment.Ends | None] = {}
        self._normalized: dict[int, EffectColumn | None] = {}
        self._explain = cache(explain)

    def __len__(self) -> int:
        return len(self.boundaries) - 1

    @overload
    def __getitem__(self, segment: int) -> Segment: ...
    @overload
    def __getitem__(self, segment: slice) -> list[Segment]: ...
    def __getitem__(self, segment: int | slice) -> Segment | list[Segment]:
        if isinstance(segment, slice):
            return [self[number] for number in range(*segment.indices(len(self)))]
        number = range(len(self))[segment]
        start, end = self.boundaries[number : number + 2].tolist()
        bounds = [slice(*starts[number : number + 2].tolist()) for starts in self.token_starts]
        tokens = [self._tokens(tokenizer, where) for tokenizer, where in enumerate(bounds)]
        return Segment(start, end, tuple(pieces for _, pieces in tokens), tuple(ids for ids, _ in tokens))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the inputs, not what was computed from them."""
        return Comparison, (self.tokenizers, self.tokenizations, self._allowed_special, self.names)

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in zip(self.names, self.token_counts, strict=True))
        return f"<Comparison: {counts} tokens; {len(self.differing):,} of {len(self):,} segments differ>"

    def __str__(self) -> str:
        return renderers.as_text(self)

    def _repr_html_(self) -> str:
        """Render the differences for a notebook."""
        return renderers.as_html(self)

    @cached_property
    def differs(self) -> tuple[BoolArray, ...]:
        """For each tokenizer, which segments it cuts differently from the reference."""
        reference = self._ends[0]
        return tuple(alignment.any_byte(ends != reference, self.boundaries) for ends in self._ends)

    @cached_property
    def differing(self) -> Int64Array:
        """Indices of the segments that some tokenizers cut differently."""
        return np.flatnonzero(np.logical_or.reduce(self.differs))

    def agreement(self, first: int, second: int) -> Agreement:
        """Agreement between two of the tokenizers."""
        difference, percent = count_difference(self.token_counts[first], self.token_counts[second])
        return Agreement(
            alignment.jaccard(self._ends[first], self._ends[second]),
            alignment.tokens_in_common(self.tokenizations[first], self.tokenizations[second]),
            difference,
            percent,
        )

    @cached_property
    def own_pieces(self) -> tuple[dict[int, bytes], ...]:
        """For each tokenizer, the vocabulary bytes of tokens that share a rewritten character, by token index.

        One token covers all of such a character and the others nothing, so the covered bytes don't tell them apart.
        Tokens next to one that covers nothing are included, since they may be part of that character.
        """
        return tuple(map(own_pieces, self.tokenizers, self.tokenizations))

    @cached_property
    def unknown(self) -> tuple[Unknown | None, ...]:
        """For each tokenizer, the token for what no token spells, if there is one in this text."""
        return tuple(map(unknown_in, self.tokenizers, self.tokenizations))

    @property
    def unknown_sentences(self) -> tuple[str, ...]:
        """For each tokenizer, how many of its tokens say nothing of the text; "" if none."""
        every = zip(self.names, self.unknown, self.token_counts, strict=True)
        return tuple(unknown_sentence(name, unknown, count) if unknown else "" for name, unknown, count in every)

    # Text classes

    @cached_property
    def _byte_classes(self) -> ClassColumn:
        return classes.byte_classes(self.text)

    def token_classes(self, tokenizer: int) -> ClassColumn:
        """Text class of each token of a tokenizer, as an index into `CLASSES` (see `classes.token_classes`)."""
        offsets = self.tokenizations[tokenizer].byte_offsets
        return classes.classes_of_ranges(self._byte_classes, offsets[:-1], offsets[1:])

    @cached_property
    def segment_classes(self) -> ClassColumn:
        """Text class of each segment: that of its first non-white-space character."""
        return classes.classes_of_ranges(self._byte_classes, self.boundaries[:-1], self.boundaries[1:])

    @cached_property
    def class_counts(self) -> tuple[Int64Array, ...]:
        """For each tokenizer, the number of its tokens in each class. They add up to `token_counts`."""
        every = range(len(self.tokenizers))
        return tuple(np.bincount(self.token_classes(one), minlength=len(classes.CLASSES)) for one in every)

    # Reasons

    def reasons(self, other: int) -> ReasonColumn:
        """Why a tokenizer cuts differently from the reference: for each segment a sum of `Reason`s, 0 where it doesn't.

        The first call takes a few times as long as encoding the text, which is encoded again with exchanged patterns.
        """
        if other not in self._reasons:
            self._reasons[other] = reasons_of_segments(
                self._sides[0],
                self._sides[other],
                (self._places(0, other), self._places(other, 0)),
                self.boundaries,
                self.split_effects(other),
                lambda: self._normalization_effects(other),
            )
        return self._reasons[other]

    def split_effects(self, other: int) -> SplitEffects:
        """Effect of exchanging split patterns on the cuts of the reference and of another tokenizer, by segment.

        The effect of exchanging everything else follows from it (see `reasons.effects_alone`).
        """
        if other not in self._split_effects:
            ends = self._ends[0], self._ends[other]
            swapped = self._ends_with_splits_of(other, 0), self._ends_with_splits_of(0, other)
            self._split_effects[other] = split_effects(*ends, self.boundaries, swapped)
        return self._split_effects[other]

    def explain(self, segment: int, other: int) -> Explanation | None:
        """Explain in a sentence why a tokenizer cuts a segment differently from the reference; None if it doesn't."""
        number = range(len(self))[segment]
        reasons = Reason(int(self.reasons(other)[number]))
        if not reasons:
            return None
        one, another = (Effect(int(effects[number])) for effects in self.split_effects(other))
        column = self._normalization_effects(other) if Reason.NORMALIZATION in reasons else None
        effect = None if column is None else Effect(int(column[number]))
        exchange = exchange_of(self.tokenizers[0], self.tokenizers[other])
        cuts = self._cut(0, other, number, reasons), self._cut(other, 0, number, reasons)
        # Segments with the same bytes and cuts share one explanation.
        return self._explain(*cuts, reasons, (one, another), exchange, effect)

    def split_cuts(self, segment: int, tokenizer: int) -> tuple[int, ...]:
        """The cuts of a segment before any merge: the byte offsets, from its start, between two pre-tokens.

        An end of the segment is among them if no pre-token reaches beyond it.
        """
        number = range(len(self))[segment]
        first, end = self.token_starts[tokenizer][number : number + 2].tolist()
        begins = self.pretoken_begins(tokenizer)[first : end + 1]
        places = self.tokenizations[tokenizer].byte_offsets[first : end + 1][begins] - self.boundaries[number]
        return tuple(np.unique(places).tolist())

    def pretoken_begins(self, tokenizer: int) -> BoolArray:
        """The tokens that begin a pre-token. The last entry, one more than there are tokens, is the text's end."""
        return self._sides[tokenizer].pretoken_begins

    def _places(self, tokenizer: int, other: int) -> Places:
        """Places of a tokenizer's tokens as another reads the text."""
        if (tokenizer, other) not in self._places_in:
            self._places_in[tokenizer, other] = self._sides[tokenizer].places_in(self._sides[other])
        return self._places_in[tokenizer, other]

    def _ends_with_splits_of(self, other: int, tokenizer: int) -> alignment.Ends | None:
        """Token ends of a tokenizer with another's split patterns; None if these are the same, or can't be."""
        key = tokenizer, patterns_of(self.tokenizers[other])
        if key not in self._ends_by_patterns:
            swapped = with_splits_of(self.tokenizers[other], self.tokenizers[tokenizer])
            found = swapped.tokenize(self.text, self._allowed_special[tokenizer]) if swapped else None
            self._ends_by_patterns[key] = None if found is None else alignment.token_ends(found)
        return self._ends_by_patterns[key]

    def _normalization_effects(self, other: int) -> EffectColumn | None:
        """Effect of giving one of two tokenizers the other's normalization, by segment; None if that can't be done."""
        if other not in self._normalized:
            self._normalized[other] = normalization_effects(self._sides[0], self._sides[other], self.boundaries)
        return self._normalized[other]

    def _cut(self, tokenizer: int, other: int, segment: int, reasons: Reason) -> Cut:
        token_range = slice(*self.token_starts[tokenizer][segment : segment + 2].tolist())
        ids, pieces = self._tokens(tokenizer, token_range)
        vocab_bytes = self.own_pieces[tokenizer]
        shown = tuple(vocab_bytes.get(number, piece) for number, piece in enumerate(pieces, token_range.start))
        one, found = self.tokenizers[tokenizer], self.tokenizations[tokenizer]
        special, added = (tuple(mask[token_range].tolist()) for mask in (found.special, self._sides[tokenizer].added))
        # Finding pre-tokens scans the whole text, and only explanations of SPLIT mention them.
        pretokens = self._pretokens(tokenizer, token_range) if Reason.SPLIT in reasons else ()
        swapped = self._pieces_with_splits_of(other, tokenizer, segment) if Reason.SPLIT in reasons else ()
        rewriting: tuple[str, ...] = ()
        if Reason.NORMALIZATION in reasons:
            rewriting = rewriting_of_tokens(one, found, token_range, self._allowed_special[tokenizer])
        places = self._places(tokenizer, other)[token_range]
        return Cut(
            one, self.names[tokenizer], ids, pieces, shown, special, added, pretokens, swapped, rewriting, places
        )

    def _pieces_with_splits_of(self, other: int, tokenizer: int, segment: int) -> tuple[bytes, ...]:
        """Pieces of a segment as a tokenizer cuts it with the split patterns of another.

        Where a token reaches beyond the segment, "…" stands for the part outside. () if that can't be done.
        """
        start, end = self.boundaries[segment : segment + 2].tolist()
        ends = self._ends_with_splits_of(other, tokenizer)
        if ends is None:
            return ()
        inner = np.flatnonzero(ends[start + 1 : end]) + start + 1
        pieces = self._pieces(np.concatenate(([start], inner, [end])))
        before = _ELLIPSIS if start > 0 and not ends[start] else b""
        after = b"" if ends[end] else _ELLIPSIS
        return (
            (before + pieces[0], *pieces[1:-1], pieces[-1] + after)
            if len(pieces) > 1
            else (before + pieces[0] + after,)
        )

    def _tokens(self, tokenizer: int, token_range: slice) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
        """Ids and pieces of a range of tokens."""
        tokenization = self.tokenizations[tokenizer]
        offsets = tokenization.byte_offsets[token_range.start : token_range.stop + 1]
        return tuple(tokenization.ids[token_range].tolist()), self._pieces(offsets)

    def _pretokens(self, tokenizer: int, token_range: slice) -> tuple[bytes, ...]:
        """Pieces of a range of tokens, joined by pre-token."""
        begins = self.pretoken_begins(tokenizer)[token_range.start : token_range.stop + 1].copy()
        begins[[0, -1]] = True
        offsets = self.tokenizations[tokenizer].byte_offsets[token_range.start : token_range.stop + 1]
        return self._pieces(offsets[begins])

    def _pieces(self, offsets: Int32Array) -> tuple[bytes, ...]:
        places = offsets.tolist()
        return tuple(self.data[start:end] for start, end in zip(places, places[1:], strict=False))


def compare(
    text: str,
    tokenizers: Iterable[str | Tokenizer],
    allowed_special: Collection[str] = (),
    names: Sequence[str] | None = None,
) -> Comparison:
    """Compare two to eight tokenizers on one text: where they differ, by how much, and why.

    `tokenizers` are names of shipped tokenizers, or tokenizers; the first is the reference. Special tokens are
    recognized where `allowed_special` lists their texts, or is `"all"`, each by the tokenizers that have it. `names`
    are display names, if not the tokenizers' own names.

    Raises ValueError or TypeError, saying what to do, if there are too few or too many tokenizers, if a name is
    unknown, if none of them has a listed special token, or if the text holds a character that an alphabet lacks.

    >>> comparison = compare("DON'T PANIC", ["gpt2", "cl100k_base"])
    >>> [comparison[number].cuts for number in comparison.differing]
    [((b"'", b'T'), (b"'T",))]
    >>> comparison.agreement(0, 1)
    Agreement(jaccard=0.75, in_common=3, difference=-1, percent=-20.0)
    """
    chosen = chosen_tokenizers(tokenizers)
    allowed = allowed_by_tokenizer(chosen, allowed_special)
    tokenizations = [
        tokenize(tokenizer, text, allowed_texts) for tokenizer, allowed_texts in zip(chosen, allowed, strict=True)
    ]
    return Comparison(chosen, tokenizations, allowed, names)


def count_difference(first: int, second: int) -> tuple[int, float]:
    """Second count minus the first, and the same in percent of the first."""
    difference = second - first
    if not first:
        return difference, math.inf if difference else 0.0
    return difference, 100 * difference / first
