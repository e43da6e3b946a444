"""Views of a visitor's tokenizer with an engine, computed in its guarded process (see `guarded`)."""

from typing import Any

import numpy as np

from tokviz.app.shields.processes.guarded_child import Answer
from tokviz.display import shorten
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.wire import Columns

MAX_READ_BACK = 100_000
"""Maximum characters that the tokens of a text are decoded to beside it."""

KINDS = ("special", "unknown", "byte", "character", "piece")
"""Kinds of pieces. Characters are the pieces that merging or matching can fall back to."""


def list_pieces(tokenizer: EngineTokenizer) -> Answer:
    """Return the pieces as the file spells them, in the order of their ids, as columns.

    `kinds` are indices into KINDS. `scores` are numbers of 64 bits, in two columns' places; one is not a number if it
    is infinite, and if the algorithm has none.
    """
    model = tokenizer.model
    listed = [(token, piece, score) for token, (piece, score) in enumerate(model.pieces) if piece]
    special, of_bytes = set(tokenizer.special_tokens.values()), set(model.byte_ids.values())

    def kind(token: int, piece: str) -> str:
        if token == model.unknown:
            return "unknown"
        if token in special:
            return "special"
        if token in of_bytes:
            return "byte"
        return "character" if len(piece.removeprefix(model.continuing_prefix)) == 1 else "piece"

    spelled = [piece.encode("utf-8", "replace") for _, piece, _ in listed]
    scores = np.array([score for _, _, score in listed])
    has_scores = bool(scores.any())
    scores[~np.isfinite(scores) if has_scores else slice(None)] = np.nan
    columns: Columns = {
        "ids": np.array([token for token, _, _ in listed], np.int32),
        "lengths": np.fromiter(map(len, spelled), np.int32, len(spelled)),
        "bytes": np.frombuffer(b"".join(spelled), np.uint8),
        "kinds": np.array([KINDS.index(kind(token, piece)) for token, piece, _ in listed], np.uint8),
        "scores": scores.view(np.int32),
    }
    return columns, {}


def read_text(tokenizer: EngineTokenizer, text: str) -> Answer:
    """Return how a text is cut, and, for SentencePiece's BPE and Unigram, how with the other choice of byte fallback.

    The tokenizer's own way comes first.
    """
    ways = [tokenizer]
    if isinstance(tokenizer, SentencePieceTokenizer) and tokenizer.algorithm in ("bpe", "unigram"):
        ways.append(tokenizer.with_byte_fallback(not tokenizer.model.byte_ids))
    return {}, {"ways": [_way(each, text) for each in ways]}


def _way(tokenizer: EngineTokenizer, text: str) -> dict[str, Any]:
    tokenization = tokenizer.tokenize(text)
    model = tokenizer.model
    ids = tokenization.ids.tolist()
    decoded = tokenizer.decode(ids)
    if len(decoded) > MAX_READ_BACK:
        raise ValueError(f"decoding these tokens gives {len(decoded):,} characters; {MAX_READ_BACK:,} are shown")
    return {
        "fallback": bool(model.byte_ids),
        "ids": ids,
        "lengths": np.diff(tokenization.byte_offsets).tolist(),
        "pieces": [shorten(model.pieces[token][0]) for token in ids],
        "unknown": [token == model.unknown for token in ids],
        "bytes": np.isin(tokenization.ids, list(model.byte_ids.values())).tolist(),
        "decoded": decoded,
        "vocabulary": tokenizer.vocab_size,
    }
