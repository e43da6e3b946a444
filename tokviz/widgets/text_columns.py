"""Text in columns, for SVG files: lines of characters that a token may begin or end within, and boxes around them.

A character has one column, a wide one two, so that boundaries stand beneath each other, in the order of the Unicode
Bidirectional Algorithm. Text stays text, in the reader's monospaced font.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tokviz.display import are_joined, column_width, visible
from tokviz.positions import grapheme_offsets
from tokviz.widgets.bidirectional import has_controls, levels_of, line_levels, runs_right_to_left, visual_order
from tokviz.widgets.svg import LINE_HEIGHT, number, rect, text_line

MAX_BYTES = 1_000
"""Maximum bytes of a text that is drawn."""

COLUMN, ROW = 10.8, 28.0
"""Width of a column and height of a row, in pixels."""

_SIZE = 18  # of letters, in pixels
_JOINER = "\u200d"  # at the end of a letter that is joined to one of the next token, whose shape it keeps
_TOUCHING = 1e-9  # columns between parts that are one box
_LABEL = 0.55  # size of a label such as [ZWSP], relative to letters


class Character(NamedTuple):
    """A character: its first and last byte + 1, its label, where it stands, in columns, and in which direction."""

    start: int
    end: int
    label: str
    x: float
    width: float
    is_right_to_left: bool

    def part(self, start: int, end: int) -> tuple[float, float]:
        """Return where these of its bytes begin and end, in columns."""
        shares = [
            (min(max(byte, self.start), self.end) - self.start) / (self.end - self.start) for byte in (start, end)
        ]
        first, last = sorted(1 - share for share in shares) if self.is_right_to_left else shares
        return self.x + self.width * first, self.x + self.width * last


class Box(NamedTuple):
    """A token in a line, or the part of it there: where it begins and ends, and which token it is."""

    x: float
    end: float
    token: int


Line = list[Character]
"""Characters in the order of the text."""


def lines_of(text: str, columns: int, instead: str) -> list[Line]:
    """Lay out a text in lines of at most so many columns, which end after its line ends or where they are full.

    Raises ValueError for a text of more than `MAX_BYTES` bytes, and for one with controls of its direction: `instead`
    says what can be done with it.
    """
    size = len(text.encode())
    if size > MAX_BYTES:
        raise ValueError(f"this text has {size:,} bytes; a picture shows {MAX_BYTES:,} at most")
    if has_controls(text):
        raise ValueError(f"controls of a text's direction can't be drawn: {instead}")
    found: list[tuple[Line, int]] = []
    start = 0
    for paragraph in re.split("(?<=\n)", text):
        base = int(runs_right_to_left(paragraph))
        found += [(line, base) for line in _lines(paragraph, start, columns, base)]
        start += len(paragraph.encode())
    width = max((_end(line) for line, _ in found), default=0)
    return [[each._replace(x=each.x + base * (width - _end(line))) for each in line] for line, base in found]


def _lines(paragraph: str, start: int, columns: int, base: int) -> Iterator[Line]:
    """Yield the lines of a paragraph that begins at the byte `start`, their characters where they are seen."""
    levels = levels_of(paragraph, base)
    line: Line = []
    begin, width = 0, 0.0
    for first, last in _parts(paragraph):
        label = visible(paragraph[first:last])
        taken = max(1.0, _LABEL * len(label) if label.startswith("[") else float(max(map(column_width, label))))
        if line and width + taken > columns:
            yield _placed(line, line_levels(paragraph[begin:first], levels[begin:first], base))
            line, begin, width = [], first, 0.0
        end = start + len(paragraph[first:last].encode())
        line.append(Character(start, end, label, first - begin, taken, False))
        start, width = end, width + taken
    if line:
        yield _placed(line, line_levels(paragraph[begin:], levels[begin:], base))


def _parts(paragraph: str) -> Iterator[tuple[int, int]]:
    """Yield where characters begin and end; a joiner, or what keeps letters from being joined, is one of its own."""
    for first, last in pairwise(grapheme_offsets(paragraph).tolist()):
        is_apart = last - first > 1 and visible(paragraph[first:last]).endswith("]")
        yield from ((first, last - 1), (last - 1, last)) if is_apart else ((first, last),)


def _placed(line: Line, levels: Sequence[int]) -> Line:
    """Put the characters of a line, whose places are still those in `levels`, into columns."""
    directed = [levels[int(each.x)] for each in line]
    placed, x = list(line), 0.0
    for at in visual_order(directed):
        placed[at] = line[at]._replace(x=x, is_right_to_left=directed[at] % 2 == 1)
        x += line[at].width
    return placed


def _end(line: Line) -> float:
    return max((each.x + each.width for each in line), default=0.0)


def width_of(lines: Iterable[Line]) -> float:
    """Return the width of the longest line, in pixels."""
    return COLUMN * max(map(_end, lines), default=0)


def boxes_of(line: Line, offsets: Iterable[int]) -> Iterator[Box]:
    """Yield the tokens of a line, the first and the last as far as they are in it. `offsets` are all tokens'.

    A token with letters of two directions may have several boxes.
    """
    first, last = line[0].start, line[-1].end
    for token, (start, end) in enumerate(pairwise(offsets)):
        if start < end and start < last and end > first:
            parts = sorted(each.part(start, end) for each in line if start < each.end and end > each.start)
            while parts:
                x, until = parts.pop(0)
                while parts and parts[0][0] - until < _TOUCHING:
                    until = parts.pop(0)[1]
                yield Box(x, until, token)


def draw_box(left: float, y: float, box: Box, fill: str, line: str = "") -> str:
    """Draw a token's box, in a line that begins at `left`: filled, or with an outline in the color `line`."""
    place = _place_of(left, y, box)
    return rect(place, 4, fill, line, 1, stroke_opacity=0.45) if line else rect(place, 4, fill)


def draw_frame(left: float, y: float, box: Box, color: str, inset: float, line: float, **of_stroke: object) -> str:
    """Draw a frame of a width, with the middle of its line so far within a token's box, or around it."""
    x, top, width, height = _place_of(left, y, box)
    place = x + inset, top + inset, max(width - 2 * inset, 0.5), height - 2 * inset
    return rect(place, 4 - inset, "none", color, line, **of_stroke)


def _place_of(left: float, y: float, box: Box) -> tuple[float, float, float, float]:
    width = max(COLUMN * (box.end - box.x) - 1.5, 0.5)
    return left + COLUMN * box.x + 0.75, y + 2, width, ROW - 4


def draw_letters(left: float, y: float, line: Line, offsets: Sequence[int], colors: Sequence[str]) -> Iterator[str]:
    """Write a line's characters: each in its columns, and letters that are joined together, as far as a token goes.

    A letter has the color of the token that it begins in: `colors` holds one for each.
    """
    cuts = set(offsets)
    run: Line = []
    before = after = ""
    for character, following in zip(line, [*line[1:], None], strict=True):
        run.append(character)
        is_joined = following is not None and are_joined(character.label, following.label)
        if following and is_joined and following.start not in cuts:
            continue
        after = _JOINER if is_joined else ""
        yield _draw_run(left, y, run, (before, after), colors[bisect_right(offsets, run[0].start) - 1])
        run, before = [], after


def _draw_run(left: float, y: float, run: Line, joiners: tuple[str, str], color: str) -> str:
    x, width = min(each.x for each in run), sum(each.width for each in run)
    label = "".join(each.label for each in run)
    size = _SIZE * _LABEL if label.startswith("[") else _SIZE
    is_stretched = len(run) > 1 or any(joiners)
    more = f' textLength="{number(COLUMN * width)}" lengthAdjust="spacingAndGlyphs"' if is_stretched else ""
    if run[0].is_right_to_left and not label.startswith("["):
        more += ' direction="rtl"'
    return draw_text(left + COLUMN * (x + width / 2), y, label.join(joiners), color, size=size, more=more)


def draw_text(
    x: float, y: float, text: str, color: str, *, anchor: str = "", size: float = _SIZE, more: str = ""
) -> str:
    """Write in the middle of a row whose upper edge is at `y`."""
    return text_line(text, x, y + (ROW - LINE_HEIGHT * size) / 2, size, color, anchor=anchor, more=more)
