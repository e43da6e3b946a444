"""Cutting a text to a number of tokens: never through a character, and never to more tokens than asked for.

A part of a text may be encoded differently from how it is within the whole, in more tokens. So each part is encoded by
itself before it is given out.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np

from tokviz.positions import GraphemeBorders
from tokviz.tokenization import Tokenization

Side = Literal["left", "right"]


class Window(NamedTuple):
    """A part of a text: `text[start:end]`, in code points, is `part`, and takes `tokens` tokens by itself."""

    part: str
    start: int
    end: int
    tokens: int


class Cutter:
    """Places where a tokenized text can be cut: those where a token and a grapheme cluster end.

    Clusters are only looked for where a cut is tried. A text of no tokens is one part.
    """

    def __init__(self, tokenization: Tokenization, count: Callable[[str], int]) -> None:
        self._text = tokenization.text
        self._count = count
        self._clusters = GraphemeBorders(self._text)
        whole = np.flatnonzero(~tokenization.inside_character)
        places = tokenization.code_point_offsets[whole]
        if self._text and not len(tokenization):
            whole, places = np.zeros(2, np.int64), np.array([0, len(self._text)], np.int32)
        # Of several tokens that end at one place, as one without bytes does, the last.
        is_last = np.append(places[:-1] < places[1:], True)
        self._tokens = whole[is_last]
        self._places: list[int] = places[is_last].tolist()
        self._last = len(self._places) - 1

    def truncated(self, max_tokens: int, side: Side) -> str:
        """Return the longest part that loses only the end (`side` "right") or the beginning ("left"), and fits."""
        if side == "right":
            longest = self._within(0, max_tokens)
            parts = ((0, end) for end in range(longest, -1, -1) if self._is_cut(end))
        else:
            longest = int(np.searchsorted(self._tokens, self._tokens[self._last] - max_tokens))
            parts = ((start, self._last) for start in range(longest, self._last + 1) if self._is_cut(start))
        windows = (self._window(start, end) for start, end in parts)
        return next((window.part for window in windows if window.tokens <= max_tokens), "")

    def windows(self, size: int, overlap: int) -> Iterator[Window]:
        """Yield the windows from left to right. Raises ValueError for a character of more than `size` tokens."""
        end = 0
        while end < self._last:
            first = int(np.searchsorted(self._tokens, self._tokens[end] - overlap))
            # An overlap may leave no room for the next character: then it is shorter.
            starts = filter(self._is_cut, range(min(first, end), end + 1))
            longest = (self._longest(start, size) for start in starts)
            end, window = next((reached, window) for reached, window in longest if reached > end)
            yield window

    def _longest(self, start: int, size: int) -> tuple[int, Window]:
        """Return the longest window from `start` of up to `size` tokens, and where it ends."""
        nearest = next(filter(self._is_cut, range(start + 1, self._last + 1)))
        furthest = max(nearest, self._within(start, size))
        for end in filter(self._is_cut, range(furthest, start, -1)):
            window = self._window(start, end)
            if window.tokens <= size:
                return end, window
        part = self._window(start, nearest)
        raise ValueError(
            f"a window of {size} tokens is too small: {part.part!r}, at position {part.start} of the text, takes "
            f"{part.tokens}, and a window doesn't cut through characters"
        )

    def _within(self, start: int, size: int) -> int:
        """Return the last edge that `size` tokens from `start` on reach."""
        return int(np.searchsorted(self._tokens, self._tokens[start] + size, side="right")) - 1

    def _is_cut(self, edge: int) -> bool:
        return self._places[edge] in self._clusters

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
