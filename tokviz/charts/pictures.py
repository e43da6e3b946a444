"""Standalone pictures of charts, with the question and the answer in them."""

from textwrap import wrap

import plotly.graph_objects as go

from tokviz.charts.chart import FONT, Chart, as_text

_WIDTH = 900
LETTERS = 105
"""Letters per line above a figure, which leaves some room."""

_TITLE = 20
_MARGIN = 24


def picture(chart: Chart, letters: int = LETTERS) -> go.Figure:
    """Return the figure of a chart beneath its question and its answer in lines of `letters`, of a fixed size."""
    shown = go.Figure(chart.figure)
    lines = [line for sentence in chart.answer.split("\n") for line in wrap(sentence, letters)]
    text = "<br>".join(
        [f'<span style="font-size:{_TITLE}px"><b>{as_text(chart.title)}</b></span>', *map(as_text, lines)]
    )
    above = round(1.35 * FONT * (len(lines) + 1) + _MARGIN)
    margin = shown.layout.margin
    shown.update_layout(
        width=_WIDTH,
        height=shown.layout.height + above + _MARGIN,
        margin={"t": margin.t + above, "l": _MARGIN, "r": margin.r + _MARGIN, "b": margin.b + _MARGIN},
        title={
            **{"text": text, "font": {"size": FONT}, "xref": "container", "x": _MARGIN / _WIDTH, "xanchor": "left"},
            **{"yref": "container", "y": 1 - 1.2 * _MARGIN / (shown.layout.height + above + _MARGIN), "yanchor": "top"},
        },
        legend={"yref": "paper", "y": 1, "yanchor": "bottom"},
    )
    if any(each.showarrow for each in shown.layout.annotations):  # the series are named in the figure
        shown.update_layout(showlegend=False)
    elif shown.layout.showlegend is not False:
        shown.update_layout(margin={"t": margin.t + above + 3 * FONT}, height=shown.layout.height + 3 * FONT)
    return shown
