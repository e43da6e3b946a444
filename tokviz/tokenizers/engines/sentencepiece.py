"""SentencePiece's models as tokenizers: Google's library encodes, from the bytes of a `.model` file."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.positions import byte_starts
from tokviz.texts import repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.bulk import Definition
from tokviz.tokenizers.engines.covering import cover
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.rewriting import Edit, Version, edits_of, parts_per_character, steps_of, with_marks
from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.engines.stages import SPACE, Algorithm, Model, TextStage, describe_around
from tokviz.tokenizers.inputs import listed

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

_ALGORITHMS: dict[int, Algorithm] = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
# Types of pieces in sentencepiece_model.proto.
_CONTROL, _USER_DEFINED, _UNUSED, _BYTE = 3, 4, 5, 6


class SentencePieceTokenizer(EngineTokenizer):
    """A SentencePiece model, given as the bytes of its file.

    `special_tokens` are its control symbols, such as `<s>`, which the library itself never finds in a text: the text is
    cut at those that are allowed, and the library encodes what is between, each part like a text of its own.
    `add_bos` and `add_eos` say what `add_special` adds. If None, that is the model's beginning-of-text symbol, or the
    end-of-text symbol if it has no other: a usual choice, since a `.model` doesn't say what its model gets. `load`
    returns this tokenizer in any process, so that a pickle need not contain it. Raises ValueError if the bytes are no
    such model.
    """

    split_patterns = ()
    file_name = "tokenizer.model"
    _scores_decide = True

    def __init__(
        self,
        name: str,
        data: bytes,
        *,
        add_bos: bool | None = None,
        add_eos: bool | None = None,
        load: "Callable[[], Tokenizer] | None" = None,
    ) -> None:
        self.name = name
        self.data = data
        self._load = load
        self._adds = add_bos, add_eos
        bos, eos = self._processor.bos_id(), self._processor.eos_id()
        adds_bos = bos >= 0 and add_bos is not False
        adds_eos = eos >= 0 and (bos < 0 if add_eos is None else add_eos)
        self.around = ((bos,) if adds_bos else (), (eos,) if adds_eos else ())
        self.is_around_known = self._adds != (None, None)

    @cached_property
    def _processor(self) -> "SentencePieceProcessor":
        from sentencepiece import SentencePieceProcessor

        processor = SentencePieceProcessor()
        try:
            processor.LoadFromSerializedProto(self.data)
        except RuntimeError:
            raise self._damaged() from None
        return processor

    def _damaged(self) -> ValueError:
        return ValueError(f"{self.name} is not a SentencePiece model, or is damaged: download it again")

    @cached_property
    def proto(self) -> Any:
        """The model as its protocol buffer."""
        from google.protobuf.message import DecodeError
        from sentencepiece import sentencepiece_model_pb2

        proto: Any = getattr(sentencepiece_model_pb2, "ModelProto")()  # noqa: B009 - generated when imported
        try:
            proto.ParseFromString(self.data)
        except DecodeError:
            raise self._damaged() from None
        if not all(isinstance(piece.piece, str) for piece in proto.pieces):  # bytes that are not UTF-8
            raise self._damaged()
        return proto

    @property
    def algorithm(self) -> Algorithm:
        return self.model.algorithm

    @cached_property
    def model(self) -> Model:
        pieces, trainer = self.proto.pieces, self.proto.trainer_spec
        byte_ids = {int(piece.piece[3:5], 16): token for token, piece in enumerate(pieces) if piece.type == _BYTE}
        return Model(
            _ALGORITHMS[trainer.model_type],
            tuple((piece.piece, piece.score) for piece in pieces),
            unknown=self._processor.unk_id(),
            byte_ids=byte_ids if trainer.byte_fallback else {},
            fuse_unknown=True,
            literal_ids=self._of_type(_USER_DEFINED),
            unused_ids=self._of_type(_UNUSED),
        )

    def with_byte_fallback(self, byte_fallback: bool) -> "SentencePieceTokenizer":
        """Return this tokenizer with byte fallback on or off; it is the same otherwise.

        Turned on, the model gets 256 more pieces at its end, one for each byte, which spell what no other piece does;
        turned off, it loses them, later ids move up, and what no piece spells is `<unk>`. Training with the other
        setting gives other pieces, as those for bytes count as part of a vocabulary's size.
        """
        if byte_fallback == bool(self.model.byte_ids):
            return self
        changed = type(self.proto)()
        changed.CopyFrom(self.proto)
        changed.trainer_spec.byte_fallback = byte_fallback
        if byte_fallback:
            for value in range(256):
                changed.pieces.add(piece=f"<0x{value:02X}>", score=0.0, type=_BYTE)
        else:
            kept = [piece for piece in self.proto.pieces if piece.type != _BYTE]
            del changed.pieces[:]
            changed.pieces.extend(kept)
        return self._with_proto(changed)

    def with_special_tokens(self, special_tokens: Mapping[str, int] | Iterable[str]) -> "SentencePieceTokenizer":
        """Return this tokenizer with further control symbols, which take the next ids. All other ids stay.

        Texts that are control symbols already keep theirs. Raises ValueError for a text that is another piece, or is
        given another id, and for ids that don't follow those of the model without a hole.
        """
        size = len(self.model.pieces)
        added = self._new_special_tokens(special_tokens)
        if not added:
            return self
        if sorted(added.values()) != list(range(size, size + len(added))):
            raise ValueError(
                f"{self.name} numbers its pieces without holes: new special tokens have the ids from {size} on"
            )
        changed = type(self.proto)()
        changed.CopyFrom(self.proto)
        for text in sorted(added, key=added.__getitem__):
            changed.pieces.add(piece=text, score=0.0, type=_CONTROL)
        return self._with_proto(changed)

    def _has_piece(self, piece: str) -> bool:
        return any(piece == each for each, _ in self.model.pieces)

    def _with_proto(self, proto: Any) -> "SentencePieceTokenizer":
        add_bos, add_eos = self._adds
        changed = SentencePieceTokenizer(self.name, proto.SerializeToString(), add_bos=add_bos, add_eos=add_eos)
        return changed.with_chat_files(self.chat_files)

    def _spelled_bytes(self, text: str) -> bytes:
        return text.replace(SPACE, " ").encode()

    def _text_segments(self, text: str, allowed: frozenset[str]) -> list[Segment]:
        return self._segments_after(lambda part: self._processor.normalize(part, with_offsets=True), text, allowed)

    def _segments_after(
        self, normalize: Callable[[str], tuple[str, list[int]]], text: str, allowed: frozenset[str]
    ) -> list[Segment]:
        segments = []
        place = 0
        for segment, special in self._segments(text, allowed):
            starts = byte_starts(segment) + place
            if special is None:
                normalized, origins = normalize(segment)
                segments.append(Segment(normalized, starts[np.array(origins, np.int32)]))
            else:
                segments.append(Segment(segment, starts, special))
            place += len(segment.encode())
        return segments

    def _of_type(self, kind: int) -> frozenset[int]:
        return frozenset(token for token, piece in enumerate(self.proto.pieces) if piece.type == kind)

    @cached_property
    def special_tokens(self) -> dict[str, int]:  # type: ignore[override]
        """The control symbols and their ids."""
        return {self.model.pieces[token][0]: token for token in sorted(self._of_type(_CONTROL))}

    @cached_property
    def vocab(self) -> dict[int, bytes]:  # type: ignore[override]
        """Id -> bytes, with a space for each `▁`."""
        values = {token: bytes([value]) for value, token in self.model.byte_ids.items()}
        spelled = {token: piece.replace(SPACE, " ").encode() for token, (piece, _) in enumerate(self.model.pieces)}
        return spelled | values

    @cached_property
    def _is_byte(self) -> Any:
        """Mask of the tokens for single bytes, by id (bool)."""
        return np.isin(np.arange(len(self.proto.pieces)), list(self.model.byte_ids.values()))

    @property
    def rewriting(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(description for description, _ in self._normalizers)

    @property
    def normalizer_settings(self) -> tuple[bytes, bool]:
        is_suffix = bool(self.proto.trainer_spec.treat_whitespace_as_suffix)
        return self.proto.normalizer_spec.SerializeToString(deterministic=True), is_suffix

    @property
    def split_settings(self) -> object:
        """See `Tokenizer.split_settings`. No rules cut a text."""
        return "SentencePiece"

    @cached_property
    def _normalizers(self) -> list[tuple[str, Callable[[str], tuple[str, list[int]]]]]:
        """Descriptions of the steps that may change a text, each with a function that does it and those before it.

        The function returns the changed text, and for each character of it the one in the text that it begins at.
        """
        from sentencepiece import SentencePieceNormalizer

        spec = self.proto.normalizer_spec
        is_suffix = bool(self.proto.trainer_spec.treat_whitespace_as_suffix)
        steps = {
            f"replaces characters using the table {spec.name or 'in its file'}": bool(spec.precompiled_charsmap),
            "removes extra spaces": spec.remove_extra_whitespaces,
            f"puts a space {'at the end' if is_suffix else 'in front'}": spec.add_dummy_prefix,
        }
        found = [(description, number) for number, description in enumerate(steps) if steps[description]]

        def with_steps(number: int) -> Callable[[str], tuple[str, list[int]]]:
            if number == found[-1][1]:
                return lambda text: self._processor.normalize(text, with_offsets=True)
            partly = SentencePieceNormalizer(
                normalizer_spec=spec, add_dummy_prefix=False, remove_extra_whitespaces=number > 0
            )
            return lambda text: partly.Normalize(text, with_offsets=True)

        return [(description, with_steps(number)) for description, number in found]

    def _versions(self, text: str, allowed: frozenset[str]) -> list[Version]:
        def parts(normalize: Callable[[str], tuple[str, list[int]]]) -> list[tuple[int, bytes]]:
            return parts_per_character(self._segments_after(normalize, text, allowed), self._spelled_bytes)

        def describing(description: str) -> Callable[[str, str], str]:
            return lambda *_: description

        unchanged = Version(describing(""), parts(lambda part: (part, list(range(len(part) + 1)))))
        changed = (Version(describing(said), parts(normalize)) for said, normalize in self._normalizers)
        return with_marks(text, [unchanged, *changed])

    def stages(self, text: str, allowed_special: Collection[str] = ()) -> tuple[TextStage, ...]:
        """See `Tokenizer.stages`, with what `add_special` adds at the end."""
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        segments = self._text_segments(repaired, allowed)
        ids = self.encode(repaired, allowed_special)
        changes = list(steps_of(self._versions(repaired, allowed)))
        if any(SPACE in segment.text for segment in segments if segment.special is None):
            changes.append(f"writes each space as {SPACE}")
        bytes_used = ("writes characters without a token as UTF-8 bytes",) if self._is_byte[ids].any() else ()
        before, after = map(self._spelled, self.around)
        spelled = self._spelled(ids)
        return (
            TextStage("normalized", tuple(segment.text for segment in segments), tuple(changes)),
            TextStage("tokens", spelled, bytes_used),
            TextStage("special tokens", before + spelled + after, describe_around(before, after)),
        )

    def edits(self, text: str, allowed_special: Collection[str] = ()) -> list[Edit]:
        repaired, _ = repair(text)
        segments = self._text_segments(repaired, self._allowed(allowed_special))
        return edits_of(repaired, segments, self._spelled_bytes)

    def _spelled(self, ids: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.model.pieces[token][0] for token in ids)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes that the library decodes the tokens `ids` to, without control symbols."""
        decoded: bytes = self._processor.decode(self._checked(ids), return_type=bytes)
        return decoded

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the library decodes the tokens `ids` to, without control symbols."""
        decoded: str = self._processor.decode(self._checked(ids))
        return decoded

    def _checked(self, ids: Iterable[int]) -> list[int]:
        checked = listed(ids, "ids", "token ids")
        size = len(self._processor)
        wrong = next((token for token in checked if not 0 <= token < size), None)
        if wrong is not None:
            raise ValueError(self._not_in_use(wrong))
        return list(map(int, checked))

    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        before, after = self.around if add_special else ((), ())
        ids = [np.array(before, np.int32)]
        offsets = [np.zeros(len(before), np.int32)]
        place = 0
        for segment, special in self._segments(repaired, allowed):
            length = len(segment.encode())
            if special is None:
                segment_ids, segment_offsets = self._encode_with_offsets(segment)
            else:
                segment_ids, segment_offsets = np.array([special], np.int32), np.array([0, length], np.int32)
            ids.append(segment_ids)
            offsets.append(segment_offsets[:-1] + place)
            place += length
        ids.append(np.array(after, np.int32))
        column = np.concatenate([*offsets, np.full(len(after) + 1, place, np.int32)])
        column[0] = 0  # also if the beginning of the text is dropped, or all of it
        return self._tokenization(repaired, replaced, allowed, np.concatenate(ids), column)

    def _encode_with_offsets(self, text: str) -> tuple[Int32Array, Int32Array]:
        data = text.encode()
        found = self._processor.encode(data, return_type="offset_mapping")
        ids = np.array(found["ids"], np.int32)
        spans = np.fromiter(chain.from_iterable(found["offsets"]), np.int32, 2 * len(ids)).reshape(-1, 2)
        starts, ends = spans[:, 0], spans[:, 1].copy()
        # Of the bytes of a character, only the last has a span.
        is_empty_byte = self._is_byte[ids] & (starts == ends)
        for token in np.flatnonzero(is_empty_byte)[::-1].tolist():
            if token + 1 < len(ids) and self._is_byte[ids[token + 1]]:
                ends[token] = ends[token + 1]
        return ids, cover(data, starts, ends, lambda token: self.vocab[int(ids[token])])

    _library = "sentencepiece"

    def _bulk_definition(self) -> Definition | None:
        if self.algorithm != "bpe" or not self.model.byte_ids or self.model.unused_ids:
            return None
        literal = {self.model.pieces[token][0].replace(SPACE, " ") for token in self.model.literal_ids}
        return Definition("model", self.data, unread=frozenset(self.special_tokens) | literal)

    def _encode_ordinary(self, text: str) -> list[int]:
        ids: list[int] = self._processor.encode(text)
        return ids

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        return np.diff(self._encode_with_offsets(text)[1])
