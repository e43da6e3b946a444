"""Chart of which languages pay more."""

from collections.abc import Sequence

from tokviz.analysis.cost.measures import Measurement
from tokviz.charts.chart import Chart
from tokviz.charts.rows import draw_measurements
from tokviz.charts.wording import number_text


def languages_chart(rows: Sequence[Measurement], reference: str) -> Chart:
    """Chart of tokens relative to the reference: which languages pay more?

    `reference` names one of the texts. Languages are sorted by the first tokenizer.
    """
    figure = draw_measurements(
        rows,
        lambda row: row.parity,
        f"times as many tokens as {reference}",
        lambda row: f"{number_text(row.parity)} times",
        rule=1,
    )
    sentences = [
        f"{row.tokenizer}: {row.text} takes most, {number_text(row.parity)} times as many tokens as {reference}."
        for row in _dearest(rows)
    ]
    return Chart(
        "Which languages pay more?",
        "\n".join(sentences),
        f"Dots of tokens relative to {reference}, which is 1, by language and tokenizer, the most at the top.",
        figure,
    )


def languages_brief(rows: Sequence[Measurement], reference: str) -> str:
    """Say in a line which language pays most, where that is most and where it is least."""
    dearest = sorted(_dearest(rows), key=lambda row: -(row.parity or 0))
    if not dearest:
        return ""
    first, last = dearest[0], dearest[-1]
    sentence = f"{first.text} takes {first.parity:.1f} times the tokens of {reference} in {first.tokenizer}"
    if last is first:
        return f"{sentence}."
    name = "it" if last.text == first.text else last.text
    return f"{sentence}; in {last.tokenizer}, {name} takes most, {last.parity:.1f} times."


def _dearest(rows: Sequence[Measurement]) -> list[Measurement]:
    """For each tokenizer, the row of the text that takes most tokens."""
    most: dict[str, Measurement] = {}
    for row in rows:
        before = most.get(row.tokenizer)
        if row.parity is not None and (before is None or row.parity > (before.parity or 0)):
            most[row.tokenizer] = row
    return list(most.values())
