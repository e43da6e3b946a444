"""Tokenizers that prepare a text before they merge: what Hugging Face's files can ask for beyond a split pattern.

In this order: *added tokens* are cut out of the text; what is between them is brought into a normal form of Unicode,
and further added tokens are cut out of that; the rest is split by one pattern after another, each applied to the pieces
of the one before; and a space may be put before each piece. Merging then sees a text that is not quite the one given.
Tokens cover the bytes of the text as given all the same.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, Self

import numpy as np
import regex

from tokviz.arrays import Int32Array
from tokviz.bpe import splitting
from tokviz.bpe.alphabet import Units
from tokviz.bpe.merging import Pair
from tokviz.bpe.replay import Order, Replay
from tokviz.bpe.special_tokens import find
from tokviz.display import quote
from tokviz.formats.normal_forms import NormalForm, normalize
from tokviz.positions import grapheme_offsets
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import PreTokens
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.history import Training

# As Rust's regex crate has it, with which Hugging Face looks at an added token's neighbors.
_WORD = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")
_SPACE = regex.compile(r"\s")


@dataclass(frozen=True)
class AddedToken:
    """A text that is cut out before anything is split or merged.

    A `special` one only where it is allowed. A `single_word` has no character of a word beside it. `lstrip` and
    `rstrip` take the white space on that side in as well. `normalized` ones are looked for after normalization.
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
    """One step of splitting. `whole` says that the pattern must match all of a piece, since the rest would be lost."""

    pattern: str
    whole: bool = False


@dataclass(frozen=True)
class Preparation:
    """What happens to a text before its pre-tokens are merged.

    `splits` come before the space that `prefix_space` puts in front of each piece that has none, `last_split` after.
    With `space_first` it is put in front of the text instead, before all splits.
    """

    added_tokens: tuple[AddedToken, ...] = ()
    normal_forms: tuple[NormalForm, ...] = ()
    splits: tuple[Split, ...] = ()
    prefix_space: bool = False
    last_split: str | None = None
    space_first: bool = False

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """The split patterns, in the order in which they are applied."""
        last = () if self.last_split is None else (self.last_split,)
        return (*(split.pattern for split in self.splits), *last)

    def normalize(self, text: str) -> str:
        """`text` in the normal forms."""
        for form in self.normal_forms:
            text = normalize(form, text)
        return text

    def lacks_space(self, piece: str) -> bool:
        """Whether a space goes in front of a piece."""
        return self.prefix_space and not piece.startswith(" ")


@dataclass
class _Prepared:
    """A text's pieces, the ids of those that are added tokens, by number, and where their bytes are in the text.

    `to_text` maps places in the tokens' own bytes, laid end to end, to places in the text's bytes; None if all are the
    same.
    """

    pieces: list[str] = field(default_factory=list)
    added_ids: dict[int, int] = field(default_factory=dict)
    to_text: Int32Array | None = None


class PreparedTokenizer(BPETokenizer):
    """Byte pair encoding after a `preparation`.

    `special_tokens` are the added tokens that are special; the others are always recognised. `split_patterns` are those
    of the preparation.
    """

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

    def _with(
        self, name: str, vocab: Mapping[int, bytes], merges: Mapping[Pair, int] | None, training: Training | None
    ) -> BPETokenizer:
        return PreparedTokenizer(
            name,
            vocab,
            merges,
            self.preparation,
            units=self.alphabet.units,
            ignore_merges=self.ignore_merges,
            training=training,
            unapplied=self.unapplied,
        )

    @property
    def cuts_at_spaces(self) -> bool:
        """See `Tokenizer.cuts_at_spaces`. A preparation can reach over spaces: an added token may hold some."""
        return False

    @property
    def rewriting(self) -> tuple[str, ...]:
        """See `Tokenizer.rewriting`."""
        forms = [f"brings the text into the form {form}" for form in self.preparation.normal_forms]
        return (*forms, *(["puts a space in front where there is none"] if self.preparation.prefix_space else []))

    def _with_split_patterns(self, patterns: tuple[str, ...]) -> Self:
        before = self.preparation
        if patterns == before.patterns:
            return self._changed(split_patterns=patterns)
        # A space that stands before all that its own patterns cut stays there.
        space_first = before.prefix_space and (before.space_first or not before.splits)
        preparation = replace(before, splits=tuple(map(Split, patterns)), last_split=None, space_first=space_first)
        return self._changed(split_patterns=patterns, preparation=preparation)

    def tokenize(self, text: str, allowed_special: Collection[str] = ()) -> Tokenization:
        """See `Tokenizer.tokenize`."""
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        prepared = self._prepare(repaired, allowed)
        ids_of_pieces = self._ids_of_pieces(prepared)
        ids = np.array(list(chain.from_iterable(ids_of_pieces)), np.int32)
        offsets = np.concatenate(([0], self._byte_lengths[ids])).cumsum(dtype=np.int32)
        tokenization = self._tokenization(repaired, replaced, allowed, ids, self._in_text(prepared, offsets))
        # Places in the text don't tell it of tokens that cover no bytes.
        index = np.repeat(np.arange(len(ids_of_pieces), dtype=np.int32), list(map(len, ids_of_pieces)))
        vars(tokenization)["pretoken_index"] = index
        return tokenization

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """See `Tokenizer.pretokens`. The pieces are those of the text as given, and may be empty."""
        repaired, _ = repair(text)
        prepared = self._prepare(repaired, self._allowed(allowed_special))
        lengths = [
            len(self.vocab[prepared.added_ids[number]] if number in prepared.added_ids else piece.encode())
            for number, piece in enumerate(prepared.pieces)
        ]
        places = self._in_text(prepared, np.concatenate(([0], lengths)).cumsum(dtype=np.int32)).tolist()
        data = repaired.encode()
        return [data[start:end].decode() for start, end in pairwise(places)]

    def parts(self, text: str, allowed_special: Collection[str] = ()) -> Iterator[tuple[str, bool]]:
        """The stretches that are split, in normal form, and the added tokens between them, which are True."""
        allowed = self._allowed(allowed_special)
        for segment, token in _cut_out(repair(text)[0], self._matched(allowed, normalized=False)):
            if token is not None:
                yield segment, True
                continue
            normal = self.preparation.normalize(segment)
            for part, its_token in _cut_out(normal, self._matched(allowed, normalized=True)):
                yield part, its_token is not None

    def replay(self, text: str, allowed_special: Collection[str] = (), order: Order = "rank") -> Replay:
        """See `BPETokenizer.replay`."""
        replay = super().replay(text, allowed_special, order)
        prepared = self._prepare(repair(text)[0], self._allowed(allowed_special))
        replay.byte_offsets = self._in_text(prepared, replay.byte_offsets)
        return replay

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
    def _in_text(prepared: _Prepared, offsets: Int32Array) -> Int32Array:
        return offsets if prepared.to_text is None else prepared.to_text[offsets]

    def _prepare(self, text: str, allowed: frozenset[str]) -> _Prepared:
        prepared = _Prepared()
        normal, stream = _Places(), _Places()
        place = 0
        for segment, token in _cut_out(text, self._matched(allowed, normalized=False)):
            if token is None:
                in_normal_form = self._normalize(segment, normal)
                self.alphabet.check(in_normal_form, place)
                for part, its_token in _cut_out(in_normal_form, self._matched(allowed, normalized=True)):
                    self._add(prepared, stream, part, its_token)
            else:
                normal.same(len(segment.encode()))
                self._add(prepared, stream, segment, token)
            place += len(segment)
        if stream.changed or normal.changed:
            prepared.to_text = normal.column[stream.column]
        return prepared

    def _matched(self, allowed: frozenset[str], *, normalized: bool) -> dict[str, AddedToken]:
        """The added tokens to look for, by the text to look for."""
        return {
            self.preparation.normalize(token.content) if normalized else token.content: token
            for token in self.preparation.added_tokens
            if token.normalized == normalized and (not token.special or token.content in allowed)
        }

    def _normalize(self, text: str, places: "_Places") -> str:
        normal = self.preparation.normalize(text)
        if normal == text:
            places.same(len(text.encode()))
            return text
        bounds = grapheme_offsets(text).tolist()
        clusters = [text[start:end] for start, end in pairwise(bounds)]
        their_forms = [self.preparation.normalize(cluster) for cluster in clusters]
        if "".join(their_forms) != normal:
            clusters, their_forms = [text], [normal]
        for cluster, form in zip(clusters, their_forms, strict=True):
            if cluster == form:
                places.same(len(cluster.encode()))
            else:
                places.rewritten(form, cluster)
        return normal

    def _add(self, prepared: _Prepared, stream: "_Places", part: str, token: AddedToken | None) -> None:
        """Add a part of the text in normal form, which is an added token or is split."""
        if token is not None:
            prepared.added_ids[len(prepared.pieces)] = token.id
            prepared.pieces.append(part)
            stream.replaced(len(self.vocab[token.id]), len(part.encode()))
            return
        for piece in self._spaced_pieces(part, stream):
            prepared.pieces += splitting.split(piece, self.preparation.last_split)

    def _spaced_pieces(self, part: str, stream: "_Places") -> list[str]:
        """What all splits but the last make of a part, with the space in front."""
        if self.preparation.space_first:
            return self._first_splits(self._spaced(part, stream))
        return [self._spaced(piece, stream) for piece in self._first_splits(part)]

    def _spaced(self, piece: str, stream: "_Places") -> str:
        lacks_space = self.preparation.lacks_space(piece)
        if lacks_space:
            stream.replaced(1, 0)
        stream.same(len(piece.encode()))
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


class _Places:
    """Where the places of one text are in another: made run by run, from beginning to end."""

    def __init__(self) -> None:
        self.changed = False
        self._end = 0
        self._same = 0
        self._runs: list[Int32Array] = []

    @property
    def column(self) -> Int32Array:
        """By place in the one text: the place in the other."""
        self._close()
        return np.concatenate((*self._runs, np.array([self._end], np.int32)))

    def same(self, length: int) -> None:
        """As many bytes that are the same in both."""
        self._same += length

    def replaced(self, length: int, covered: int) -> None:
        """`length` bytes that stand for `covered` bytes of the other text as a whole."""
        if length == covered:
            self.same(length)
        else:
            self._change(np.full(length, self._end + self._same, np.int32), covered)

    def rewritten(self, form: str, original: str) -> None:
        """Characters that stand for others: one for one as far as there are as many, and then for nothing."""
        ends = [0]
        for char in original:
            ends.append(ends[-1] + len(char.encode()))
        starts = [ends[min(number, len(original))] for number, char in enumerate(form) for _ in char.encode()]
        self._change(np.array(starts, np.int32) + np.int32(self._end + self._same), ends[-1])

    def _change(self, places: Int32Array, covered: int) -> None:
        self._close()
        self.changed = True
        self._runs.append(places)
        self._end += covered

    def _close(self) -> None:
        self._runs.append(np.arange(self._end, self._end + self._same, dtype=np.int32))
        self._end += self._same
        self._same = 0


def _cut_out(text: str, tokens: Mapping[str, AddedToken]) -> Iterator[tuple[str, AddedToken | None]]:
    """The added tokens in `text`, with the white space that they take in, and what is between them."""
    done = 0
    places = find(text, tokens)
    for start, end in zip(places[::2], places[1::2], strict=True):
        token = tokens[text[start:end]]
        if token.single_word and (
            (start > 0 and _WORD.match(text, start - 1)) or (end < len(text) and _WORD.match(text, end))
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
