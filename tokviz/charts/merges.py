"""Chart of what each merge buys."""

from collections.abc import Mapping

import numpy as np

from tokviz.analysis.curves import CompressionCurve
from tokviz.charts.drawing import Chart, as_text, draw_line, empty_figure, mark_point, set_axes, spread
from tokviz.charts.wording import number_text, plural


def compression_chart(curves: Mapping[str, CompressionCurve]) -> Chart:
    """Chart of tokens left, in percent of the bytes, against the number of merges: what does each merge buy?"""
    figure = empty_figure()
    for number, (name, curve) in enumerate(curves.items()):
        merges = spread(curve.num_merges)
        points = curve.table(merges)
        left = [100 * point.tokens / curve.bytes if curve.bytes else None for point in points]
        hover = [
            f"{as_text(name)}: {plural('merge', point.merges, count_too=True)}"
            f"<br>{plural('token', point.tokens, count_too=True)}, {number_text(point.bytes_per_token)} bytes each"
            f"<br>{point.saved_by_doubling:.1%} fewer than with half the merges"
            for point in points
        ]
        draw_line(figure, number, name, merges, left, hover)
        turn = curve.diminishing_from()
        if turn is not None:
            height = 100 * int(curve.tokens[turn]) / curve.bytes
            mark_point(
                figure, number, turn, height, f"{as_text(name)}: here returns begin to diminish<br>{turn:,} merges"
            )
    set_axes(figure, "merges", "tokens left, % of bytes", log_x=True, from_zero=True)
    sizes = [curve.num_merges for curve in curves.values()]
    turns = [turn for curve in curves.values() if (turn := curve.diminishing_from()) is not None]
    if sizes and min([*sizes, *(10 * turn for turn in turns)]) > 2560:  # much of a smaller curve would be out of view
        figure.update_xaxes(range=[np.log10(256), np.log10(max(sizes) * 1.1)])
    marks = " Large marks stand where returns begin to diminish." if turns else ""
    return Chart(
        "What does each merge buy?",
        "\n".join(_merges_answer(name, curve) for name, curve in curves.items() if curve.bytes),
        f"Lines of tokens left in percent of bytes against the number of merges, on a logarithmic scale.{marks}",
        figure,
    )


def _merges_answer(name: str, curve: CompressionCurve) -> str:
    merges, size = plural("merge", curve.num_merges, count_too=True), plural("byte", curve.bytes, count_too=True)
    turn_into = "turns" if curve.num_merges == 1 else "turn"
    sentence = f"{name}: {merges} {turn_into} {size} into {plural('token', int(curve.tokens[-1]), count_too=True)}"
    turn = curve.diminishing_from()
    if turn is None:
        return f"{sentence}."
    return f"{sentence}; beyond {turn:,} merges, doubling their number saves less than 5%."
