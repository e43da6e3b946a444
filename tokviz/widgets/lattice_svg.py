"""A Unigram lattice as SVG that needs nothing else, for slides and papers.

The picture has the layout and colors of the page's lattice (`lattice/model.js`, `lattice/lattice.css`): characters in a
line, the pieces that fit as blocks beneath them, those of one way in the tints of tokens. Text stays text, in the
reader's monospaced font.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tokviz.display import text_width
from tokviz.widgets.bidirectional import runs_right_to_left
from tokviz.widgets.lattices import MAX_CHARACTERS, MAX_PIECES
from tokviz.widgets.svg import CHARACTER_WIDTH, SVG, label_of, mix, palette, rect, svg_of, text_line

COLUMN, ROW = 38.0, 42.0
"""Width of a character's column and height of a row, in pixels."""

_GAP = 16.0  # between lines
_INSET = 2.0
_CHARACTER, _PIECE, _SCORE = 20.0, 16.0, 11.0  # sizes of text


class _Line(NamedTuple):
    """Characters from `start` to `end`, and the pieces beneath them."""

    start: int
    end: int
    pieces: list[int]


class _Picture:
    """The content of the picture: the data of a lattice, the pieces of a way, and colors."""

    def __init__(self, data: Mapping[str, Any], way: int, *, dark: bool) -> None:
        self.data = data
        self.tints = {piece: place % 4 for place, piece in enumerate(data["paths"][way]["pieces"])}
        self.colors = palette(dark)
        self.pale = mix(self.colors["page"], self.colors["ink"], 0.06)
        self.is_right_to_left = runs_right_to_left(data["text"])

    def line(self, line: _Line, top: float) -> Iterator[str]:
        """Draw a line whose upper edge is at `top`."""
        for place in range(line.start, line.end):
            x, width = self._place(line, place, place + 1)
            label = label_of(self.data["text"][place].encode())[0]
            size = min(_CHARACTER, _fitting(label, width))
            yield text_line(label, x + width / 2, top + ROW / 2 - 0.6 * size, size, self.colors["ink"], weight=600)
        for piece in line.pieces:
            yield self._block(line, piece, top + (self.data["rows"][piece] + 1) * ROW)

    def _block(self, line: _Line, piece: int, y: float) -> str:
        data, colors = self.data, self.colors
        start, end = max(data["starts"][piece], line.start), min(data["ends"][piece], line.end)
        x, width = self._place(line, start, end)
        tint = self.tints.get(piece)
        fill = self.pale if tint is None else colors[f"tint-{tint}"]
        is_special = piece in data["special"]
        is_unknown = piece in data["unknown"]
        stroke = colors["quiet"] if is_unknown else colors["ink"] if is_special else ""
        place = x + _INSET, y + _INSET, width - 2 * _INSET, ROW - 2 * _INSET
        box = rect(place, 8, fill, stroke, stroke_dasharray="5 4" if is_unknown else "none")
        text = data["text"][data["starts"][piece] : data["ends"][piece]]
        label = label_of(text.encode())[0]
        score = "special" if is_special else _score(data["scores"][piece], end - start)
        color = colors["quiet"] if tint is None else colors["ink"]
        size, small = min(_PIECE, _fitting(label, width)), min(_SCORE, _fitting(score, width))
        label_line = text_line(label, x + width / 2, y + 0.34 * ROW - 0.6 * size, size, color)
        return box + label_line + text_line(score, x + width / 2, y + 0.77 * ROW - 0.6 * small, small, color)

    def _place(self, line: _Line, start: int, end: int) -> tuple[float, float]:
        """Return where characters of a line stand: their left edge and their width."""
        first = line.end - end if self.is_right_to_left else start - line.start
        return first * COLUMN, (end - start) * COLUMN


def lattice_svg(data: Mapping[str, Any], columns: int, *, way: int = 0, dark: bool = False) -> SVG:
    """Return a lattice as SVG, in lines of at most `columns` characters, with the pieces of a way in color.

    `data` is what the page gets (`lattice_data`). Raises ValueError if it is larger than that may be.
    """
    if len(data["text"]) > MAX_CHARACTERS or len(data["starts"]) > MAX_CHARACTERS + MAX_PIECES:
        raise ValueError("this lattice is too large")
    picture, lines = _Picture(data, way, dark=dark), list(_lines(data, columns))
    deepest = (max((data["rows"][piece] for piece in line.pieces), default=-1) for line in lines)
    tops = np.cumsum([0.0, *((row + 2) * ROW + _GAP for row in deepest)]).tolist()
    size = max((line.end - line.start for line in lines), default=0) * COLUMN, max(0.0, tops[-1] - _GAP)
    drawn = (part for line, top in zip(lines, tops, strict=False) for part in picture.line(line, top))
    return svg_of(f"How {data['tokenizer']} can write this text", size, picture.colors["page"], drawn)


def _lines(data: Mapping[str, Any], columns: int) -> Iterator[_Line]:
    """Yield lines. They end where no piece goes on, if there is such a place; else pieces are in the next line too."""
    starts, ends, length = data["starts"], data["ends"], len(data["text"])
    crossed = np.zeros(length + 1, np.bool_)
    for start, end in zip(starts, ends, strict=True):
        crossed[start + 1 : end] = True
    at = 0
    while at < length:
        full = min(length, at + columns)
        end = next((place for place in range(full, at, -1) if not crossed[place]), full)
        yield _Line(at, end, [piece for piece in range(len(starts)) if starts[piece] < end and ends[piece] > at])
        at = end


def _score(score: float, columns: int) -> str:
    """Write a score with a true minus sign, as short as a block of so many columns needs it."""
    return f"{score:.{2 if columns > 1 else 1}f}".replace("-", "−")


def _fitting(label: str, width: float) -> float:
    """Return the size at which a label takes nearly all of a width."""
    return 0.9 * width / (CHARACTER_WIDTH * max(1, text_width(label)))
