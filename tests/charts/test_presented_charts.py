"""Charts as they are presented: large type, and all rows in sight."""

from functools import cache
from math import log10

import plotly.graph_objects as go
import pytest
from every_chart import charts

import tokviz
from tokviz.charts.chart import Chart
from tokviz.charts.languages import languages_chart
from tokviz.charts.presenting import presented
from tokviz.samples import parallel_passages

NAMES = ("gpt2", "o200k_base")


@cache
def languages() -> Chart:
    texts = {each.title.split(" · ")[0]: each.text for each in parallel_passages()}
    return languages_chart(tokviz.measure(texts, NAMES, reference="English"), "English")


def sizes(figure: go.Figure) -> list[float]:
    """Return the sizes of all type in a figure."""
    layout = figure.layout
    axes = [layout[name] for name in ("xaxis", "yaxis", "xaxis2", "yaxis2") if name in layout]
    fonts = [layout.font, layout.legend.font, layout.hoverlabel.font]
    fonts += [font for axis in axes for font in (axis.tickfont, axis.title.font)]
    fonts += [trace.textfont for trace in figure.data if trace.text is not None]
    fonts += [annotation.font for annotation in layout.annotations]
    return [font.size for font in fonts]


def points_of(figure: go.Figure) -> list[tuple[str, str, float, str]]:
    """Return the points of a figure with their row and what is said of them."""
    return [
        (trace.name, y, x, said)
        for trace in figure.data
        if trace.customdata is not None
        for x, y, said in zip(trace.x, trace.y, trace.customdata, strict=True)
    ]


@pytest.mark.parametrize("scale", [1, 1.5])
def test_type_is_legible_from_the_last_row(scale: float) -> None:
    for chart in [*charts().values(), languages()]:
        assert min(sizes(presented(chart.figure, scale))) >= 20 * scale


def test_the_height_is_left_to_the_screen() -> None:
    for chart in charts().values():
        before = chart.figure.to_plotly_json()
        assert presented(chart.figure).layout.height is None
        assert chart.figure.to_plotly_json() == before


def test_many_rows_are_in_two_columns_with_the_same_scale() -> None:
    chart = languages()
    names = list(chart.figure.layout.yaxis.categoryarray)
    shown = presented(chart.figure)
    layout = shown.layout
    assert [*layout.yaxis2.categoryarray, *layout.yaxis.categoryarray] == names
    assert len(layout.yaxis.categoryarray) == len(layout.yaxis2.categoryarray) == 16
    scales = layout.xaxis, layout.xaxis2
    left, right = ((axis.domain[1] - axis.domain[0]) / (axis.range[1] - axis.range[0]) for axis in scales)
    assert left == pytest.approx(right)
    assert layout.xaxis.type == layout.xaxis2.type == "log"
    assert layout.xaxis.domain[1] < layout.xaxis2.domain[0]
    assert [shape.xref for shape in layout.shapes] == ["x", "x2"]
    points, drawn = points_of(chart.figure), points_of(shown)
    assert set(drawn) == set(points) and len(drawn) == len(points) == 32 * len(NAMES)
    for trace in shown.data:
        assert not len(trace.x) % 3 or trace.mode != "lines"
        rows = layout.yaxis2.categoryarray if trace.yaxis == "y2" else layout.yaxis.categoryarray
        assert set(trace.y) <= set(rows)
    assert [trace.name for trace in shown.data if trace.showlegend] == list(NAMES)


def test_marks_in_two_columns_are_told_apart() -> None:
    """On a screen of 1280 x 720, on which rows and the names on the right have about 1,050 pixels."""
    shown = presented(languages().figure)
    axis = shown.layout.xaxis
    unit = 1050 * (axis.domain[1] - axis.domain[0]) / (axis.range[1] - axis.range[0])
    rows: dict[str, list[tuple[float, float]]] = {}
    for trace in (trace for trace in shown.data if trace.mode == "markers"):
        for x, y in zip(trace.x, trace.y, strict=True):
            rows.setdefault(y, []).append((unit * log10(x), trace.marker.size))
    assert rows.pop("English")[0][0] == 0  # the measure of all
    # Beside its neighbor at less than half of its size, a mark is no longer seen by itself.
    near = [row for row, ((one, size), (other, _)) in rows.items() if abs(one - other) < size / 2]
    assert not near and len(rows) == 31


def test_the_numbers_of_a_chart_are_twice_as_large() -> None:
    (bars,) = presented(charts()["bytes_per_token"].figure, 1.5).data
    assert bars.textfont.size >= 2 * 20 * 1.5


def test_rows_of_an_odd_number_are_level_in_both_columns() -> None:
    texts = {f"text {place}": "word " * place for place in range(1, 22)}
    rows = tokviz.measure(texts, ["gpt2"], reference="text 1")
    layout = presented(languages_chart(rows, "text 1").figure).layout
    assert (len(layout.yaxis.categoryarray), len(layout.yaxis2.categoryarray)) == (11, 10)
    # The right scale ends near its last dot: ten words and a space are 11 tokens, against the 2 of the first text.
    assert 10 ** layout.xaxis2.range[1] == pytest.approx(11 / 2, rel=0.05)
    # The ends of an axis are distances from its first row; the last rows are as far below the upper end.
    for axis in (layout.yaxis, layout.yaxis2):
        low, high = axis.range
        assert high - (len(axis.categoryarray) - 1) == pytest.approx(0.7)
        assert high - low == pytest.approx(11.4)


def test_few_rows_stay_in_one_column() -> None:
    assert "yaxis2" not in presented(charts()["formats"].figure).layout
