"""Cutting a text to a number of tokens: never through a character, and never to more tokens than asked for.

A part of a text may be encoded differently from how it is within the whole: in more tokens, or in fewer. So the tokens
of a part by itself are counted. Its beginning and its end change only tokens near them. Of many tokenizers, places are
known at which every text is cut, as before a space that follows a word: only what is between a part's ends and such
places is encoded. Of others, a part's tokens are compared: where they are those of the whole again, only the stretch up
to there is encoded for each cut that is tried, and the part that is chosen.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from tokviz.arrays import Int64Array
from tokviz.positions import GraphemeBorders
from tokviz.tokenization import Tokenization

Side = Literal["left", "right"]

SureCuts = Callable[[str], Iterable[int]]
"""Finds the places in a stretch, in code points, at which every text with that stretch in it is cut; in order."""

FURTHER = 8
"""Cuts that leave up to so many tokens of the whole text more than asked for are tried."""

_MARGIN = 8  # tokens of the whole text after which a cut is first taken to change nothing; at least `FURTHER`
_KEPT_COUNTS = 10_000  # maximum short stretches whose tokens are counted once


class _Count(NamedTuple):
    """Counts the tokens of parts that share an edge, given the other; not exactly if their tokens were compared."""

    of: Callable[[int], int]
    is_exact: bool


class Window(NamedTuple):
    """A part of a text: `text[start:end]`, in code points, is `part`, and takes `tokens` tokens by itself."""

    part: str
    start: int
    end: int
    tokens: int


class _Edges(NamedTuple):
    """Places in a text, in code points, where a token ends and no character is cut; and the tokens before each."""

    places: Int64Array
    tokens: Int64Array

    @classmethod
    def of(cls, tokenization: Tokenization) -> "_Edges":
        tokens = np.flatnonzero(~tokenization.inside_character)
        places = tokenization.code_point_offsets[tokens].astype(np.int64)
        if tokenization.text and not len(tokenization):
            tokens, places = np.zeros(2, np.int64), np.array([0, len(tokenization.text)], np.int64)
        # Of several tokens that end at one place, as one without bytes does, the last.
        is_last = np.append(places[:-1] < places[1:], True)
        return cls(places[is_last], tokens[is_last])


class _Rest(NamedTuple):
    """The tokens of the whole text that come before and after those of a stretch encoded by itself."""

    before: int
    after: int


class Cutter:
    """Places where a tokenized text can be cut: those where a token and a grapheme cluster end.

    `tokenize` encodes the text and parts of it, and `count` only counts their tokens. `sure_cuts` is None if no such
    places are known. Clusters are only looked for where a cut is tried. A text of no tokens is one part.
    """

    def __init__(
        self,
        text: str,
        tokenize: Callable[[str], Tokenization],
        count: Callable[[str], int],
        sure_cuts: SureCuts | None = None,
    ) -> None:
        whole = tokenize(text)
        self._text, self._total = whole.text, len(whole)
        self._tokenize, self._count, self._sure_cuts = tokenize, count, sure_cuts
        self._count_short = lru_cache(_KEPT_COUNTS)(count)
        self._clusters = GraphemeBorders(self._text)
        # As views, single numbers are read several times as fast as from NumPy's columns.
        edges = _Edges.of(whole)
        self._places: memoryview[int] = edges.places.data
        self._tokens: memoryview[int] = edges.tokens.data
        self._last = len(self._places) - 1

    def truncated(self, max_tokens: int, side: Side) -> str:
        """Return the longest part that loses only the end (`side` "right") or the beginning ("left"), and fits.

        Tried are the parts of up to `max_tokens + FURTHER` tokens of the whole text.
        """
        if self._total <= max_tokens:
            return self._text
        if side == "right":
            count = self._count_to(0, self._reached_from(0, max_tokens))
            ends = range(self._reached_from(0, max_tokens + FURTHER), -1, -1)
            windows = self._windows(((0, end) for end in ends), lambda cut: cut[1], count, max_tokens)
        else:
            count = self._count_from(self._reached_back(self._last, max_tokens))
            starts = range(self._reached_back(self._last, max_tokens + FURTHER), self._last + 1)
            parts = ((start, self._last) for start in starts)
            windows = self._windows(parts, lambda cut: cut[0], count, max_tokens)
        return next((window.part for _, window in windows), "")

    def windows(self, size: int, overlap: int) -> Iterator[Window]:
        """Yield the windows from left to right. Raises ValueError for a character of more than `size` tokens."""
        end = 0
        while end < self._last:
            # An overlap may leave no room for the next character, or begin with what takes more by itself: then it is
            # shorter.
            starts = filter(self._is_cut, range(self._reached_back(end, overlap), end + 1))
            longest = (found for start in starts if (found := self._longest(start, size)))
            found = next((found for found in longest if found[0] > end), None)
            if found is None:
                raise self._too_small(end, size)
            end, window = found
            yield window

    def _longest(self, start: int, size: int) -> tuple[int, Window] | None:
        """Return the longest window from `start` of up to `size` tokens, and where it ends; None if none fits."""
        furthest = max(self._next_cut(start), self._reached_from(start, size + FURTHER))
        count = self._count_to(start, self._reached_from(start, size))
        parts = ((start, end) for end in range(furthest, start, -1))
        windows = self._windows(parts, lambda cut: cut[1], count, size)
        return next(((cut[1], window) for cut, window in windows), None)

    def _next_cut(self, start: int) -> int:
        return next(filter(self._is_cut, range(start + 1, self._last + 1)))

    def _too_small(self, start: int, size: int) -> ValueError:
        end = self._next_cut(start)
        part = self._window(start, end, self._count_between(start, end))
        return ValueError(
            f"a window of {size} tokens is too small: {part.part!r}, at position {part.start} of the text, takes "
            f"{part.tokens}, and a window doesn't cut through characters"
        )

    def _windows(
        self,
        parts: Iterable[tuple[int, int]],
        counted_edge: Callable[[tuple[int, int]], int],
        count: _Count,
        most: int,
    ) -> Iterator[tuple[tuple[int, int], Window]]:
        """Yield those of `parts`, given by their edges, that can be cut out and take at most `most` tokens."""
        for part in parts:
            tokens = count.of(counted_edge(part))
            if tokens <= most and self._is_cut(part[0]) and self._is_cut(part[1]):
                if not count.is_exact:
                    tokens = self._count_between(*part)
                if tokens <= most:
                    yield part, self._window(*part, tokens)

    def _count_to(self, start: int, near: int) -> _Count:
        """Return what counts the tokens of the part from `start` to an edge that is near `near` or after."""
        first = next(self._sure_edges(start, self._reached_from(start, 3 * _MARGIN)), None) if start else 0
        if first is not None and (sure := self._sure_before(max(first, self._reached_back(near, _MARGIN // 2)), first)):
            after = self._sure_edges(sure[-1], self._reached_from(near, FURTHER))
            return _Count(partial(self._exact_to, start, first, [*sure, *after]), True)
        margin = _MARGIN
        while (first := self._reached_back(near, 3 * margin)) > start:
            end = self._rest(first, self._reached_from(near, margin))
            begin = self._rest(start, self._reached_from(start, 4 * margin)) if start else _Rest(0, 0)
            if end and begin:
                nearest, before = self._reached_back(near, margin // 2), end.before - begin.before
                return _Count(partial(self._compared_to, start, first, nearest, before), False)
            margin *= 2
        return _Count(partial(self._count_between, start), True)

    def _compared_to(self, start: int, first: int, nearest: int, before: int, edge: int) -> int:
        """Count the tokens from `start` to an edge, of which `before` are before `first` if it is not too near."""
        return before + self._count_between(first, edge) if edge >= nearest else self._count_between(start, edge)

    def _exact_to(self, start: int, first: int, sure: list[int], edge: int) -> int:
        """Count the tokens from `start` to an edge, where every text is cut at the edges `first` and `sure`."""
        if edge < sure[0]:
            return self._count_between(start, edge)
        last = sure[bisect_right(sure, edge) - 1]
        within = self._tokens[last] - (self._tokens[first] if first else 0)
        return self._count_near(start, first) + within + self._count_near(last, edge)

    def _sure_edges(self, start: int, end: int) -> Iterator[int]:
        """Yield the edges from `start` to `end` at which every text is cut, as far as they are known."""
        if self._sure_cuts is None:
            return
        before = max(self._places[start] - 1, 0)
        for cut in self._sure_cuts(self._text[before : self._places[end] + 1]):
            edge = bisect_left(self._places, before + cut, start, end)
            if self._places[edge] == before + cut:
                yield edge

    def _sure_before(self, edge: int, least: int) -> list[int]:
        """Return the sure edges from shortly before `edge`, but not before `least`, up to it; none if none is near."""
        for tokens in (_MARGIN // 2, 4 * _MARGIN):
            if found := list(self._sure_edges(max(least, self._reached_back(edge, tokens)), edge)):
                return found
        return []

    def _count_from(self, near: int) -> _Count:
        """Return what counts the tokens of the end from an edge that is near `near` or before."""
        high = self._reached_from(near, _MARGIN)
        sure = next(self._sure_edges(high, self._reached_from(high, 3 * _MARGIN)), None)
        if sure is not None:
            return _Count(partial(self._exact_from, sure), True)
        margin = _MARGIN
        while (last := self._reached_from(near, 3 * margin)) < self._last:
            if self._rest(self._reached_back(near, margin), last):
                nearest = self._reached_from(near, margin // 2)
                return _Count(partial(self._compared_from, last, nearest), False)
            margin *= 2
        return _Count(lambda edge: self._count_between(edge, self._last), True)

    def _compared_from(self, last: int, nearest: int, edge: int) -> int:
        """Count the tokens from an edge to the text's end; up to `last`, if it is not too near, and from there on."""
        rest = self._rest(edge, last) if edge <= nearest else None
        return self._total - rest.before if rest else self._count_between(edge, self._last)

    def _exact_from(self, sure: int, edge: int) -> int:
        """Count the tokens from an edge to the end of the text, where every text is cut at the edge `sure`."""
        if edge > sure:
            return self._count_between(edge, self._last)
        return self._count_between(edge, sure) + self._total - self._tokens[sure]

    def _rest(self, first: int, last: int) -> _Rest | None:
        """Return how many tokens of the whole text come before and after those of a part of it encoded by itself.

        None unless the tokens in the middle half of the part are those of the whole, one for one.
        """
        part = self._tokenize(self._text[self._places[first] : self._places[last]])
        edges, quarter = _Edges.of(part), (last - first) // 4
        middle = slice(first + quarter, last - quarter + 1)
        places, tokens = np.asarray(self._places[middle]) - self._places[first], np.asarray(self._tokens[middle])
        same = slice(*np.searchsorted(edges.places, [places[0], places[-1] + 1]))
        if not np.array_equal(edges.places[same], places) or np.ptp(tokens - edges.tokens[same]):
            return None
        before = int(tokens[0] - edges.tokens[same][0])
        return _Rest(before, self._total - len(part) - before)

    def _reached_from(self, start: int, tokens: int) -> int:
        """Return the last edge that so many tokens of the whole text from `start` on reach."""
        return bisect_right(self._tokens, self._tokens[start] + tokens) - 1

    def _reached_back(self, end: int, tokens: int) -> int:
        """Return the first edge that so many tokens of the whole text before `end` reach."""
        return bisect_left(self._tokens, self._tokens[end] - tokens)

    def _is_cut(self, edge: int) -> bool:
        return edge in (0, self._last) or self._places[edge] in self._clusters

    def _count_between(self, start: int, end: int) -> int:
        return self._count(self._text[self._places[start] : self._places[end]])

    def _count_near(self, start: int, end: int) -> int:
        """Count as `_count_between` does, of a stretch that is short and may come again."""
        return self._count_short(self._text[self._places[start] : self._places[end]]) if start < end else 0

    def _window(self, start: int, end: int, tokens: int) -> Window:
        first, after = self._places[start], self._places[end]
        return Window(self._text[first:after], first, after, tokens)


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
