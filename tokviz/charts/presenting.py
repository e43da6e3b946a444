"""Charts for a projector: type that the last row can read, and many rows in two columns, so that all are in sight."""

from math import log
from typing import Any

import plotly.graph_objects as go

from tokviz.charts.axes import logarithmic
from tokviz.charts.chart import FONT
from tokviz.charts.lines import LETTER, apart

LARGE_FONT = 22
"""Size of a chart's type on a screen of 1280 x 720, in pixels."""
NUMBERS = 40
"""Size of the numbers that a chart is about."""
_WIDTH = 1160  # pixels on that screen for rows and their names
_LINE_HEIGHT = 0.1  # distance between the names of lines, as a share of the figure's height on that screen
_MAX_ROWS = 18  # maximum rows that are legible in one column
_LEAST_RIGHT = 0.42  # least length of the scale on the right, which has a title, as a share of that on the left
_LEAST_SPAN = 2.5  # least factor between the ends of a scale, between which two of its ticks are


def presented(figure: go.Figure, scale: float = 1.0) -> go.Figure:
    """Return the figure as it is presented, on a screen `scale` times as large as 1280 x 720. It has no height."""
    rows = figure.layout.yaxis.categoryarray
    shown = _in_columns(figure) if rows is not None and len(rows) > _MAX_ROWS else go.Figure(figure)
    font = {"size": round(LARGE_FONT * scale)}
    growth = LARGE_FONT * scale / FONT
    margin = {side: round(growth * size) for side, size in figure.layout.margin.to_plotly_json().items()}
    shown.update_layout(font=font, hoverlabel={"font": font}, legend={"font": font}, height=None, margin=margin)
    for update in (shown.update_xaxes, shown.update_yaxes):
        update(title={"font": font}, tickfont=font)
    for annotation in shown.layout.annotations:
        annotation.font = font
        for name in ("ax", "ay", "xshift", "yshift"):
            if annotation[name]:
                annotation[name] = growth * annotation[name]
    _spread_names(shown)
    shown.update_traces(textfont={"size": round(NUMBERS * scale)}, selector={"type": "bar"})
    if any(trace.type == "bar" and trace.text for trace in shown.data):
        shown.update_layout(margin={"r": round(3 * NUMBERS * scale)})  # numbers stand at the ends of bars
    for trace in (trace for trace in shown.data if trace.type == "scatter"):
        trace.marker.size = 1.4 * scale * (trace.marker.size or 1)
        trace.marker.line.width = scale * (trace.marker.line.width or 0)
        trace.line.width = 1.6 * scale * (trace.line.width or 1)
    return shown


def _spread_names(figure: go.Figure) -> None:
    """Move the names at the ends of lines as far apart as larger type needs, with the lines that lead to them."""
    leaders = [shape for shape in figure.layout.shapes if shape.xref == "paper" and shape.x1 > 1]
    names = [each for each in figure.layout.annotations if each.xref == "paper" and each.x > 1]
    places = apart([leader.y0 for leader in leaders], _LINE_HEIGHT)
    for leader, name, place in zip(leaders, names, places, strict=True):
        leader.y1 = name.y = place


def _in_columns(figure: go.Figure) -> go.Figure:
    """Return a figure of points in named rows with its upper rows on the left and its lower rows on the right.

    Both scales are logarithmic, so that small factors are told apart beside large ones, and equal distances on them are
    equal factors. The right one is only as long as its rows need.
    """
    names = list(figure.layout.yaxis.categoryarray)
    middle = len(names) // 2
    lower, upper = names[:middle], names[middle:]
    # Room for the names on the right, as a share of what the names on the left leave.
    left, right = (max(map(len, rows)) * LETTER * LARGE_FONT for rows in (upper, lower))
    gap = min(0.4, (right + LARGE_FONT) / (_WIDTH - left))
    split = go.Figure(layout=figure.layout)
    split.layout.xaxis2 = None  # the scale above
    split.layout.annotations = ()  # the series have a legend
    for trace in (trace for trace in figure.data if trace.xaxis != "x2"):
        split.add_trace(_only(trace, upper))
        split.add_trace(_only(trace, lower).update(xaxis="x2", yaxis="y2", showlegend=False))
    for shape in figure.layout.shapes:
        split.add_shape(shape.to_plotly_json() | {"xref": "x2", "yref": "y2 domain"})
    x, y = figure.layout.xaxis.to_plotly_json(), figure.layout.yaxis.to_plotly_json()
    low = min(_values(split, "x") | _values(split, "x2"))
    most, reach = (max(*_values(split, name), _LEAST_SPAN * low) for name in ("x", "x2"))
    reach = max(reach, low * (most / low) ** _LEAST_RIGHT)
    share = log(reach / low) / log(most / low)
    end = (1 - gap) / (1 + share)
    split.update_layout(
        xaxis=_factors(x, low, most) | {"domain": [0, end]},
        xaxis2=_factors(x, low, reach) | {"domain": [end + gap, 1], "anchor": "y2"},
        yaxis=_rows(upper, len(upper)),
        yaxis2=y | _rows(lower, len(upper)) | {"anchor": "x2"},
    )
    return split


def _values(figure: go.Figure, axis: str) -> set[float]:
    """Return the values on one of a figure's axes."""
    return {value for trace in figure.data if (trace.xaxis or "x") == axis for value in trace.x if value} or {1.0}


def _factors(axis: dict[str, Any], low: float, high: float) -> dict[str, Any]:
    """Return an axis as a logarithmic one."""
    return axis | logarithmic(axis["title"]["text"], low, high) | {"title": axis["title"]}


def _rows(names: list[str], number: int) -> dict[str, Any]:
    """Return the axis of rows with these names, from the bottom up, that has room for a number of them."""
    return {"categoryarray": names, "range": [len(names) - number - 0.7, len(names) - 0.3]}


def _only(trace: Any, names: list[str]) -> Any:
    """Return a copy of a trace with its points in the rows of these names."""
    wanted = set(names)
    kept = [place for place, name in enumerate(trace.y) if name in wanted]
    columns = {column: [trace[column][place] for place in kept] for column in ("x", "y", "customdata") if trace[column]}
    return type(trace)(trace.to_plotly_json() | columns | {"legendgroup": trace.name})
