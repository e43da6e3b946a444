"""Chart of which languages pay more."""

from collections.abc import Sequence

from tokviz.analysis.measures import Measurement
from tokviz.charts.drawing import RULE, Chart, as_text, draw_dots
from tokviz.charts.wording import number_text


def languages_chart(rows: Sequence[Measurement], reference: str) -> Chart:
    """Chart of tokens relative to the reference: which languages pay more?

    `reference` names one of the texts. Languages are sorted by the first tokenizer.
    """
    figure = draw_dots(
        rows, lambda row: row.parity, f"tokens, {as_text(reference)} = 1", lambda row: f"{row.parity:.2f} times"
    )
    figure.add_vline(x=1, line={"color": RULE, "width": 1, "dash": "dot"})
    most: dict[str, Measurement] = {}
    for row in rows:
        if row.parity is not None and row.parity > (most[row.tokenizer].parity or 0 if row.tokenizer in most else 0):
            most[row.tokenizer] = row
    sentences = [
        f"{name}: {row.text} takes most, {number_text(row.parity)} times as many tokens." for name, row in most.items()
    ]
    return Chart(
        "Which languages pay more?",
        "\n".join(sentences),
        "Dots of tokens relative to the reference, by language and tokenizer, the most at the top.",
        figure,
    )
