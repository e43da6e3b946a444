"""Chart of which tokens a text uses."""

from collections.abc import Mapping, Sequence

import numpy as np

from tokviz.analysis.vocabulary.frequencies import TokenFrequency
from tokviz.charts.axes import logarithmic
from tokviz.charts.chart import Chart
from tokviz.charts.lines import Line, Point, draw_lines, spread
from tokviz.charts.wording import percent
from tokviz.display import counted, shown
from tokviz.tokenizer_colors import color_numbers


def frequencies_chart(tables: Mapping[str, Sequence[TokenFrequency]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """Chart of how often each token occurs, against its place by frequency (Zipf): which tokens does this text use?

    `vocabulary_sizes` are numbers of tokens. Zipf's law is fitted to each tokenizer by itself.
    """
    colors = color_numbers(tables)
    lines = [_line(name, colors[name], rows) for name, rows in tables.items()]
    fits = [line.fit for line in lines if line.fit]
    most = max([1, *(point.y for line in lines for point in line.points), *(fit[0][1] for fit in fits)])
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
        draw_lines(
            logarithmic("place by frequency", 1, max([2, *map(len, tables.values())])),
            logarithmic("times in the text", 1, max(most, 2)),
            lines,
        ),
    )


def token_use_brief(tables: Mapping[str, Sequence[TokenFrequency]], vocabulary_sizes: Mapping[str, int]) -> str:
    """Say in a line how much of its vocabulary the tokenizer uses that uses most different tokens."""
    if not any(tables.values()):
        return ""
    name = max(tables, key=lambda each: len(tables[each]))
    return _share_answer(name, len(tables[name]), vocabulary_sizes[name])


def _line(name: str, number: int, rows: Sequence[TokenFrequency]) -> Line:
    picked = [rows[place - 1] for place in spread(len(rows))]
    fit = _fitted_zipf(picked) if _has_repeats(rows) else ()
    points = [Point(row.place, row.frequency, _said(name, row)) for row in picked]
    is_line = len(set(fit)) > 1  # with a single token, it is only a point
    return Line(name, number, points, dotted=True, fit=fit if is_line else ())


def _has_repeats(rows: Sequence[TokenFrequency]) -> bool:
    """Return whether any token occurs more than once."""
    return bool(rows) and rows[0].frequency > 1


def _said(name: str, row: TokenFrequency) -> str:
    return f"{name}, place {row.place:,}: {shown(row.bytes)}\n{counted('time', row.frequency)}"


def _share_answer(name: str, used: int, vocabulary: int) -> str:
    """Say how much of its vocabulary a tokenizer uses."""
    share = used / vocabulary
    part = percent(share, 2) if share >= 0.0001 else "less than 0.01 %"
    return f"{name}: {counted('different token', used)} of the {vocabulary:,} in its vocabulary ({part})."


def _fitted_zipf(rows: Sequence[TokenFrequency]) -> tuple[tuple[float, float], ...]:
    """End points of the curve "constant / place" closest to the rows on logarithmic scales, where it is a line.

    It ends at the last place, or where a token would occur less than once.
    """
    constant = float(np.exp(np.mean([np.log(row.place * row.frequency) for row in rows])))
    last = max(min(float(rows[-1].place), constant), 1.0)
    return (1.0, constant), (last, constant / last)
