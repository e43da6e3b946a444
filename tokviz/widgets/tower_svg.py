"""A replay's tower at a step as SVG that needs nothing else, for slides and papers.

The picture has the layout, colors and roles of the page's tower (`replay/tower/tower.css`). Text stays text, in the
reader's monospaced font.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Any, NamedTuple

from tokviz.widgets import FOLDER
from tokviz.widgets.tower_labels import MAX_SIZE, id_size, label_size
from tokviz.widgets.tower_layout import CHARACTER_ROW
from tokviz.widgets.tower_picture import Block, Label, Picture, Shown, Span, picture_of, runs_right_to_left
from tokviz.widgets.wire import Columns

COLUMN, ROW = 36.0, 48.0
"""Width of a column and height of a row, in pixels."""

_MARGIN = 8
FONT = "'Source Code Pro', ui-monospace, 'DejaVu Sans Mono', monospace"
_RADIUS = 9.6
_LINE_HEIGHT = 1.15
_BASELINE = 0.35  # from the middle of a line down, relative to the font size

# Largest sizes of text, in rows.
_LABEL, _BYTE, _MERGE, _ID, _CHARACTER, _COUNT = 0.42, 0.33, 0.25, 0.3, 0.42, 0.36
_SYMBOL, _SYMBOL_BYTE = 0.5, 0.42  # no merge stands beneath a symbol's label


class SVG(str):
    """An SVG file as a string, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


class _Style(NamedTuple):
    """Size of a column and a row in pixels, and colors."""

    column: float
    row: float
    ink: str
    quiet: str
    solid: str
    page: str
    pale: str
    mark: str
    tints: tuple[str, ...]


def tower_svg(
    columns: Columns,
    meta: Mapping[str, Any],
    shown: Shown,
    length: int,
    *,
    column: float = COLUMN,
    row: float = ROW,
    dark: bool = False,
) -> SVG:
    """Return a replay's tower as SVG, in lines of `length` columns. See `picture_of`."""
    picture, style = picture_of(columns, meta, shown, length), _style(column, row, dark)
    title = f"Step {max(0, shown.step)} of {len(columns['ranks'])}: how {meta['tokenizer']} merges this text"
    parts = [
        *(_pretoken(span, style, number) for number, spans in enumerate(picture.pretokens) for span in spans),
        *(_character(label, style, picture.is_before) for label in picture.characters),
        *(_count(label, style, picture.is_right_to_left) for label in picture.counts),
        *(_block(block, style, picture) for block in picture.blocks),
    ]
    size = picture.width * column, picture.height * row
    return svg_of("Decoding" if shown.decoding else title, size, style.page, parts)


def svg_of(title: str, size: tuple[float, float], page: str, parts: Iterable[str]) -> SVG:
    """Return an SVG of parts on a page of this size and color, with a margin."""
    width, height = (number(each + 2 * _MARGIN) for each in size)
    box = f'width="{width}" height="{height}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" '
        f'font-family="{FONT}" text-anchor="middle" role="img">'
    )
    background = f'<rect x="{-_MARGIN}" y="{-_MARGIN}" {box} fill="{page}"/>'
    return SVG("\n".join([head, f"<title>{escape(title)}</title>", background, *parts, "</svg>\n"]))


@cache
def palette(dark: bool) -> dict[str, str]:
    """Return the widgets' colors by name, from `shared/dom/palette.css`."""
    sheet = (FOLDER / "shared" / "dom" / "palette.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", sheet)
    return {name: in_dark if dark else in_light for name, in_light, in_dark in found}


def _style(column: float, row: float, dark: bool) -> _Style:
    colors = palette(dark)
    ink, page = colors["ink"], colors["page"]
    tints = tuple(colors[f"tint-{number}"] for number in range(4))
    return _Style(
        *(column, row, ink, colors["quiet"], colors["solid"], page),
        pale=mix(page, ink, 0.06),
        mark=mix(page, ink, 0.78),
        tints=tints,
    )


def mix(one: str, other: str, share: float) -> str:
    """Mix two colors, with this share of the second."""
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def _block(block: Block, style: _Style, picture: Picture) -> str:
    """Draw a block: its box, its label with its merge beneath it, and at the end its id under the box."""
    x, y, width = block.span.x * style.column, block.span.y * style.row, block.span.width * style.column
    middle = x + width / 2
    color = style.ink if block.is_now else style.quiet
    sizes = (_SYMBOL, _SYMBOL_BYTE) if block.is_symbol else (_LABEL, _BYTE)
    most = sizes[block.has_hex]
    label_height = min(label_size(block.label, block.span.width) * style.column, most * style.row)
    merge_height = 0 if block.merge is None else _MERGE * style.row
    top = y + (style.row - _LINE_HEIGHT * (label_height + merge_height)) / 2
    boxes = [] if picture.is_before else _boxes(block, style, picture.is_filled)
    drawn = [*boxes, text_line(block.label, middle, top, label_height, color)]
    if block.merge is not None:
        top += _LINE_HEIGHT * label_height
        drawn.append(
            text_line(f"{block.merge:,}", middle, top, merge_height, style.mark if block.is_now else style.quiet)
        )
    if picture.has_ids and block.is_now:
        size = min(id_size(block.id, block.span.width) * style.column, _ID * style.row)
        drawn.append(text_line(str(block.id), middle, y + style.row, size, style.ink, weight=500))
    return "".join(drawn)


def _boxes(block: Block, style: _Style, is_filled: bool) -> list[str]:
    """Draw a block's box. About to join is thick, new is double; a symbol of the moment is an outline."""
    fill = style.tints[block.tint] if block.is_now else style.pale
    if block.is_next:
        return [_rect(block.span, style, 1.5, "none" if block.is_symbol else fill, (style.ink, 3))]
    if block.is_new:
        return [
            _rect(block.span, style, 0.5, "none", (style.ink, 1)),
            _rect(block.span, style, 3.5, fill, (style.ink, 1)),
        ]
    if block.is_special:
        return [_rect(block.span, style, 1, fill, (style.ink, 2))]
    if block.is_symbol and block.is_now and not is_filled:
        return [_rect(block.span, style, 2.75, "none", (style.solid, 1.5))]
    return [_rect(block.span, style, 2, fill)]


def _pretoken(span: Span, style: _Style, index: int) -> str:
    return _rect(span, style, 2, style.tints[index % len(style.tints)])


def _rect(span: Span, style: _Style, inset: float, fill: str, stroke: tuple[str, float] | None = None) -> str:
    x, y = span.x * style.column + inset, span.y * style.row + inset
    width, height = span.width * style.column - 2 * inset, style.row - 2 * inset
    line = f' stroke="{stroke[0]}" stroke-width="{number(stroke[1])}"' if stroke else ""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {place} rx="{number(_RADIUS - inset)}" fill="{fill}"{line}/>'


def _character(label: Label, style: _Style, is_letter: bool) -> str:
    """Draw a character above its symbols, with a line under it, or among the letters."""
    x, width = label.span.x * style.column, label.span.width * style.column
    if is_letter:
        size = min(_SYMBOL * style.row, MAX_SIZE * style.column)
        middle = (label.span.y + 0.5) * style.row
        return text_line(label.text, x + width / 2, middle - _LINE_HEIGHT * size / 2, size, style.ink)
    bottom = (label.span.y - CHARACTER_ROW + 0.7) * style.row
    size = _CHARACTER * style.row
    line = f'<rect x="{number(x + 2)}" y="{number(bottom - 2)}" width="{number(width - 4)}" height="2"'
    text = text_line(label.text, x + width / 2, bottom - 2 - _LINE_HEIGHT * size, size, style.ink)
    return f'{text}{line} fill="{style.solid}"/>'


def _count(label: Label, style: _Style, is_right_to_left: bool) -> str:
    """Draw a word's count beside its last symbol."""
    size = _COUNT * style.row
    side = label.span.x + (label.span.width if is_right_to_left else 0)
    x = side * style.column + (-0.25 if is_right_to_left else 0.25) * size
    top = (label.span.y + 0.5) * style.row - _LINE_HEIGHT * size / 2
    return text_line(label.text, x, top, size, style.ink, weight=600, anchor="end" if is_right_to_left else "start")


def text_line(
    text: str, x: float, top: float, size: float, color: str, *, weight: int | None = None, anchor: str = ""
) -> str:
    """Write a line of text whose upper edge is at `top`."""
    baseline = top + (_LINE_HEIGHT / 2 + _BASELINE) * size
    more = f' font-weight="{weight}"' if weight else ""
    more += f' text-anchor="{anchor}"' if anchor else ""
    more += ' direction="rtl"' if runs_right_to_left(text) else ""
    place = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}"'
    return f'<text {place} fill="{color}"{more}>{escape(text)}</text>'


def number(value: float) -> str:
    """Write a length with at most two digits after the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
