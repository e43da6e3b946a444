"""Charts of what formats, programs and numbers cost."""

from collections.abc import Mapping, Sequence

from tokviz.analysis.measures import Measurement
from tokviz.charts.drawing import DOTTED, Chart, as_text, draw_dots, draw_line, empty_figure, set_axes
from tokviz.charts.wording import number_text, plural


def formats_chart(rows: Sequence[Measurement]) -> Chart:
    """Chart of tokens for the same data, by format: which formats pay more?"""
    figure = draw_dots(rows, lambda row: row.tokens, "tokens", lambda row: plural("token", row.tokens, count_too=True))
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    sentences = []
    for name in names:
        ordered = sorted((row for row in rows if row.tokenizer == name), key=lambda row: row.tokens)
        least, most = ordered[0], ordered[-1]
        sentences.append(f"{name}: {least.text} takes least ({least.tokens:,}), {most.text} most ({most.tokens:,}).")
    return Chart(
        "Which formats pay more?",
        "\n".join(sentences),
        "Dots of tokens by format and tokenizer, the most at the top.",
        figure,
    )


def code_chart(rows: Sequence[Measurement]) -> Chart:
    """Chart of bytes per token, by kind of text: does code cost more than prose?"""
    figure = draw_dots(
        rows,
        lambda row: row.bytes_per_token,
        "bytes per token",
        lambda row: f"{number_text(row.bytes_per_token)} bytes per token",
    )
    return Chart(
        "Does code cost more than prose?",
        "The further left, the more tokens for the same number of bytes.",
        "Dots of bytes per token by text and tokenizer, the most at the top.",
        figure,
    )


def digits_chart(splits: Mapping[str, Sequence[Sequence[str]]]) -> Chart:
    """Chart of tokens against digits: how are numbers cut? `splits` holds the pieces of each number, by tokenizer."""
    figure = empty_figure()
    for number, (name, numbers) in enumerate(splits.items()):
        digits = [sum(map(len, pieces)) for pieces in numbers]
        hover = [
            f"{as_text(name)}: {plural('token', len(pieces), count_too=True)}<br>{' | '.join(pieces)}"
            for pieces in numbers
        ]
        draw_line(figure, number, name, digits, [len(pieces) for pieces in numbers], hover, DOTTED)
    set_axes(figure, "digits in the number", "tokens", from_zero=True)
    figure.update_xaxes(dtick=1)
    sentences = [
        f"{name} cuts {''.join(numbers[-1])} into {' | '.join(numbers[-1])}."
        for name, numbers in splits.items()
        if numbers
    ]
    return Chart(
        "How are numbers cut?",
        "\n".join(sentences),
        "Lines of tokens against the digits in a number.",
        figure,
    )
