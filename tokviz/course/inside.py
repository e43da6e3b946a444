"""The tokenizers inside the package that figures of the course compare."""

from collections.abc import Collection
from typing import Any

import numpy as np

from tokviz.display import shown, visible
from tokviz.loading import load_shipped
from tokviz.tokenization import Tokenization
from tokviz.tokenizer_colors import WELL_KNOWN
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MAX_SHOWN = 60
"""Maximum tokens of a row."""


def well_known() -> dict[str, Tokenizer]:
    """Return the well-known tokenizers inside the package by their labels."""
    return {label: load_shipped(name) for name, label in WELL_KNOWN.items()}


def tokens_of(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> list[tuple[int, bytes]]:
    """Return the ids of a text's tokens, each with the part of the text that it stands for."""
    tokenization = tokenizer.tokenize(text, allowed_special)
    return list(zip(tokenization.ids.tolist(), tokenization.token_bytes, strict=True))


def columns_of(tokenization: Tokenization, most: int | None = None) -> dict[str, Any]:
    """Return the first tokens as a view in the browser draws them, with the text as far as they reach."""
    ids = tokenization.ids[:most]
    reach = int(tokenization.code_point_offsets[len(ids)]) + 1  # the last of them may end inside a character
    return {
        "text": tokenization.text[:reach],
        "ids": ids.tolist(),
        "byte_lengths": np.diff(tokenization.byte_offsets[: len(ids) + 1]).tolist(),
        "special": tokenization.special[:most].tolist(),
    }


def row(
    label: str, tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = (), most: int = MAX_SHOWN
) -> dict[str, Any]:
    """Describe a text's tokens: how many, how many of them mean "unknown", and the first `most` with their spelling.

    `tokenizer` is the name under which the server says more of a token; None if it has none.
    """
    tokenization = tokenizer.tokenize(text, allowed_special)
    parts = list(zip(tokenization.ids.tolist(), tokenization.token_bytes, strict=True))
    unknown = tokenizer.unknown
    return {
        "name": label,
        "tokenizer": tokenizer.name if tokenizer.name in WELL_KNOWN else None,
        "tokens": columns_of(tokenization, most),
        "count": len(parts),
        "unknown": sum(token == unknown for token, _ in parts),
        "pieces": [
            (_spelled(tokenizer, token) if token != unknown else _stranger(tokenizer, part), token != unknown)
            for token, part in parts[:most]
        ],
    }


def _spelled(tokenizer: Tokenizer, token: int) -> str:
    """Spell a token as the model's own file does, where it has marks such as `▁` and `##`."""
    if isinstance(tokenizer, SentencePieceTokenizer):
        return visible(tokenizer.model.pieces[token][0])
    if _cuts_words(tokenizer):
        return visible(tokenizer.vocab[token].decode())
    return shown(tokenizer.vocab[token])


def _stranger(tokenizer: Tokenizer, part: bytes) -> str:
    """Spell what a token that means "unknown" stands for, without the spaces that WordPiece forgets."""
    return visible(part.decode().strip()) if _cuts_words(tokenizer) else shown(part)


def _cuts_words(tokenizer: Tokenizer) -> bool:
    return tokenizer.algorithm == "wordpiece"
