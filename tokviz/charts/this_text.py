"""Chart of which tokenizer suits a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from tokviz.analysis.cost.measures import Measurement
from tokviz.charts.bars import Bar, draw_bars
from tokviz.charts.figures import Chart
from tokviz.charts.wording import number_text
from tokviz.display import counted, enumerated


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
    title = "Which tokenizer suits this text?"
    known = [(row, value) for row in rows if (value := measure.value(row)) is not None]
    known.sort(key=lambda each: each[1] * (-1 if measure.more_is_better else 1))
    bars = [_bar(row, value, measure) for row, value in known]
    figure = draw_bars(measure.label.lower(), bars)
    if not known:
        return Chart(title, _why_unknown(rows[0]) if rows else "", "", figure)
    better = "More is better" if measure.more_is_better else "Less is better"
    answer = f"{better}: {_best(known)}."
    return Chart(title, answer, f"Bars of {measure.label.lower()} by tokenizer, the best at the top.", figure)


def suits_brief(rows: Sequence[Measurement]) -> str:
    """Say in a line which tokenizer takes the fewest tokens for the text."""
    if not rows:
        return ""
    least, most = min(rows, key=lambda row: row.tokens), max(rows, key=lambda row: row.tokens)
    fewest = [row.tokenizer for row in rows if row.tokens == least.tokens]
    takes = "takes" if len(fewest) == 1 else "take"
    compared = "" if least.tokens == most.tokens else f", {most.tokenizer} {most.tokens:,}"
    return f"{enumerated(fewest)} {takes} {counted('token', least.tokens)}{compared}."


def _bar(row: Measurement, value: float, measure: Measure) -> Bar:
    text = number_text(value)
    said = f"{row.tokenizer}: {counted('token', row.tokens)}\n{measure.label.lower()}: {text}"
    return Bar(row.tokenizer, value, text, said)


def _best(known: Sequence[tuple[Measurement, float]]) -> str:
    best = [row.tokenizer for row, value in known if value == known[0][1]]
    return f"{enumerated(best)} {'is' if len(best) == 1 else 'are'} best with {number_text(known[0][1])}"


def _why_unknown(row: Measurement) -> str:
    """Explain why a measure of the text is missing: there is nothing to divide by."""
    if row.words is None:
        return "This can't be said of a text whose script doesn't space its words."
    return "This can't be said of a text without words." if row.tokens else "This can't be said of an empty text."
