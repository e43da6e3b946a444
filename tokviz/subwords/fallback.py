"""Text that no piece fits: one unknown token for each run of it, or a token for each of its bytes."""

from collections.abc import Mapping
from typing import NamedTuple

from tokviz.display import quote


class Token(NamedTuple):
    """A token id, and the number of UTF-8 bytes that it covers."""

    id: int
    num_bytes: int


class NoUnknownToken(ValueError):
    """Raised for text that no piece fits if the vocabulary has neither an unknown token nor all of its bytes.

    `text` is that text as the model gets it, which may spell a space or a byte with another character.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)  # as it is, so that a pickle holds it
        self.text = text

    def __str__(self) -> str:
        return f"no piece of the vocabulary fits {quote(self.text)}, and it has no unknown token"


def unknown_tokens(text: str, byte_ids: Mapping[int, int], unk_id: int | None) -> list[Token]:
    """Return the tokens of a run of text that no piece fits: its bytes if `byte_ids` has them all, else `unk_id`.

    `byte_ids` maps byte values to ids; empty without byte fallback.

    >>> unknown_tokens("é", {0xC3: 5, 0xA9: 7}, unk_id=0)
    [Token(id=5, num_bytes=1), Token(id=7, num_bytes=1)]
    >>> unknown_tokens("é", {}, unk_id=0)
    [Token(id=0, num_bytes=2)]
    """
    data = text.encode()
    if byte_ids.keys() >= set(data):
        return [Token(byte_ids[byte], 1) for byte in data]
    if unk_id is None:
        raise NoUnknownToken(text)
    return [Token(unk_id, len(data))]
