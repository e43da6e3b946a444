"""Figures of dots in named rows, with a line from the least to the most in each."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import NamedTuple

import plotly.graph_objects as go

from tokviz.analysis.cost.measures import Measurement
from tokviz.charts.axes import linear
from tokviz.charts.chart import (
    FONT,
    HOVER,
    RULE,
    as_text,
    direct_label,
    empty_figure,
    range_line,
    set_axes,
    short_name,
    shorten_names,
    style,
)
from tokviz.charts.lines import LETTER, apart, on_paper
from tokviz.display import counted
from tokviz.tokenizer_colors import color_numbers

Value = Callable[[Measurement], float | None]

_TITLE = 20  # maximum letters in a line of the axis' title, which would not fit on a phone otherwise
_LEAST_WIDTH = 420
"""Width of the narrowest figure, without its rows' names, in which the series are named directly, in pixels."""


_SCALE_ABOVE = 16  # rows from which on the scale stands above them as well


class Dot(NamedTuple):
    """The value of the tokenizer at place `number` in a row, with its tooltip."""

    number: int
    value: float
    said: str


class Row(NamedTuple):
    """A named row of dots."""

    name: str
    dots: Sequence[Dot]


def draw_measurements(
    rows: Sequence[Measurement], value: Value, axis: str, says: Callable[[Measurement], str], rule: float | None = None
) -> go.Figure:
    """Draw a row per text with a dot per tokenizer, sorted by the first tokenizer, the largest at the top."""
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    first = sorted((row for row in rows if row.tokenizer in names[:1]), key=lambda row: -(value(row) or 0))
    dots: dict[str, list[Dot]] = {each.text: [] for each in first}
    for row in rows:
        if found := value(row):
            dots[row.text].append(_dot(names, row, found, says))
    drawn = [Row(text, of_text) for text, of_text in dots.items()]
    return draw_rows(axis, names, drawn, rule)


def _dot(names: Sequence[str], row: Measurement, value: float, says: Callable[[Measurement], str]) -> Dot:
    said = f"{row.text}, {row.tokenizer}: {says(row)}\n{counted('token', row.tokens)}, {counted('byte', row.bytes)}"
    return Dot(names.index(row.tokenizer), value, said)


def draw_rows(axis: str, names: Sequence[str], rows: Sequence[Row], rule: float | None = None) -> go.Figure:
    """Draw rows, from the top. `names` are those of the series; `rule` is a value that all are compared with.

    Where there is room, the series are named above the first row. They have a legend as well: stylesheets show the one
    or the other, depending on the width.
    """
    figure = empty_figure(height=130 + 20 * (len(axis) > _TITLE) + 28 * len(rows))
    xs: list[float | None] = []
    ys: list[str | None] = []
    for row in rows:
        values = [dot.value for dot in row.dots]
        if len(values) > 1:
            xs += [min(values), max(values), None]
            ys += [as_text(row.name)] * 3
    if xs:
        figure.add_scatter(**range_line(xs, ys), meta="ranges")
    looks = list(map(color_numbers(names).__getitem__, names))
    for number, name in enumerate(names):
        _add_dots(
            figure, name, looks[number], [(row.name, dot) for row in rows for dot in row.dots if dot.number == number]
        )
    most = max((dot.value for row in rows for dot in row.dots), default=1)
    set_axes(figure, linear("\n".join(wrap(axis, _TITLE)), 1.04 * most), {})
    order = [as_text(row.name) for row in reversed(rows)]
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=order,
        dtick=1,
        range=[-0.7, len(rows) - 0.3],
        showgrid=False,
    )
    shorten_names(figure, [row.name for row in rows])
    if rule is not None:
        figure.add_vline(rule, line={"color": RULE, "width": 1.5, "dash": "dash"}, layer="below")
    if len(rows) >= _SCALE_ABOVE:
        _add_scale_above(figure, axis, len(rows))
    if rows:
        _name_dots(figure, names, looks, rows[0], 1.04 * most)
    return figure


def _add_scale_above(figure: go.Figure, axis: str, rows: int) -> None:
    """Repeat the scale, and what it measures, above the names of the series."""
    looks = {"title": None, "side": "top", "overlaying": "x", "matches": "x", "ticklabelposition": "inside"}
    looks |= {"ticklabeloverflow": "allow"}
    figure.update_layout(xaxis2=figure.layout.xaxis.to_plotly_json() | looks | {"showgrid": False})
    figure.add_scatter(x=[None], y=[None], xaxis="x2", showlegend=False, hoverinfo="skip", meta="scale above")
    figure.update_yaxes(range=[-0.7, rows + 1.4])
    title = {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "yshift": FONT // 4}
    figure.add_annotation(text=as_text(axis), name="mark", **on_paper(title))  # a phone has no room for it
    above = 1.5 * FONT
    figure.update_layout(height=figure.layout.height + 48 + above, margin={"t": figure.layout.margin.t + above})


def _name_dots(figure: go.Figure, names: Sequence[str], looks: Sequence[int], row: Row, most: float) -> None:
    """Name the dots of the first row, if it has one of each series and there is room; lines lead to the names."""
    width = max(len(short_name(name)) + 3 for name in names) * LETTER * FONT
    room = _LEAST_WIDTH - width
    if len(row.dots) < len(names) or len(names) * width > _LEAST_WIDTH:
        return
    found = [dot.value / (most or 1) * _LEAST_WIDTH for dot in row.dots]
    places = apart([(place - width / 2) / room for place in found], width / room)
    for dot, place, before in zip(row.dots, places, found, strict=True):
        color = style(looks[dot.number])[0]
        figure.add_annotation(
            **{"x": dot.value, "y": as_text(row.name), "text": direct_label(looks[dot.number], names[dot.number])},
            **{"ax": place * room + width / 2 - before, "ay": -2 * FONT, "font": {"size": FONT}},
            **{"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": color, "standoff": 7},
        )


def _add_dots(figure: go.Figure, name: str, look: int, dots: Sequence[tuple[str, Dot]]) -> None:
    """Add a tokenizer's dots, by row, as hollow markers, so that markers beneath stay visible."""
    color, _, symbol = style(look)
    figure.add_scatter(
        x=[dot.value for _, dot in dots],
        y=[as_text(row) for row, _ in dots],
        mode="markers",
        name=as_text(name),
        showlegend=True,
        cliponaxis=False,
        marker={"color": color, "symbol": f"{symbol}-open", "size": 12, "line": {"width": 2.5}},
        customdata=[as_text(dot.said) for _, dot in dots],
        hovertemplate=HOVER,
    )
