"""Chart of which tokenizer suits a text."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tokviz.analysis.cost.measures import Measurement
from tokviz.charts.bars import Bar, draw_bars
from tokviz.charts.chart import Chart
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


def suits_chart(rows: Sequence[Measurement], measure: Measure, losing: Collection[str] = ()) -> Chart:
    """Chart of one bar per tokenizer, the best at the top: which tokenizer suits this text?

    A tokenizer with unknown tokens, or among those `losing` a part of the text, is at the bottom and never the best.
    """
    title = "Which tokenizer suits this text?"
    known = [(row, value) for row in rows if (value := measure.value(row)) is not None]
    known.sort(key=lambda each: (_loses(each[0], losing), each[1] * (-1 if measure.more_is_better else 1)))
    bars = [_bar(row, value, measure) for row, value in known]
    figure = draw_bars(measure.label.lower(), bars)
    if not known:
        return Chart(title, _why_unknown(rows[0]) if rows else "", "", figure)
    better = "More is better" if measure.more_is_better else "Less is better"
    whole = [each for each in known if not _loses(each[0], losing)]
    best = _best(whole) if whole else "none of these is best"
    answer = " ".join(filter(None, (f"{better}: {best}.", _say_losing(rows, losing))))
    return Chart(title, answer, f"Bars of {measure.label.lower()} by tokenizer, the best at the top.", figure)


def suits_brief(rows: Sequence[Measurement], losing: Collection[str] = ()) -> str:
    """Say in a line which tokenizer takes the fewest tokens for the text, of those that lose nothing of it."""
    all_rows, rows = rows, [row for row in rows if not _loses(row, losing)]
    if not rows:
        return _say_losing(all_rows, losing)
    least, most = min(rows, key=lambda row: row.tokens), max(rows, key=lambda row: row.tokens)
    fewest = [row.tokenizer for row in rows if row.tokens == least.tokens]
    takes = "takes" if len(fewest) == 1 else "take"
    compared = "" if least.tokens == most.tokens else f", {most.tokenizer} {most.tokens:,}"
    sentence = f"{enumerated(fewest)} {takes} {counted('token', least.tokens)}{compared}."
    return " ".join(filter(None, (sentence, _say_losing(all_rows, losing))))


def _loses(row: Measurement, losing: Collection[str]) -> bool:
    return row.unknown_tokens > 0 or row.tokenizer in losing


def _say_losing(rows: Sequence[Measurement], losing: Collection[str]) -> str:
    """Say which tokenizers don't count, since their tokens don't give the text back; "" for none."""
    names = list(dict.fromkeys(row.tokenizer for row in rows if _loses(row, losing)))
    if not names:
        return ""
    does, its = ("doesn't", "its") if len(names) == 1 else ("don't", "their")
    return f"{enumerated(names)} {does} count: {its} tokens don't give the whole text back."


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
        return "Not available: this script puts no spaces between words, so words can't be counted."
    return f"Not available: the text {'has no words' if row.tokens else 'is empty'}."
