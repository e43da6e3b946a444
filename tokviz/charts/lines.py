"""Figures of lines over two axes, each named at its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from tokviz.charts.axes import Axis, share
from tokviz.charts.chart import FONT, HOVER, RULE, as_text, direct_label, empty_figure, set_axes, short_name, style

MAX_DIRECT = 8
"""Maximum lines that are named at their ends; more have a legend."""
LETTER = 0.56
"""Average width of a letter, relative to the size of the type."""
_HEIGHT = 360
_LEADER = 0.03  # length of the lines that lead from the figure to the names, as a share of the figure's width
_LINE_HEIGHT = 0.085  # distance between names, as a share of the figure's height


class Point(NamedTuple):
    """A point of a line, or a mark, with its tooltip."""

    x: float
    y: float
    said: str


@dataclass(frozen=True)
class Line:
    """A series as a line, named at its end, there with `value`. With `dotted`, each of its points is marked.

    `fit` holds the ends of a thin line that was fitted to the points.
    """

    name: str
    number: int
    points: Sequence[Point]
    dotted: bool = False
    value: str = ""
    fit: tuple[tuple[float, float], ...] = ()


class Mark(NamedTuple):
    """A large mark on a line, in the look of series `number`. `means` is written beneath it."""

    number: int
    point: Point
    means: str = ""


def draw_lines(x: Axis, y: Axis, lines: Sequence[Line], marks: Sequence[Mark] = (), height: int = _HEIGHT) -> go.Figure:
    """Draw lines. The title of the vertical axis stands above it."""
    drawn = [line for line in lines if line.points]
    is_direct = len(drawn) <= MAX_DIRECT
    longest = max((len(short_name(line.name)) + 0.8 * len(line.value) for line in drawn), default=0) if is_direct else 0
    margin = {"l": 8, "r": round((longest + 2) * LETTER * FONT + 24), "t": 40, "b": 60}
    figure = empty_figure(height, margin=margin, showlegend=not is_direct)
    set_axes(figure, x, y | {"title": ""})
    figure.update_xaxes(showgrid=False, ticks="outside", tickcolor=RULE)
    for line in drawn:
        _add_line(figure, line)
    for number, point, means in marks:
        color, _, symbol = style(number)
        # Hollow, so that a mark beneath stays visible.
        looks = {"color": color, "symbol": f"{symbol}-open", "size": 15, "line": {"width": 2.5}}
        _add_points(figure, [point], "markers", marker=looks)
        if means:
            _explain(figure, point, means, x)
    if is_direct:
        title = {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "yshift": 12}
        figure.add_annotation(text=as_text(y["title"]), **on_paper(title))
        _name_ends(figure, drawn, x, y)
    else:
        figure.update_yaxes(title={"text": as_text(y["title"])})
    return figure


def _add_line(figure: go.Figure, line: Line) -> None:
    color, dash, symbol = style(line.number)
    looks = {
        "line": {"color": color, "width": 2.5, "dash": dash},
        "marker": {"color": color, "symbol": symbol, "size": 7},
        "name": as_text(line.name),
        "showlegend": True,
        "cliponaxis": False,
    }
    _add_points(figure, line.points, "lines+markers" if line.dotted else "lines", **looks)
    if line.fit:
        xs, ys = zip(*line.fit, strict=True)
        thin = {"color": color, "width": 1.2, "dash": "dot"}
        figure.add_scatter(
            x=xs, y=ys, mode="lines", line=thin, hoverinfo="skip", showlegend=False, meta=f"fit of {line.name}"
        )


def _add_points(figure: go.Figure, points: Sequence[Point], mode: str, **looks: object) -> None:
    figure.add_scatter(
        **{
            "x": [point.x for point in points],
            "y": [point.y for point in points],
            "mode": mode,
            "customdata": [as_text(point.said) for point in points],
            "hovertemplate": HOVER,
            "showlegend": False,
        }
        | looks
    )


def _explain(figure: go.Figure, point: Point, means: str, x: Axis) -> None:
    """Write what a mark means beneath it."""
    place = log10(point.x) if x.get("type") == "log" else point.x  # as annotations take it
    side = "right" if share(x, point.x) > 0.5 else "left"
    looks = {"font": {"size": FONT}, "align": side, "xanchor": side, "yanchor": "top", "yshift": -FONT}
    figure.add_annotation(x=place, y=point.y, text=as_text(means), showarrow=False, name="mark", **looks)


def on_paper(place: dict[str, object]) -> dict[str, object]:
    """Return the properties of an annotation at a place of the figure, not of its data."""
    return {"xref": "paper", "yref": "paper", "showarrow": False, "font": {"size": FONT}, **place}


def _name_ends(figure: go.Figure, lines: Sequence[Line], x: Axis, y: Axis) -> None:
    """Write each line's name to the right of its end; a thin line leads there."""
    ends = [(share(x, line.points[-1].x), share(y, line.points[-1].y)) for line in lines]
    places = apart([end for _, end in ends], _LINE_HEIGHT)
    for line, (end_x, end_y), place in zip(lines, ends, places, strict=True):
        leader = {"color": style(line.number)[0], "width": 1, "dash": "dot"}
        figure.add_shape(
            {"type": "line", "xref": "paper", "yref": "paper", "layer": "below", "line": leader},
            **{"x0": end_x, "y0": end_y, "x1": 1 + _LEADER, "y1": place},
        )
        name = {"x": 1 + _LEADER, "y": place, "xanchor": "left", "yanchor": "middle"}
        text = f"{direct_label(line.number, line.name)} {line.value}".rstrip()
        figure.add_annotation(text=text, **on_paper(name))


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Return places between 0 and 1, in the same order, at least `gap` apart, and moved up only as far as needed.

    >>> apart([0.5, 0.5, 0.125], 0.25)
    [0.5, 0.75, 0.125]
    """
    found = list(places)
    order = sorted(range(len(found)), key=found.__getitem__)
    lowest = 0.0
    for index in order:
        found[index] = lowest = max(found[index], lowest)
        lowest += gap
    highest = 1.0
    for index in reversed(order):
        found[index] = highest = min(found[index], highest)
        highest -= gap
    return found


_PER_POWER_OF_TEN = 24


def spread(most: int) -> list[int]:
    """Whole numbers from 1 to `most`, evenly spread on a logarithmic scale; none below 1."""
    if most < 1:
        return []
    places = np.geomspace(1, most, 2 + int(_PER_POWER_OF_TEN * np.log10(most)))
    return sorted(set(map(round, places.tolist())))
