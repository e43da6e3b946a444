"""Strings that know where their characters come from, through whatever a template does with them.

A `Traced` is the same text as its plain string and behaves like it; what it carries beside the text is a list of
pieces that cover it. Every method of `str` that returns text keeps them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple, SupportsIndex

from tokviz.chats.spans import Origin
from tokviz.texts import in_common


class Source:
    """A text that was given to a template. Two sources with the same text are two sources."""

    __slots__ = ("origin", "text")

    def __init__(self, origin: Origin, text: str) -> None:
        self.origin = origin
        self.text = text


class Piece(NamedTuple):
    """`length` characters which stand for those of `source` from `start` to `end`, each for one if these are as many.

    A piece without a source was written by the template. `generated` is set within `{% generation %}`.
    """

    length: int
    source: Source | None = None
    start: int = 0
    end: int = 0
    generated: bool = False

    @property
    def is_aligned(self) -> bool:
        """Whether each character stands for one of the source."""
        return self.source is not None and self.length == self.end - self.start

    def cut(self, start: int, stop: int) -> "Piece":
        """Return the part between two places, which stands for all of its source if characters can't be told apart."""
        if self.is_aligned:
            return Piece(stop - start, self.source, self.start + start, self.start + stop, self.generated)
        return self._replace(length=stop - start)

    def follows(self, other: "Piece") -> bool:
        """Return whether this piece goes on where the other ends."""
        if self.source is not other.source or self.generated != other.generated:
            return False
        if self.source is None or not self.source.text:
            return True
        return self.is_aligned and other.is_aligned and other.end == self.start


Pieces = tuple[Piece, ...]


class Traced(str):
    """A text with the pieces that cover it."""

    __slots__ = ("_pieces",)
    _pieces: Pieces

    def __new__(cls, text: str, pieces: Iterable[Piece] | None = None) -> "Traced":
        """Return `text` with `pieces`; without them, as written by the template."""
        traced = super().__new__(cls, text)
        traced._pieces = (Piece(str.__len__(text)),) * bool(text) if pieces is None else tuple(_joined(pieces))
        return traced

    def __str__(self) -> "Traced":
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (_plain(self),)

    # Parts

    def __getitem__(self, key: SupportsIndex | slice) -> "Traced":
        if not isinstance(key, slice):
            place = range(len(self))[key]
            return self._part(place, place + 1)
        places = range(len(self))[key]
        if places.step == 1:
            return self._part(places.start, max(places.start, places.stop))
        return _concatenated(self._part(place, place + 1) for place in places)

    def __iter__(self) -> "Iterator[str]":
        return (self._part(place, place + 1) for place in range(len(self)))

    def _part(self, start: int, stop: int) -> "Traced":
        text = _plain(self)[start:stop]
        return Traced(text, _cut(self._pieces, start, stop))

    def _parts(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        return [self._part(start, stop) for start, stop in spans]

    def strip(self, chars: str | None = None) -> "Traced":
        return self.lstrip(chars).rstrip(chars)

    def lstrip(self, chars: str | None = None) -> "Traced":
        return self._part(len(self) - len(_plain(self).lstrip(chars)), len(self))

    def rstrip(self, chars: str | None = None) -> "Traced":
        return self._part(0, len(_plain(self).rstrip(chars)))

    def removeprefix(self, prefix: str, /) -> "Traced":
        return self._part(len(self) - len(_plain(self).removeprefix(prefix)), len(self))

    def removesuffix(self, suffix: str, /) -> "Traced":
        return self._part(0, len(_plain(self).removesuffix(suffix)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._parts(_places(_plain(self), _plain(self).split(sep, maxsplit), sep))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._parts(_places(_plain(self), _plain(self).rsplit(sep, maxsplit), sep))

    def splitlines(self, keepends: bool = False) -> list[str]:
        ends = accumulate(map(len, _plain(self).splitlines(True)), initial=0)
        lines = _plain(self).splitlines(keepends)
        return self._parts((start, start + len(line)) for start, line in zip(ends, lines, strict=False))

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        return self._three(_plain(self).partition(sep))

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        return self._three(_plain(self).rpartition(sep))

    def _three(self, parts: tuple[str, str, str]) -> tuple[str, str, str]:
        first, second, third = self._parts(pairwise(accumulate(map(len, parts), initial=0)))
        return first, second, third

    # Joining

    def __add__(self, other: str) -> "Traced":
        return _concatenated((self, other)) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> "Traced":
        return _concatenated((other, self)) if isinstance(other, str) else NotImplemented

    def __mul__(self, times: SupportsIndex) -> "Traced":
        return Traced(_plain(self) * times, self._pieces * times.__index__())

    __rmul__ = __mul__

    def join(self, parts: Iterable[str], /) -> "Traced":
        listed = list(parts)
        _plain(self).join(listed)  # raises TypeError as it does
        return _concatenated(
            part for number, each in enumerate(listed) for part in ((self, each) if number else (each,))
        )

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> "Traced":
        most = count.__index__()
        if not old:
            places = range(len(self) + 1)[: None if most < 0 else most]
            spans = [(place, place) for place in places]
        else:
            ends = [stop for _, stop in _places(_plain(self), _plain(self).split(old, most), old)]
            spans = [(end, end + len(old)) for end in ends[:-1]]
        pieces: list[str] = []
        place = 0
        for start, stop in spans:
            pieces += (self._part(place, start), _changed(self._part(start, stop), new))
            place = stop
        return _concatenated([*pieces, self._part(place, len(self))])

    # Filling up

    def zfill(self, width: SupportsIndex, /) -> "Traced":
        signs = 1 if self[:1] in ("+", "-") else 0
        return _concatenated((self[:signs], "0" * (width.__index__() - len(self)), self[signs:]))

    def center(self, width: SupportsIndex, fillchar: str = " ", /) -> "Traced":
        return self._filled("center", width, fillchar)

    def ljust(self, width: SupportsIndex, fillchar: str = " ", /) -> "Traced":
        return self._filled("ljust", width, fillchar)

    def rjust(self, width: SupportsIndex, fillchar: str = " ", /) -> "Traced":
        return self._filled("rjust", width, fillchar)

    def _filled(self, method: str, width: SupportsIndex, character: str) -> "Traced":
        other = "b" if character == "a" else "a"
        filled: str = getattr(other * len(self), method)(width, character)
        before = len(filled) - len(filled.lstrip(character)) if self else 0
        return _concatenated((filled[:before], self, filled[before + len(self) :]))


def _changing(name: str) -> Callable[..., Traced]:
    """Return the method of `str` that changes characters, for a text with its pieces."""
    change = getattr(str, name)
    return wraps(change)(lambda text, *args, **values: rewritten(text, lambda part: change(part, *args, **values)))


for _name in ("capitalize", "casefold", "expandtabs", "lower", "swapcase", "title", "translate", "upper"):
    setattr(Traced, _name, _changing(_name))


def _plain(text: str) -> str:
    return str.__str__(text)


def plain(text: str) -> str:
    """Return the text alone."""
    return _plain(text) if isinstance(text, Traced) else text


def pieces_of(text: str) -> Pieces:
    """Return what covers a text: its pieces, or one that the template wrote."""
    return text._pieces if isinstance(text, Traced) else (Piece(len(text)),) * bool(text)


def concatenate(parts: Iterable[str]) -> str:
    """Return texts one after another: plain if they all are."""
    listed = list(parts)
    return _concatenated(listed) if any(isinstance(part, Traced) for part in listed) else "".join(listed)


def _concatenated(parts: Iterable[str]) -> Traced:
    listed = list(parts)
    return Traced("".join(map(plain, listed)), (piece for part in listed for piece in pieces_of(part)))


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join pieces that go on where the one before ends."""
    last: Piece | None = None
    for piece in pieces:
        if not piece.length:
            continue
        if last is not None and piece.follows(last):
            end = piece.end if piece.source else 0
            last = last._replace(length=last.length + piece.length, end=end)
        else:
            if last is not None:
                yield last
            last = piece
    if last is not None:
        yield last


def _cut(pieces: Pieces, start: int, stop: int) -> Iterator[Piece]:
    place = 0
    for piece in pieces:
        first, last = max(start - place, 0), min(stop - place, piece.length)
        if first < last:
            yield piece.cut(first, last)
        place += piece.length
        if place >= stop:
            break


def _places(text: str, parts: Iterable[str], sep: str | None) -> Iterator[tuple[int, int]]:
    """Yield where the parts that a text was split into are."""
    place = 0
    for part in parts:
        # Between the parts of a text split at white space there is nothing else.
        start = text.find(part, place) if sep is None else place
        place = start + len(part)
        yield start, place
        place += len(sep or "")


def rewritten(before: str, write: Callable[[str], str]) -> Traced:
    """Return what `write` makes of a text, with its characters traced as exactly as can be told from both."""
    text = plain(before)
    after = plain(write(text))
    if len(after) != len(text):
        changed = [write(character) for character in text]
        if "".join(changed) == after:
            runs = groupby(zip(before, changed, strict=True), lambda pair: len(pair[1]) == 1)
            return _concatenated(part for is_one, run in runs for part in _rewritten_run(list(run), is_one))
    return written_as(before, after)


def written_as(before: str, after: str) -> Traced:
    """Return `after`, which was made of another text at once. What both begin and end with is the same."""
    text = plain(before)
    if len(after) == len(text):
        return Traced(after, pieces_of(before))
    start = in_common(text, after)
    end = in_common(text[start:][::-1], after[start:][::-1])
    middle = Traced(text, pieces_of(before))[start : len(text) - end]
    return _concatenated((before[:start], _changed(middle, after[start : len(after) - end]), before[len(text) - end :]))


def _rewritten_run(run: list[tuple[str, str]], is_one: bool) -> Iterator[str]:
    """Yield the rewritten characters of a text, all with one character for each, or none."""
    if is_one:
        originals = _concatenated(map(itemgetter(0), run))
        yield Traced("".join(map(itemgetter(1), run)), originals._pieces)
    else:
        yield from (_changed(Traced(original, pieces_of(original)), changed) for original, changed in run)


def _changed(before: Traced, after: str) -> str:
    """Return `after` as what stands for `before`. What comes from elsewhere itself is not claimed."""
    source = next((piece.source for piece in before._pieces if piece.source), None)
    if source is None or (isinstance(after, Traced) and any(piece.source for piece in after._pieces)):
        return after
    pieces = [piece for piece in before._pieces if piece.source is source]
    start, end = min(piece.start for piece in pieces), max(piece.end for piece in pieces)
    return Traced(plain(after), [Piece(len(after), source, start, end)])


def generated(text: str) -> Traced:
    """Return a text marked as the assistant's."""
    return Traced(plain(text), (piece._replace(generated=True) for piece in pieces_of(text)))
