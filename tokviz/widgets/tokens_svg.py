"""A text's tokens as SVG, for chats, slides and papers: each on its tint, and beneath them what they are."""

from collections.abc import Sequence

from tokviz.widgets.svg import CHARACTER_WIDTH, SVG, palette, svg_of
from tokviz.widgets.text_columns import ROW, boxes_of, draw_box, draw_letters, draw_text, lines_of, width_of

_TINTS = 4
_LINE_GAP = 4.0
_TITLE_SIZE = 14  # of letters, in pixels


def tokens_svg(
    text: str,
    offsets: Sequence[int],
    special: Sequence[bool],
    title: str,
    columns: int,
    instead: str,
    *,
    dark: bool = False,
) -> SVG:
    """Return tokens as SVG, in lines of at most `columns` columns.

    `offsets` are their boundaries in the text's bytes, one more than tokens; `title` stands beneath. Raises the errors
    of `lines_of`, which takes `instead`.
    """
    lines = lines_of(text, columns, instead)
    colors = palette(dark)
    parts, y = [], 0.0
    for line in lines:
        for box in boxes_of(line, offsets):
            fill = colors[f"tint-{box.token % _TINTS}"]
            parts.append(draw_box(0, y, box, fill, colors["ink"] if special[box.token] else ""))
        parts += draw_letters(0, y, line, offsets, colors["ink"])
        y += ROW + _LINE_GAP
    parts.append(draw_text(0, y, title, colors["quiet"], anchor="start", size=_TITLE_SIZE))
    width = max(width_of(lines), CHARACTER_WIDTH * _TITLE_SIZE * len(title))
    return svg_of(title, (width, y + ROW), colors["page"], parts)
