"""Memory use of visitors' tokenizers, estimated from their parts."""

from collections.abc import Collection
from itertools import islice
from sys import getsizeof
from typing import Any

import numpy as np

from tokviz.formats.checks import MAX_TOKEN_BYTES
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import UnitTokenizer

MAX_KEPT_EACH = 250_000_000
"""Maximum bytes of memory for the tokenizers of one visitor; one of 260,000 tokens takes 240 MB."""

LONG = 1_000
MAX_LONG = 1_000_000
"""Maximum bytes of all tokens of more than LONG bytes together. Encoding their texts, as tables do, takes 7 s.

A file of 200 bytes may define tokens of megabytes, each twice as long as the one before.
"""

MAX_DECODED = 2_000_000
"""Maximum bytes that token ids are decoded to; as JSON, they may take nine times as much."""

TOO_LONG_DECODED = f"these ids stand for too long a text: {MAX_DECODED // 1_000_000} MB is the most that fits"

# Measured with a vocabulary of 200,000 tokens after use on every page: a token with its merge, and each further merge.
_BYTES_PER_TOKEN = 900
_BYTES_WITHOUT_MERGES = 400  # a token of a tokenizer whose merges, if it has any, are not known here
_BYTES_PER_MERGE = 450
_BYTES_PER_VALUE = 60  # of what a file says besides
_LOOKED_AT = 500  # elements of a list
_BYTES_PER_ENTRY = 4  # of a table by id or by code point


def memory_of(tokenizer: Tokenizer) -> int:
    """Estimate the bytes of memory that a tokenizer takes once it has been used on every page."""
    if isinstance(tokenizer, UnitTokenizer):
        return 0
    vocab = tokenizer.vocab
    each = _BYTES_PER_TOKEN if tokenizer.merges_here else _BYTES_WITHOUT_MERGES
    size = each * len(vocab) + 2 * sum(map(len, vocab.values())) + _BYTES_PER_ENTRY * tokenizer.vocab_size
    if tokenizer.alphabet is not None:
        size += _BYTES_PER_ENTRY * tokenizer.alphabet.table_size + _memory_of_values(tokenizer.unapplied)
        size += _BYTES_PER_MERGE * max(0, tokenizer.num_merges - len(vocab))
    return size


def _memory_of_values(unapplied: Any) -> int:
    size, pending = 0, [unapplied]
    while pending:
        value = pending.pop()
        size += _BYTES_PER_VALUE
        if isinstance(value, dict):
            size += sum(_BYTES_PER_VALUE + len(key) for key in value)
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str):
            size += 4 * len(value)
    return size


def size_of(value: object) -> int:
    """Estimate the bytes of memory of a table, with all that it holds: of long lists, from some of their elements."""
    return _size_of(value, set())


def _size_of(value: object, seen: set[int]) -> int:
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return value.nbytes
    parts: list[Collection[object]] = []
    if isinstance(value, dict):
        parts = [value.keys(), value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [value]
    elif hasattr(value, "__dict__") and not isinstance(value, type | Tokenizer):
        parts = [list(vars(value).values())]
    return getsizeof(value) + sum(_size_of_all(each, seen) for each in parts)


def _size_of_all(parts: Collection[object], seen: set[int]) -> int:
    looked_at = list(islice(parts, 0, None, max(1, len(parts) // _LOOKED_AT)))
    return sum(_size_of(part, seen) for part in looked_at) * len(parts) // max(1, len(looked_at))


def check_size(tokenizer: Tokenizer) -> None:
    """Raise ValueError if a tokenizer takes more memory than one visitor's may, or its long tokens too much time."""
    if memory_of(tokenizer) > MAX_KEPT_EACH:
        highest = tokenizer.vocab_size - 1
        raise ValueError(
            f"this tokenizer has {len(tokenizer.vocab):,} tokens, with ids up to {highest:,}; that takes "
            f"more than the {MAX_KEPT_EACH // 1_000_000} MB of memory that this server has for one visitor's tokenizers"
        )
    long = sum(length for length in map(len, tokenizer.vocab.values()) if length > LONG)
    if long > MAX_LONG:
        raise ValueError(
            f"the tokens of more than {LONG:,} bytes have {long / 1e6:,.1f} MB together; {MAX_LONG // 1_000_000} MB is "
            "the most that this server takes"
        )


def check_token_lengths(tokenizer: BPETokenizer) -> None:
    """Raise ValueError if the tokens that a training made are too long together."""
    length = sum(map(len, tokenizer.vocab.values()))
    if length > MAX_TOKEN_BYTES:
        raise ValueError(
            f"the tokens have {length / 1e6:,.0f} MB together, and {MAX_TOKEN_BYTES // 1_000_000} MB are the most that "
            "fit: the text repeats very long passages. Choose a split pattern, or a smaller vocabulary"
        )
