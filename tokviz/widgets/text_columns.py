"""Text in columns, for SVG files: lines of characters that a token may begin or end within, and boxes around them.

A character has one column, a wide one two, so that boundaries stand beneath each other. Text stays text, in the
reader's monospaced font.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tokviz.display import column_width, visible
from tokviz.positions import grapheme_offsets
from tokviz.widgets.svg import LINE_HEIGHT, rect, text_line

MAX_BYTES = 1_000
"""Maximum bytes of a text that is drawn."""

COLUMN, ROW = 10.8, 28.0
"""Width of a column and height of a row, in pixels."""

_SIZE = 18  # of letters, in pixels
_LABEL = 0.55  # size of a label such as [ZWSP], relative to letters


class Character(NamedTuple):
    """A character: its first and last byte + 1, its label, and where it stands, in columns."""

    start: int
    end: int
    label: str
    x: float
    width: float


class Box(NamedTuple):
    """A token in a line, or the part of it there: where it begins and ends, and which token it is."""

    x: float
    end: float
    token: int


Line = list[Character]


def lines_of(text: str, columns: int, instead: str) -> list[Line]:
    """Lay out a text in lines of at most so many columns, which end after its line ends or where they are full.

    Raises ValueError for a text of more than `MAX_BYTES` bytes, and for one with letters that are written from right to
    left, which have another order and join across columns: `instead` says what can be done with it.
    """
    size = len(text.encode())
    if size > MAX_BYTES:
        raise ValueError(f"this text has {size:,} bytes; a picture shows {MAX_BYTES:,} at most")
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in text):
        raise ValueError(f"letters that are written from right to left can't be drawn in columns: {instead}")
    return list(_lines(text, columns))


def _lines(text: str, columns: int) -> Iterator[Line]:
    line: Line = []
    x, start = 0.0, 0
    for first, last in pairwise(grapheme_offsets(text).tolist()):
        char = text[first:last]
        label = visible(char)
        width = max(1.0, _LABEL * len(label)) if label.startswith("[") else float(max(map(column_width, label)))
        if line and x + width > columns:
            yield line
            line, x = [], 0.0
        end = start + len(char.encode())
        line.append(Character(start, end, label, x, max(width, 1.0)))
        x, start = x + max(width, 1.0), end
        if char.endswith("\n"):
            yield line
            line, x = [], 0.0
    if line:
        yield line


def width_of(lines: Iterable[Line]) -> float:
    """Return the width of the longest line, in pixels."""
    return COLUMN * max((line[-1].x + line[-1].width for line in lines if line), default=0)


def boxes_of(line: Line, offsets: Iterable[int]) -> Iterator[Box]:
    """Yield the tokens of a line, the first and the last as far as they are in it. `offsets` are all tokens'."""
    first, last = line[0].start, line[-1].end
    for token, (start, end) in enumerate(pairwise(offsets)):
        if start < end and start < last and end > first:
            yield Box(_place(line, max(start, first)), _place(line, min(end, last)), token)


def _place(line: Line, byte: int) -> float:
    """Return where a byte of a line begins, in columns; the end of the line for the byte after it."""
    character = line[bisect_right(line, byte, key=lambda each: each.start) - 1]
    return character.x + character.width * (byte - character.start) / (character.end - character.start)


def draw_box(left: float, y: float, box: Box, fill: str, line: str = "") -> str:
    """Draw a token's box, in a line that begins at `left`: filled, or with an outline in the color `line`."""
    width = max(COLUMN * (box.end - box.x) - 1.5, 0.5)
    place = left + COLUMN * box.x + 0.75, y + 2, width, ROW - 4
    return rect(place, 4, fill, line, 1, stroke_opacity=0.45) if line else rect(place, 4, fill)


def draw_letters(left: float, y: float, character: Character, color: str) -> str:
    """Write a character."""
    size = _SIZE * _LABEL if character.label.startswith("[") else _SIZE
    return draw_text(left + COLUMN * (character.x + character.width / 2), y, character.label, color, size=size)


def draw_text(x: float, y: float, text: str, color: str, *, anchor: str = "", size: float = _SIZE) -> str:
    """Write in the middle of a row whose upper edge is at `y`."""
    return text_line(text, x, y + (ROW - LINE_HEIGHT * size) / 2, size, color, anchor=anchor)
