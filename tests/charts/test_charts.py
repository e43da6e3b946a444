"""Charts: what they draw agrees with encoding, in colors that stand out, whatever the data."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from every_chart import NAMES, TEXT, charts, every_chart
from shipped import vocabulary_table

import tokviz
from tokviz.analysis.vocabulary.contents import count_kinds, count_lengths
from tokviz.charts.axes import ZERO
from tokviz.charts.chart import COLORS, DASHES, PATTERNS, SYMBOLS, Chart, style
from tokviz.charts.data_formats import digits_chart
from tokviz.charts.languages import languages_chart
from tokviz.charts.merges import compression_chart
from tokviz.charts.this_text import MEASURES, suits_chart
from tokviz.charts.token_use import frequencies_chart
from tokviz.charts.vocabulary import kinds_chart
from tokviz.charts.vocabulary_size import vocabulary_chart
from tokviz.display import shown
from tokviz.samples import parallel_passages

BACKGROUNDS = ("#ffffff", "#fafbfc", "#0f1216", "#161b21")  # of the light and the dark theme


def traces(chart: Chart) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.figure.to_plotly_json()["data"]
    return found


def trace(chart: Chart, name: str) -> dict[str, Any]:
    [found] = [each for each in traces(chart) if each.get("name") == name]
    return found


def points(chart: Chart, name: str) -> list[tuple[float, float]]:
    """The points of a line."""
    line = trace(chart, name)
    return list(zip(line["x"], line["y"], strict=True))


def values(chart: Chart, name: str) -> dict[str, float]:
    """The values of a series by row."""
    dots = trace(chart, name)
    return dict(zip(dots["y"], dots["x"], strict=True))


def fits(chart: Chart) -> list[dict[str, Any]]:
    """The thin lines that are fitted to others."""
    return [each for each in traces(chart) if str(each.get("meta")).startswith("fit of")]


def said(chart: Chart) -> Iterator[str]:
    """All that the points of a chart say."""
    for each in traces(chart):
        yield from each.get("customdata") or []


def test_whoever_points_at_something_is_told_what_it_is() -> None:
    for chart in charts().values():
        for each in traces(chart):
            if each.get("hoverinfo") != "skip":
                assert len(each["customdata"]) == len(each["x"]) == len(each["y"])
                assert each["hovertemplate"] == "%{customdata}<extra></extra>"


def test_a_chart_has_a_question_an_answer_and_a_description() -> None:
    for chart in charts().values():
        assert chart.title.endswith("?")
        assert chart.answer.endswith(".")
        assert chart.title in chart.alt and chart.answer in chart.alt and chart.describes in chart.alt
        assert all(said(chart)) and not chart.is_empty


def test_a_curve_agrees_with_truncated_tokenizers_and_begins_without_merges() -> None:
    tok = tokviz.load("gpt2")
    drawn = points(charts()["merges"], "gpt2")
    axis = charts()["merges"].figure.layout.xaxis
    assert dict(zip(axis.tickvals, axis.ticktext, strict=True))[ZERO] == "0"
    assert (drawn[0], drawn[-1][0]) == ((ZERO, 100), tok.num_merges)
    for number in (1, len(drawn) // 2, -1):
        x, y = drawn[number]
        tokens = len(tok.cut(int(x)).encode(TEXT))
        assert y == pytest.approx(100 * tokens / len(TEXT.encode()))
        assert f"{tokens:,} tokens" in trace(charts()["merges"], "gpt2")["customdata"][number]


def test_a_large_mark_stands_on_its_curve() -> None:
    curve = tokviz.compression_curve("a " * 500, "gpt2")
    [mark] = [each for each in traces(compression_chart({"gpt2": curve})) if each["mode"] == "markers"]
    [x], [y] = mark["x"], mark["y"]
    assert y == pytest.approx(100 * curve.tokens[int(x)] / curve.bytes)


def test_no_law_is_fitted_to_a_text_without_repetitions() -> None:
    chart = frequencies_chart({"gpt2": tokviz.token_frequencies("one two three", "gpt2")}, {"gpt2": 50257})
    assert not fits(chart)
    assert "3 different tokens of the 50,257 in its vocabulary (less than 0.01 %)" in chart.answer
    assert "No token occurs twice" in chart.answer and "Zipf" not in chart.answer
    assert "Zipf" in charts()["frequencies"].answer


def test_zipfs_law_is_fitted_to_each_line_by_itself() -> None:
    """The fitted line runs through the middle of the points: as far above some as below others, by factors."""
    for name, fit in zip(NAMES, fits(charts()["frequencies"]), strict=True):
        (first, last), (constant, times) = fit["x"], fit["y"]
        assert first == 1 and times == pytest.approx(constant / last)
        product = 1.0
        for x, y in points(charts()["frequencies"], name):
            product *= x * y / constant
        assert product == pytest.approx(1)


def test_a_single_token_has_no_fitted_line() -> None:
    chart = frequencies_chart({"gpt2": tokviz.token_frequencies("aaaa" * 9, "gpt2")}, {"gpt2": 50257})
    assert "1 different token of" in chart.answer
    assert not fits(chart)
    assert "Zipf" not in chart.answer and "No token occurs twice" not in chart.answer


def test_counts_of_one_are_in_the_singular() -> None:
    words = [text for chart in every_chart("x", ("gpt2",)).values() for text in said(chart)]
    assert "gpt2: 1 merge<br>1 token, 1.00 bytes each<br>0.0 % fewer than with 0 merges" in words
    assert not [text for text in words if re.search(r"(?<![\d,.])1 (tokens|merges|pairs|times|bytes)\b", text)]


@pytest.mark.parametrize("tied", [False, True])
def test_sizes_of_the_vocabulary_stand_beneath_the_axis_and_on_no_line(*, tied: bool) -> None:
    """Each is the number of parameters above it divided by those that a token has."""
    tok = tokviz.train(Counter({f"{n:05d}": 2 for n in range(5000)}), num_merges=3000)
    curve = tokviz.compression_curve("00000", tok)
    chart = vocabulary_chart({"own": tokviz.vocabulary_costs(curve, width=1000, context=8, tied=tied)})
    axis = chart.figure.layout.xaxis
    each = 1000 if tied else 2000
    assert len(axis.tickvals) == 3
    for value, label in zip(axis.tickvals, axis.ticktext, strict=True):
        size = label.split("<br>")[1]
        said = float(size.removesuffix("k")) * (1000 if size.endswith("k") else 1)
        assert said == pytest.approx(value / each, rel=0.01)
    assert axis.title.text == "parameters and vocabulary size"
    assert {each["mode"] for each in traces(chart)} == {"lines+markers"}


@pytest.mark.parametrize("name", NAMES)
def test_totals_agree_with_encoding(name: str) -> None:
    tok = tokviz.load(name)
    ids = tok.encode(TEXT)
    assert points(charts()["vocabulary size"], name)[-1][1] == len(ids)
    assert values(charts()["formats"], name)["this"] == len(ids)
    assert values(charts()["languages"], name)["this"] == 1
    most = sorted(Counter(ids).values(), reverse=True)
    assert all(most[int(place) - 1] == times for place, times in points(charts()["frequencies"], name))


@pytest.mark.parametrize("name", NAMES)
def test_the_charts_of_a_vocabulary_add_up_to_it(name: str) -> None:
    entries = vocabulary_table(name)
    size = len(tokviz.load(name).vocab)
    lengths = Counter(len(data) for data in tokviz.load(name).vocab.values())
    assert dict(points(charts()["lengths"], name)) == pytest.approx(
        {length: 100 * count / size for length, count in lengths.items() if length <= 24}
    )
    assert sum(values(charts()["kinds"], name).values()) == pytest.approx(100)
    assert (
        sum(row.tokens for row in count_lengths(entry.bytes for entry in entries))
        == sum(row.tokens for row in count_kinds(entry.kind for entry in entries))
        == size
    )


def test_kinds_that_are_rare_everywhere_are_drawn_together() -> None:
    tables = {name: count_kinds(entry.kind for entry in vocabulary_table(name)) for name in NAMES}
    chart = kinds_chart(tables)
    last, *large = chart.figure.layout.yaxis.categoryarray
    assert last == "all others"
    shares = {name: {row.kind: row.share for row in rows} for name, rows in tables.items()}
    assert all(max(shares[name].get(kind, 0) for name in NAMES) >= 0.005 for kind in large)
    for name in NAMES:
        rare = sum(share for kind, share in shares[name].items() if kind not in large)
        assert values(chart, name)[last] == pytest.approx(100 * rare)


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_states_the_same_size_of_a_vocabulary(name: str) -> None:
    """The number of tokens that tiktoken knows. cl100k has ids without one."""
    size = {"gpt2": "50,257", "cl100k_base": "100,261"}[name]
    for chart in ("vocabulary size", "lengths", "frequencies"):
        [line] = [line for line in charts()[chart].answer.split("\n") if line.startswith(f"{name}:")]
        assert size in line
    assert "cl100k_base: a vocabulary of 100,261 tokens (100,277 ids)" in charts()["lengths"].answer


def test_stacks_fill_the_width() -> None:
    stacks = Counter[str]()
    for part in traces(charts()["ranks"]):
        for stack, share in zip(part["y"], part["x"], strict=True):
            stacks[stack] += share
    assert len(stacks) == 9
    assert all(total == pytest.approx(100) for total in stacks.values())
    assert charts()["ranks"].figure.layout.barmode == "stack"


def test_digits_take_a_token_for_each_piece() -> None:
    chart = digits_chart({"gpt2": [["1"], ["12", "3"]]})
    assert points(chart, "gpt2") == [(1, 1), (3, 2)]
    assert chart.answer == "gpt2: 3 digits take 2 tokens, 12 | 3."


@pytest.mark.parametrize("measure", MEASURES)
def test_the_best_bar_is_at_the_top(measure: object) -> None:
    chart = charts()[measure.column]  # type: ignore[attr-defined]
    [bars] = traces(chart)
    assert chart.figure.layout.yaxis.autorange == "reversed"
    drawn = list(bars["x"])
    assert drawn == sorted(drawn, reverse=measure.more_is_better)  # type: ignore[attr-defined]


def test_values_about_words_are_missing_where_there_are_none() -> None:
    chart = suits_chart(tokviz.measure({"this": "世界"}, ["gpt2"]), MEASURES[1])
    assert "no spaces between words" in chart.answer
    assert chart.is_empty


@pytest.mark.parametrize(("text", "why"), [("!!! 🍕", "no words"), ("", "empty"), ("世界", "no spaces")])
def test_the_reason_for_a_missing_figure_fits_the_text(text: str, why: str) -> None:
    assert why in suits_chart(tokviz.measure({"this": text}, ["gpt2"]), MEASURES[1]).answer


def test_white_space_marks_differ_from_the_same_characters_in_text() -> None:
    alike = [" ", "·", "\n", "↵", "\r", "␍", "\t", "→", "\u00a0", "\u3000", "\u200b"]
    assert len({shown(each.encode()) for each in alike}) == len(alike)


def test_one_takes_the_singular() -> None:
    answer = compression_chart({"GPT-2": tokviz.compression_curve("a", "gpt2")}).answer
    assert answer == "GPT-2: 50,000 merges turn 1 byte into 1 token, 100.0 %."


def test_ties_are_listed_as_best_together() -> None:
    rows = tokviz.measure("Hello, world!", ["gpt2", "cl100k_base"])
    assert "gpt2 and cl100k_base are best" in suits_chart(rows, MEASURES[0]).answer


def test_languages_are_sorted_by_the_first_tokenizer() -> None:
    texts = {each.title: each.text for each in parallel_passages()}
    figure = languages_chart(tokviz.measure(texts, NAMES, reference="English"), "English").figure
    tok = tokviz.load(NAMES[0])
    lengths = [len(tok.encode(texts[name])) for name in figure.layout.yaxis.categoryarray]
    assert lengths == sorted(lengths) and len(lengths) == len(texts)


def test_tokens_show_their_white_space_and_bytes() -> None:
    assert shown(b" a\n\t\x00") == "·a↵→[NUL]"
    assert shown("🌍".encode()[:2]) == "f0 9f"


def luminance(color: str) -> float:
    """Relative luminance as defined by WCAG 2."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("color", COLORS)
def test_colors_stand_out_in_both_themes(color: str) -> None:
    """3:1, the contrast that WCAG requires of graphics."""
    for background in BACKGROUNDS:
        dark, light = sorted((luminance(color), luminance(background)))
        assert (light + 0.05) / (dark + 0.05) >= 3, background


def test_series_differ_in_more_than_color() -> None:
    patterns = {pattern["shape"] for pattern in PATTERNS}
    assert len(set(DASHES)) == len(set(SYMBOLS)) == len(set(COLORS)) == len(patterns) == len(PATTERNS)


def test_no_two_series_look_alike() -> None:
    looks = [style(number) for number in range(12)]
    assert len({(color, dash) for color, dash, _ in looks}) == len({(color, mark) for color, _, mark in looks}) == 12
