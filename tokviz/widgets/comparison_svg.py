"""A comparison as SVG, for slides and papers: the text once per tokenizer, its tokens as boxes, differences colored.
Special tokens are solid.

A row has one column per character, so that boundaries stand beneath each other. A character that a token cuts has the
cut within its column. Text stays text, in the reader's monospaced font.
"""

from bisect import bisect_right
from collections.abc import Iterator

from tokviz.analysis.comparison.compare import Comparison
from tokviz.tokenizer_colors import color_numbers
from tokviz.widgets.svg import SVG, palette, svg_of
from tokviz.widgets.text_columns import (
    COLUMN,
    ROW,
    Box,
    Line,
    boxes_of,
    draw_box,
    draw_letters,
    draw_text,
    lines_of,
    width_of,
)

_GAP = 14.0


def comparison_svg(compared: Comparison, columns: int, instead: str, *, dark: bool = False) -> SVG:
    """Return a comparison as SVG, in lines of at most `columns` columns.

    Raises the errors of `lines_of`, which takes `instead`.
    """
    lines = lines_of(compared.text, columns, instead)
    colors = palette(dark)
    numbers = color_numbers(compared.names)
    left = COLUMN * (max(map(len, compared.names)) + 2)
    parts, y = [], 0.0
    for line in lines:
        for number, name in enumerate(compared.names):
            parts.append(draw_text(0, y, name, colors["quiet"], anchor="start"))
            own = colors[f"own-{numbers[name]}"]
            tokens = compared.tokenizations[number]
            special = tokens.special.tolist()
            for box, differs in _boxes(compared, number, line):
                fill = colors["ink"] if special[box.token] else own if differs else "none"
                parts.append(draw_box(left, y, box, fill, "" if fill != "none" else colors["quiet"]))
            letters = [colors["page" if is_special else "ink"] for is_special in special]
            parts += draw_letters(left, y, line, tokens.byte_offsets.tolist(), letters)
            y += ROW
        y += _GAP
    return svg_of(_title(compared), (left + width_of(lines), max(0, y - _GAP)), colors["page"], parts)


def _title(compared: Comparison) -> str:
    counts = zip(compared.names, compared.token_counts, strict=True)
    return f"The same text as tokens: {', '.join(f'{name} {tokens:,}' for name, tokens in counts)}"


def _boxes(compared: Comparison, tokenizer: int, line: Line) -> Iterator[tuple[Box, bool]]:
    """Yield the tokens of a line, and whether cuts differ there."""
    offsets = compared.tokenizations[tokenizer].byte_offsets.tolist()
    boundaries, differs = compared.boundaries.tolist(), compared.differs[tokenizer]
    is_different = compared.differs[1] if tokenizer == 0 else differs
    if tokenizer == 0:
        for other in compared.differs[2:]:
            is_different = is_different | other
    for box in boxes_of(line, offsets):
        segment = bisect_right(boundaries, offsets[box.token]) - 1
        yield box, bool(is_different[segment])
