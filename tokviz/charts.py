"""Figures: data in, a Plotly figure with its question, its answer and its description out.

Plotly is large, so nothing but the page that draws charts imports this module. Colors stand out from white and from
the dark theme's background alike, and series differ in dash and marker too; text takes the color of its surroundings.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from tokviz.analysis.curves import CompressionCurve, VocabularyCost
from tokviz.analysis.frequencies import TokenFrequency
from tokviz.analysis.measures import Measurement
from tokviz.analysis.vocabulary import KindCount, LengthCount, RankCount

COLORS = ("#2577c8", "#c4560f", "#178560", "#a054ab", "#857400", "#747b84")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
PATTERNS = [
    {"shape": shape, "fillmode": "overlay", "fgcolor": "#ffffff", "fgopacity": 0.6, "size": 6}
    for shape in ("", "/", ".", "x", "-", "\\")
]
_GRID = "rgba(128, 128, 128, 0.25)"
_RULE = "rgba(128, 128, 128, 0.9)"

_FONT = 15
_LARGE_FONT = 21
_HOVER = "%{customdata}<extra></extra>"
_DOTTED = "lines+markers"
_OTHERS = "all others"
LABELLED_FROM = 1_000
"""Sizes of vocabularies from this on are written along the first line of `vocabulary_chart`; its last is among them."""

_LONG = 24
"""Bytes of the longest token that is in sight at first."""


@dataclass(frozen=True)
class Chart:
    """A figure that answers one question. `title` asks it, `answer` answers it from the data in a sentence.

    `describes` says what is drawn, for those who don't see it.
    """

    title: str
    answer: str
    describes: str
    figure: go.Figure

    @property
    def alt(self) -> str:
        """The chart in words."""
        return " ".join(filter(None, (self.title, self.describes, self.answer)))


_WHITE_SPACE = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
_SIGNS = str.maketrans({**_WHITE_SPACE, **{sign: f"[{sign}]" for sign in _WHITE_SPACE.values()}})


def shown(data: bytes) -> str:
    """A token as text with its white space visible; in hex where it is no text.

    >>> shown(b" the"), shown(bytes([0xF0, 0x9F]))
    ('·the', 'f0 9f')
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.hex(" ")
    marked = text.translate(_SIGNS)
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in marked)


# ---------------------------------------------------------------- one function for each question


def compression_chart(curves: Mapping[str, CompressionCurve]) -> Chart:
    """What does each merge buy? Tokens left, in percent of the bytes, against the number of merges."""
    figure = _figure()
    for number, (name, curve) in enumerate(curves.items()):
        merges = _spread(curve.num_merges)
        points = curve.table(merges)
        left = [100 * point.tokens / curve.bytes if curve.bytes else None for point in points]
        hover = [
            f"{escape(name)}: {_plural('merge', point.merges, count_too=True)}"
            f"<br>{_plural('token', point.tokens, count_too=True)}, {_number(point.bytes_per_token)} bytes each"
            f"<br>{point.saved_by_doubling:.1%} fewer than with half the merges"
            for point in points
        ]
        _line(figure, number, name, merges, left, hover)
        turn = curve.diminishing_from()
        if turn is not None:
            height = 100 * int(curve.tokens[turn]) / curve.bytes
            _mark(figure, number, turn, height, f"{escape(name)}: here returns begin to diminish<br>{turn:,} merges")
    _axes(figure, "merges", "tokens left, % of bytes", log_x=True, from_zero=True)
    sizes = [curve.num_merges for curve in curves.values()]
    turns = [turn for curve in curves.values() if (turn := curve.diminishing_from()) is not None]
    if sizes and min([*sizes, *(10 * turn for turn in turns)]) > 2560:  # of a smaller one, much would be out of sight
        figure.update_xaxes(range=[np.log10(256), np.log10(max(sizes) * 1.1)])
    marks = " Large marks stand where returns begin to diminish." if turns else ""
    return Chart(
        "What does each merge buy?",
        "\n".join(_what_merges_buy(name, curve) for name, curve in curves.items() if curve.bytes),
        f"Lines of tokens left in percent of bytes against the number of merges, on a logarithmic scale.{marks}",
        figure,
    )


def _what_merges_buy(name: str, curve: CompressionCurve) -> str:
    merges, size = _plural("merge", curve.num_merges, count_too=True), _plural("byte", curve.bytes, count_too=True)
    turn_into = "turns" if curve.num_merges == 1 else "turn"
    said = f"{name}: {merges} {turn_into} {size} into {_plural('token', int(curve.tokens[-1]), count_too=True)}"
    turn = curve.diminishing_from()
    if turn is None:
        return f"{said}."
    return f"{said}; beyond {turn:,} merges, doubling their number saves less than 5%."


def vocabulary_chart(costs: Mapping[str, Sequence[VocabularyCost]]) -> Chart:
    """How large should the vocabulary be? The length of the sequence against the parameters of the tables."""
    figure = _figure()
    for number, (name, rows) in enumerate(costs.items()):
        hover = [
            f"{escape(name)}, {_first_merges(row, rows)}: a vocabulary of {row.vocabulary:,}"
            f"<br>{row.parameters:,} parameters"
            f"<br>{_plural('token', row.tokens, count_too=True)} in the text, {row.windows:,} context "
            f"{_plural('window', row.windows)}"
            f"<br>{_plural('pair', row.attention, count_too=True)} of attention"
            for row in rows
        ]
        _line(figure, number, name, [row.parameters for row in rows], [row.tokens for row in rows], hover, _DOTTED)
        if not number:
            figure.data[0].update(
                mode="lines+markers+text",
                # Every second one, from the last: a phone has no room for more.
                text=[
                    _short(row.vocabulary) if row.vocabulary >= LABELLED_FROM and (len(rows) - place) % 2 else ""
                    for place, row in enumerate(rows)
                ],
                textposition="bottom center",
            )
    _axes(
        figure,
        "parameters in the tables",
        "tokens in the text",
        log_x=True,
        from_zero=True,
    )
    return Chart(
        "How large should the vocabulary be?",
        "\n".join(filter(None, (_last_doubling(name, rows) for name, rows in costs.items()))),
        "Lines of tokens in the text against the parameters of the tables at a model's input and output, which grow "
        "with the vocabulary, on a logarithmic scale.",
        figure,
    )


def _last_doubling(name: str, rows: Sequence[VocabularyCost]) -> str:
    if not rows:
        return ""
    before, last = next((row for row in rows if 2 * row.merges >= rows[-1].merges), rows[-1]), rows[-1]
    if before is last or not before.tokens:
        return ""
    return (
        f"{name}: with {_first_merges(before, rows)} its vocabulary would be {before.vocabulary:,}; it is "
        f"{last.vocabulary:,}. From one to the other the tables grow from {_short(before.parameters)} to "
        f"{_short(last.parameters)} parameters, and the text gets {1 - last.tokens / before.tokens:.1%} shorter."
    )


def _first_merges(row: VocabularyCost, rows: Sequence[VocabularyCost]) -> str:
    """How many of a tokenizer's merges a row is about."""
    return f"{'all' if row is rows[-1] else 'the first'} {_plural('merge', row.merges, count_too=True)}"


@dataclass(frozen=True)
class Measure:
    """A way to look at `Measurement` rows: a column, what it is called, and whether more is better."""

    column: str
    label: str
    more_is_better: bool
    percent: bool = False

    def value(self, row: Measurement) -> float | None:
        """The figure to draw."""
        found: float | None = getattr(row, self.column)
        return 100 * found if found is not None and self.percent else found


MEASURES = (
    Measure("bytes_per_token", "Bytes per token", more_is_better=True),
    Measure("fertility", "Tokens per word", more_is_better=False),
    Measure("tokens_per_character", "Tokens per character", more_is_better=False),
    Measure("whole_word_share", "Words kept whole, %", more_is_better=True, percent=True),
)


def suits_chart(rows: Sequence[Measurement], measure: Measure) -> Chart:
    """Which tokenizer suits this text? A bar for each, the best at the top."""
    known = [row for row in rows if measure.value(row) is not None]
    best_last = sorted(known, key=lambda row: (measure.value(row) or 0) * (1 if measure.more_is_better else -1))
    values = [measure.value(row) for row in best_last]
    figure = _figure(height=110 + 44 * max(len(best_last), 1))
    if not best_last:
        answer = _why_unknown(rows[0]) if rows else ""
        return Chart("Which tokenizer suits this text?", answer, "", figure)
    figure.add_bar(
        x=values,
        y=[escape(row.tokenizer) for row in best_last],
        orientation="h",
        marker={"color": COLORS[0]},
        text=[_number(value) for value in values],
        textposition="outside",
        cliponaxis=False,
        customdata=[
            f"{escape(row.tokenizer)}: {_plural('token', row.tokens, count_too=True)}"
            f"<br>{measure.label.lower()}: {_number(measure.value(row))}"
            for row in best_last
        ],
        hovertemplate=_HOVER,
    )
    _axes(figure, measure.label, "", from_zero_x=True)
    figure.update_layout(margin={"r": 60})
    best = [row.tokenizer for row in best_last[::-1] if measure.value(row) == values[-1]]
    better = "More is better" if measure.more_is_better else "Less is better"
    answer = f"{better}: {_listed(best)} {'is' if len(best) == 1 else 'are'} best with {_number(values[-1])}."
    return Chart("Which tokenizer suits this text?", answer, f"Bars of {measure.label.lower()} by tokenizer.", figure)


def _why_unknown(row: Measurement) -> str:
    """Why a text has no such figure: there is nothing to divide by."""
    if row.words is None:
        return "This can't be said of a text whose script doesn't space its words."
    return "This can't be said of a text without words." if row.tokens else "This can't be said of an empty text."


def languages_chart(rows: Sequence[Measurement], reference: str) -> Chart:
    """Which languages pay more? Tokens relative to the reference (one of the texts), sorted by the first tokenizer."""
    figure = _dots(
        rows, lambda row: row.parity, f"tokens, {escape(reference)} = 1", lambda row: f"{row.parity:.2f} times"
    )
    figure.add_vline(x=1, line={"color": _RULE, "width": 1, "dash": "dot"})
    most: dict[str, Measurement] = {}
    for row in rows:
        if row.parity is not None and row.parity > (most[row.tokenizer].parity or 0 if row.tokenizer in most else 0):
            most[row.tokenizer] = row
    said = [f"{name}: {row.text} takes most, {_number(row.parity)} times as many tokens." for name, row in most.items()]
    return Chart(
        "Which languages pay more?",
        "\n".join(said),
        "Dots of tokens relative to the reference, by language and tokenizer, the most at the top.",
        figure,
    )


def formats_chart(rows: Sequence[Measurement]) -> Chart:
    """Which formats pay more? Tokens for the same data."""
    figure = _dots(rows, lambda row: row.tokens, "tokens", lambda row: _plural("token", row.tokens, count_too=True))
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    said = []
    for name in names:
        ordered = sorted((row for row in rows if row.tokenizer == name), key=lambda row: row.tokens)
        least, most = ordered[0], ordered[-1]
        said.append(f"{name}: {least.text} takes least ({least.tokens:,}), {most.text} most ({most.tokens:,}).")
    return Chart(
        "Which formats pay more?",
        "\n".join(said),
        "Dots of tokens by format and tokenizer, the most at the top.",
        figure,
    )


def code_chart(rows: Sequence[Measurement]) -> Chart:
    """Does code cost more than prose? Bytes per token by kind of text."""
    figure = _dots(
        rows,
        lambda row: row.bytes_per_token,
        "bytes per token",
        lambda row: f"{_number(row.bytes_per_token)} bytes per token",
    )
    return Chart(
        "Does code cost more than prose?",
        "The further left, the more tokens for the same number of bytes.",
        "Dots of bytes per token by text and tokenizer, the most at the top.",
        figure,
    )


def digits_chart(splits: Mapping[str, Sequence[Sequence[str]]]) -> Chart:
    """How are numbers cut? Tokens against digits. `splits` has the pieces of each number, by tokenizer."""
    figure = _figure()
    for number, (name, numbers) in enumerate(splits.items()):
        digits = [sum(map(len, pieces)) for pieces in numbers]
        hover = [
            f"{escape(name)}: {_plural('token', len(pieces), count_too=True)}<br>{' | '.join(pieces)}"
            for pieces in numbers
        ]
        _line(figure, number, name, digits, [len(pieces) for pieces in numbers], hover, _DOTTED)
    _axes(figure, "digits in the number", "tokens", from_zero=True)
    figure.update_xaxes(dtick=1)
    said = [
        f"{name} cuts {''.join(numbers[-1])} into {' | '.join(numbers[-1])}."
        for name, numbers in splits.items()
        if numbers
    ]
    return Chart(
        "How are numbers cut?",
        "\n".join(said),
        "Lines of tokens against the digits in a number.",
        figure,
    )


def lengths_chart(tables: Mapping[str, Sequence[LengthCount]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """How long are the tokens of a vocabulary? Their share by length in bytes. The sizes are highest ids + 1."""
    figure = _figure()
    said = []
    for number, (name, rows) in enumerate(tables.items()):
        hover = [
            f"{escape(name)}: {_plural('token', row.tokens, count_too=True)} of "
            f"{_plural('byte', row.bytes, count_too=True)}"
            for row in rows
        ]
        _line(figure, number, name, [row.bytes for row in rows], [100 * row.share for row in rows], hover, _DOTTED)
        total = sum(row.tokens for row in rows)
        if total:
            mean = sum(row.tokens * row.bytes for row in rows) / total
            size, unused = vocabulary_sizes[name], vocabulary_sizes[name] - total
            holes = f" ({_plural('id', unused, count_too=True)} without a token)" if unused else ""
            length = f"tokens have {mean:.1f} bytes on average, {rows[-1].bytes:,} at most"
            said.append(f"{name}: a vocabulary of {size:,}{holes}; {length}.")
    _axes(figure, "bytes", "% of the tokens", from_zero=True)
    # Few are longer; a double click shows them, too.
    figure.update_xaxes(range=[0, _LONG])
    return Chart(
        "How long are the tokens?", "\n".join(said), "Lines of the share of the tokens by length in bytes.", figure
    )


def kinds_chart(tables: Mapping[str, Sequence[KindCount]]) -> Chart:
    """Whose scripts are in the vocabulary? The share of the tokens by script and class."""
    shares: dict[str, float] = {}
    for rows in tables.values():
        for row in rows:
            shares[row.kind] = shares.get(row.kind, 0) + row.share
    kinds = sorted(shares, key=shares.__getitem__)
    figure = _figure(height=140 + 24 * len(kinds))
    for number, (name, rows) in enumerate(tables.items()):
        hover = [
            f"{escape(name)}, {row.kind}: {_plural('token', row.tokens, count_too=True)}, {row.share:.2%}"
            for row in rows
        ]
        _points(figure, number, name, [100 * row.share for row in rows], [row.kind for row in rows], hover)
    _axes(figure, "% of the tokens", "", from_zero_x=True)
    _rows(figure, kinds)
    said = [f"{name}: {rows[0].share:.1%} of the tokens are {rows[0].kind}." for name, rows in tables.items() if rows]
    return Chart(
        "Whose scripts are in the vocabulary?",
        "\n".join(said),
        "Dots of the share of the tokens by kind and tokenizer, the largest at the top.",
        figure,
    )


def ranks_chart(name: str, rows: Sequence[RankCount]) -> Chart:
    """What is learned first? The shares of the most frequent kinds of token, by rank in bands that double."""
    total = Counter[str]()
    for row in rows:
        total[row.kind] += row.tokens
    named = [kind for kind, _ in total.most_common(len(COLORS) - 1)]
    bands = list(dict.fromkeys((row.first_rank, row.last_rank) for row in rows))
    labels = [f"{first:,} to {last:,}" for first, last in bands]
    figure = _figure(height=150 + 36 * max(len(bands), 1))
    for number, kind in enumerate([*named, _OTHERS]):
        of_kind = Counter[tuple[int, int]]()
        for row in rows:
            if (row.kind if row.kind in named else _OTHERS) == kind:
                of_kind[row.first_rank, row.last_rank] += row.tokens
        in_band = [sum(row.tokens for row in rows if (row.first_rank, row.last_rank) == band) for band in bands]
        figure.add_bar(
            x=[100 * of_kind[band] / whole for band, whole in zip(bands, in_band, strict=True)],
            y=labels,
            orientation="h",
            name=kind,
            marker={"color": COLORS[number], "pattern": PATTERNS[number]},
            customdata=[f"ranks {label}: {of_kind[band]:,} {kind}" for label, band in zip(labels, bands, strict=True)],
            hovertemplate=_HOVER,
        )
    _axes(figure, "% of the tokens", "rank", from_zero_x=True)
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    return Chart(
        "What is learned first?",
        f"{name}: the merges by rank, the earliest at the top. Early is not the same as common." if rows else "",
        "Stacked bars of the share of kinds of token by rank.",
        figure,
    )


def frequencies_chart(tables: Mapping[str, Sequence[TokenFrequency]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """Which tokens does this text use? How often each occurs, against its place by frequency (Zipf).

    `vocabulary_sizes` are highest ids + 1. Zipf's law is fitted to each tokenizer by itself.
    """
    figure = _figure()
    said = []
    fits = {}
    comes_back = False
    for number, (name, rows) in enumerate(tables.items()):
        picked = [rows[place - 1] for place in _spread(len(rows)) if place]
        hover = [
            f"{escape(name)}, place {row.place:,}: {escape(shown(row.bytes))}"
            f"<br>{_plural('time', row.frequency, count_too=True)}"
            for row in picked
        ]
        _line(
            figure,
            number,
            name,
            [row.place for row in picked],
            [row.frequency for row in picked],
            hover,
            _DOTTED,
        )
        share = len(rows) / vocabulary_sizes[name]
        percent = f"{share:.2%}" if share >= 0.0001 else "less than 0.01%"
        said.append(
            f"{name}: {_plural('different token', len(rows), count_too=True)}, "
            f"of a vocabulary of {vocabulary_sizes[name]:,} ({percent})."
        )
        if rows and rows[0].frequency > 1:
            comes_back = True
            line = _fitted_zipf(picked)
            if line[0] != line[1]:  # of a single token there is only a point
                fits[number] = line
    _axes(figure, "place by frequency", "times in the text")
    most = max((rows[0].frequency for rows in tables.values() if rows), default=0)
    most = max(most, *(round(line[0][1]) for line in fits.values())) if fits else most
    figure.update_xaxes(**_from_one(max(map(len, tables.values()), default=0)))
    figure.update_yaxes(**_from_one(most))
    if fits:
        said.append(
            "Zipf's law expects the second token half as often as the first, the third a third as often, and so on: "
            f"the thin {'line, fitted to the counts' if len(fits) == 1 else 'lines, each fitted to one tokenizer'}."
        )
    elif not comes_back:
        said.append("No token occurs twice in so short a text.")
    for number, line in fits.items():
        figure.add_scatter(
            x=[place for place, _ in line],
            y=[times for _, times in line],
            mode="lines",
            name="Zipf's law, fitted",
            showlegend=number == min(fits),
            line={"color": style(number)[0], "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
    return Chart(
        "Which tokens does this text use?",
        "\n".join(said),
        "Lines of how often a token occurs against its place by frequency, both on logarithmic scales.",
        figure,
    )


def _fitted_zipf(rows: Sequence[TokenFrequency]) -> list[tuple[float, float]]:
    """The ends of the line "constant / place" that is nearest to the rows on logarithmic scales.

    It ends at the last place, or where a token would occur less than once.
    """
    constant = float(np.exp(np.mean([np.log(row.place * row.frequency) for row in rows])))
    last = max(min(float(rows[-1].place), constant), 1.0)
    return [(1.0, constant), (last, constant / last)]


# ---------------------------------------------------------------- what the figures have in common


def _figure(height: int = 420) -> go.Figure:
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


def _axes(
    figure: go.Figure,
    x: str,
    y: str,
    *,
    log_x: bool = False,
    from_zero: bool = False,
    from_zero_x: bool = False,
) -> None:
    common: dict[str, Any] = {"gridcolor": _GRID, "zeroline": False, "automargin": True, "tickfont": {"size": _FONT}}
    figure.update_xaxes(title={"text": x, "font": {"size": _FONT}}, **common, exponentformat="SI", tickangle=0)
    figure.update_yaxes(title={"text": y, "font": {"size": _FONT}}, **common, exponentformat="SI")
    if log_x:
        figure.update_xaxes(type="log", dtick=1)
    if from_zero:
        figure.update_yaxes(rangemode="tozero")
    if from_zero_x:
        figure.update_xaxes(rangemode="tozero")


def enlarged(figure: go.Figure) -> go.Figure:
    """The figure with type that the last row in a room can read."""
    font = {"size": _LARGE_FONT}
    figure.update_layout(font=font, hoverlabel={"font": font}, legend={"font": font})
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(title={"font": font}, tickfont=font)
    return figure


def style(number: int) -> tuple[str, str, str]:
    """The color, dash and symbol of a series by its number. None of the first 36 has those of another."""
    color, shape = number % len(COLORS), (number + number // len(COLORS)) % len(DASHES)
    return COLORS[color], DASHES[shape], SYMBOLS[shape]


def _line(
    figure: go.Figure,
    number: int,
    name: str,
    x: Sequence[float],
    y: Sequence[float | None],
    hover: Sequence[str],
    mode: str = "lines",
) -> None:
    color, dash, symbol = style(number)
    figure.add_scatter(
        x=x,
        y=y,
        mode=mode,
        name=escape(name),
        line={"color": color, "width": 2.5, "dash": dash},
        marker={"color": color, "symbol": symbol, "size": 7},
        customdata=list(hover),
        hovertemplate=_HOVER,
    )


def _from_one(most: int) -> dict[str, Any]:
    """A logarithmic axis from 1 to `most`. Where there are few powers of ten, there are other numbers between them."""
    ticks = [1, 2, 5, 10, 20, 50, 100] if most <= 100 else [10**power for power in range(12)]
    return {"type": "log", "range": [-0.1, np.log10(max(most, 1)) + 0.1], "tickvals": ticks}


def _points(
    figure: go.Figure, number: int, name: str, x: Sequence[float], y: Sequence[str], hover: Sequence[str]
) -> None:
    color, _, symbol = style(number)
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        name=escape(name),
        # Hollow, so that those beneath are seen.
        marker={"color": color, "symbol": f"{symbol}-open", "size": 12, "line": {"width": 2.5}},
        customdata=list(hover),
        hovertemplate=_HOVER,
    )


def _mark(figure: go.Figure, number: int, x: float, y: float, hover: str) -> None:
    color, _, symbol = style(number)
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        showlegend=False,
        marker={"color": color, "symbol": symbol, "size": 13},
        customdata=[hover],
        hovertemplate=_HOVER,
    )


def _dots(
    rows: Sequence[Measurement],
    value: Callable[[Measurement], float | None],
    axis: str,
    says: Callable[[Measurement], str],
) -> go.Figure:
    """A line for each text, a dot in it for each tokenizer; sorted by the first tokenizer, the most at the top."""
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    first = [row for row in rows if row.tokenizer == names[0]] if names else []
    texts = [escape(row.text) for row in sorted(first, key=lambda row: value(row) or 0)]
    figure = _figure(height=140 + 26 * len(texts))
    for number, name in enumerate(names):
        its = [row for row in rows if row.tokenizer == name and value(row) is not None]
        hover = [
            f"{escape(row.text)}, {escape(name)}: {says(row)}"
            f"<br>{_plural('token', row.tokens, count_too=True)}, {_plural('byte', row.bytes, count_too=True)}"
            for row in its
        ]
        _points(figure, number, name, [value(row) or 0 for row in its], [escape(row.text) for row in its], hover)
    _axes(figure, axis, "", from_zero_x=True)
    _rows(figure, texts)
    return figure


def _rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Let the vertical axis be these names, from the bottom up."""
    figure.update_yaxes(categoryorder="array", categoryarray=names, dtick=1, range=[-0.7, len(names) - 0.3])


def _spread(most: int) -> list[int]:
    """Numbers from 1 to `most`, evenly spread on a logarithmic scale, about 40 to a power of ten; 0 for none."""
    if most < 1:
        return [0]
    places = np.geomspace(1, most, 2 + int(40 * np.log10(most)))
    return sorted(set(map(round, places.tolist())))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,.2f}"


def _short(count: int) -> str:
    """A large number in few letters.

    >>> _short(38_597_376), _short(50257), _short(999_999)
    ('38.6M', '50k', '1.0M')
    """
    if count >= 999_950_000:
        return f"{count / 1e9:.1f}G"
    if count >= 999_500:
        return f"{count / 1e6:.1f}M"
    return f"{count / 1000:.0f}k" if count >= 1000 else str(count)


def _plural(word: str, count: int, *, count_too: bool = False) -> str:
    words = word if count == 1 else f"{word}s"
    return f"{count:,} {words}" if count_too else words
