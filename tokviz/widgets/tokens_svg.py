"""A text's tokens as SVG, for chats, slides and papers: each on its tint, and beneath them what they are."""

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

from tokviz.widgets.svg import CHARACTER_WIDTH, SVG, palette, svg_of
from tokviz.widgets.text_columns import (
    ROW,
    Line,
    boxes_of,
    draw_box,
    draw_frame,
    draw_letters,
    draw_text,
    lines_of,
    width_of,
)

_TINTS = 4
_LINE_GAP = 4.0
_TITLE_SIZE = 14  # of letters, in pixels


class Kind(IntEnum):
    """What a token is, as pages show it: tinted, solid, solid in a dashed frame, an outline."""

    ORDINARY = 0
    SPECIAL = 1
    TYPED = 2  # special, where somebody typed it into a message
    UNKNOWN = 3  # in place of a word


_SOLID = (Kind.SPECIAL, Kind.TYPED)


def tokens_svg(
    text: str,
    offsets: Sequence[int],
    kinds: Sequence[int],
    title: str,
    columns: int,
    instead: str,
    *,
    dark: bool = False,
) -> SVG:
    """Return tokens as SVG, in lines of at most `columns` columns.

    `offsets` are their boundaries in the text's bytes, one more than tokens; `kinds` what each is, a `Kind`; `title`
    stands beneath. Raises the errors of `lines_of`, which takes `instead`.
    """
    lines = lines_of(text, columns, instead)
    colors = palette(dark)
    parts: list[str] = []
    y = 0.0
    for line in lines:
        parts += _draw_line(line, y, offsets, kinds, colors)
        y += ROW + _LINE_GAP
    parts.append(draw_text(0, y, title, colors["quiet"], anchor="start", size=_TITLE_SIZE))
    width = max(width_of(lines), CHARACTER_WIDTH * _TITLE_SIZE * len(title))
    return svg_of(title, (width, y + ROW), colors["page"], parts)


def _draw_line(
    line: Line, y: float, offsets: Sequence[int], kinds: Sequence[int], colors: Mapping[str, str]
) -> Iterator[str]:
    """Yield the tokens of a line, their letters, and the frames around them."""
    boxes = list(boxes_of(line, offsets))
    for box in boxes:
        kind = kinds[box.token]
        if kind == Kind.UNKNOWN:
            yield draw_frame(0, y, box, colors["ink"], inset=0.75, line=1.5)
        else:
            yield draw_box(0, y, box, colors["ink" if kind in _SOLID else f"tint-{box.token % _TINTS}"])
    yield from draw_letters(0, y, line, offsets, [colors["page" if kind in _SOLID else "ink"] for kind in kinds])
    for box in boxes:
        if kinds[box.token] == Kind.TYPED:
            yield draw_frame(0, y, box, colors["wrong"], inset=-1, line=2, stroke_dasharray="5 3")
