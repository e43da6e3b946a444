"""Shared drawing functions: figures, axes, lines and bars that everybody can tell apart.

Colors stand out from both white and the dark theme's background, and series also differ in dash and marker; text takes
the color of its surroundings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from tokviz.analysis.measures import Measurement
from tokviz.charts.wording import plural

COLORS = ("#2577c8", "#c4560f", "#178560", "#a054ab", "#857400", "#747b84")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
PATTERNS = [
    {"shape": shape, "fillmode": "overlay", "fgcolor": "#ffffff", "fgopacity": 0.6, "size": 6}
    for shape in ("", "/", ".", "x", "-", "\\")
]
GRID = "rgba(128, 128, 128, 0.25)"
RULE = "rgba(128, 128, 128, 0.9)"
_FONT = 15
HOVER = "%{customdata}<extra></extra>"
DOTTED = "lines+markers"
OTHERS = "all others"


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


def as_text(text: str) -> str:
    """Escape a text for Plotly, which reads labels as HTML with few tags and entities (`&quot;` is none of them)."""
    return escape(text, quote=False)


def empty_figure(height: int = 420) -> go.Figure:
    """Create a figure without data, transparent and with room for direct labels."""
    figure = go.Figure()
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 16, "t": 16, "b": 8},
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        font={"size": _FONT},
        hoverlabel={"font": {"size": _FONT}},
        legend={
            **{"orientation": "h", "yref": "container", "yanchor": "top", "y": 1, "x": 0, "title": None},
            "font": {"size": _FONT},
        },
        dragmode=False,  # so that a finger on a phone scrolls the page
    )
    return figure


def set_axes(
    figure: go.Figure,
    x: str,
    y: str,
    *,
    log_x: bool = False,
    from_zero: bool = False,
    from_zero_x: bool = False,
) -> None:
    """Title the axes, and set which are logarithmic or begin at zero."""
    common: dict[str, Any] = {"gridcolor": GRID, "zeroline": False, "automargin": True, "tickfont": {"size": _FONT}}
    figure.update_xaxes(title={"text": x, "font": {"size": _FONT}}, **common, exponentformat="SI", tickangle=0)
    figure.update_yaxes(title={"text": y, "font": {"size": _FONT}}, **common, exponentformat="SI")
    if log_x:
        figure.update_xaxes(type="log", dtick=1)
    if from_zero:
        figure.update_yaxes(rangemode="tozero")
    if from_zero_x:
        figure.update_xaxes(rangemode="tozero")


def style(number: int) -> tuple[str, str, str]:
    """Color, dash and symbol of a series by its number. They are unique among the first 36 series."""
    color, shape = number % len(COLORS), (number + number // len(COLORS)) % len(DASHES)
    return COLORS[color], DASHES[shape], SYMBOLS[shape]


def draw_line(
    figure: go.Figure,
    number: int,
    name: str,
    x: Sequence[float],
    y: Sequence[float | None],
    hover: Sequence[str],
    mode: str = "lines",
) -> None:
    """Add series `number` as a line. `hover` holds the text of each point."""
    color, dash, symbol = style(number)
    figure.add_scatter(
        x=x,
        y=y,
        mode=mode,
        name=as_text(name),
        line={"color": color, "width": 2.5, "dash": dash},
        marker={"color": color, "symbol": symbol, "size": 7},
        customdata=list(hover),
        hovertemplate=HOVER,
    )


def from_one(most: int) -> dict[str, Any]:
    """A logarithmic axis from 1 to `most`. If it spans few powers of ten, it has ticks between them."""
    ticks = [1, 2, 5, 10, 20, 50, 100] if most <= 100 else [10**power for power in range(12)]
    return {"type": "log", "range": [-0.1, np.log10(max(most, 1)) + 0.1], "tickvals": ticks}


def draw_points(
    figure: go.Figure, number: int, name: str, x: Sequence[float], y: Sequence[str], hover: Sequence[str]
) -> None:
    """Add series `number` as hollow markers, one in each row named in `y`."""
    color, _, symbol = style(number)
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        name=as_text(name),
        # Hollow, so that markers beneath stay visible.
        marker={"color": color, "symbol": f"{symbol}-open", "size": 12, "line": {"width": 2.5}},
        customdata=list(hover),
        hovertemplate=HOVER,
    )


def mark_point(figure: go.Figure, number: int, x: float, y: float, hover: str) -> None:
    """Add a large marker in the style of series `number`."""
    color, _, symbol = style(number)
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        showlegend=False,
        marker={"color": color, "symbol": symbol, "size": 13},
        customdata=[hover],
        hovertemplate=HOVER,
    )


def draw_dots(
    rows: Sequence[Measurement],
    value: Callable[[Measurement], float | None],
    axis: str,
    says: Callable[[Measurement], str],
) -> go.Figure:
    """Draw a row per text with a dot per tokenizer, sorted by the first tokenizer, the largest at the top."""
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    first = [row for row in rows if row.tokenizer == names[0]] if names else []
    texts = [as_text(row.text) for row in sorted(first, key=lambda row: value(row) or 0)]
    figure = empty_figure(height=140 + 26 * len(texts))
    for number, name in enumerate(names):
        rows_of_name = [row for row in rows if row.tokenizer == name and value(row) is not None]
        hover = [
            f"{as_text(row.text)}, {as_text(name)}: {says(row)}"
            f"<br>{plural('token', row.tokens, count_too=True)}, {plural('byte', row.bytes, count_too=True)}"
            for row in rows_of_name
        ]
        draw_points(
            figure,
            number,
            name,
            [value(row) or 0 for row in rows_of_name],
            [as_text(row.text) for row in rows_of_name],
            hover,
        )
    set_axes(figure, axis, "", from_zero_x=True)
    name_rows(figure, texts)
    return figure


def name_rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Label the rows of the vertical axis with these names, from the bottom up."""
    figure.update_yaxes(categoryorder="array", categoryarray=names, dtick=1, range=[-0.7, len(names) - 0.3])


def spread(most: int) -> list[int]:
    """Whole numbers from 1 to `most`, evenly spread on a logarithmic scale, about 40 per power of ten; [0] below 1."""
    if most < 1:
        return [0]
    places = np.geomspace(1, most, 2 + int(40 * np.log10(most)))
    return sorted(set(map(round, places.tolist())))
