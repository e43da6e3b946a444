"""Charts and the look that all figures share, with series that everybody can tell apart.

Colors stand out from both themes' backgrounds, and series also differ in dash and symbol; text takes the color of its
surroundings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

COLORS = ("#c4560f", "#2577c8", "#3a8a2e", "#8763cf", "#857400", "#0c8a8c", "#c9447c", "#747b84")
"""The hues of `own-N` in `widgets/shared/dom/palette.css`, strong enough for lines: see `tokenizer_colors`."""
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "9px,2px", "2px,2px,8px,2px")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
_GLYPHS = ("●", "■", "◆", "▲", "✖", "✚", "★", "▼")  # the symbols as characters, for names beside lines
PATTERNS = [
    {"shape": shape, "fillmode": "overlay", "fgcolor": "#ffffff", "fgopacity": 0.6, "size": 6}
    for shape in ("", "/", ".", "x", "-", "\\", "+", "|")
]
GRID = "rgba(128, 128, 128, 0.25)"
RULE = "rgba(128, 128, 128, 0.9)"
FONT = 16
"""Size of a figure's type, in pixels. On paper, which is narrower than a screen, 9 pt are left of it."""
HOVER = "%{customdata}<extra></extra>"
_LONGEST_NAME = 18  # characters
_LONGEST_ROW = 28


@dataclass(frozen=True)
class Chart:
    """A figure that answers one question. `title` asks it, `answer` answers it from the data in a sentence.

    `describes` is a description of the drawing for those who don't see it.
    """

    title: str
    answer: str
    describes: str
    figure: go.Figure

    @property
    def alt(self) -> str:
        """Text alternative to the chart."""
        return " ".join(filter(None, (self.title, self.describes, self.answer)))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(trace.x is not None and len(trace.x) for trace in self.figure.data)


def as_text(text: str) -> str:
    """Escape a text for Plotly, which reads labels as HTML with few tags and entities (`&quot;` is none of them)."""
    return escape(text, quote=False).replace("\n", "<br>")


def short_name(name: str) -> str:
    """Return a series' name for a place beside its line, shortened if it is long."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def style(number: int) -> tuple[str, str, str]:
    """Color, dash and symbol of a series by its number. They are unique among the first 64 series."""
    color, shape = _looks(number)
    return COLORS[color], DASHES[shape], SYMBOLS[shape]


def direct_label(number: int, name: str) -> str:
    """Return the label of a series that is named where it is drawn: its symbol in its color, and its name."""
    color, shape = _looks(number)
    return f'<span style="color:{COLORS[color]}">{_GLYPHS[shape]}</span> {as_text(short_name(name))}'


def _looks(number: int) -> tuple[int, int]:
    return number % len(COLORS), (number + number // len(COLORS)) % len(DASHES)


def empty_figure(height: int, **layout: Any) -> go.Figure:
    """Create a figure without data, on a transparent background."""
    figure = go.Figure()
    font = {"size": FONT}
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 16, "t": 16, "b": 8},
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        font=font,
        hoverlabel={"font": font},
        legend={
            **{"orientation": "h", "yref": "container", "yanchor": "top", "y": 1, "x": 0, "title": None},
            "font": font,
        },
        dragmode=False,  # so that a finger on a phone scrolls the page
    )
    figure.update_layout(**layout)
    return figure


def set_axes(figure: go.Figure, x: dict[str, Any], y: dict[str, Any]) -> None:
    """Set the axes, which are described as in `axes`."""
    font = {"size": FONT}
    common = {
        "gridcolor": GRID,
        "showgrid": True,
        "zeroline": False,
        "automargin": True,
        "tickfont": font,
        "tickangle": 0,
    }
    figure.update_xaxes(**common, **_with_title(x, font))
    figure.update_yaxes(ticklabelstandoff=10, **common, **_with_title(y, font))


def _with_title(axis: dict[str, Any], font: dict[str, Any]) -> dict[str, Any]:
    title = as_text(axis.get("title", ""))
    return axis | {"title": {"text": title, "font": font, "standoff": 12 if title else 0}}


def shorten_names(figure: go.Figure, names: Sequence[str]) -> None:
    """Shorten long names of rows beside the figure."""
    long = {as_text(name): as_text(f"{name[: _LONGEST_ROW - 1]}…") for name in names if len(name) > _LONGEST_ROW}
    figure.update_yaxes(labelalias=long or None)


def range_line(x: Sequence[float | None], y: Sequence[Any]) -> dict[str, Any]:
    """Return a scatter trace of pale lines beneath others, without a name and without words."""
    return {
        "x": x,
        "y": y,
        "mode": "lines",
        "line": {"color": GRID, "width": 6},
        "hoverinfo": "skip",
        "showlegend": False,
    }
