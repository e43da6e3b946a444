"""Chart of which tokenizer suits a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from tokviz.analysis.measures import Measurement
from tokviz.charts.drawing import COLORS, HOVER, Chart, as_text, empty_figure, set_axes
from tokviz.charts.wording import listed, number_text, plural


@dataclass(frozen=True)
class Measure:
    """A measure to compare `Measurement` rows by: a column, its label, and whether more is better."""

    column: str
    label: str
    more_is_better: bool
    percent: bool = False

    def value(self, row: Measurement) -> float | None:
        """The value to draw, in percent if `percent`."""
        found: float | None = getattr(row, self.column)
        return 100 * found if found is not None and self.percent else found


MEASURES = (
    Measure("bytes_per_token", "Bytes per token", more_is_better=True),
    Measure("fertility", "Tokens per word", more_is_better=False),
    Measure("tokens_per_character", "Tokens per character", more_is_better=False),
    Measure("whole_word_share", "Words kept whole, %", more_is_better=True, percent=True),
)


def suits_chart(rows: Sequence[Measurement], measure: Measure) -> Chart:
    """Chart of one bar per tokenizer, the best at the top: which tokenizer suits this text?"""
    known = [row for row in rows if measure.value(row) is not None]
    best_last = sorted(known, key=lambda row: (measure.value(row) or 0) * (1 if measure.more_is_better else -1))
    values = [measure.value(row) for row in best_last]
    figure = empty_figure(height=110 + 44 * max(len(best_last), 1))
    if not best_last:
        answer = _why_unknown(rows[0]) if rows else ""
        return Chart("Which tokenizer suits this text?", answer, "", figure)
    figure.add_bar(
        x=values,
        y=[as_text(row.tokenizer) for row in best_last],
        orientation="h",
        marker={"color": COLORS[0]},
        text=[number_text(value) for value in values],
        textposition="outside",
        cliponaxis=False,
        customdata=[
            f"{as_text(row.tokenizer)}: {plural('token', row.tokens, count_too=True)}"
            f"<br>{measure.label.lower()}: {number_text(measure.value(row))}"
            for row in best_last
        ],
        hovertemplate=HOVER,
    )
    set_axes(figure, measure.label, "", from_zero_x=True)
    figure.update_layout(margin={"r": 60})
    best = [row.tokenizer for row in best_last[::-1] if measure.value(row) == values[-1]]
    better = "More is better" if measure.more_is_better else "Less is better"
    answer = f"{better}: {listed(best)} {'is' if len(best) == 1 else 'are'} best with {number_text(values[-1])}."
    return Chart("Which tokenizer suits this text?", answer, f"Bars of {measure.label.lower()} by tokenizer.", figure)


def _why_unknown(row: Measurement) -> str:
    """Explain why a measure of the text is missing: there is nothing to divide by."""
    if row.words is None:
        return "This can't be said of a text whose script doesn't space its words."
    return "This can't be said of a text without words." if row.tokens else "This can't be said of an empty text."
