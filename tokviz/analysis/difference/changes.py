"""Differences between two tokenizers' tables of merges, scores and pieces, in words, and texts that show them."""

import random
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.difference.merge_tables import Entry, MergeTable, differing_entries, merge_tables, texts_of_entries
from tokviz.analysis.vocabulary.contents import VocabularyEntry
from tokviz.analysis.vocabulary.engine_reach import rules_of
from tokviz.analysis.vocabulary.reach import token_reach
from tokviz.display import shown, token_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.stages import SPACE, Model

_MAX_TEXTS = 4_000  # maximum texts made from the entries of tables of merges, and from pieces
_MAX_PIECES = 1_000  # maximum pieces that differ from which texts are made
_FEW = 6  # texts of a piece that its family suggests, beside its own
_MAX_OVERLAPS = 100  # maximum pieces that are tried where they overlap with one whose score differs, on each side
_MAX_SCORES = 20  # maximum Unigram pieces for which texts of several pieces are tried
_MAX_GLUED = 600  # texts of several pieces for each of these
_MAX_WITNESSES = 100  # maximum tokens for which a text is looked for at length
_MAX_SHOWN = 60  # maximum characters of a token that are quoted
_MAX_NAMED = 3  # maximum entries that are named in words


class Changes:
    """The entries in which the tables of two tokenizers differ. Nothing is computed before it is asked for."""

    def __init__(self, first: Tokenizer, second: Tokenizer, names: tuple[str, str]) -> None:
        self._tokenizers = (first, second)
        self._names = names

    def texts(self) -> Iterator[str]:
        """Yield texts in which these entries decide."""
        if self._tables:
            yield from islice(texts_of_entries(*self._tables, self._entries), _MAX_TEXTS)
        yield from islice(self._texts_of_pieces(), _MAX_TEXTS)
        yield from islice(self._texts_of_scores(), _MAX_TEXTS)
        yield from self._texts_of_settings()

    def witnesses(self) -> Iterator[str]:
        """Yield texts that give the tokens which only one of the two makes, looked for at length."""
        for number, tokenizer in enumerate(self._tokenizers):
            merged = [entry for entry in self._entries if entry.only_in in (None, number)][:_MAX_WITNESSES]
            ids = [self._tables[number].token_of(entry.pair) for entry in merged] if self._tables else []
            ids += self._changed_ids[number][:_MAX_WITNESSES]
            entries = [_entry(tokenizer, token) for token in dict.fromkeys(ids)]
            rows = token_reach(tokenizer, entries) if entries else ()
            yield from (row.witness for row in rows if row.witness is not None)

    def in_words(self) -> str:
        """Name some of the merges or pieces that differ; empty if none does, or they can't be compared."""
        pieces = list(dict.fromkeys(chain(self._named_pieces(0), self._named_pieces(1)))) if not self._tables else []
        named = [*map(self._named, self._entries[:_MAX_NAMED]), *pieces[:_MAX_NAMED]]
        more = len(self._entries) + len(pieces) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")

    def _named_pieces(self, number: int) -> Iterator[str]:
        """Name the pieces that the other tokenizer lacks, or has with another score or use."""
        if self._models:
            own, other = (_pieces(self._models[each]) for each in (number, 1 - number))
            for piece, entry in own.items():
                quoted = f"“{shown(piece.replace(SPACE, ' ').encode(), _MAX_SHOWN)}”"
                if piece not in other:
                    yield f"only {self._names[number]} has {quoted}"
                elif other[piece]._replace(id=entry.id) != entry:
                    yield f"{quoted} has another {'use' if other[piece].score == entry.score else 'score'}"

    def _named(self, entry: Entry) -> str:
        joined = " + ".join(f"“{shown(self._bytes_of((symbol,)), _MAX_SHOWN)}”" for symbol in entry.pair)
        if entry.only_in is None:
            return f"{joined} has another place among the others"
        return f"only {self._names[entry.only_in]} merges {joined}"

    def _bytes_of(self, symbols: tuple[object, ...]) -> bytes:
        return self._tables[0].bytes_of(symbols) or self._tables[1].bytes_of(symbols) if self._tables else b""

    @cached_property
    def _tables(self) -> tuple[MergeTable, MergeTable] | None:
        return merge_tables(*self._tokenizers)

    @cached_property
    def _entries(self) -> list[Entry]:
        return differing_entries(*self._tables) if self._tables else []

    # Pieces

    @cached_property
    def _models(self) -> tuple[Model, Model] | None:
        """The models of two tokenizers of the same algorithm, which other libraries encode for."""
        one, other = (tokenizer.model for tokenizer in self._tokenizers)
        return (one, other) if one and other and one.algorithm == other.algorithm else None

    @cached_property
    def _changed_ids(self) -> tuple[list[int], list[int]]:
        """Ids of the pieces of each that the other lacks, or of which it says another id, score or use."""
        if not self._models or _uses(self._models[0]) == _uses(self._models[1]):
            return [], []
        one, other = map(_pieces, self._models)
        changed = (
            [piece.id for text, piece in own.items() if others.get(text) != piece]
            for own, others in ((one, other), (other, one))
        )
        return next(changed), next(changed)

    def _texts_of_pieces(self) -> Iterator[str]:
        """Yield texts that give pieces which differ."""
        for number, tokenizer in enumerate(self._tokenizers):
            if rules := rules_of(tokenizer):
                for token in islice(self._changed_ids[number], _MAX_PIECES):
                    text = token_text(text_bytes(tokenizer, token))
                    yield from (text,) if text else ()
                    yield from islice(rules.texts(token), _FEW)

    def _texts_of_scores(self) -> Iterator[str]:
        """Yield texts in which a Unigram piece that differs competes with others, whose scores may outweigh it."""
        if not self._models or self._models[0].algorithm != "unigram":
            return
        choose = random.Random(0)
        for number, model in enumerate(self._models):
            spelled = [piece.replace(SPACE, " ") for piece, _ in model.pieces]
            for token in islice(self._changed_ids[number], _MAX_SCORES):
                around = list(_overlaps(spelled[token], spelled))
                yield from around
                for size in range(_MAX_GLUED):
                    yield "".join(choose.choices([spelled[token], *around, *spelled[:_MAX_OVERLAPS]], k=2 + size % 3))

    def _texts_of_settings(self) -> Iterator[str]:
        """Yield texts for settings of the models: words too long for one, tokens that only one takes whole."""
        limits = {model.word_limit for model in self._models or ()} - {None}
        yield from ("a" * (limit + 1) for limit in limits if limit is not None and limit < _MAX_TEXTS)
        learned = [each for each in self._tokenizers if each.merges_here or each.is_of_library]
        if len({each.ignore_merges for each in learned}) > 1:
            for tokenizer in learned:
                unmade = (token for token in tokenizer.vocab if tokenizer.rank(token) is None)
                texts = (token_text(text_bytes(tokenizer, token)) for token in unmade)
                yield from (text for text in texts if text)


class _Piece(NamedTuple):
    """A piece with what a model says of it."""

    id: int
    score: float
    is_literal: bool
    is_unused: bool


def _uses(model: Model) -> tuple[object, ...]:
    return model.pieces, model.literal_ids, model.unused_ids


def _pieces(model: Model) -> Mapping[str, _Piece]:
    pieces = enumerate(model.pieces)
    return {
        piece: _Piece(token, score, token in model.literal_ids, token in model.unused_ids)
        for token, (piece, score) in pieces
        if piece
    }


def _overlaps(text: str, others: list[str]) -> Iterator[str]:
    """Yield texts of a piece and others that contain it, or that begin or end within it."""
    yield from islice((other for other in others if text in other), _MAX_OVERLAPS)
    for cut in range(1, len(text)):
        yield from islice((text[:cut] + other for other in others if other.startswith(text[cut:])), _MAX_OVERLAPS)
        yield from islice((other + text[cut:] for other in others if other.endswith(text[:cut])), _MAX_OVERLAPS)


def _entry(tokenizer: Tokenizer, token: int) -> VocabularyEntry:
    text = token_text(tokenizer.vocab[token])
    reached = token in tokenizer.encode(text) if text else None
    return VocabularyEntry(token, None, tokenizer.vocab[token], text, "", reached)
