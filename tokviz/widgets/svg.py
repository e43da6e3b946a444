"""SVG files that need nothing else, for slides and papers: colors, boxes, labels and lines of text.

Text stays text, in the reader's monospaced font. `replay/tower/labels.js` has the labels on the page.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape

from tokviz.display import char_name, column_width, shown, text_width, token_text
from tokviz.widgets import FOLDER
from tokviz.widgets.bidirectional import runs_right_to_left

LINE_HEIGHT = 1.15
"""Height of a line of text relative to its size."""

CHARACTER_WIDTH = 0.6
"""Width of a monospaced character relative to its height."""

_SHARE, _ID_SHARE = 0.9, 0.86  # of a block's width that its label, and the id under it, may take
_MIN_SIZE = 0.3  # of a label, in columns; a longer label is cut short

MAX_SIZE = 0.8
"""Largest height of a label, in columns."""

_MARGIN = 8
_FONT = "'Source Code Pro', ui-monospace, 'DejaVu Sans Mono', monospace"
_BASELINE = 0.35  # from the middle of a line down, relative to the font size
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class SVG(str):
    """An SVG file as a string, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def svg_of(title: str, size: tuple[float, float], page: str, parts: Iterable[str]) -> SVG:
    """Return an SVG of parts on a page of this size and color, with a margin."""
    width, height = (number(each + 2 * _MARGIN) for each in size)
    box = f'width="{width}" height="{height}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" '
        f'font-family="{_FONT}" text-anchor="middle" role="img">'
    )
    background = f'<rect x="{-_MARGIN}" y="{-_MARGIN}" {box} fill="{page}"/>'
    return SVG("\n".join([head, f"<title>{_escaped(title)}</title>", background, *parts, "</svg>\n"]))


def _escaped(text: str) -> str:
    """Escape a text, with the names of characters that XML can't hold, as in a tokenizer's label, in their place."""
    return escape(_NOT_IN_XML.sub(lambda found: f"[{char_name(found[0])}]", text))


@cache
def palette(dark: bool) -> dict[str, str]:
    """Return the widgets' colors by name, from `shared/dom/palette.css`."""
    sheet = (FOLDER / "shared" / "dom" / "palette.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", sheet)
    return {name: in_dark if dark else in_light for name, in_light, in_dark in found}


def mix(one: str, other: str, share: float) -> str:
    """Mix two colors, with this share of the second."""
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def rect(box: Sequence[float], radius: float, fill: str, stroke: str = "", line: float = 2, **of_stroke: object) -> str:
    """Draw a box: its left and upper edge, width and height; with a stroke of this color and width, if any."""
    place = " ".join(f'{name}="{number(each)}"' for name, each in zip(("x", "y", "width", "height"), box, strict=True))
    outline = {"stroke": stroke, "stroke-width": number(line), **of_stroke} if stroke else {}
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in outline.items())
    rounded = f' rx="{number(radius)}"' if radius else ""
    return f'<rect {place}{rounded} fill="{fill}"{more}/>'


def text_line(
    text: str,
    x: float,
    top: float,
    size: float,
    color: str,
    *,
    weight: int | None = None,
    anchor: str = "",
    more: str = "",
) -> str:
    """Write a line of text whose upper edge is at `top`; `more` are attributes."""
    baseline = top + (LINE_HEIGHT / 2 + _BASELINE) * size
    more += f' font-weight="{weight}"' if weight else ""
    more += f' text-anchor="{anchor}"' if anchor else ""
    more += ' direction="rtl"' if "direction" not in more and runs_right_to_left(text) else ""
    place = f'x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}"'
    return f'<text {place} fill="{color}"{more}>{_escaped(text)}</text>'


def number(value: float) -> str:
    """Write a length with at most two digits after the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def label_of(data: bytes) -> tuple[str, bool]:
    """Spell a token, and say whether some of it is bytes in hex.

    >>> label_of(" the".encode()), label_of(bytes([0x20, 0xF0, 0x9F])), label_of(b"")
    (('·the', False), ('· f0 9f', True), ('', False))
    """
    return shown(data), bool(data) and token_text(data) is None


def label_size(label: str, width: float) -> float:
    """Return the height of a label in columns, for a block of a width in columns."""
    return min(MAX_SIZE, _SHARE * width / (CHARACTER_WIDTH * max(1, text_width(label))))


def id_size(token: int, width: float) -> float:
    """Return the height of an id under a block, in columns."""
    return _ID_SHARE * width / (CHARACTER_WIDTH * len(str(token)))


def shorten(label: str, width: float) -> str:
    """Shorten a label that would be too small in a block of this width, in columns."""
    most = int(_SHARE * width / (CHARACTER_WIDTH * _MIN_SIZE))
    if text_width(label) <= most:
        return label
    kept, used = "", 1
    for char in label:
        used += column_width(char)
        if used > most:
            break
        kept += char
    return f"{kept}…"
