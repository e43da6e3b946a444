"""Figures of charts: series named directly, ranges, axes written in one way, and names that are only text."""

import re
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from every_chart import NAMES, charts, every_chart
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.charts.axes import Axis, counts, counts_from_zero, linear, logarithmic, share
from tokviz.charts.chart import Chart
from tokviz.charts.data_formats import formats_chart
from tokviz.charts.languages import languages_chart
from tokviz.charts.lines import MAX_DIRECT, Line, Mark, Point, apart, draw_lines
from tokviz.charts.merges import ON_ITS_TEXT, compression_chart
from tokviz.charts.pictures import picture
from tokviz.charts.presenting import presented
from tokviz.charts.this_text import MEASURES, suits_chart
from tokviz.samples import parallel_passages

NASTY = "<b>bold</b> & <a href='javascript:alert(1)'>\"'"


def languages(*tokenizers: str) -> Chart:
    texts = {each.title.split(" · ")[0]: each.text for each in parallel_passages()}
    return languages_chart(tokviz.measure(texts, tokenizers, reference="English"), "English")


def annotations(figure: go.Figure) -> list[dict[str, Any]]:
    return [each.to_plotly_json() for each in figure.layout.annotations]


def ending_in(figure: go.Figure, name: str) -> dict[str, Any]:
    """The only annotation that ends in a name, or in a name and a value."""
    [found] = [each for each in annotations(figure) if re.search(rf" {re.escape(name)}( [\d.]+ %)?$", each["text"])]
    return found


@pytest.mark.parametrize(("text", "tokenizers"), [("", NAMES), ("x", NAMES), ("", ())], ids=["empty", "byte", "none"])
def test_charts_of_almost_no_data_are_drawn(text: str, tokenizers: tuple[str, ...]) -> None:
    for chart in every_chart(text, tokenizers).values():
        for figure in (chart.figure, presented(chart.figure), picture(chart)):
            figure.to_json()


def test_the_range_of_each_row_is_joined_by_a_line_beneath_the_dots() -> None:
    """From the least to the most."""
    ranges, *series, _scale_above = languages(*NAMES).figure.data
    assert ranges.mode == "lines" and ranges.hoverinfo == "skip"
    drawn = {name: ends for name, *ends in zip(ranges.y[::3], ranges.x[::3], ranges.x[1::3], strict=True)}
    values: dict[str, list[float]] = {}
    for dots in series:
        for name, value in zip(dots.y, dots.x, strict=True):
            values.setdefault(name, []).append(value)
    assert len(drawn) == len(values) == 32
    assert drawn == {name: [min(found), max(found)] for name, found in values.items()}
    assert set(ranges.x[2::3]) == {None}  # the next line is not joined to it


@pytest.mark.parametrize("name", ["merges", "vocabulary size", "frequencies", "lengths"])
def test_lines_are_named_at_their_ends(name: str) -> None:
    figure = charts()[name].figure
    assert figure.layout.showlegend is False
    for tokenizer in NAMES:
        label = ending_in(figure, tokenizer)
        [line] = [trace for trace in figure.data if trace.name == tokenizer]
        assert label["x"] > 1 and label["xref"] == label["yref"] == "paper"
        assert line.line.color in label["text"]
        [leader] = [shape for shape in figure.layout.shapes if shape.line.color == line.line.color]
        assert (leader.x1, leader.y1) == (label["x"], label["y"])
        assert leader.y0 == pytest.approx(share(figure.layout.yaxis.to_plotly_json(), line.y[-1]))


def colors_of(figure: go.Figure) -> dict[str, str]:
    """The color of each tokenizer of a figure."""
    found = {trace.name: trace.marker.color or trace.line.color for trace in figure.data if trace.name in NAMES}
    bars = [trace for trace in figure.data if trace.type == "bar" and trace.text]
    return found | {name: color for bar in bars for name, color in zip(bar.y, bar.marker.color, strict=True)}


def test_a_tokenizer_has_one_color_in_all_charts_whatever_it_is_shown_with() -> None:
    drawn = {name: colors_of(chart.figure) for name, chart in charts().items() if name != "ranks"}
    assert all(set(colors) == set(NAMES) for colors in drawn.values())
    assert len({tuple(colors[name] for name in NAMES) for colors in drawn.values()}) == 1
    alone = every_chart("a text, a text", NAMES[1:])["merges"].figure
    assert colors_of(alone)[NAMES[1]] == drawn["merges"][NAMES[1]]


def test_both_curves_of_a_tokenizer_have_its_color_and_differ_in_their_dashes() -> None:
    curve = tokviz.compression_curve("low lower lowest", "gpt2")
    names = ["mine", f"mine{ON_ITS_TEXT}", "gpt2"]
    lines = {
        trace.name: trace.line for trace in compression_chart(dict.fromkeys(names, curve)).figure.data if trace.name
    }
    mine, its_text, other = (lines[name] for name in names)
    assert mine.color == its_text.color != other.color
    assert mine.dash != its_text.dash


def test_many_lines_have_a_legend() -> None:
    lines = [Line(f"line {number}", number, [Point(1, number, "said")]) for number in range(MAX_DIRECT + 1)]
    assert draw_lines(linear("x", 1), linear("y", 9), lines).layout.showlegend
    assert not draw_lines(linear("x", 1), linear("y", 9), lines[1:]).layout.showlegend


def test_series_of_dots_are_named_above_the_first_row_if_there_is_room() -> None:
    figure = languages(*NAMES).figure
    first = figure.layout.yaxis.categoryarray[-1]
    for tokenizer in NAMES:
        label = ending_in(figure, tokenizer)
        [dots] = [trace for trace in figure.data if trace.name == tokenizer]
        assert (label["x"], label["y"]) == (dots.x[0], first) == (dots.x[0], dots.y[0])
        assert dots.showlegend  # for a narrow screen
    rows = tokviz.measure({"a": "some text"}, ["gpt2"])
    long = [row._replace(tokenizer=f"a tokenizer with a long name, {number}") for row in rows for number in range(3)]
    assert not annotations(formats_chart(long).figure)


def test_many_rows_have_their_scale_above_them_too() -> None:
    layout = languages(*NAMES).figure.layout
    assert layout.xaxis2.side == "top" and layout.xaxis2.overlaying == layout.xaxis2.matches == "x"
    assert layout.xaxis2.range == layout.xaxis.range
    assert layout.yaxis.range[1] > 33  # a free row
    assert "xaxis2" not in charts()["formats"].figure.layout


def test_large_marks_hide_no_others() -> None:
    mark = Mark(1, Point(1, 1, "said"))
    *_, drawn = draw_lines(linear("x", 1), linear("y", 1), [], [mark]).data
    assert drawn.marker.symbol == "square-open"


def test_names_are_escaped_everywhere() -> None:
    """Plotly reads texts as HTML with a few tags: what names have of it is only text."""
    rows = [
        row._replace(tokenizer=NASTY) for row in tokviz.measure({NASTY: "one two", "x": "y"}, ["gpt2"], reference=NASTY)
    ]
    for chart in (languages_chart(rows, NASTY), formats_chart(rows), suits_chart(rows, MEASURES[0])):
        for figure in (chart.figure, presented(chart.figure), picture(chart)):
            shown = figure.to_plotly_json()
            texts = [text for trace in shown["data"] for text in (*trace["y"], *(trace.get("customdata") or ()))]
            texts += [trace.get("name") for trace in shown["data"]]
            texts += [each["text"] for each in annotations(figure)] + [figure.layout.xaxis.title.text]
            texts += [figure.layout.title.text, *(figure.layout.yaxis.labelalias or {}).values()]
            for text in filter(None, texts):
                assert not re.search(r"<(?!/?(br|b|span)\b)", text) and "<b>bold" not in text


def test_a_picture_has_its_question_and_its_answer() -> None:
    for name, chart in charts().items():
        shown = picture(chart)
        text = shown.layout.title.text.replace("<br>", " ").replace("&amp;", "&")
        assert chart.title in text and chart.answer.replace("\n", " ") in text, name
        assert shown.layout.width == 900 and shown.layout.height > chart.figure.layout.height
        assert shown.layout.margin.t > chart.figure.layout.margin.t
        assert [trace.x for trace in shown.data] == [trace.x for trace in chart.figure.data]


# Axes


LOGARITHMIC = (logarithmic("x", 200, 4e8), logarithmic("x", 2e6, 3e8), counts_from_zero("x", 199_742))


@pytest.mark.parametrize("axis", LOGARITHMIC, ids=lambda axis: axis["ticktext"][-1])
def test_ticks_are_written_in_one_way_and_in_order(axis: Axis) -> None:
    places = [share(axis, value) for value in axis["tickvals"]]
    assert places == sorted(places) and places[0] >= 0 and places[-1] <= 1
    labels = axis["ticktext"]
    endings = {re.sub(r"[\d.,]", "", label) for label in labels}
    assert len(endings) == 1, labels
    assert len({len(label.partition(".")[2]) for label in labels}) == 1 or endings != {""}


@examples(200)
@given(st.floats(1e-6, 1e9), st.floats(0, 1))
def test_all_values_are_on_their_axis(high: float, part: float) -> None:
    for axis in (linear("x", high), counts("x", 1 + int(high))):
        assert share(axis, 0) == 0
        assert 0 <= share(axis, part * high) <= 1.000001
    axis = counts_from_zero("x", 1 + int(high))
    assert all(0 <= share(axis, value) <= 1 for value in (axis["tickvals"][0], 1, max(1, part * high)))


@examples(200)
@given(st.lists(st.floats(-0.2, 1.2), min_size=1, max_size=MAX_DIRECT))
def test_names_are_moved_apart_and_stay_within_bounds(places: list[float]) -> None:
    moved = apart(places, 0.12)
    found = sorted(moved)
    assert all(second - first >= 0.12 - 1e-9 for first, second in pairwise(found))
    assert found[0] >= -1e-9 and found[-1] <= 1 + 1e-9
    order = sorted(range(len(places)), key=places.__getitem__)
    assert [moved[index] for index in order] == found
