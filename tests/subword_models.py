"""Small models, trained by sentencepiece and tokenizers themselves."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import models, pre_tokenizers, trainers

CORPUS = (
    """the quick brown fox jumps over the lazy dog. the fox, the dog and the others ran and ran.
low lower lowest newer newest wider widest; lowering, widening, renewing: unaffable and unaffordable.
Übung macht den Meister, der Müller mahlt. 日本語 日本 本日 語る 中国語。 naïve café, 12 2024 1999!
she sells sea shells by the sea shore, the shells she sells are surely seashells. ab abc abab cab bac
"""
    * 3
)

ModelProto = Any


@cache
def sentencepiece_model(kind: str, size: int, **options: Any) -> bytes:
    """Train a sentencepiece model and return its file."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS.splitlines()),
        model_writer=written,
        model_type=kind,
        vocab_size=size,
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
        **options,
    )
    return written.getvalue()


def processor(model: bytes) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=model)


def proto(model: bytes) -> ModelProto:
    return sentencepiece_model_pb2.ModelProto.FromString(model)  # type: ignore[attr-defined]


@cache
def hugging_face_unigram() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(CORPUS.splitlines(), trainer)
    return tokenizer


@cache
def hugging_face_word_piece() -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=20))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(vocab_size=160, special_tokens=["[UNK]"], show_progress=False)
    tokenizer.train_from_iterator(CORPUS.splitlines(), trainer)
    return tokenizer


NORMAL, UNKNOWN, USER_DEFINED, BYTE = 1, 2, 4, 6


def sentencepiece_file(kind: str, pieces: list[tuple[str, float, int]], *, byte_fallback: bool = False) -> bytes:
    """Write a sentencepiece model with these pieces, which changes nothing in a text but that spaces become ▁."""
    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    for piece, score, piece_type in pieces:
        model.pieces.add(piece=piece, score=score, type=piece_type)
    model.trainer_spec.model_type = {"unigram": 1, "bpe": 2}[kind]
    model.trainer_spec.byte_fallback = byte_fallback
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    written: bytes = model.SerializeToString()
    return written


BYTE_PIECES = [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)]


def byte_ids(model: ModelProto) -> dict[int, int]:
    ids = {piece.piece: index for index, piece in enumerate(model.pieces) if piece.type == BYTE}
    return {byte: ids[f"<0x{byte:02X}>"] for byte in range(256) if ids}


def piece_ids(model: ModelProto, *types: int) -> dict[str, int]:
    return {piece.piece: index for index, piece in enumerate(model.pieces) if piece.type in types}
