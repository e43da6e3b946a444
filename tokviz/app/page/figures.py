"""Show charts on a page: the question, the answer, the figure, and its numbers as a table and as files."""

import importlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tokviz.analysis.tables import Rows, as_table, to_csv
from tokviz.app.http.gc_freeze import freeze_loaded
from tokviz.app.page import state
from tokviz.app.page.components import numbers_widget
from tokviz.app.page.download_button import download_button, offer
from tokviz.app.visitors.downloads import Download
from tokviz.charts.figures import Chart
from tokviz.charts.pictures import picture
from tokviz.charts.presenting import presented

# Plotly looks for pandas in sys.modules, which also contains it while another visitor's thread is still importing it.
# Importing it here makes later threads wait until it is complete.
importlib.import_module("pandas")
freeze_loaded()

_MAX_ROWS = 300
_MAX_FILE_NAME = 60  # characters
_ITS_NUMBERS = "Its numbers are in the table beneath it."
_BYTES_PER_ROW = 300  # approximate


class Words(NamedTuple):
    """Shown in place of a chart where there is only a table: a title, sentences, and the name of the table."""

    title: str
    answer: str
    table: str


class Section(NamedTuple):
    """A chart with its data, or a table with words; `name` is that of its parts. `explained` says how to read it.

    `find`, if given, finds the rows of the file, which may be more than those shown. `fields` are settings of this
    section alone, drawn above it.
    """

    name: str
    chart: Chart | Words
    rows: Rows
    explained: str = ""
    find: Callable[[], Rows] | None = None
    fields: tuple[dict[str, Any], ...] = ()


def show(section: Section) -> None:
    """Draw a section. In presenter mode, a chart is as high as the screen leaves room for."""
    name, chart, rows, explained, find, _ = section
    is_drawn = isinstance(chart, Chart) and not chart.is_empty
    with st.container(key=f"presented {name}" if is_drawn else f"details {name} words"):
        st.subheader(chart.title, anchor=False)
        if chart.answer:
            st.text(chart.answer)
        if isinstance(chart, Chart) and is_drawn:
            _draw(chart, name)
    with details(name):
        numbers_widget(
            name,
            {
                "name": file_name(chart.title),
                "title": chart.title,
                "explained": explained,
                "picture": picture(chart).to_json() if isinstance(chart, Chart) and is_drawn else "",
                "table": _table(rows, "" if isinstance(chart, Chart) else chart.table),
                "csv": offer(
                    f"csv {name}", _file(find or (lambda: rows), file_name(chart.title), 0 if find else _size(rows))
                ),
            },
        )


def file_name(title: str) -> str:
    """Return the name of the files of what has this title, without an ending.

    >>> file_name("Which languages pay more?")
    'which-languages-pay-more'
    """
    return "-".join(re.findall(r"\w+", title.lower()))[:_MAX_FILE_NAME].strip("-") or "chart"


def _draw(chart: Chart, name: str) -> None:
    scale = state.presenting()
    st.plotly_chart(
        presented(chart.figure, scale) if scale else chart.figure,
        height="stretch" if scale else "content",
        key=f"chart {name}",
        config={"displayModeBar": False},
        alt=f"{chart.alt} {_ITS_NUMBERS}",
    )


def _table(rows: Rows, label: str) -> dict[str, Any]:
    """The table in the form that the widget takes. With a label, it is open."""
    table = as_table(rows)
    shown = [[_cell(value) for value in row] for row in table.rows[:_MAX_ROWS]]
    columns = [column.replace("_", " ") for column in table.columns]
    return {"columns": columns, "rows": shown, "total": len(table.rows), "label": label}


def _cell(value: Any) -> str | int | float | None:
    if isinstance(value, list | tuple):
        return " | ".join(map(str, value))
    return value if value is None or isinstance(value, int | float) else str(value)


def details(name: str) -> DeltaGenerator:
    """Return a container for what presenter mode leaves out."""
    return st.container(key=f"details {name}")


def download_cached(find: Callable[[], Rows], name: str) -> None:
    """Draw a button that saves rows as a file `name`.csv, found when the button is pressed."""
    download_button("Download as CSV", _file(find, name, 0), name)


def _size(rows: Rows) -> int:
    return _BYTES_PER_ROW * len(as_table(rows).rows)


def _file(find: Callable[[], Rows], name: str, size: int) -> Download:
    return Download(f"{name}.csv", "text/csv; charset=utf-8; header=present", lambda: to_csv(find()).encode(), size)
