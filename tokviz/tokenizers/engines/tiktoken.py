"""Encoding at tiktoken's speed, for tokenizers of which tiktoken gives exactly our ids.

These are the ones with all 256 bytes as their alphabet, no two tokens of the same bytes, and ids in order of rank.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

import tiktoken

from tokviz.bpe.merging import Pair, as_ranks, recover_parents

_WHOLE_TEXT = r"(?s:.+)"

# Finding what tokens are merged from takes time that grows with the square of their lengths. The sum of the squares is
# 13 million for o200k_base.
_TOO_LONG = 500_000_000


class TiktokenGaveUp(Exception):
    """tiktoken can't encode a text. A million spaces before a letter overflow the stack of its regex engine, say."""


class TiktokenEngine:
    """tiktoken, for the tokens `ids` (bytes -> id) and one of its own split patterns, `pattern`."""

    def __init__(self, ids: Mapping[bytes, int], pattern: str | None) -> None:
        self._ids = dict(ids)
        self.pattern = pattern

    def encode_text(self, text: str) -> list[int]:
        """Split `text` by the pattern and encode the pieces. Raises TiktokenGaveUp."""
        return _encode(self._by_pattern, text)

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
        return tiktoken.Encoding("tokviz", pat_str=pattern, mergeable_ranks=self._ids, special_tokens={})


def find_ranks(
    vocab: Mapping[int, bytes],
    ids_of_bytes: Mapping[bytes, int],
    symbols: Sequence[bytes],
    merges: Mapping[Pair, int],
    *,
    whole: bool,
) -> Mapping[bytes, int] | None:
    """Return bytes -> id from which tiktoken merges as `merges` do; None if there is no such vocabulary.

    `symbols` is the alphabet. With `whole`, a pre-token that is in the vocabulary is that token.
    """
    made = set(merges.values())
    ids = {data: token for token, data in vocab.items() if token in made}
    ids |= {data: token for data, token in ids_of_bytes.items() if len(data) == 1}
    all_bytes = all(len(symbol) == 1 for symbol in symbols)
    if not all_bytes or len(ids) != len(symbols) + len(made) or sum(len(data) ** 2 for data in ids) > _TOO_LONG:
        return None
    ranks = as_ranks(ids, merges)
    if ranks is None or not whole:
        return ranks
    others = {data: token for data, token in ids_of_bytes.items() if data not in ranks}
    both = {**ranks, **others}
    return both if all(recover_parents(data, both) is None for data in others) else None


def _encode(encoding: tiktoken.Encoding, text: str) -> list[int]:
    try:
        return encoding.encode_ordinary(text)
    except BaseException as error:
        # A Rust panic is a pyo3_runtime.PanicException, which is no Exception and can't be imported from anywhere.
        if type(error).__name__ != "PanicException":
            raise
        raise TiktokenGaveUp(str(error)) from None
