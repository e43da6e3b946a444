"""A comparison as SVG, for slides and papers: the text once per tokenizer, its tokens as boxes, differences colored.

A row has one column per character, so that boundaries stand beneath each other. A character that a token cuts has the
cut within its column. Text stays text, in the reader's monospaced font.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tokviz.analysis.comparison.compare import Comparison
from tokviz.display import column_width, visible
from tokviz.positions import grapheme_offsets
from tokviz.tokenizer_colors import color_numbers
from tokviz.widgets.svg import LINE_HEIGHT, SVG, palette, rect, runs_right_to_left, svg_of, text_line

MAX_BYTES = 1_000
"""Maximum bytes of a text that is drawn."""

_COLUMN, _ROW, _GAP = 10.8, 28.0, 14.0
_SIZE = 18  # of letters, in pixels
_LABEL = 0.55  # size of a label such as [ZWSP], relative to letters


class _Character(NamedTuple):
    """A character: its first and last byte + 1, its label, and where it stands, in columns."""

    start: int
    end: int
    label: str
    x: float
    width: float


class _Box(NamedTuple):
    """A token in a line, or the part of it there: where it begins and ends, and whether cuts differ."""

    x: float
    end: float
    differs: bool


def comparison_svg(compared: Comparison, columns: int, *, dark: bool = False) -> SVG:
    """Return a comparison as SVG, in lines of at most `columns` columns.

    Raises ValueError for a text of more than `MAX_BYTES` bytes, and for one that runs from right to left, whose letters
    join across columns.
    """
    if len(compared.data) > MAX_BYTES:
        raise ValueError(f"this text has {len(compared.data):,} bytes; a picture shows {MAX_BYTES:,} at most")
    if runs_right_to_left(compared.text):
        raise ValueError("a text that runs from right to left can't be drawn in columns: use comparison_to_html")
    colors = palette(dark)
    numbers = color_numbers(compared.names)
    lines = list(_lines(compared.text, columns))
    left = _COLUMN * (max(map(len, compared.names)) + 2)
    parts, y = [], 0.0
    for line in lines:
        for number, name in enumerate(compared.names):
            parts.append(_text(0, y, name, colors["quiet"], anchor="start"))
            own = colors[f"own-{numbers[name]}"]
            parts += [
                _rect(left, y, box, own if box.differs else "none", colors["quiet"])
                for box in _boxes(compared, number, line)
            ]
            parts += [_letters(left, y, character, colors["ink"]) for character in line]
            y += _ROW
        y += _GAP
    width = left + _COLUMN * max((line[-1].x + line[-1].width for line in lines if line), default=0)
    return svg_of(_title(compared), (width, max(0, y - _GAP)), colors["page"], parts)


def _title(compared: Comparison) -> str:
    counts = zip(compared.names, compared.token_counts, strict=True)
    return f"The same text as tokens: {', '.join(f'{name} {tokens:,}' for name, tokens in counts)}"


def _lines(text: str, columns: int) -> Iterator[list[_Character]]:
    """Lay out a text in lines, which end after a line end of the text or where they are full."""
    line: list[_Character] = []
    x, start = 0.0, 0
    for first, last in pairwise(grapheme_offsets(text).tolist()):
        char = text[first:last]
        label = visible(char)
        width = max(1.0, _LABEL * len(label)) if label.startswith("[") else float(max(map(column_width, label)))
        if line and x + width > columns:
            yield line
            line, x = [], 0.0
        end = start + len(char.encode())
        line.append(_Character(start, end, label, x, max(width, 1.0)))
        x, start = x + max(width, 1.0), end
        if char.endswith("\n"):
            yield line
            line, x = [], 0.0
    if line:
        yield line


def _boxes(compared: Comparison, tokenizer: int, line: list[_Character]) -> Iterator[_Box]:
    """Yield the tokens of a line, the first and the last as far as they are in it."""
    offsets = compared.tokenizations[tokenizer].byte_offsets.tolist()
    boundaries, differs = compared.boundaries.tolist(), compared.differs[tokenizer]
    is_different = compared.differs[1] if tokenizer == 0 else differs
    if tokenizer == 0:
        for other in compared.differs[2:]:
            is_different = is_different | other
    first, last = line[0].start, line[-1].end
    for start, end in pairwise(offsets):
        if start < end and start < last and end > first:
            segment = bisect_right(boundaries, start) - 1
            place = _place(line, max(start, first)), _place(line, min(end, last))
            yield _Box(*place, bool(is_different[segment]))


def _place(line: list[_Character], byte: int) -> float:
    """Return where a byte of a line begins, in columns; the end of the line for the byte after it."""
    character = line[bisect_right(line, byte, key=lambda each: each.start) - 1]
    return character.x + character.width * (byte - character.start) / (character.end - character.start)


def _rect(left: float, y: float, box: _Box, fill: str, line: str) -> str:
    width = max(_COLUMN * (box.end - box.x) - 1.5, 0.5)
    place = left + _COLUMN * box.x + 0.75, y + 2, width, _ROW - 4
    return rect(place, 4, fill) if box.differs else rect(place, 4, fill, line, 1, stroke_opacity=0.45)


def _letters(left: float, y: float, character: _Character, color: str) -> str:
    size = _SIZE * _LABEL if character.label.startswith("[") else _SIZE
    return _text(left + _COLUMN * (character.x + character.width / 2), y, character.label, color, size=size)


def _text(x: float, y: float, text: str, color: str, *, anchor: str = "", size: float = _SIZE) -> str:
    return text_line(text, x, y + (_ROW - LINE_HEIGHT * size) / 2, size, color, anchor=anchor)
