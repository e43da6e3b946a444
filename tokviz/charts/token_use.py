"""Chart of which tokens a text uses."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from tokviz.analysis.frequencies import TokenFrequency
from tokviz.charts.drawing import DOTTED, Chart, as_text, draw_line, empty_figure, from_one, set_axes, spread, style
from tokviz.charts.wording import plural
from tokviz.display import shown


def frequencies_chart(tables: Mapping[str, Sequence[TokenFrequency]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """Chart of how often each token occurs, against its place by frequency (Zipf): which tokens does this text use?

    `vocabulary_sizes` are highest ids + 1. Zipf's law is fitted to each tokenizer by itself.
    """
    figure = empty_figure()
    fits = {}
    for number, (name, rows) in enumerate(tables.items()):
        picked = [rows[place - 1] for place in spread(len(rows)) if place]
        places, times = [row.place for row in picked], [row.frequency for row in picked]
        draw_line(figure, number, name, places, times, [_hover(name, row) for row in picked], DOTTED)
        line = _fitted_zipf(picked) if _has_repeats(rows) else []
        if len(set(line)) > 1:  # with a single token, the line is only a point
            fits[number] = line
    set_axes(figure, "place by frequency", "times in the text")
    most = max((rows[0].frequency for rows in tables.values() if rows), default=0)
    figure.update_xaxes(**from_one(max(map(len, tables.values()), default=0)))
    figure.update_yaxes(**from_one(max([most, *(round(line[0][1]) for line in fits.values())])))
    for number, line in fits.items():
        _draw_zipf(figure, number, line, in_legend=number == min(fits))
    sentences = [_share_answer(name, len(rows), vocabulary_sizes[name]) for name, rows in tables.items()]
    if fits:
        sentences.append(
            "Zipf's law expects the second token half as often as the first, the third a third as often, and so on: "
            f"the thin {'line, fitted to the counts' if len(fits) == 1 else 'lines, each fitted to one tokenizer'}."
        )
    elif not any(map(_has_repeats, tables.values())):
        sentences.append("No token occurs twice in so short a text.")
    return Chart(
        "Which tokens does this text use?",
        "\n".join(sentences),
        "Lines of how often a token occurs against its place by frequency, both on logarithmic scales.",
        figure,
    )


def _has_repeats(rows: Sequence[TokenFrequency]) -> bool:
    """Whether any token occurs more than once."""
    return bool(rows) and rows[0].frequency > 1


def _hover(name: str, row: TokenFrequency) -> str:
    place = f"{as_text(name)}, place {row.place:,}: {as_text(shown(row.bytes))}"
    return f"{place}<br>{plural('time', row.frequency, count_too=True)}"


def _share_answer(name: str, used: int, vocabulary: int) -> str:
    """Say how much of its vocabulary a tokenizer uses."""
    share = used / vocabulary
    percent = f"{share:.2%}" if share >= 0.0001 else "less than 0.01%"
    return f"{name}: {plural('different token', used, count_too=True)}, of a vocabulary of {vocabulary:,} ({percent})."


def _draw_zipf(figure: go.Figure, number: int, line: list[tuple[float, float]], *, in_legend: bool) -> None:
    figure.add_scatter(
        x=[place for place, _ in line],
        y=[times for _, times in line],
        mode="lines",
        name="Zipf's law, fitted",
        showlegend=in_legend,
        line={"color": style(number)[0], "width": 1, "dash": "dot"},
        hoverinfo="skip",
    )


def _fitted_zipf(rows: Sequence[TokenFrequency]) -> list[tuple[float, float]]:
    """End points of the curve "constant / place" closest to the rows on logarithmic scales, where it is a line.

    It ends at the last place, or where a token would occur less than once.
    """
    constant = float(np.exp(np.mean([np.log(row.place * row.frequency) for row in rows])))
    last = max(min(float(rows[-1].place), constant), 1.0)
    return [(1.0, constant), (last, constant / last)]
