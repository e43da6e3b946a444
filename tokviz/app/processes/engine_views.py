"""Views of a visitor's tokenizer with an engine, computed in its guarded process (see `guarded`)."""

from math import isfinite
from typing import Any

import numpy as np

from tokviz.app.processes.guarded_child import Answer
from tokviz.display import shorten
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MAX_READ_BACK = 100_000
"""Maximum characters that the tokens of a text are decoded to beside it."""

KINDS = ("special", "unknown", "byte", "character", "piece")
"""Kinds of pieces. Characters are the pieces that merging or matching can fall back to."""


def list_pieces(tokenizer: Tokenizer) -> Answer:
    """Return, by id, the pieces as the file spells them ("" where there is none), their kinds, and scores.

    A score is None if it is no finite number, and if the algorithm has none.
    """
    assert isinstance(tokenizer, EngineTokenizer)
    model = tokenizer.model
    special = set(tokenizer.special_tokens.values())
    of_bytes = set(model.byte_ids.values())
    kinds = []
    for token, (piece, _) in enumerate(model.pieces):
        if token == model.unknown:
            kinds.append("unknown")
        elif token in special:
            kinds.append("special")
        elif token in of_bytes:
            kinds.append("byte")
        else:
            prefix = model.continuing_prefix
            kinds.append("character" if len(piece.removeprefix(prefix) if prefix else piece) == 1 else "piece")
    has_scores = any(score for _, score in model.pieces)
    scores = [score if has_scores and isfinite(score) else None for _, score in model.pieces]
    return {}, {"pieces": [piece for piece, _ in model.pieces], "kinds": kinds, "scores": scores}


def read_text(tokenizer: Tokenizer, text: str) -> Answer:
    """Return how a text is cut, and, for SentencePiece's BPE and Unigram, how with the other choice of byte fallback.

    The tokenizer's own way comes first.
    """
    assert isinstance(tokenizer, EngineTokenizer)
    ways = [tokenizer]
    if isinstance(tokenizer, SentencePieceTokenizer) and tokenizer.algorithm in ("bpe", "unigram"):
        ways.append(tokenizer.with_byte_fallback(not tokenizer.model.byte_ids))
    return {}, {"ways": [_way(each, text) for each in ways]}


def _way(tokenizer: EngineTokenizer, text: str) -> dict[str, Any]:
    found = tokenizer.tokenize(text)
    model = tokenizer.model
    decoded = tokenizer.decode(found.ids.tolist())
    if len(decoded) > MAX_READ_BACK:
        raise ValueError(f"decoding these tokens gives {len(decoded):,} characters; {MAX_READ_BACK:,} are shown")
    return {
        "fallback": bool(model.byte_ids),
        "ids": found.ids.tolist(),
        "lengths": np.diff(found.byte_offsets).tolist(),
        "pieces": [shorten(model.pieces[token][0]) for token in found.ids.tolist()],
        "unknown": (found.ids == model.unknown).tolist() if model.unknown is not None else [False] * len(found),
        "bytes": np.isin(found.ids, list(model.byte_ids.values())).tolist(),
        "decoded": decoded,
        "vocabulary": tokenizer.vocab_size,
    }
