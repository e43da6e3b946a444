"""Parts of characters: a token of bytes may begin or end within a character, and some bytes occur in no text."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from tokviz.display import token_text

_MAX_COMPLETIONS = 64  # maximum characters tried to complete a part of a character


class Parts(NamedTuple):
    """A token's bytes: the end of a character, whole characters, and the beginning of a character.

    `inside` is all of them if they are continuation bytes within a single character.
    """

    end: bytes
    whole: str
    beginning: bytes
    inside: bytes = b""

    @property
    def is_text(self) -> bool:
        """Whether there are only whole characters."""
        return not (self.end or self.beginning or self.inside)

    def completed(self) -> Iterator[str]:
        """Texts that hold the bytes, up to a limit."""
        if self.inside:
            yield from limited(char for char in assigned_characters() if self.inside in char.encode())
            return
        ends = limited(self._chars_with_end()) if self.end else [""]
        beginnings = limited(_chars_beginning(self.beginning)) if self.beginning else [""]
        for first, last in product(ends, beginnings):
            yield f"{first}{self.whole}{last}"

    def _chars_with_end(self) -> Iterator[str]:
        """Characters that end in these bytes; first the one, if any, from the block of `beginning`."""
        near = token_text(self.beginning[: 3 - len(self.end)] + self.end) if self.beginning else None
        yield from [near] if near and len(near) == 1 else []
        yield from (char for char in assigned_characters() if char.encode().endswith(self.end))


def _chars_beginning(beginning: bytes) -> Iterator[str]:
    """Characters that begin with these bytes, assigned or not."""
    missing = next(length for length in range(2, 5) if _begins(beginning, length)) - len(beginning)
    spread = [bytes(filling) for filling in product(*[range(0x80, 0xC0, 1 if missing == 1 else 5)] * missing)]
    chars = (token_text(beginning + filling) for filling in spread)
    yield from (char for char in chars if char)


def parts_of(data: bytes) -> Parts | None:
    """Parse bytes into parts; None if no UTF-8 text holds them."""
    start = next((place for place, byte in enumerate(data) if not 0x80 <= byte <= 0xBF), len(data))
    if start == len(data) and data:
        return Parts(b"", "", b"", data) if len(data) <= 3 and _occurs(data) else None
    for stop in range(len(data), max(start, len(data) - 3) - 1, -1):
        whole = token_text(data[start:stop]) if start < stop else ""
        if whole is not None:
            break
    else:
        return None
    end, beginning = data[:start], data[stop:]
    if (end and not _occurs(end)) or (beginning and not any(_begins(beginning, length) for length in (2, 3, 4))):
        return None
    return Parts(end, whole, beginning)


def _occurs(end: bytes) -> bool:
    """Return whether some character ends in these bytes, all from 80 to BF, or holds them."""
    return len(end) < 3 or (len(end) == 3 and any(_is_char(bytes([lead]) + end) for lead in range(0xF0, 0xF5)))


def _begins(beginning: bytes, length: int) -> bool:
    """Return whether some character of `length` bytes begins with these bytes."""
    missing = length - len(beginning)
    return missing > 0 and any(_is_char(beginning + filling * missing) for filling in (b"\x80", b"\xbf"))


def _is_char(data: bytes) -> bool:
    text = token_text(data)
    return text is not None and len(text) == 1


def limited(chars: Iterable[str]) -> list[str]:
    """Return the first characters, up to the maximum that is tried."""
    return [char for char, _ in zip(chars, range(_MAX_COMPLETIONS), strict=False)]


@cache
def assigned_characters() -> list[str]:
    """The non-ASCII characters that Unicode assigns, except those of private use."""
    every = (chr(code) for code in range(0x80, 0x110000) if not 0xD800 <= code < 0xE000)
    return [char for char in every if unicodedata.category(char) not in ("Cn", "Co")]
