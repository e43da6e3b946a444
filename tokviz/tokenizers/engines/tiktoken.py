"""Encoding at tiktoken's speed, for tokenizers of which tiktoken gives exactly our ids.

These are the ones with all 256 bytes as their alphabet, no two tokens of the same bytes, and ids in order of rank.
"""

from collections.abc import Mapping
from functools import cached_property

import tiktoken

_WHOLE_TEXT = r"(?s:.+)"


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


def _encode(encoding: tiktoken.Encoding, text: str) -> list[int]:
    try:
        return encoding.encode_ordinary(text)
    except BaseException as error:
        # A Rust panic is a pyo3_runtime.PanicException, which is no Exception and can't be imported from anywhere.
        if type(error).__name__ != "PanicException":
            raise
        raise TiktokenGaveUp(str(error)) from None
