"""Byte pair encodings as plain values: child processes send them, and the server checks them and builds tokenizers."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tokviz.app.shields.processes.typed import typed
from tokviz.arrays import Int32Array
from tokviz.bpe.alphabet import Units
from tokviz.bpe.merging import Merges
from tokviz.bpe.training import StopReason, TieBreak
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.history import Training

MAX_SENT = 64_000_000
"""Maximum bytes of a message with a tokenizer, which a child process sends. One of 200,000 tokens takes 10 MB."""


class _Said(NamedTuple):
    """A tokenizer as JSON. `has_merges` is false if its merges were recovered from its vocabulary."""

    name: str
    split_patterns: list[str]
    special_tokens: dict[str, int]
    units: Units
    end_of_word: str | None
    ignore_merges: bool
    well_made: bool
    has_merges: bool
    unapplied: dict[str, Any]
    training: tuple[TieBreak, StopReason, int, int, int] | None


def values_of(tokenizer: BPETokenizer) -> tuple[object, ...]:
    """Return a tokenizer as values for `exchange.pack`, with what takes a while to compute."""
    vocab, merges, training, ranks = tokenizer.vocab, tokenizer.merges, tokenizer.training, tokenizer.tiktoken_ranks
    said = _Said(
        tokenizer.name,
        list(tokenizer.split_patterns),
        dict(tokenizer.special_tokens),
        tokenizer.alphabet.units,
        tokenizer.end_of_word,
        tokenizer.ignore_merges,
        tokenizer._well_made,
        tokenizer._merges is not None,
        dict(tokenizer.unapplied),
        None if training is None else _said_of(training),
    )
    columns = Merges.from_dict(merges)
    history = [training.counts, training.merged, training.tied] if training is not None else []
    return (
        [said],
        _bytes_of(vocab),
        _bytes_of(map(len, vocab.values())),
        b"".join(vocab.values()),
        np.concatenate([columns.left, columns.right, columns.new]).astype(np.int32).tobytes(),
        np.array(history, np.int64).tobytes(),
        _bytes_of([*tokenizer.ranks, *tokenizer.ranks.values()]),
        None if ranks is None else _bytes_of(ranks.values()),
    )


def _said_of(training: Training) -> tuple[TieBreak, StopReason, int, int, int]:
    sizes = training.text_bytes, training.text_symbols, training.num_known
    return training.tie_break, training.stopped, *sizes


def tokenizer_of(values: list[Any]) -> BPETokenizer:
    """Return the tokenizer in values of `values_of`. Raises ValueError for any others."""
    try:
        return _built(*values)
    except (LookupError, TypeError, AttributeError, OverflowError, ValueError):
        raise ValueError("the process that made this tokenizer broke") from None


def _built(
    given: list[Any],
    ids: bytes,
    lengths: bytes,
    tokens: bytes,
    merges: bytes,
    history: bytes,
    ranked: bytes,
    ranks: bytes | None,
) -> BPETokenizer:
    said: _Said = typed(_Said, given[0])
    vocab = _vocabulary(_column(ids), _column(lengths), tokens)
    columns = Merges(*_rows(merges, 3))
    pairs = zip(columns.left.tolist(), columns.right.tolist(), columns.new.tolist(), strict=True)
    found = {(left, right): new for left, right, new in pairs}
    if len(found) < len(columns) or not _are_in(vocab, columns.left, columns.right, columns.new):
        raise ValueError
    tokenizer = BPETokenizer(
        said.name,
        vocab,
        found if said.has_merges else None,
        special_tokens=said.special_tokens,
        units=said.units,
        end_of_word=said.end_of_word,
        training=said.training and _training(columns, history, *said.training),
        ignore_merges=said.ignore_merges,
        well_made=said.well_made,
        unapplied=said.unapplied,
        recovered=None if said.has_merges else found,
    ).with_split_patterns(said.split_patterns)
    made, their_ranks = _rows(ranked, 2)
    if not _are_in(vocab, made) or not ((their_ranks >= 0) & (their_ranks < len(found))).all():
        raise ValueError
    ids_of_bytes = None if ranks is None else {vocab[token]: token for token in _column(ranks).tolist()}
    if ids_of_bytes is not None and not set(tokenizer.alphabet.tokens) <= ids_of_bytes.keys():
        raise ValueError  # an engine that lacks a byte fails
    of_tokens = dict(zip(made.tolist(), their_ranks.tolist(), strict=True))
    tokenizer.restore_caches({"merges": tokenizer.merges, "ranks": of_tokens, "tiktoken_ranks": ids_of_bytes})
    return tokenizer


def _training(merges: Merges, history: bytes, tie_break: TieBreak, stopped: StopReason, *sizes: int) -> Training:
    counts, merged, tied = np.frombuffer(history, np.int64).reshape(3, -1)
    if len(counts) != len(merges):
        raise ValueError
    return Training(merges, counts, merged, tied, tie_break, stopped, *sizes)


def _vocabulary(ids: Int32Array, lengths: Int32Array, data: bytes) -> dict[int, bytes]:
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    if (lengths < 0).any() or (ids < 0).any() or (ends[-1] if ends else 0) != len(data):
        raise ValueError
    places = zip(ids.tolist(), [0, *ends][: len(ends)], ends, strict=True)
    return {token: data[start:end] for token, start, end in places}


def _are_in(vocab: dict[int, bytes], *columns: Int32Array) -> bool:
    return bool(np.isin(np.concatenate(columns), np.array(list(vocab), np.int32)).all())


def _bytes_of(numbers: Iterable[int]) -> bytes:
    return np.array(list(numbers), np.int32).tobytes()


def _column(data: bytes) -> Int32Array:
    return np.frombuffer(data, np.int32)


def _rows(data: bytes, number: int) -> Int32Array:
    return _column(data).reshape(number, -1)
