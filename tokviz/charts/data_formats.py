"""Charts of what formats, programs and numbers cost."""

from collections.abc import Mapping, Sequence

from tokviz.analysis.cost.measures import Measurement
from tokviz.charts.axes import counts
from tokviz.charts.chart import Chart
from tokviz.charts.lines import Line, Point, draw_lines
from tokviz.charts.rows import draw_measurements
from tokviz.charts.wording import number_text
from tokviz.display import counted
from tokviz.tokenizer_colors import color_numbers


def formats_chart(rows: Sequence[Measurement]) -> Chart:
    """Chart of tokens for the same data, by format: which formats pay more?"""
    figure = draw_measurements(rows, lambda row: row.tokens, "tokens", lambda row: counted("token", row.tokens))
    sentences = [
        f"{name}: {least.text} takes least ({least.tokens:,}), {most.text} most ({most.tokens:,})."
        for name, least, most in _extremes(rows)
    ]
    return Chart(
        "Which formats pay more?",
        "\n".join(sentences),
        "Dots of tokens by format and tokenizer, the most at the top.",
        figure,
    )


def formats_brief(rows: Sequence[Measurement]) -> str:
    """Say in a line which format takes least and which takes most, where the two are furthest apart."""
    extremes = _extremes(rows)
    if not extremes:
        return ""
    name, least, most = max(extremes, key=lambda each: each[2].tokens / max(each[1].tokens, 1))
    return f"{name}: {most.text} takes {most.tokens:,} tokens, the same data as {least.text} {least.tokens:,}."


def _extremes(rows: Sequence[Measurement]) -> list[tuple[str, Measurement, Measurement]]:
    """For each tokenizer, the rows of the texts that take least and most."""
    extremes = []
    for name in dict.fromkeys(row.tokenizer for row in rows):
        ordered = sorted((row for row in rows if row.tokenizer == name), key=lambda row: row.tokens)
        extremes.append((name, ordered[0], ordered[-1]))
    return extremes


def code_chart(rows: Sequence[Measurement]) -> Chart:
    """Chart of bytes per token, by kind of text: does code cost more than prose? The first text is the prose."""
    figure = draw_measurements(
        rows,
        lambda row: row.bytes_per_token,
        "bytes per token",
        lambda row: f"{number_text(row.bytes_per_token)} bytes per token",
    )
    return Chart(
        "Does code cost more than prose?",
        "\n".join(_prose_and_code(rows)),
        "Dots of bytes per token by text and tokenizer, the most at the top. The further left, the more tokens for the "
        "same number of bytes.",
        figure,
    )


def _prose_and_code(rows: Sequence[Measurement]) -> list[str]:
    sentences = []
    for name in dict.fromkeys(row.tokenizer for row in rows):
        known = [row for row in rows if row.tokenizer == name and row.bytes_per_token is not None]
        prose, code = known[:1], known[1:]
        if not code:
            continue
        cheapest = max(code, key=lambda row: row.bytes_per_token or 0)
        dearest = min(code, key=lambda row: row.bytes_per_token or 0)
        sentences.append(
            f"{name}: {prose[0].text} has {number_text(prose[0].bytes_per_token)} bytes per token; code has from "
            f"{number_text(dearest.bytes_per_token)} ({dearest.text}) to {number_text(cheapest.bytes_per_token)} "
            f"({cheapest.text})."
        )
    return sentences


def digits_chart(splits: Mapping[str, Sequence[Sequence[str]]]) -> Chart:
    """Chart of tokens against digits: how are numbers cut? `splits` holds the pieces of each number, by tokenizer."""
    colors = color_numbers(splits)
    lines = [
        Line(name, colors[name], [_number_point(name, pieces) for pieces in numbers], dotted=True)
        for name, numbers in splits.items()
    ]
    drawn = [point for line in lines for point in line.points]
    sentences = [
        f"{name}: {sum(map(len, numbers[-1]))} digits take {counted('token', len(numbers[-1]))}, "
        f"{' | '.join(numbers[-1])}."
        for name, numbers in splits.items()
        if numbers
    ]
    return Chart(
        "How are numbers cut?",
        "\n".join(sentences),
        "Lines of tokens against the digits in a number.",
        draw_lines(
            counts("digits in the number", round(max((point.x for point in drawn), default=1))),
            counts("tokens", round(max((point.y for point in drawn), default=1))),
            lines,
        ),
    )


def _number_point(name: str, pieces: Sequence[str]) -> Point:
    said = f"{name}: {counted('token', len(pieces))}\n{' | '.join(pieces)}"
    return Point(sum(map(len, pieces)), len(pieces), said)
