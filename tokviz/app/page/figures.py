"""Draw charts on a page: the question as heading, the answer, the figure with its description, and its numbers."""

import importlib
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tokviz.analysis.tables import Rows, as_table, to_csv
from tokviz.app.http.gc_freeze import freeze_loaded
from tokviz.app.page import state
from tokviz.app.page.download_button import download_button
from tokviz.app.visitors.downloads import Download
from tokviz.charts.drawing import Chart
from tokviz.charts.presenting import presented

# Plotly looks for pandas in sys.modules, which also contains it while another visitor's thread is still importing it.
# Importing it here makes later threads wait until it is complete.
importlib.import_module("pandas")
freeze_loaded()

_MAX_ROWS = 1000
_BYTES_PER_ROW = 300  # approximate


def draw(chart: Chart, name: str, rows: Rows, explained: str = "") -> None:
    """Draw a chart, with its data as a table and as a file `name`.csv. `explained` says how to read it.

    In presenter mode, it is as high as the screen leaves room for.
    """
    scale = state.presenting()
    with st.container(key=f"presented {name}"):
        st.subheader(chart.title, anchor=False)
        st.text(chart.answer)
        if explained and not scale:
            st.text(explained)
        if chart.figure.data:  # empty for some texts
            st.plotly_chart(
                presented(chart.figure, scale) if scale else chart.figure,
                height="stretch" if scale else "content",
                key=f"chart {name}",
                config={"displayModeBar": False},
                alt=chart.alt,
            )
    with details(name), st.expander("The numbers"):
        show_rows(rows, f"The numbers of the chart: {chart.title}")
        download(rows, name)


def details(name: str) -> DeltaGenerator:
    """Return a container for what presenter mode leaves out."""
    return st.container(key=f"details {name}")


def show_rows(rows: Rows, alt: str) -> None:
    """Show rows as a table, or the first rows of a long one."""
    table = as_table(rows)
    columns = list(zip(*table.rows[:_MAX_ROWS], strict=True)) or [()] * len(table.columns)
    headers = [column.replace("_", " ") for column in table.columns]
    st.dataframe(dict(zip(headers, columns, strict=True)), hide_index=True, alt=alt)
    if len(table.rows) > _MAX_ROWS:
        st.text(f"The first {_MAX_ROWS:,} of {len(table.rows):,} rows. The file has them all.")


def download(rows: Rows, name: str) -> None:
    """Draw a button that saves the rows as a file `name`.csv, created when the button is pressed."""
    _download(lambda: rows, name, _BYTES_PER_ROW * len(as_table(rows).rows))


def download_cached(find: Callable[[], Rows], name: str) -> None:
    """Like `download`, for rows that are cached for all sessions: the file keeps none, and finds them when created."""
    _download(find, name, 0)


def _download(find: Callable[[], Rows], name: str, size: int) -> None:
    file = Download(f"{name}.csv", "text/csv; charset=utf-8; header=present", lambda: to_csv(find()).encode(), size)
    download_button("Download as CSV", file, name)
