"""Figures of bars, with a number each, or stacked."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from tokviz.charts.axes import linear
from tokviz.charts.chart import FONT, HOVER, PATTERNS, as_text, empty_figure, set_axes, shorten_names, style
from tokviz.tokenizer_colors import color_numbers

_TONES = ("#5b6f95", "#8095bd")
"""Tones of parts, of one hue, which are told apart by their patterns: colors are those of tokenizers."""


class Bar(NamedTuple):
    """A tokenizer's bar, with the number at its end and its tooltip."""

    name: str
    value: float
    text: str
    said: str


class Part(NamedTuple):
    """A part of a stack: its series and its share in percent."""

    number: int
    share: float
    said: str


class Stack(NamedTuple):
    """A named stack of parts that make 100 percent."""

    name: str
    parts: Sequence[Part]


def draw_bars(axis: str, bars: Sequence[Bar]) -> go.Figure:
    """Draw bars, from the top."""
    figure = empty_figure(height=110 + 44 * max(len(bars), 1))
    numbers = color_numbers(bar.name for bar in bars)
    figure.add_bar(
        x=[bar.value for bar in bars],
        y=[as_text(bar.name) for bar in bars],
        orientation="h",
        marker={"color": [style(numbers[bar.name])[0] for bar in bars]},
        text=[f"<b>{bar.text}</b>" for bar in bars],
        textfont={"size": FONT},
        textposition="outside",
        cliponaxis=False,
        customdata=[as_text(bar.said) for bar in bars],
        hovertemplate=HOVER,
    )
    set_axes(figure, linear(axis, max((bar.value for bar in bars), default=1)), {})
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    shorten_names(figure, [bar.name for bar in bars])
    figure.update_layout(margin={"r": 70}, bargap=0.28, showlegend=False)
    return figure


def draw_stacks(axis: str, title: str, names: Sequence[str], stacks: Sequence[Stack]) -> go.Figure:
    """Draw stacks, from the top. `names` are those of the series; `title` is that of the stacks' names."""
    figure = empty_figure(height=150 + 36 * max(len(stacks), 1))
    for number, name in enumerate(names):
        parts = [(stack.name, part) for stack in stacks for part in stack.parts if part.number == number]
        figure.add_bar(
            x=[part.share for _, part in parts],
            y=[stack for stack, _ in parts],
            orientation="h",
            name=as_text(name),
            marker={"color": _TONES[number % 2], "pattern": PATTERNS[number]},
            customdata=[as_text(part.said) for _, part in parts],
            hovertemplate=HOVER,
        )
    set_axes(figure, linear(axis, 100), {})
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 1, "xanchor": "right", "yanchor": "bottom", "xshift": -8}
    figure.add_annotation(text=as_text(title), showarrow=False, font={"size": FONT}, **place)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False)
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    return figure
