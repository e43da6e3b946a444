"""Chart of what each merge buys."""

from collections.abc import Mapping

from tokviz.analysis.cost.curves import CompressionCurve, CurvePoint
from tokviz.charts.axes import ZERO, counts_from_zero, linear
from tokviz.charts.chart import Chart
from tokviz.charts.lines import Line, Mark, Point, draw_lines, spread
from tokviz.charts.wording import number_text, percent
from tokviz.display import counted
from tokviz.tokenizer_colors import NUM_COLORS, color_numbers

_DIMINISHED = "from here on, even twice as many\nmerges save less than 5 %"
_HEIGHT = 325
"""Height of the figure in pixels: with its slider and the buttons beneath, it fits a small laptop's screen."""
ON_ITS_TEXT = ", on the text it learned from"
"""End of the name of a second curve of a tokenizer, which is drawn in the same color."""


def compression_chart(curves: Mapping[str, CompressionCurve]) -> Chart:
    """Chart of tokens left, in percent of the bytes, against the number of merges: what does each merge buy?"""
    numbers = _numbers(curves)
    lines = [
        Line(
            name,
            numbers[name],
            [_point(name, curve, row) for row in curve.table([0, *spread(curve.num_merges)])],
            value=percent(int(curve.tokens[-1]) / curve.bytes, 0),
        )
        for name, curve in curves.items()
        if curve.bytes
    ]
    marks = []
    for name, curve in curves.items():
        turn = curve.diminishing_from()
        if turn is not None:
            said = f"{name}: here returns begin to diminish\n{turn:,} merges"
            marks.append(Mark(numbers[name], Point(turn, 100 * int(curve.tokens[turn]) / curve.bytes, said)))
    if marks:
        lowest = min(range(len(marks)), key=lambda at: marks[at].point.y)
        marks[lowest] = marks[lowest]._replace(means=_DIMINISHED)
    left = linear("tokens left (100 %: one per byte)", 101, unit=" %") | {"dtick": 20}
    most = max((curve.num_merges for curve in curves.values()), default=1)
    large = " Large marks stand where returns begin to diminish." if marks else ""
    return Chart(
        "What does each merge buy?",
        "\n".join(_answer(name, curve) for name, curve in curves.items() if curve.bytes),
        "Lines of tokens left in percent of the bytes against the number of merges, from 0 on and then on a "
        f"logarithmic scale.{large}",
        draw_lines(counts_from_zero("merges known (×10 each step)", most), left, lines, marks, _HEIGHT),
    )


def _numbers(curves: Mapping[str, CompressionCurve]) -> dict[str, int]:
    """Return the look of each curve: both curves of a tokenizer have its color."""
    tokenizers = {name: name.removesuffix(ON_ITS_TEXT) for name in curves}
    colors = color_numbers(tokenizers.values())
    rounds = 1 + max(colors.values(), default=0) // NUM_COLORS
    return {name: colors[own] + NUM_COLORS * rounds * (name != own) for name, own in tokenizers.items()}


def merges_brief(curves: Mapping[str, CompressionCurve]) -> str:
    """Say in a line what the merges buy, for the tokenizer that is left with the fewest tokens."""
    left = {name: int(curve.tokens[-1]) / curve.bytes for name, curve in curves.items() if curve.bytes}
    if not left:
        return ""
    best = min(left, key=left.__getitem__)
    return f"{_result(best, curves[best])}."


def _point(name: str, curve: CompressionCurve, row: CurvePoint) -> Point:
    said = (
        f"{name}: {counted('merge', row.merges)}"
        f"\n{counted('token', row.tokens)}, {number_text(row.bytes_per_token)} bytes each"
    )
    if row.merges:
        said += f"\n{percent(row.saved_by_doubling)} fewer than with {counted('merge', row.merges // 2)}"
    return Point(row.merges or ZERO, 100 * row.tokens / curve.bytes, said)


def _answer(name: str, curve: CompressionCurve) -> str:
    turn = curve.diminishing_from()
    if turn is None:
        return f"{_result(name, curve)}."
    return f"{_result(name, curve)}; from {turn:,} merges on (outlined), twice as many save less than 5 %."


def _result(name: str, curve: CompressionCurve) -> str:
    merges, size = counted("merge", curve.num_merges), counted("byte", curve.bytes)
    turn_into = "turns" if curve.num_merges == 1 else "turn"
    tokens = int(curve.tokens[-1])
    return f"{name}: {merges} {turn_into} {size} into {counted('token', tokens)}, {percent(tokens / curve.bytes)}"
