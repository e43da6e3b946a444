"""Base class of other libraries' tokenizers, with replays of merges, lattices and longest matches."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from random import Random
from typing import NamedTuple, Self

import numpy as np

from tokviz.arrays import Int32Array, Int64Array
from tokviz.bpe.alphabet import Units
from tokviz.bpe.dropout import check_dropout
from tokviz.bpe.merge_replay import ORDERS, Order
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.subwords import ranked_merges, scored_merges
from tokviz.subwords.fallback import NoUnknownToken
from tokviz.subwords.ranked_merges import RankedMerges
from tokviz.subwords.scored_merges import ScoredPieces
from tokviz.subwords.unigram import ScoreArray, UnigramModel, user_defined_score
from tokviz.subwords.word_piece import WordPieceModel
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.rewriting import Version, steps_at
from tokviz.tokenizers.engines.segments import Segment, original_characters, original_offsets
from tokviz.tokenizers.engines.stages import Algorithm, Model
from tokviz.tokenizers.inputs import check_whole_number, listed
from tokviz.tokenizers.lattice import TextLattice
from tokviz.tokenizers.matches import TextMatches
from tokviz.tokenizers.replay import Replay
from tokviz.tokenizers.segmentations import FittingTokens, check_length
from tokviz.tokenizers.surgery import new_special_tokens

# In the bytes of a piece, in front of the first in a word and at the end of the last. No text in UTF-8 has these bytes.
_START, _END = b"\xff", b"\xfe"


class Spellings:
    """The bytes that pieces spell, for finding those that fit at each place of a text.

    `pieces` are ids by piece, `byte_ids` those of pieces for single bytes. `bytes_of` gives the bytes that a spelled
    text stands for. `marks` are what begins a piece inside a word, and what ends one at its end; "" for neither.
    """

    def __init__(
        self,
        pieces: Mapping[str, int],
        byte_ids: Mapping[int, int],
        bytes_of: Callable[[str], bytes],
        marks: tuple[str, str],
    ) -> None:
        self._prefix, self._suffix = marks
        # With marks, bytes stay spelled, since some piece may be the byte that is a mark here.
        self._bytes_of = bytes_of if not any(marks) else str.encode
        self._ids = {bytes([value]): token for value, token in byte_ids.items()}
        self._ids |= {self._of_piece(piece): token for piece, token in pieces.items()}
        self._bytes = {token: data for data, token in self._ids.items()}

    def fitting(self, segments: Iterable[Segment]) -> FittingTokens:
        """Return the pieces that fit at each place of a text."""
        return FittingTokens(*self._parts(segments))

    def spell(self, ids: Collection[int], segments: Sequence[Segment]) -> bool:
        """Return whether tokens are among the ways to put a text together."""
        pieces, _, whole = self._parts(segments)
        rest = iter(ids)
        for index, piece in enumerate(pieces):
            place = 0
            while place < len(piece):
                token = next(rest, -1)
                data = piece if whole.get(index) == token else self._bytes.get(token, b"")
                if not data or (index in whole and whole[index] != token) or not piece.startswith(data, place):
                    return False
                place += len(data)
        return next(rest, None) is None

    def _parts(self, segments: Iterable[Segment]) -> tuple[list[bytes], Mapping[bytes, int], dict[int, int]]:
        parts = [segment for segment in segments if segment.text]
        pieces = [self._of_word(each.text) if each.special is None else each.text.encode() for each in parts]
        whole = {index: each.special for index, each in enumerate(parts) if each.special is not None}
        return pieces, self._ids, whole

    def _of_word(self, text: str) -> bytes:
        return (_START if self._prefix else b"") + self._bytes_of(text) + (_END if self._suffix else b"")

    def _of_piece(self, piece: str) -> bytes:
        is_first = bool(self._prefix) and not piece.startswith(self._prefix)
        is_last = bool(self._suffix) and piece.endswith(self._suffix)
        data = self._bytes_of(piece.removeprefix(self._prefix).removesuffix(self._suffix))
        return (_START if is_first else b"") + data + (_END if is_last else b"")


MAX_WAYS = 100
"""Maximum best ways of a lattice."""

_UNK_PENALTY = 10.0
"""An unknown character scores this much less than the lowest piece (sentencepiece's `kUnkPenalty`)."""

_WORD_LIMIT = 100  # maximum characters of a word for WordPiece, if a file sets none


class _Making(NamedTuple):
    """The merge that makes a token: its rank, and the ids of the two tokens that it joins."""

    rank: int
    parents: Pair


class EngineTokenizer(Tokenizer):
    """A tokenizer of another library. What is shown of its algorithm is computed here, and checked against its ids."""

    data: bytes
    """The tokenizer's file."""

    file_name: str
    """The usual name of such a file."""

    is_of_library = True
    takes_split_patterns = False
    _why_uncut = "by its rules,"
    _why_not_exact = "another library encodes its texts, by the rules of its file"
    _decodes_token_by_token = False
    _scores_decide = False
    """Whether merges are chosen by the scores of pieces, in single precision, instead of by a list of pairs."""

    @property
    @abstractmethod
    def algorithm(self) -> Algorithm:
        """The algorithm that makes tokens."""

    @property
    @abstractmethod
    def model(self) -> Model:
        """The parts of the model."""

    @abstractmethod
    def _text_segments(self, text: str, allowed: frozenset[str]) -> list[Segment]:
        """Return the parts of a repaired text that the model encodes one by one, and its special and added tokens."""

    @abstractmethod
    def _versions(self, text: str, allowed: frozenset[str]) -> list[Version]:
        """Return a repaired text, and what it is after each step that may change it before it becomes tokens."""

    def rewriting_at(
        self, text: str, places: Iterable[tuple[int, int]], allowed_special: Collection[str] = ()
    ) -> tuple[str, ...]:
        repaired, _ = repair(text)
        return steps_at(repaired, self._versions(repaired, self._allowed(allowed_special)), places)

    def versions(self, text: str, allowed_special: Collection[str] = ()) -> list[Version]:
        """Return `text` before and after each step that changes it before the model makes tokens, without marks."""
        return self._versions(repair(text)[0], self._allowed(allowed_special))

    def replay(self, text: str, allowed_special: Collection[str] = (), order: Order = "rank") -> Replay:
        """Replay the merging of `text` in steps (see `BPETokenizer.replay`).

        Raises ValueError for tokenizers that merge nothing, and if a text's merging can't be reproduced exactly.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(map(repr, ORDERS))}, not {order!r}")
        self._require("bpe", "replay")
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        segments = self._text_segments(repaired, allowed)
        parts = [(segment.text, segment.special) for segment in segments]
        with self._naming_unknown(repaired, segments):
            if self._scores_decide:
                columns, merges = scored_merges.merge_columns(self._scored_pieces, parts, order)
            else:
                columns, merges = ranked_merges.merge_columns(self._ranked_merges, parts, order)
        final = self.tokenize(repaired, allowed)
        last_symbols = np.flatnonzero(columns.removed_at == len(columns.ranks))
        offsets = original_offsets(segments, columns.byte_offsets)
        if len(last_symbols) == len(final):
            offsets = _fitted(offsets, np.append(last_symbols, len(columns.symbols)), final.byte_offsets)
        replay = Replay(self, repaired, replaced, allowed, order, columns._replace(byte_offsets=offsets), merges)
        self._check_equal(replay.state(len(replay)), final.ids)
        return replay

    def lattice(self, text: str, n: int = 5, allowed_special: Collection[str] = ()) -> TextLattice:
        """Return all pieces that fit `text`, and the `n` best ways to write it with them (see `TextLattice`).

        Raises ValueError for tokenizers whose algorithm is not Unigram.
        """
        if not 1 <= n <= MAX_WAYS:
            raise ValueError(f"n must be from 1 to {MAX_WAYS}, not {n}")
        self._require("unigram", "lattice")
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        best = self.tokenize(repaired, allowed)
        segments = self._text_segments(repaired, allowed)
        with self._naming_unknown(repaired, segments):
            lattice = TextLattice(self, best, self._unigram, segments, n)
        self._check_equal(lattice.ids(lattice.ways[0]), best.ids)
        return lattice

    @contextmanager
    def _naming_unknown(self, text: str, segments: Sequence[Segment]) -> Iterator[None]:
        """Name what no piece fits by the text's characters, where a model names it as `segments` spell it."""
        try:
            yield
        except NoUnknownToken as error:
            characters = original_characters(text, segments, error.text)
            raise (NoUnknownToken(characters) if characters else self._not_exact()) from None

    def longest_matches(self, text: str, allowed_special: Collection[str] = ()) -> TextMatches:
        """Return the longest matches of each word of `text` (see `TextMatches`).

        Raises ValueError for tokenizers whose algorithm is not WordPiece.
        """
        self._require("wordpiece", "longest_matches")
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        found = TextMatches(self, repaired, self._word_pieces, self._text_segments(repaired, allowed))
        self._check_equal(found.ids, self.encode(repaired, allowed))
        return found

    def segmentations(self, text: str, n: int, allowed_special: Collection[str] = ()) -> list[list[int]]:
        """Return the first `n` ways to put the normalized pre-tokens of `text` together from pieces.

        They are ordered as those of `BPETokenizer.segmentations`. Raises ValueError for a text of more than 10,000
        bytes, and for one that no pieces spell or that the library reads by rules of its own.
        """
        number = check_whole_number(n, "n")
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        segments, ids = self._text_segments(repaired, allowed), self.encode(repaired, allowed)
        check_length("".join(segment.text for segment in segments))
        if not self._spellings.spell(ids, segments):
            if self.unknown in ids:
                raise ValueError(f"no pieces of {self.name} spell this text: an unknown token stands for a part of it")
            raise self._not_exact()
        return list(islice(self._spellings.fitting(segments).segmentations(), number))

    def _encoded_again(self, ids: list[int], place: int) -> list[int]:
        text = self.decode(ids)
        encoded = self.encode(text)
        if encoded == ids:
            return encoded
        joined, joined_again = (b"".join(self._unmarked_bytes(each)) for each in (ids, encoded))
        if joined != joined_again or self.decode(encoded) != text or (place and self._first_is_apart):
            raise ValueError(
                f"{self.name} decodes these ids to a text that lacks or changes some of their bytes, so it can't be "
                "told whether encoding gives them"
            )
        return encoded

    def _unmarked_bytes(self, ids: Iterable[int]) -> list[bytes]:
        inside, end = (mark.encode() for mark in self.marks)
        return [data.removeprefix(inside).removesuffix(end) for data in self._token_bytes(ids)]

    def _decoded_parts(self, ids: Iterable[int]) -> list[bytes]:
        numbers = listed(ids, "ids", "token ids")
        whole, parts = self.decode_bytes(numbers), self._unmarked_bytes(numbers)
        for each in (parts, [parts[0].removeprefix(b" "), *parts[1:]] if parts else []):
            if b"".join(each) == whole:
                return each
        raise ValueError(
            f"it can't be told where these tokens are in their text: {self.name} decodes them to a text that is not "
            "the tokens one after another"
        )

    @property
    def _first_is_apart(self) -> bool:
        """Whether the beginning of a text is encoded in another way than what follows a special token."""
        return False

    def _new_special_tokens(self, added: Mapping[str, int] | Iterable[str]) -> dict[str, int]:
        """Return those of `added` special tokens that are new, as text -> id. A library has each text only once.

        Raises TypeError or ValueError, also for a text that is a piece already.
        """
        tokens = new_special_tokens(self.vocab, self.special_tokens, added)
        new = {text: token for text, token in tokens.items() if text not in self.special_tokens}
        known = next(filter(self._has_piece, new), None)
        if known is not None:
            raise ValueError(
                f"{quote(known)} is a token of {self.name} already, and its library takes each text only once"
            )
        return new

    @abstractmethod
    def _has_piece(self, piece: str) -> bool:
        """Return whether a token is spelled so."""

    @cached_property
    def _spellings(self) -> Spellings:
        made = self._ranked_merges.merges.new_ids if self.algorithm == "bpe" and not self._scores_decide else ()
        excluded = {*self.cut_out_ids.difference(made), self.unknown, *self.model.byte_ids.values()}
        excluded -= self.model.literal_ids
        pieces = {piece: token for piece, token in self._matchable.items() if token not in excluded}
        return Spellings(pieces, self.model.byte_ids, self._spelled_bytes, self.marks)

    @abstractmethod
    def _spelled_bytes(self, text: str) -> bytes:
        """Return the bytes of a text that the library's spelling of it stands for."""

    def sample(self, text: str, dropout: float, seed: int, allowed_special: Collection[str] = ()) -> list[int]:
        """Return ids of `text` with merges left out at random, by BPE-dropout (see `BPETokenizer.sample`).

        Raises ValueError for tokenizers that merge nothing, and for a text that the library reads by rules of its own.
        """
        probability, rng = check_dropout(dropout), Random(check_whole_number(seed, "seed"))
        if self.algorithm != "bpe":
            return super().sample(text, dropout, seed, allowed_special)
        if not probability:
            return self.encode(text, allowed_special)
        self.replay(text, allowed_special)  # is a ValueError if merging does not give the library's ids
        segments = self._text_segments(repair(text)[0], self._allowed(allowed_special))
        parts = [(segment.text, segment.special) for segment in segments]
        if self._scores_decide:
            return scored_merges.merge_with_dropout(self._scored_pieces, parts, probability, rng)
        return ranked_merges.merge_with_dropout(self._ranked_merges, parts, probability, rng)

    def rank(self, token: int) -> int | None:
        made = self._making(token)
        return None if made is None else made.rank

    def parents(self, token: int) -> Pair | tuple[()]:
        made = self._making(token)
        return () if made is None else made.parents

    def _making(self, token: int) -> _Making | None:
        if token not in self._found_makings:
            self._found_makings[token] = self._find_making(token) if self.merges_pieces else None
        return self._found_makings[token]

    def _find_making(self, token: int) -> _Making | None:
        pieces = self.model.pieces
        piece = pieces[token][0] if 0 <= token < len(pieces) else ""
        if self._matchable.get(piece) != token:
            return None
        if not self._scores_decide:
            merges, rank = self._ranked_merges.merges, self._ranked_merges.making(token, piece)
            return None if rank is None else _Making(rank, (int(merges.left[rank]), int(merges.right[rank])))
        parts = scored_merges.halves_of(self._scored_pieces, piece)
        if parts is None or not self._matchable.keys() >= set(parts):
            return None
        return _Making(self._scored_pieces.ranks[piece], (self._matchable[parts[0]], self._matchable[parts[1]]))

    @cached_property
    def _found_makings(self) -> dict[int, _Making | None]:
        """Cache of `_making`."""
        return {}

    @property
    def merges_pieces(self) -> bool:
        """Whether the algorithm is BPE, and each token is made in one way."""
        return self.algorithm == "bpe" and not self.model.unused_ids

    @property
    def num_merges(self) -> int:
        if self.algorithm != "bpe":
            return 0
        return len(self._scored_pieces.ranks) if self._scores_decide else len(self._ranked_merges.merges)

    @property
    def units(self) -> Units:
        return "characters"

    @cached_property
    def num_characters(self) -> int:
        """The number of pieces of one character, which merging may start from, and of single bytes."""
        return sum(len(piece) == 1 for piece, _ in self.model.pieces) + len(self.model.byte_ids)

    @property
    def unknown(self) -> int | None:
        return self.model.unknown

    @property
    def byte_ids(self) -> frozenset[int]:
        return frozenset(self.model.byte_ids.values())

    @property
    def ignore_merges(self) -> bool:  # type: ignore[override]
        return self.model.ignore_merges

    @property
    def cut_out_ids(self) -> frozenset[int]:
        return self._special_ids | self.model.literal_ids

    def _with_split_patterns(self, patterns: tuple[str, ...]) -> Self:
        raise ValueError(f"{self.name} cuts texts by the rules of its own file, and takes no other split pattern")

    def _require(self, algorithm: Algorithm, method: str) -> None:
        methods = {"bpe": "replay", "unigram": "lattice", "wordpiece": "longest_matches"}
        if self.algorithm != algorithm:
            hint = f": use {methods[self.algorithm]}" if self.algorithm in methods else ""
            raise ValueError(f"{self.name} has no {method}, since its algorithm is {self.algorithm}{hint}")

    def _check_equal(self, ids: Sequence[int] | Int32Array, expected: Sequence[int] | Int32Array) -> None:
        if not np.array_equal(ids, expected):
            raise self._not_exact()

    def _not_exact(self) -> ValueError:
        return ValueError(f"how {self.name} reads this text can't be shown exactly: its file has rules of its own")

    # The models of `subwords`, built from what the file says

    @cached_property
    def _matchable(self) -> dict[str, int]:
        """Piece -> id, for those that can be matched in text."""
        model = self.model
        excluded: set[int | None] = set(model.unused_ids)
        if self._scores_decide:
            excluded.update((model.unknown, *model.byte_ids.values(), *self.special_tokens.values()))
        return {piece: token for token, (piece, _) in enumerate(model.pieces) if piece and token not in excluded}

    @cached_property
    def _unigram(self) -> UnigramModel:
        model, ids = self.model, self._matchable
        listed_scores = [score for _, score in model.pieces]
        scores: ScoreArray = np.array(listed_scores, np.float32 if self._scores_decide else np.float64)
        normal = [token for token in ids.values() if token not in model.literal_ids]
        unk_score = float(scores[normal].min(initial=np.inf) - scores.dtype.type(_UNK_PENALTY))
        for token in model.literal_ids:
            scores[token] = user_defined_score(model.pieces[token][0])
        return UnigramModel(ids, scores, unk_score, model.unknown, model.byte_ids)

    @cached_property
    def _scored_pieces(self) -> ScoredPieces:
        model = self.model
        if model.unused_ids:
            raise ValueError(f"{self.name} has pieces that are split again after merging, which a replay can't show")
        literal = frozenset(model.pieces[token][0] for token in model.literal_ids)
        scores = np.array([score for _, score in model.pieces], np.float32)
        return ScoredPieces(self._matchable, scores, literal, model.unknown, model.byte_ids)

    @cached_property
    def _ranked_merges(self) -> RankedMerges:
        model = self.model
        return RankedMerges(
            self._matchable,
            model.merges,
            model.unknown,
            model.byte_ids,
            prefix=model.continuing_prefix,
            suffix=model.end_suffix,
            takes_whole=model.ignore_merges,
            fuses_unknown=model.fuse_unknown,
        )

    @cached_property
    def _word_pieces(self) -> WordPieceModel:
        model = self.model
        if model.unknown is None:
            raise ValueError(f"{self.name} has no unknown token")
        limit = _WORD_LIMIT if model.word_limit is None else model.word_limit
        return WordPieceModel(self._matchable, model.unknown, model.continuing_prefix, limit)


def _fitted(offsets: Int32Array, edges: Int64Array, edge_offsets: Int32Array) -> Int32Array:
    """Return byte offsets of symbols with those at the final tokens' edges set, and the others kept between them."""
    after = np.searchsorted(edges, np.arange(len(offsets)))
    before = np.maximum(after - (edges[after] > np.arange(len(offsets))), 0)
    return np.clip(offsets, edge_offsets[before], edge_offsets[after])
