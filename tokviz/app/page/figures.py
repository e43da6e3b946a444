"""Charts on a page: the question as a heading, the answer, the figure with its description, its numbers as a table."""

import importlib

import streamlit as st

from tokviz.analysis.tables import Rows, as_table, to_csv
from tokviz.app.http.gc_freeze import freeze_loaded
from tokviz.app.page import state
from tokviz.app.page.download_button import download_button
from tokviz.app.visitors.downloads import Download
from tokviz.charts.drawing import Chart, enlarged

# Plotly looks for pandas in sys.modules, where it also stands while another visitor's thread is importing it. So it is
# imported here, where whoever comes second waits for the first.
importlib.import_module("pandas")
freeze_loaded()

_MOST_ROWS = 1000
_ROW = 300  # bytes that a row takes, about


def draw(chart: Chart, name: str, rows: Rows, explained: str = "") -> None:
    """Draw a chart, with what it shows as a table and as a file `name`.csv. `explained` says how to read it."""
    st.subheader(chart.title, anchor=False)
    st.text(chart.answer)
    if explained:
        st.text(explained)
    figure = enlarged(chart.figure) if state.presenting() else chart.figure
    if figure.data:  # of some texts there is nothing to draw
        st.plotly_chart(figure, key=f"chart {name}", config={"displayModeBar": False}, alt=chart.alt)
    with st.expander("The numbers"):
        show_rows(rows, f"The numbers of the chart: {chart.title}")
        download(rows, name)


def show_rows(rows: Rows, alt: str) -> None:
    """A table; of a long one the beginning."""
    table = as_table(rows)
    columns = list(zip(*table.rows[:_MOST_ROWS], strict=True)) or [()] * len(table.columns)
    heads = [column.replace("_", " ") for column in table.columns]
    st.dataframe(dict(zip(heads, columns, strict=True)), hide_index=True, alt=alt)
    if len(table.rows) > _MOST_ROWS:
        st.text(f"The first {_MOST_ROWS:,} of {len(table.rows):,} rows. The file has them all.")


def download(rows: Rows, name: str, *, shared: bool = False) -> None:
    """A button for the rows as a file `name`.csv, which is made when it is pressed.

    `shared` rows are kept anyway, for all sessions.
    """
    size = 0 if shared else _ROW * len(as_table(rows).rows)
    file = Download(f"{name}.csv", "text/csv; charset=utf-8; header=present", lambda: to_csv(rows).encode(), size)
    download_button("Download as CSV", file, name)
