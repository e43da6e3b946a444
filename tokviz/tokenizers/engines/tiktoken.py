"""Encoding at tiktoken's speed, for tokenizers whose ids tiktoken reproduces exactly.

These have all 256 bytes as their alphabet, no two tokens with the same bytes, and ids in rank order.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
import tiktoken

from tokviz.arrays import Int32Array
from tokviz.bpe.merging import Pair, as_ranks, recover_parents

T = TypeVar("T")

_WHOLE_TEXT = r"(?s:.+)"

# A special token, which is never allowed: without any, tiktoken looks for an empty one at each place of a text.
_RARE = "\U0010ffff\U0010fffe"

# Maximum sum of the squared token lengths, in bytes: the time to find what tokens are merged from grows with it. For
# o200k_base it is 13 million.
_MAX_SQUARES = 500_000_000


class TiktokenGaveUp(Exception):
    """Raised if tiktoken can't encode a text.

    For example, a million spaces before a letter overflow the stack of its regex engine.
    """


class TiktokenEngine:
    """Adapter of tiktoken for the tokens `ids` (bytes -> id) and one of tiktoken's own split patterns, `pattern`."""

    def __init__(self, ids: Mapping[bytes, int], pattern: str | None) -> None:
        self._ids = dict(ids)
        self.pattern = pattern

    def encode_text(self, text: str) -> list[int]:
        """Split `text` by the pattern and encode the pieces. Raises TiktokenGaveUp."""
        return _encode(self._by_pattern, text)

    def encode_column(self, text: str) -> Int32Array:
        """Encode like `encode_text`, into a column. Raises TiktokenGaveUp."""
        return _guarded(lambda: self._by_pattern.encode_to_numpy(text, disallowed_special=()).astype(np.int32))

    def encode_piece(self, piece: str) -> list[int]:
        """Encode one pre-token. Raises TiktokenGaveUp."""
        return _encode(self._whole, piece)

    @cached_property
    def _by_pattern(self) -> tiktoken.Encoding:
        return self._encoding(self.pattern or _WHOLE_TEXT)

    @cached_property
    def _whole(self) -> tiktoken.Encoding:
        return self._encoding(_WHOLE_TEXT)

    def _encoding(self, pattern: str) -> tiktoken.Encoding:
        special = {_RARE: max(self._ids.values(), default=0) + 1}
        return tiktoken.Encoding("tokviz", pat_str=pattern, mergeable_ranks=self._ids, special_tokens=special)


def find_ranks(
    vocab: Mapping[int, bytes],
    ids_of_bytes: Mapping[bytes, int],
    symbols: Sequence[bytes],
    merges: Mapping[Pair, int],
    *,
    whole: bool,
) -> Mapping[bytes, int] | None:
    """Return the bytes -> id with which tiktoken merges as `merges` do, or None if there is no such vocabulary.

    `symbols` is the alphabet. With `whole`, a pre-token that is in the vocabulary is that token.
    """
    merged_ids = set(merges.values())
    ids = {data: token for token, data in vocab.items() if token in merged_ids}
    ids |= {data: token for data, token in ids_of_bytes.items() if len(data) == 1}
    all_bytes = all(len(symbol) == 1 for symbol in symbols)
    if (
        not all_bytes
        or len(ids) != len(symbols) + len(merged_ids)
        or sum(len(data) ** 2 for data in ids) > _MAX_SQUARES
    ):
        return None
    ranks = as_ranks(ids, merges)
    if ranks is None or not whole:
        return ranks
    unmerged = {data: token for data, token in ids_of_bytes.items() if data not in ranks}
    combined = {**ranks, **unmerged}
    return combined if all(recover_parents(data, combined) is None for data in unmerged) else None


def _encode(encoding: tiktoken.Encoding, text: str) -> list[int]:
    return _guarded(lambda: encoding.encode_ordinary(text))


def _guarded(work: Callable[[], T]) -> T:
    try:
        return work()
    except BaseException as error:
        # Depending on the function, its regex engine fails with a ValueError or by a Rust panic, which is a
        # pyo3_runtime.PanicException: not an Exception, and it can't be imported.
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        raise TiktokenGaveUp(str(error)) from None
