"""Tokenizers of Hugging Face's `tokenizers` library, which encodes from the bytes of a `tokenizer.json`."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tokviz.arrays import BoolArray, Int32Array
from tokviz.bpe.alphabet import Units
from tokviz.bpe.byte_characters import unspell
from tokviz.bpe.merging import Pair
from tokviz.positions import byte_starts
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import PreTokens, Tokenizer
from tokviz.tokenizers.engines.bulk import Definition, Segments, of_json, segments_at, with_vocabulary
from tokviz.tokenizers.engines.covering import Encoded, cover, with_added
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face_cuts import is_plain_bytes, overlapping, safe_cut, sure_cuts
from tokviz.tokenizers.engines.hugging_face_library import Library, with_added_special
from tokviz.tokenizers.engines.hugging_face_stages import Json, Pipeline, readable
from tokviz.tokenizers.engines.proof import VISIBLE
from tokviz.tokenizers.engines.rewriting import Edit, Version, edits_of, with_marks
from tokviz.tokenizers.engines.segments import Segment, segments_of
from tokviz.tokenizers.engines.stages import (
    READS_MARK,
    SPACE,
    Algorithm,
    CutOut,
    Model,
    TextStage,
    describe_around,
    describe_change,
    describe_pre_tokenizer,
    describe_steps,
)
from tokviz.tokenizers.inputs import listed
from tokviz.tokenizers.stream import SafeCut
from tokviz.tokenizers.windows import SureCuts

if TYPE_CHECKING:
    import tokenizers

_PLACEHOLDER = 2**32 - 1  # an id that no token has
_BYTE_PIECE = re.compile(r"<0x([0-9A-F]{2})>")


class HuggingFaceTokenizer(EngineTokenizer):
    """A tokenizer of any kind that the library opens, given as the bytes of its `tokenizer.json`.

    Ids are the library's, without truncation, padding and dropout. `special_tokens` are the added tokens that are
    special: recognized where they are allowed, by the library's rules (such as `lstrip`), and otherwise text like any
    other. Other added tokens are always recognized. `load` returns this tokenizer in any process, so that a
    pickle need not contain it. Raises ValueError if the library can't open the file.
    """

    split_patterns = ()
    file_name = "tokenizer.json"

    def __init__(self, name: str, data: bytes, *, load: "Callable[[], Tokenizer] | None" = None) -> None:
        self.name = name
        self.data = data
        self._load = load
        _ = self.library

    @cached_property
    def library(self) -> Library:
        """The library's tokenizers for the file."""
        return Library(self.name, self.data)

    @property
    def added_tokens(self) -> "dict[int, tokenizers.AddedToken]":
        """The library's added tokens, special or not, by id."""
        return self.library.added_tokens

    @property
    def added_texts(self) -> dict[int, str]:  # type: ignore[override]
        return {token: added.content for token, added in self.added_tokens.items()}

    @property
    def cut_out_tokens(self) -> frozenset[CutOut]:
        return self.library.cut_out_tokens

    @property
    def normalizer_settings(self) -> object:
        """See `Tokenizer.normalizer_settings`. A space that a pre-tokenizer puts in front is one, by another name."""
        return self.library.parts["normalizer"], self.library.puts_space

    @property
    def split_settings(self) -> object:
        return {"pre_tokenizer": self.library.parts["pre_tokenizer"]}

    @cached_property
    def special_tokens(self) -> dict[str, int]:  # type: ignore[override]
        """The texts of the special added tokens and their ids."""
        return {token.content: number for number, token in self.added_tokens.items() if token.special}

    @cached_property
    def algorithm(self) -> Algorithm:
        names: tuple[Algorithm, ...] = ("bpe", "unigram", "wordpiece", "wordlevel")
        return next(name for name in names if name == type(self.library.opened.model).__name__.lower())

    @property
    def unapplied(self) -> dict[str, Any]:  # type: ignore[override]
        return self.library.unapplied

    @cached_property
    def model(self) -> Model:
        return read_model(json.loads(self.library.opened.model.__getstate__()), self.algorithm)

    @cached_property
    def merges(self) -> dict[Pair, int]:
        """(left id, right id) -> new id, in rank order; empty unless the algorithm is BPE."""
        merges = self._ranked_merges.merges
        return {pair: merges.new_ids[rank] for pair, rank in merges.rank.items()}

    def with_special_tokens(self, special_tokens: Mapping[str, int] | Iterable[str]) -> "HuggingFaceTokenizer":
        """Return this tokenizer with further special tokens, added to its file by the library. All other ids stay.

        Texts that are special tokens already keep theirs. Raises ValueError for a text that is another token, or is
        given another id, and for ids that are not those that the library gives: the next ones, in order.
        """
        added = self._new_special_tokens(special_tokens)
        if not added:
            return self
        changed = HuggingFaceTokenizer(self.name, with_added_special(self.name, self.data, added))
        return changed.with_chat_files(self.chat_files)

    def _has_piece(self, piece: str) -> bool:
        return self.library.opened.token_to_id(piece) is not None

    # What tokens stand for

    @cached_property
    def units(self) -> Units:
        return "bytes" if self.library.has_step("ByteLevel", "normalizer", "pre_tokenizer") else "characters"

    @property
    def cutting_steps(self) -> Sequence[Mapping[str, Any]]:
        return self.library.steps("pre_tokenizer")

    @cached_property
    def drops_spaces(self) -> bool:
        return "".join(self.library.words("a b")) == "ab"

    @property
    def _first_is_apart(self) -> bool:
        return any(step.get("prepend_scheme") == "first" for step in self.cutting_steps)

    @property
    def cut_out_ids(self) -> frozenset[int]:
        return frozenset(token for token in self.added_tokens if token != self.unknown)

    def cut_out(self, tokenization: Tokenization) -> BoolArray:
        mask = super().cut_out(tokenization)
        places = tokenization.code_point_offsets
        for index in np.flatnonzero(mask & ~tokenization.special).tolist():
            place = (int(places[index]), int(places[index + 1]))
            mask[index] = self.library.is_added(int(tokenization.ids[index]), tokenization.text, place)
        return mask

    @cached_property
    def unknown(self) -> int | None:
        engine = self.library.opened
        if not hasattr(engine.model, "unk_token"):
            return self.model.unknown
        return None if engine.model.unk_token is None else engine.token_to_id(engine.model.unk_token)

    @cached_property
    def _spells_spaces(self) -> bool:
        return SPACE in json.dumps(self.library.parts, ensure_ascii=False)

    @cached_property
    def _falls_back_to_bytes(self) -> bool:
        is_set = bool(getattr(self.library.opened.model, "byte_fallback", False))
        return is_set or self.library.has_step("ByteFallback", "decoder")

    @cached_property
    def vocab(self) -> dict[int, bytes]:  # type: ignore[override]
        """Id -> bytes, by id, with a space for `▁`. What marks a piece as part of a word, such as `##`, is kept."""
        pieces = self.library.opened.get_vocab(with_added_tokens=True).items()
        return {token: self._unspell(token, piece) for piece, token in sorted(pieces, key=itemgetter(1))}

    def _unspell(self, token: int, piece: str) -> bytes:
        if token in self.added_tokens:
            return self.library.decoded(piece).encode() if SPACE in piece else piece.encode()
        if self.units == "bytes":
            data = unspell(piece)
            return piece.encode() if data is None else data
        value = _BYTE_PIECE.fullmatch(piece) if self._falls_back_to_bytes else None
        if value:
            return bytes.fromhex(value[1])
        return (piece.replace(SPACE, " ") if self._spells_spaces else piece).encode()

    @cached_property
    def marks(self) -> tuple[str, str]:  # type: ignore[override]
        model = self.library.opened.model
        prefix, suffix = (getattr(model, name, None) for name in ("continuing_subword_prefix", "end_of_word_suffix"))
        return prefix or "", suffix or ""

    @cached_property
    def _bytes_by_id(self) -> dict[int, bytes]:
        """Cache of `_text_bytes`."""
        return {}

    def _text_bytes(self, token: int) -> bytes:
        """Return the bytes of a text that a token stands for, without the marks of a word's inside and end."""
        found = self._bytes_by_id.get(token)
        if found is None:
            piece = self.library.opened.id_to_token(token) or ""
            piece = piece.removeprefix(self.marks[0]).removesuffix(self.marks[1])
            found = self._bytes_by_id[token] = self._unspell(token, piece)
        return found

    # Encoding

    @cached_property
    def around(self) -> tuple[tuple[int, ...], tuple[int, ...]]:  # type: ignore[override]
        """The ids that `add_special` puts before and after a text."""
        ids = self.library.put_around(_PLACEHOLDER)
        if ids.count(_PLACEHOLDER) != 1:
            times = "leaves out the text itself" if _PLACEHOLDER not in ids else "repeats the text"
            raise ValueError(f"the post_processor of {self.name} {times}: correct its “single”")
        place = ids.index(_PLACEHOLDER)
        return tuple(ids[:place]), tuple(ids[place + 1 :])

    def _encode_with_around(self, text: str, allowed: frozenset[str]) -> list[int]:
        return self.library.encode(text, allowed, add_special=True).ids

    def _encode_stretch(self, allowed: frozenset[str], text: str, place: int) -> list[int]:
        return self.library.encode(text, allowed).ids

    _cut_is_in_ordinary_text = False

    @cached_property
    def _safe_cut(self) -> SafeCut | None:
        return safe_cut(self.library)

    def _sure_cuts(self, allowed: frozenset[str]) -> SureCuts | None:
        return self._cuts_of_bytes

    @cached_property
    def _cuts_of_bytes(self) -> SureCuts | None:
        # Only tokens of bytes all have a place: of others, some cover none, or their characters have no token.
        return sure_cuts(self.library) if self.units == "bytes" and not any(self.marks) else None

    _library = "tokenizers"

    def _bulk_definition(self) -> Definition | None:
        if self.algorithm != "bpe" or any(self.marks) or not is_plain_bytes(self.library):
            return None
        always = {token.content: number for number, token in self.added_tokens.items() if not token.special}
        # Of two that share characters, the library may find either, or a special one may hide another.
        return of_json(self.data, always, overlapping(self.added_texts.values()))

    def _cut_probe(self) -> "HuggingFaceTokenizer":
        return HuggingFaceTokenizer("cuts", with_vocabulary(self.data, VISIBLE))

    def _bulk_segments(self, allowed: frozenset[str]) -> Segments | None:
        found = {
            token.content: number
            for number, token in self.added_tokens.items()
            if not token.special or token.content in allowed
        }
        return partial(segments_at, tokens=found) if found else None

    def _encode_ordinary(self, text: str) -> list[int]:
        return self.library.encode(text, frozenset()).ids

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return np.diff(self._encoded(text, self.library.encode(text, frozenset())).byte_offsets)

    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        """See `Tokenizer.tokenize`. Raises ValueError for a text that the library can't encode."""
        repaired, replaced = repair(text)
        encoded = self._encoded(
            repaired, self.library.encode(repaired, self._allowed(allowed_special), add_special=add_special)
        )
        return Tokenization(
            repaired,
            encoded.ids,
            encoded.byte_offsets,
            replaced=replaced,
            special_ids={*self.special_tokens.values(), *encoded.ids[encoded.is_added].tolist()},
            pretokens=encoded.pretoken_index,
            bytes_of=self._text_bytes,
        )

    def _encoded(self, text: str, encoding: "tokenizers.Encoding") -> Encoded:
        ids = np.array(encoding.ids, np.int32)
        is_added = np.array(encoding.special_tokens_mask, np.bool_)
        spans = np.fromiter(chain.from_iterable(encoding.offsets), np.int32, 2 * len(ids)).reshape(-1, 2)[~is_added]
        spans = np.minimum(spans, len(text))  # the library counts the marks of bytes within a word as if they were text
        data = text.encode()
        if len(data) != len(text):
            octets = np.frombuffer(data, np.uint8)
            spans = np.append(np.flatnonzero((octets & 0xC0) != 0x80), len(data)).astype(np.int32)[spans]
        ordinary_ids = ids[~is_added]
        offsets = cover(data, spans[:, 0], spans[:, 1], lambda token: self._text_bytes(int(ordinary_ids[token])))
        words = np.array([-1 if word is None else word for word in encoding.word_ids], np.int32)
        is_new = np.concatenate((np.zeros(1, np.bool_), (words[1:] != words[:-1]) | is_added[1:]))[: len(ids)]
        return Encoded(ids, is_added, with_added(offsets, is_added, len(data)), is_new.cumsum(dtype=np.int32))

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """Return the stretches of `text` that its pre-tokens cover, as far as tokens were made of them."""
        return self._cut(repair(text)[0], self._allowed(allowed_special)).pieces

    def _cut(self, text: str, allowed: frozenset[str]) -> PreTokens:
        tokenization = self.tokenize(text, allowed)
        starts = tokenization.code_point_offsets[:-1]
        index = tokenization.pretoken_index
        firsts = np.flatnonzero(np.diff(index, prepend=-1))
        places = [*starts[firsts].tolist(), len(text)]
        specials = {int(index[token]): int(tokenization.ids[token]) for token in np.flatnonzero(tokenization.special)}
        return PreTokens([text[start:end] for start, end in pairwise(places)] if len(index) else [], specials)

    # Decoding

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the joined bytes of the tokens `ids` if each token is bytes, else `decode`'s text as UTF-8."""
        checked = self._checked(ids)
        if [step["type"] for step in self.library.steps("decoder")] == ["ByteLevel"]:
            return b"".join(
                unspell(piece) or piece.encode() for piece in map(self.library.opened.id_to_token, checked) if piece
            )
        return self.decode(checked).encode()

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the library decodes the tokens `ids` to, special tokens included. Raises ValueError."""
        return self.library.decode(self._checked(ids))

    def _checked(self, ids: Iterable[int]) -> list[int]:
        checked = listed(ids, "ids", "token ids")
        piece_of = self.library.opened.id_to_token
        wrong = next((each for each in set(checked) if not 0 <= each < 2**32 or piece_of(int(each)) is None), None)
        if wrong is not None:
            raise ValueError(self._not_in_use(wrong))
        return list(map(int, checked))

    # Stages

    @property
    def rewriting(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(describe_steps(self.library.steps("normalizer"), self.library.steps("pre_tokenizer")))

    def stages(self, text: str, allowed_special: Collection[str] = ()) -> tuple[TextStage, ...]:
        """See `Tokenizer.stages`, with what `add_special` adds at the end."""
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        encoding = self.library.encode(repaired, allowed)
        pipeline = Pipeline(repaired, [place for _, place in self.library.added_in(repaired, encoding, allowed)])
        reads = self._spells_spaces and any(SPACE in piece.text for piece in pipeline.pieces if not piece.is_added)
        normalizing = pipeline.apply(self.library.steps("normalizer"), "normalizer")
        normalized = readable(pipeline.pieces, self.library.has_step("ByteLevel", "normalizer"))
        splitting = pipeline.apply(self.library.steps("pre_tokenizer"), "pre_tokenizer")
        whole = self.library.encode(repaired, allowed, add_special=True)
        before, after = ([self.library.opened.id_to_token(token) for token in ids] for ids in self.around)
        return (
            TextStage("normalized", normalized, ((READS_MARK,) if reads else ()) + normalizing),
            TextStage("pre-tokens", readable(pipeline.pieces, self.units == "bytes"), splitting),
            TextStage("tokens", tuple(encoding.tokens), self._substitutions(encoding.tokens)),
            TextStage("special tokens", tuple(whole.tokens), describe_around(before, after)),
        )

    def edits(self, text: str, allowed_special: Collection[str] = ()) -> list[Edit]:
        repaired, _ = repair(text)
        segments = self._segments_after(("normalizer",), repaired, self._allowed(allowed_special))
        is_spelled = self.library.has_step("ByteLevel", "normalizer")
        return edits_of(repaired, segments, self._spelled_bytes if is_spelled else self._bytes_of_text)

    def _versions(self, text: str, allowed: frozenset[str]) -> list[Version]:
        added = [place for _, place in self.library.added_in(text, self.library.encode(text, allowed), allowed)]
        normalizing, splitting = self.library.steps("normalizer"), self.library.steps("pre_tokenizer")
        place = byte_starts(text).tolist()

        def parts(number: int) -> list[tuple[int, bytes]]:
            pipeline = Pipeline(text, added)
            pipeline.apply(normalizing[:number], "normalizer")
            pipeline.apply(splitting[: max(0, number - len(normalizing))], "pre_tokenizer")
            is_spelled = any(step["type"] == "ByteLevel" for step in [*normalizing, *splitting][:number])
            bytes_of = self._spelled_bytes if is_spelled else self._bytes_of_text
            characters = pipeline.characters()
            starts = characters.starts.tolist()
            found = [(place[start], bytes_of(text)) for text, start in zip(characters.texts, starts, strict=True)]
            found += [(place[start], text[start:end].encode()) for start, end in added]
            return sorted(found, key=itemgetter(0))

        describing: list[Callable[[str, str], str | None]] = [lambda *_: None]
        describing += [partial(describe_change, step) for step in normalizing]
        describing += map(_describing, splitting)
        return with_marks(text, [Version(describe, parts(number)) for number, describe in enumerate(describing)])

    def _substitutions(self, tokens: list[str]) -> tuple[str, ...]:
        """Describe what stands for parts of a text that no piece spells."""
        used = set(tokens)
        has_bytes = bool(getattr(self.library.opened.model, "byte_fallback", False))
        unknown = None if self.unknown is None else self.library.opened.id_to_token(self.unknown)
        done = {
            "writes characters without a token as UTF-8 bytes": has_bytes and any(map(_BYTE_PIECE.fullmatch, used)),
            f"puts {unknown} where no token spells the text": unknown in used,
        }
        return tuple(text for text, is_done in done.items() if is_done)

    def _text_segments(self, text: str, allowed: frozenset[str]) -> list[Segment]:
        return self._segments_after(("normalizer", "pre_tokenizer"), text, allowed)

    def _segments_after(
        self, parts: tuple[Literal["normalizer", "pre_tokenizer"], ...], text: str, allowed: frozenset[str]
    ) -> list[Segment]:
        """Return the segments of a repaired text after some of the library's stages."""
        added = list(self.library.added_in(text, self.library.encode(text, allowed), allowed))
        pipeline = Pipeline(text, [place for _, place in added])
        for part in parts:
            pipeline.apply(self.library.steps(part), part)
        return segments_of(text, pipeline.characters(), added, self._spelled_bytes)

    def _spelled_bytes(self, text: str) -> bytes:
        data = unspell(text) if self.units == "bytes" else None
        return self._bytes_of_text(text) if data is None else data

    def _bytes_of_text(self, character: str) -> bytes:
        return (character.replace(SPACE, " ") if self._spells_spaces else character).encode()


def _describing(step: Json) -> Callable[[str, str], str | None]:
    return lambda *_: describe_pre_tokenizer(step)


def read_model(node: Mapping[str, Any], algorithm: Algorithm) -> Model:
    """Read the model of a `tokenizer.json`."""
    if algorithm == "unigram":
        pieces = tuple((str(piece), float(score)) for piece, score in node["vocab"])
        unknown = node.get("unk_id")
        fuses_unknown = True
    else:
        ids: Mapping[str, int] = node["vocab"]
        pieces = _by_id(ids)
        unknown = ids.get(node.get("unk_token") or "")
        fuses_unknown = bool(node.get("fuse_unk"))
    return Model(
        algorithm,
        pieces,
        merges=_merges(node.get("merges", ()), pieces),
        unknown=unknown,
        byte_ids=_byte_ids(pieces) if node.get("byte_fallback") else {},
        continuing_prefix=node.get("continuing_subword_prefix") or "",
        end_suffix=node.get("end_of_word_suffix") or "",
        ignore_merges=bool(node.get("ignore_merges")),
        fuse_unknown=fuses_unknown,
        word_limit=node.get("max_input_chars_per_word"),
    )


def _by_id(ids: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return pieces by id, with no scores. There may be few of them, and ids of millions."""
    pieces = [("", 0.0)] * (max(ids.values(), default=-1) + 1)
    for piece, token in ids.items():
        pieces[token] = piece, 0.0
    return tuple(pieces)


def _merges(pairs: Iterable[Sequence[str]], pieces: Iterable[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
    """Return the pairs with the same strings as in `pieces`, so that each is in memory only once."""
    kept = {piece: piece for piece, _ in pieces}
    return tuple((kept.get(left, left), kept.get(right, right)) for left, right in pairs)


def _byte_ids(pieces: tuple[tuple[str, float], ...]) -> dict[int, int]:
    """Return the ids of those of the pieces `<0x00>` to `<0xFF>` that there are, by byte value."""
    ids = {piece: token for token, (piece, _) in enumerate(pieces)}
    spelled = {value: f"<0x{value:02X}>" for value in range(256)}
    return {value: ids[piece] for value, piece in spelled.items() if piece in ids}
