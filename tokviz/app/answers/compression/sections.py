"""Parts of an answer: a chart or words, with their rows as a table and as a file, in the form that the widget takes."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tokviz.analysis.tables import Rows, as_table, to_csv
from tokviz.charts.chart import Chart
from tokviz.charts.pictures import picture
from tokviz.charts.presenting import presented

Fields = Sequence[dict[str, Any]]
"""Settings, in the form of `Field` in widgets/compression/controls.js."""

_MAX_ROWS = 300
_MAX_FILE_NAME = 60  # characters
_ITS_NUMBERS = "Its numbers are in the table beneath it."

TERMS = {
    "bytes per token": "of the text in UTF-8: more is better",
    "characters": "as people count them: é and 👍🏽 are one each",
    "whole words": "words that are one token, or several tokens of which the last ends where the word ends",
    "fertility": "tokens per word: 1 would be a token for each word",
    "whole word share": "the share of the words that are whole: 1 is all of them",
    "parity": "tokens compared with the same text in the first language (= 1)",
    "unknown tokens": "tokens that stand for text that no token spells",
    "saved by doubling": "the share of the tokens that the second half of these merges saves: 0.05 is 5 %",
    "parameters": "numbers that a model learns: here, in the tables that turn ids into vectors and back",
    "attention": "pairs of tokens that a model compares: each with itself and with each before it",
    "windows": "context windows, the most that a model reads at once, that the text fills",
}
"""Column name -> its meaning, as a sentence without the final period, for readers who are new to the term."""


class NoSection(LookupError):
    """An answer has no such section, or nothing to draw in it."""


class SectionText(NamedTuple):
    """Shown in place of a chart where there is only a table: a title, sentences, and the name of the table."""

    title: str
    answer: str
    table: str


class Section(NamedTuple):
    """A chart with its data, or a table with words; `name` is its name in requests. `explained` says how to read it,
    with its *terms*.

    `find`, if given, finds the rows of the file, which may be more than those shown. `fields` are settings of this
    section alone, drawn beneath its chart.
    """

    name: str
    chart: Chart | SectionText
    rows: Rows
    explained: str = ""
    find: Callable[[], Rows] | None = None
    fields: Fields = ()

    @property
    def drawn(self) -> Chart | None:
        """The chart, if there is something to draw."""
        return self.chart if isinstance(self.chart, Chart) and not self.chart.is_empty else None

    def as_data(self, scale: float = 0) -> dict[str, Any]:
        """Return the section in the form that the widget takes, for a presented screen if `scale` is its size."""
        chart, drawn = self.chart, self.drawn
        return {
            "name": self.name,
            "file": file_name(chart.title),
            "title": chart.title,
            "answer": chart.answer,
            "explained": self.explained,
            "alt": f"{drawn.alt} {_ITS_NUMBERS}" if drawn else "",
            "figure": _json(presented(drawn.figure, scale) if scale else drawn.figure) if drawn else "",
            "table": _table(self.rows, "" if isinstance(chart, Chart) else chart.table),
            "fields": self.fields,
        }

    def csv(self) -> str:
        """Return the rows as CSV."""
        return to_csv(self.find() if self.find else self.rows)

    def picture(self) -> str:
        """Return the Plotly figure to save as a picture, as JSON; raise NoSection if there is nothing to draw."""
        if self.drawn is None:
            raise NoSection
        return _json(picture(self.drawn))


def select(name: str, label: str, options: Mapping[str, str], wanted: Any) -> dict[str, Any]:
    """Return the setting that chooses one of the options, which are labels by value: the wanted one, else the first."""
    return {
        "name": name,
        "kind": "select",
        "label": label,
        "options": [{"value": value, "label": each} for value, each in options.items()],
        "value": wanted if wanted in [*options] else next(iter(options)),  # it may be unhashable
    }


def file_name(title: str) -> str:
    """Return the name of the files of what has this title, without an ending.

    >>> file_name("Which languages pay more?")
    'which-languages-pay-more'
    """
    return "-".join(re.findall(r"\w+", title.lower()))[:_MAX_FILE_NAME].strip("-") or "chart"


def _json(figure: Any) -> str:
    """Return a Plotly figure as JSON, without Plotly's template: the page has its own colors."""
    return str(figure.update_layout(template="none").to_json())


def _table(rows: Rows, label: str) -> dict[str, Any]:
    """Return the first rows. With a label, the table is open."""
    table = as_table(rows)
    shown = [[_cell(value) for value in row] for row in table.rows[:_MAX_ROWS]]
    columns = [column.replace("_", " ") for column in table.columns]
    terms = {column: TERMS[column] for column in columns if column in TERMS}
    return {"columns": columns, "rows": shown, "total": len(table.rows), "label": label, "terms": terms}


def _cell(value: Any) -> str | int | float | None:
    if isinstance(value, list | tuple):
        return " | ".join(map(str, value))
    return value if value is None or isinstance(value, int | float) else str(value)
