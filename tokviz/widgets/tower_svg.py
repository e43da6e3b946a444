"""A replay's tower at a step as SVG.

The picture has the layout, colors and roles of the page's tower (`replay/tower/tower.css`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tokviz.widgets.svg import (
    LINE_HEIGHT,
    MAX_SIZE,
    SVG,
    id_size,
    label_size,
    mix,
    number,
    palette,
    rect,
    svg_of,
    text_line,
)
from tokviz.widgets.tower_layout import CHARACTER_ROW
from tokviz.widgets.tower_picture import Block, Shown, Span, TowerPicture
from tokviz.widgets.wire import Columns

COLUMN, ROW = 36.0, 48.0
"""Width of a column and height of a row, in pixels."""

_RADIUS, _SPECIAL_RADIUS = 9.6, 5.0

# Largest sizes of text, in rows.
_LABEL, _BYTE, _MERGE, _ID, _CHARACTER, _COUNT = 0.42, 0.33, 0.25, 0.3, 0.42, 0.36
_SYMBOL, _SYMBOL_BYTE = 0.5, 0.42  # no merge stands beneath a symbol's label

_LINE = 0.06
"""Height in rows of what underlines a block, above its id."""


def tower_svg(
    columns: Columns,
    meta: Mapping[str, Any],
    shown: Shown,
    length: int,
    *,
    dark: bool = False,
) -> SVG:
    """Return a replay's tower as SVG, in lines of `length` columns. See `TowerPicture`."""
    picture = TowerPicture(columns, meta, shown, length)
    drawing = _Drawing(picture, dark)
    title = f"Step {max(0, shown.step)} of {len(columns['ranks'])}: how {meta['tokenizer']} merges this text"
    size = picture.width * COLUMN, picture.height * ROW
    return svg_of("Decoding" if shown.decoding else title, size, drawing.colors["page"], drawing.parts())


class _Drawing:
    """A picture with its colors."""

    def __init__(self, picture: TowerPicture, is_dark: bool) -> None:
        self.picture, self.colors, self.is_dark = picture, palette(is_dark), is_dark
        self.ink = self.colors["ink"]
        self.tints = [self.colors[f"tint-{i}"] for i in range(4)]

    def parts(self) -> Iterator[str]:
        """Draw everything."""
        picture = self.picture
        for i, spans in enumerate(picture.pretokens()):
            yield from (self._box(span, 2, self.tints[i % 4]) for span in spans)
        yield from (self._character(*each) for each in picture.characters())
        yield from (self._count(*each) for each in picture.counts())
        yield from (self._block(block) for block in picture.blocks())

    def _block(self, block: Block) -> str:
        """Draw a block: its box, its label with what stands beneath it, and at the end its id under the box."""
        x, y, width = block.span.x * COLUMN, block.span.y * ROW, block.span.width * COLUMN
        middle = x + width / 2
        sizes = (_SYMBOL, _SYMBOL_BYTE) if block.is_symbol and not block.beneath else (_LABEL, _BYTE)
        most = sizes[block.has_hex]
        label_height = min(label_size(block.label, block.span.width) * COLUMN, most * ROW)
        widest = label_size(block.beneath, block.span.width) * COLUMN if self.picture.shown.decoding else _MERGE * ROW
        beneath_height = min(widest, _MERGE * ROW) if block.beneath else 0
        top = y + (ROW - LINE_HEIGHT * (label_height + beneath_height)) / 2
        color = self.ink if block.is_now else self.colors["quiet"]
        drawn = [] if self.picture.is_before else [self._box_of(block), *self._marks(block)]
        drawn.append(text_line(block.label, middle, top, label_height, color))
        if block.beneath:
            color = mix(self.colors["page"], self.ink, 0.78) if block.is_now else color
            drawn.append(text_line(block.beneath, middle, top + LINE_HEIGHT * label_height, beneath_height, color))
        if self.picture.has_ids and block.is_now:
            size = min(id_size(block.id, block.span.width) * COLUMN, _ID * ROW)
            drawn.append(text_line(str(block.id), middle, y + (1 + _LINE) * ROW, size, self.ink, weight=500))
        return "".join(drawn)

    def _box_of(self, block: Block) -> str:
        """Draw a block's box. A symbol of the moment is an outline."""
        span, shown = block.span, self.picture.shown
        past = mix(self.colors["page"], self.ink, 0.13 if self.is_dark else 0.06)
        fill = self.tints[block.tint] if block.is_now else past
        if block.is_special:
            return self._box(span, 2.75, fill, self.ink, 1.5, _SPECIAL_RADIUS)
        is_filled = self.picture.has_ids or (shown.decoding and shown.writing == "ids")
        if block.is_symbol and block.is_now and not is_filled:
            return self._box(span, 2.75, "none", self.colors["solid"], 1.5)
        return self._box(span, 2, fill)

    def _marks(self, block: Block) -> Iterator[str]:
        """Underline what has just joined, and hold each part of what joins next with its half of a bracket."""
        left, right = block.span.x * COLUMN, (block.span.x + block.span.width) * COLUMN
        bottom = (block.span.y + 1) * ROW
        if block.is_new:
            height, inset = max(2, _LINE * ROW), 0.16 * ROW + 2
            yield rect((left + inset, bottom - 2, right - left - 2 * inset, height), 0, self.ink)
        if block.is_next:
            is_at_left = block.is_left != self.picture.is_right_to_left
            side, inner, turn = (left + 3.25, right, 4.75) if is_at_left else (right - 3.25, left, -4.75)
            top = bottom - 2 - max(6, 0.16 * ROW)  # beneath what stands in the block
            line = f"M{number(side)} {number(top)}V{number(bottom - 6)}q0 4.75 {turn} 4.75H{number(inner)}"
            yield f'<path d="{line}" fill="none" stroke="{self.ink}" stroke-width="2.5"/>'

    def _box(
        self, span: Span, inset: float, fill: str, stroke: str = "", line: float = 0, radius: float = _RADIUS
    ) -> str:
        size = span.width * COLUMN - 2 * inset, ROW - 2 * inset
        return rect((span.x * COLUMN + inset, span.y * ROW + inset, *size), radius - inset, fill, stroke, line)

    def _character(self, span: Span, text: str) -> str:
        """Draw a character above its symbols, with a line under it; before the merges, among the letters."""
        x, width = span.x * COLUMN, span.width * COLUMN
        if self.picture.is_before:
            size = min(_SYMBOL * ROW, MAX_SIZE * COLUMN)
            return text_line(text, x + width / 2, (span.y + 0.5) * ROW - LINE_HEIGHT * size / 2, size, self.ink)
        bottom, size = (span.y - CHARACTER_ROW + 0.7) * ROW, _CHARACTER * ROW
        line = rect((x + 2, bottom - 2, width - 4, 2), 0, self.colors["solid"])
        return text_line(text, x + width / 2, bottom - 2 - LINE_HEIGHT * size, size, self.ink) + line

    def _count(self, span: Span, text: str) -> str:
        """Draw a word's count beside its last symbol."""
        size, is_mirrored = _COUNT * ROW, self.picture.is_right_to_left
        side = (span.x + (span.width if is_mirrored else 0)) * COLUMN
        x, anchor = (side - 0.25 * size, "end") if is_mirrored else (side + 0.25 * size, "start")
        top = (span.y + 0.5) * ROW - LINE_HEIGHT * size / 2
        return text_line(text, x, top, size, self.ink, weight=600, anchor=anchor)
