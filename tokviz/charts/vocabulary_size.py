"""Chart of what a larger vocabulary costs."""

from collections.abc import Mapping, Sequence

from tokviz.analysis.curves import VocabularyCost
from tokviz.charts.drawing import DOTTED, Chart, as_text, draw_line, empty_figure, set_axes
from tokviz.charts.wording import plural, short_count

LABELLED_FROM = 1_000
"""Vocabulary sizes from this on are labelled along the first line of `vocabulary_chart`, including its last."""


def vocabulary_chart(costs: Mapping[str, Sequence[VocabularyCost]]) -> Chart:
    """Chart of sequence length against the parameters of the tables: how large should the vocabulary be?"""
    figure = empty_figure()
    for number, (name, rows) in enumerate(costs.items()):
        hover = [
            f"{as_text(name)}, {_first_merges(row, rows)}: a vocabulary of {row.vocabulary:,}"
            f"<br>{row.parameters:,} parameters"
            f"<br>{plural('token', row.tokens, count_too=True)} in the text, {row.windows:,} context "
            f"{plural('window', row.windows)}"
            f"<br>{plural('pair', row.attention, count_too=True)} of attention"
            for row in rows
        ]
        draw_line(figure, number, name, [row.parameters for row in rows], [row.tokens for row in rows], hover, DOTTED)
        if not number:
            figure.data[0].update(
                mode="lines+markers+text",
                # Every second one, from the last: a phone has no room for more.
                text=[
                    short_count(row.vocabulary) if row.vocabulary >= LABELLED_FROM and (len(rows) - place) % 2 else ""
                    for place, row in enumerate(rows)
                ],
                textposition="bottom center",
            )
    set_axes(
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
        f"{last.vocabulary:,}. From one to the other the tables grow from {short_count(before.parameters)} to "
        f"{short_count(last.parameters)} parameters, and the text gets {1 - last.tokens / before.tokens:.1%} shorter."
    )


def _first_merges(row: VocabularyCost, rows: Sequence[VocabularyCost]) -> str:
    """Name the merges that a row is about."""
    return f"{'all' if row is rows[-1] else 'the first'} {plural('merge', row.merges, count_too=True)}"
