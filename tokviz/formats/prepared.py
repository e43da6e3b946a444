"""Tokenizers that prepare a text before merging, as Hugging Face's files can require beyond a split pattern.

In this order: *added tokens* are cut out of the text; the text between them is brought into a Unicode normal form, and
further added tokens are cut out of that; the rest is split by one pattern after another, each applied to the pieces of
the one before; and a space may be put before each piece. The merged text may thus differ from the given one. Tokens
still cover the bytes of the given text.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, islice, pairwise
from typing import Any, Self

import numpy as np
import regex

from tokviz.arrays import Int32Array
from tokviz.bpe.alphabet import Units
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats.normal_forms import NormalForm, normalize
from tokviz.formats.offset_map import OffsetMap
from tokviz.positions import grapheme_offsets
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import find
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import PreTokens
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.history import Training

# \w of Rust's regex crate, with which Hugging Face's library checks the neighbors of an added token.
_WORD_CHARACTER = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")
_SPACE = regex.compile(r"\s")

# By whether compatibility characters are replaced, and whether characters are composed or decomposed.
_FORMS: dict[tuple[bool, str], NormalForm] = {
    (False, "C"): "NFC",
    (False, "D"): "NFD",
    (True, "C"): "NFKC",
    (True, "D"): "NFKD",
}


_MAX_FORMS = 10_000
"""Maximum grapheme clusters whose normal forms are remembered while a text is brought into one."""


_IDS_AT_A_TIME = 100_000


@dataclass(frozen=True)
class AddedToken:
    """A text that is cut out before splitting and merging.

    A `special` token is cut out only where it is allowed, a `single_word` one only without a word character beside it.
    `lstrip` and `rstrip` tokens take in the white space on that side. `normalized` ones are searched for after
    normalization.
    """

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = False


@dataclass(frozen=True)
class Split:
    """One splitting step. If `whole`, the pattern must match all of each piece, since the rest would be lost."""

    pattern: str
    whole: bool = False


@dataclass(frozen=True)
class Preparation:
    """Processing of a text before its pre-tokens are merged.

    `splits` are applied before the space that `prefix_space` puts in front of each piece that has none, `last_split`
    after it. With `space_first`, the space is put in front of the text instead, before all splits.
    """

    added_tokens: tuple[AddedToken, ...] = ()
    normal_forms: tuple[NormalForm, ...] = ()
    splits: tuple[Split, ...] = ()
    prefix_space: bool = False
    last_split: str | None = None
    space_first: bool = False

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """Split patterns, in the order in which they are applied."""
        last = () if self.last_split is None else (self.last_split,)
        return (*(split.pattern for split in self.splits), *last)

    def normalize(self, text: str) -> str:
        """Bring `text` into the normal forms: into the one form that is the same as all of them in turn."""
        if not self.normal_forms:
            return text
        is_compatible = any("K" in form for form in self.normal_forms)
        composed = self.normal_forms[-1][-1]
        return normalize(_FORMS[is_compatible, composed], text)

    def lacks_space(self, piece: str) -> bool:
        """Whether a space must be put in front of a piece."""
        return self.prefix_space and not piece.startswith(" ")


@dataclass
class _Prepared:
    """Pieces of a text, the ids of added tokens by the index of their piece, and the pieces' places in the text.

    `to_text` maps offsets in the concatenated bytes of the tokens to byte offsets in the text; None if all are the
    same.
    """

    pieces: list[str] = field(default_factory=list)
    added_ids: dict[int, int] = field(default_factory=dict)
    to_text: Int32Array | None = None


class PreparedTokenizer(BPETokenizer):
    """Byte pair encoding after a `preparation`.

    `special_tokens` are the special added tokens; the other added tokens are always recognized. `split_patterns` are
    those of the preparation.
    """

    _merges_text_as_it_is = False  # an added token can take in white space, or hold some

    def __init__(
        self,
        name: str,
        vocab: Mapping[int, bytes],
        merges: Mapping[Pair, int] | None,
        preparation: Preparation,
        *,
        units: Units = "bytes",
        ignore_merges: bool = False,
        training: Training | None = None,
        unapplied: Mapping[str, Any] | None = None,
    ) -> None:
        self.preparation = preparation
        super().__init__(
            name,
            vocab,
            merges,
            special_tokens={token.content: token.id for token in preparation.added_tokens if token.special},
            units=units,
            ignore_merges=ignore_merges,
            training=training,
            unapplied=unapplied,
        )
        for pattern in preparation.patterns:
            splitting.check_pattern(pattern)
        self.split_patterns = preparation.patterns

    @property
    def _apart(self) -> set[int]:
        added = {token.id for token in self.preparation.added_tokens}
        return super()._apart | (added - set((self._merges or {}).values()))

    def _rebuilt(
        self,
        name: str,
        vocab: Mapping[int, bytes],
        merges: Mapping[Pair, int] | None,
        special_tokens: Mapping[str, int],
        training: Training | None = None,
        recovered: Mapping[Pair, int] | None = None,
    ) -> BPETokenizer:
        before = self.preparation.added_tokens
        kept = [token for token in before if (token.content in special_tokens if token.special else token.id in vocab)]
        known = {token.content for token in before}
        always_found = special_tokens.keys() & {token.content for token in before if not token.special}
        if always_found:
            raise ValueError(f"{quote(min(always_found))} is an added token already, which is found in every text")
        new = [AddedToken(token, text, special=True) for text, token in special_tokens.items() if text not in known]
        return PreparedTokenizer(
            *(name, vocab, merges, replace(self.preparation, added_tokens=(*kept, *new))),
            units=self.alphabet.units,
            ignore_merges=self.ignore_merges,
            training=training,
            unapplied=self.unapplied,
        )

    @property
    def rewriting(self) -> tuple[str, ...]:
        """See `Tokenizer.rewriting`."""
        forms = [f"brings the text into the form {form}" for form in self.preparation.normal_forms]
        return (*forms, *(["puts a space in front where there is none"] if self.preparation.prefix_space else []))

    def _with_split_patterns(self, patterns: tuple[str, ...]) -> Self:
        before = self.preparation
        if patterns == before.patterns:
            return self._changed(split_patterns=patterns)
        # A space that was added before any of its own patterns were applied stays first.
        space_first = before.prefix_space and (before.space_first or not before.splits)
        preparation = replace(before, splits=tuple(map(Split, patterns)), last_split=None, space_first=space_first)
        return self._changed(split_patterns=patterns, preparation=preparation)

    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        """See `Tokenizer.tokenize`."""
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        prepared = self._prepare(repaired, allowed)
        ids_of_pieces = self._ids_of_pieces(prepared)
        ids = _column(chain.from_iterable(ids_of_pieces))
        offsets = np.concatenate(([0], self._byte_lengths[ids])).cumsum(dtype=np.int32)
        # Byte offsets don't determine the pre-token of tokens that cover no bytes.
        index = np.repeat(np.arange(len(ids_of_pieces), dtype=np.int32), list(map(len, ids_of_pieces)))
        offsets = self._text_offsets(prepared, offsets)
        if add_special:
            before, after = map(len, self.around)
            ids = np.concatenate((self.around[0], ids, self.around[1])).astype(np.int32)
            offsets = np.pad(offsets, (before, after), "edge")
            index = np.concatenate((np.arange(before), index + before, before + len(ids_of_pieces) + np.arange(after)))
        return self._tokenization(repaired, replaced, allowed, ids, offsets, index.astype(np.int32))

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """See `Tokenizer.pretokens`. The pieces are those of the given text, and may be empty."""
        repaired, _ = repair(text)
        prepared = self._prepare(repaired, self._allowed(allowed_special))
        lengths = [
            len(self.vocab[prepared.added_ids[number]] if number in prepared.added_ids else piece.encode())
            for number, piece in enumerate(prepared.pieces)
        ]
        places = self._text_offsets(prepared, np.concatenate(([0], lengths)).cumsum(dtype=np.int32)).tolist()
        data = repaired.encode()
        return [data[start:end].decode() for start, end in pairwise(places)]

    def parts(self, text: str, allowed_special: Collection[str] = ()) -> Iterator[tuple[str, bool]]:
        """Yield the stretches to be split, in normal form, and the added tokens between them, marked True."""
        allowed = self._allowed(allowed_special)
        normalized = self._matched(allowed, normalized=True)
        for segment, token in _cut_out(repair(text)[0], self._matched(allowed, normalized=False)):
            if token is not None:
                yield segment, True
                continue
            normal = self.preparation.normalize(segment)
            for part, added_token in _cut_out(normal, normalized):
                yield part, added_token is not None

    def _covered(self, text: str, allowed: frozenset[str], byte_offsets: Int32Array) -> Int32Array:
        return self._text_offsets(self._prepare(text, allowed), byte_offsets)

    def _encode(self, text: str, allowed: frozenset[str]) -> list[int]:
        return list(chain.from_iterable(self._ids_of_pieces(self._prepare(text, allowed))))

    def _cut(self, text: str, allowed: frozenset[str]) -> PreTokens:
        prepared = self._prepare(text, allowed)
        return PreTokens(prepared.pieces, prepared.added_ids)

    def _ids_of_pieces(self, prepared: _Prepared) -> list[list[int]]:
        added = prepared.added_ids
        ordinary = dict.fromkeys(piece for number, piece in enumerate(prepared.pieces) if number not in added)
        ids_of = self._encode_pieces(list(ordinary))
        return [[added[number]] if number in added else ids_of[piece] for number, piece in enumerate(prepared.pieces)]

    @staticmethod
    def _text_offsets(prepared: _Prepared, offsets: Int32Array) -> Int32Array:
        return offsets if prepared.to_text is None else prepared.to_text[offsets]

    def _prepare(self, text: str, allowed: frozenset[str]) -> _Prepared:
        prepared = _Prepared()
        normal_offsets, merged_offsets = OffsetMap(), OffsetMap()
        normalized = self._matched(allowed, normalized=True)
        place = 0
        for segment, token in _cut_out(text, self._matched(allowed, normalized=False)):
            if token is None:
                in_normal_form = self._normalize(segment, normal_offsets)
                self.alphabet.check(in_normal_form, place)
                for part, added_token in _cut_out(in_normal_form, normalized):
                    self._add(prepared, merged_offsets, part, added_token)
            else:
                normal_offsets.same(len(segment.encode()))
                self._add(prepared, merged_offsets, segment, token)
            place += len(segment)
        if merged_offsets.changed or normal_offsets.changed:
            prepared.to_text = normal_offsets.column[merged_offsets.column]
        return prepared

    def _matched(self, allowed: frozenset[str], *, normalized: bool) -> dict[str, AddedToken]:
        """Added tokens to search for, by the text to search for."""
        return {
            self.preparation.normalize(token.content) if normalized else token.content: token
            for token in self.preparation.added_tokens
            if token.normalized == normalized and (not token.special or token.content in allowed)
        }

    def _normalize(self, text: str, offsets: OffsetMap) -> str:
        normal = self.preparation.normalize(text)
        if normal == text:
            offsets.same(len(text.encode()))
            return text
        form_of = lru_cache(maxsize=_MAX_FORMS)(self.preparation.normalize)
        if not _is_joined(normal, map(form_of, _clusters(text))):
            offsets.rewritten(normal, text)
            return normal
        for cluster in _clusters(text):
            form = form_of(cluster)
            if cluster == form:
                offsets.same(len(cluster.encode()))
            else:
                offsets.rewritten(form, cluster)
        return normal

    def _add(self, prepared: _Prepared, merged_offsets: OffsetMap, part: str, token: AddedToken | None) -> None:
        """Add a part of the normalized text: an added token, or text to be split."""
        if token is not None:
            prepared.added_ids[len(prepared.pieces)] = token.id
            prepared.pieces.append(part)
            merged_offsets.replaced(len(self.vocab[token.id]), len(part.encode()))
            return
        for piece in self._spaced_pieces(part, merged_offsets):
            prepared.pieces += splitting.split(piece, self.preparation.last_split)

    def _spaced_pieces(self, part: str, merged_offsets: OffsetMap) -> list[str]:
        """Pieces of a part after all splits but the last, with the space in front."""
        if self.preparation.space_first:
            return self._first_splits(self._spaced(part, merged_offsets))
        return [self._spaced(piece, merged_offsets) for piece in self._first_splits(part)]

    def _spaced(self, piece: str, merged_offsets: OffsetMap) -> str:
        lacks_space = self.preparation.lacks_space(piece)
        if lacks_space:
            merged_offsets.replaced(1, 0)
        merged_offsets.same(len(piece.encode()))
        return f" {piece}" if lacks_space else piece

    def _first_splits(self, part: str) -> list[str]:
        pieces = [part] if part else []
        for split in self.preparation.splits:
            distinct = list(dict.fromkeys(pieces))
            if split.whole and split.pattern not in splitting.TIKTOKEN_PATTERNS:  # these match every text whole
                self._check_nothing_is_lost(distinct, split.pattern)
            cut = dict(zip(distinct, splitting.split_all(distinct, split.pattern), strict=True))
            pieces = [smaller for piece in pieces for smaller in cut[piece]]
        return pieces

    def _check_nothing_is_lost(self, pieces: list[str], pattern: str) -> None:
        for piece, spans in zip(pieces, splitting.match_spans(pieces, pattern), strict=True):
            ends = [0, *spans, len(piece)]
            gaps = (piece[end:start] for end, start in zip(ends[::2], ends[1::2], strict=True))
            if lost := next(filter(None, gaps), None):
                raise ValueError(f"{self.name} drops {quote(lost)} from a text, which can't be shown: leave it out")


def _column(ids: Iterator[int]) -> Int32Array:
    """Return ids as a column, built from short lists: other threads don't run while numpy reads a list."""
    parts = [np.zeros(0, np.int32)]
    while part := list(islice(ids, _IDS_AT_A_TIME)):
        parts.append(np.array(part, np.int32))
    return np.concatenate(parts)


def _clusters(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of a text. A list of them would take far more memory than the text."""
    offsets = array("i", grapheme_offsets(text).tobytes())
    return (text[start:end] for start, end in pairwise(offsets))


def _is_joined(text: str, parts: Iterable[str]) -> bool:
    """Return whether the parts, joined, are `text`."""
    place = 0
    for part in parts:
        if not text.startswith(part, place):
            return False
        place += len(part)
    return place == len(text)


def _cut_out(text: str, tokens: Mapping[str, AddedToken]) -> Iterator[tuple[str, AddedToken | None]]:
    """Yield the added tokens in `text`, with the white space that they take in, and the stretches between them."""
    done = 0
    places = find(text, tokens)
    for start, end in zip(places[::2], places[1::2], strict=True):
        token = tokens[text[start:end]]
        if token.single_word and (
            (start > 0 and _WORD_CHARACTER.match(text, start - 1))
            or (end < len(text) and _WORD_CHARACTER.match(text, end))
        ):
            continue
        while token.lstrip and start > done and _SPACE.match(text, start - 1):
            start -= 1
        while token.rstrip and end < len(text) and _SPACE.match(text, end):
            end += 1
        if done < start:
            yield text[done:start], None
        yield text[start:end], token
        done = end
    if done < len(text):
        yield text[done:], None
