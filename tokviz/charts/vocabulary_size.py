"""Chart of what a larger vocabulary costs."""

from collections.abc import Mapping, Sequence

from tokviz.analysis.cost.curves import VocabularyCost
from tokviz.charts.axes import Axis, linear, logarithmic
from tokviz.charts.chart import Chart
from tokviz.charts.lines import Line, Point, draw_lines
from tokviz.charts.wording import percent, short_count
from tokviz.display import counted
from tokviz.tokenizer_colors import color_numbers

_HEIGHT = 440  # height of the figure in pixels: its axis has two lines of numbers, and its curves run nearly level


def vocabulary_chart(costs: Mapping[str, Sequence[VocabularyCost]]) -> Chart:
    """Chart of sequence length against the parameters of the tables: how large should the vocabulary be?"""
    colors = color_numbers(costs)
    lines = [
        Line(name, colors[name], [_point(name, row, rows) for row in rows], dotted=True) for name, rows in costs.items()
    ]
    parameters = [row.parameters for rows in costs.values() for row in rows] or [1]
    tokens = max((row.tokens for rows in costs.values() for row in rows), default=0)
    return Chart(
        "How large should the vocabulary be?",
        "\n".join(filter(None, (_last_doubling(name, rows) for name, rows in costs.items()))),
        "Lines of tokens in the text against the parameters of the tables at a model's input and output, which grow "
        "with the vocabulary, on a logarithmic scale.",
        draw_lines(
            _with_sizes(logarithmic("parameters and vocabulary size", min(parameters), max(parameters)), costs),
            linear("tokens in the text", 1.08 * tokens),
            lines,
            height=_HEIGHT,
        ),
    )


def vocabulary_size_brief(costs: Mapping[str, Sequence[VocabularyCost]]) -> str:
    """Say in a line what the last doubling of the largest vocabulary gains."""
    found = {name: _doubling(rows) for name, rows in costs.items()}
    pairs = {name: pair for name, pair in found.items() if pair}
    if not pairs:
        return ""
    name = max(pairs, key=lambda each: pairs[each][1].vocabulary)
    before, last = pairs[name]
    return f"{_last_ids(name, before, last)} make {_gain(before, last) or 'no difference to this text'}."


def _with_sizes(axis: Axis, costs: Mapping[str, Sequence[VocabularyCost]]) -> Axis:
    """Write the size of the vocabulary beneath each number of parameters: a token has equally many of them."""
    each = next((row.parameters / row.vocabulary for rows in costs.values() for row in rows if row.vocabulary), 0)
    if not each:
        return axis
    sizes = [short_count(round(parameters / each)) for parameters in axis["tickvals"]]
    labels = [f"{label}<br>{size}" for label, size in zip(axis["ticktext"], sizes, strict=True)]
    return axis | {"ticktext": labels}


def _point(name: str, row: VocabularyCost, rows: Sequence[VocabularyCost]) -> Point:
    said = (
        f"{name}, {_first_merges(row, rows)}: a vocabulary of {counted('token', row.vocabulary)}"
        f"\n{row.parameters:,} parameters"
        f"\n{counted('token', row.tokens)} in the text, {counted('context window', row.windows)}"
        f"\n{counted('pair', row.attention)} of attention"
    )
    return Point(row.parameters, row.tokens, said)


def _doubling(rows: Sequence[VocabularyCost]) -> tuple[VocabularyCost, VocabularyCost] | None:
    """The costs with half of the merges or a little more, and with all."""
    if not rows:
        return None
    before, last = next((row for row in rows if 2 * row.merges >= rows[-1].merges), rows[-1]), rows[-1]
    return None if before is last or not before.tokens else (before, last)


def _last_doubling(name: str, rows: Sequence[VocabularyCost]) -> str:
    pair = _doubling(rows)
    if pair is None:
        return ""
    before, last = pair
    change = _gain(before, last)
    outcome = (
        f"make {change}: {counted('token', last.tokens)} instead of {before.tokens:,}"
        if change
        else f"make no difference to this text of {counted('token', last.tokens)}"
    )
    # One line for each tokenizer, so that the chart has most of a presented screen.
    parameters = short_count(last.parameters - before.parameters)
    return f"{_last_ids(name, before, last)} take {parameters} parameters and {outcome}."


def _last_ids(name: str, before: VocabularyCost, last: VocabularyCost) -> str:
    return f"{name}: the last {last.vocabulary - before.vocabulary:,} of {last.vocabulary:,} tokens"


def _gain(before: VocabularyCost, last: VocabularyCost) -> str:
    """Say what the larger vocabulary makes of the text; nothing if it takes as many tokens."""
    if before.tokens == last.tokens:
        return ""
    share = percent(1 - last.tokens / before.tokens)
    return f"the text {'less than 0.1 %' if share == percent(0) else share} shorter"


def _first_merges(row: VocabularyCost, rows: Sequence[VocabularyCost]) -> str:
    """Name the merges that a row is about."""
    return f"{'all' if row is rows[-1] else 'the first'} {counted('merge', row.merges)}"
