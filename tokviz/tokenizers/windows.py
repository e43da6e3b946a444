"""Cutting a text to a number of tokens: never through a character, and never to more tokens than asked for.

A part of a text may be encoded differently from how it is within the whole, in more tokens. So each part is encoded by
itself before it is given out.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np

from tokviz.tokenization import Tokenization

Side = Literal["left", "right"]


class Window(NamedTuple):
    """A part of a text: `text[start:end]`, in code points, is `part`, and takes `tokens` tokens by itself."""

    part: str
    start: int
    end: int
    tokens: int


class Cutter:
    """Places where a tokenized text can be cut: those where a token and a grapheme cluster end."""

    def __init__(self, tokenization: Tokenization, count: Callable[[str], int]) -> None:
        offsets = tokenization.code_point_offsets
        is_between = ~tokenization.inside_character & np.isin(offsets, tokenization.grapheme_offsets)
        indexes = np.flatnonzero(is_between)
        # Of several tokens that end at one place, as one without bytes does, the last.
        keep = np.append(np.diff(offsets[indexes]) > 0, True) if len(indexes) else np.zeros(0, bool)
        self._text = tokenization.text
        self._count = count
        self._tokens: list[int] = indexes[keep].tolist()
        self._places: list[int] = offsets[indexes[keep]].tolist()

    def truncated(self, max_tokens: int, side: Side) -> str:
        """Return the longest part that loses only the end (`side` "right") or the beginning ("left"), and fits."""
        last = len(self._places) - 1
        ends = ((0, end) for end in range(last, -1, -1))
        starts = ((start, last) for start in range(last + 1))
        for start, end in ends if side == "right" else starts:
            if self._tokens[end] - self._tokens[start] <= max_tokens:
                window = self._window(start, end)
                if window.tokens <= max_tokens:
                    return window.part
        return ""

    def windows(self, size: int, overlap: int) -> Iterator[Window]:
        """Yield the windows from left to right. Raises ValueError for a character of more than `size` tokens."""
        end, last = 0, len(self._places) - 1
        while end < last:
            first = bisect_left(self._tokens, self._tokens[end] - overlap, hi=end)
            # An overlap may leave no room for the next character: then it is shorter.
            longest = (self._longest(start, size) for start in range(first, end + 1))
            end, window = next((reached, window) for reached, window in longest if reached > end)
            yield window

    def _longest(self, start: int, size: int) -> tuple[int, Window]:
        """Return the longest window from `start` of up to `size` tokens, and where it ends."""
        end = start + 1
        while end + 1 < len(self._tokens) and self._tokens[end + 1] - self._tokens[start] <= size:
            end += 1
        for shorter in range(end, start, -1):
            window = self._window(start, shorter)
            if window.tokens <= size:
                return shorter, window
        part = self._window(start, start + 1)
        raise ValueError(
            f"a window of {size} tokens is too small: {part.part!r}, at position {part.start} of the text, takes "
            f"{part.tokens}, and a window doesn't cut through characters"
        )

    def _window(self, start: int, end: int) -> Window:
        first, after = self._places[start], self._places[end]
        part = self._text[first:after]
        return Window(part, first, after, self._count(part))


def check_side(side: object) -> None:
    """Raise ValueError if `side` is not a side."""
    if side not in get_args(Side):
        raise ValueError(f'side must be "right", to cut the end off, or "left", not {side!r}')


def check_number(number: object, name: str, least: int) -> None:
    """Raise TypeError or ValueError unless a number of tokens is a whole one of at least `least`."""
    if not isinstance(number, int | np.integer) or isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number of tokens, not {number!r:.60}")
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}")
