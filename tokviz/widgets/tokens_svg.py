"""A text's tokens as SVG, for chats, slides and papers: each on its tint, and beneath them how many there are."""

from tokviz.display import counted
from tokviz.tokenization import Tokenization
from tokviz.widgets.svg import CHARACTER_WIDTH, SVG, palette, svg_of
from tokviz.widgets.text_columns import ROW, boxes_of, draw_box, draw_letters, draw_text, lines_of, width_of

_TINTS = 4
_LINE_GAP = 4.0
_TITLE_SIZE = 14  # of letters, in pixels


def tokens_svg(tokenization: Tokenization, name: str, columns: int, *, dark: bool = False) -> SVG:
    """Return tokens as SVG, in lines of at most `columns` columns. `name` is their tokenizer's.

    Raises the errors of `lines_of`.
    """
    lines = lines_of(tokenization.text, columns, "use to_html")
    colors = palette(dark)
    offsets, special = tokenization.byte_offsets.tolist(), tokenization.special
    parts, y = [], 0.0
    for line in lines:
        for box in boxes_of(line, offsets):
            fill = colors[f"tint-{box.token % _TINTS}"]
            parts.append(draw_box(0, y, box, fill, colors["ink"] if special[box.token] else ""))
        parts += [draw_letters(0, y, character, colors["ink"]) for character in line]
        y += ROW + _LINE_GAP
    title = f"{name}: {counted('token', len(tokenization))}, {counted('byte', len(tokenization.data))}"
    parts.append(draw_text(0, y, title, colors["quiet"], anchor="start", size=_TITLE_SIZE))
    return svg_of(
        title, (max(width_of(lines), CHARACTER_WIDTH * _TITLE_SIZE * len(title)), y + ROW), colors["page"], parts
    )
