"""Charts: the drawn data agree with encoding, in colors that stand out, whatever the data."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from every_chart import NAMES, TEXT, charts, every_chart, vocabulary_table

import tokviz
from tokviz.analysis.frequencies import TokenFrequency
from tokviz.analysis.vocabulary import count_kinds, count_kinds_by_rank, count_lengths
from tokviz.charts.data_formats import digits_chart, formats_chart
from tokviz.charts.drawing import COLORS, DASHES, PATTERNS, SYMBOLS, Chart, style
from tokviz.charts.languages import languages_chart
from tokviz.charts.merges import compression_chart
from tokviz.charts.this_text import MEASURES, suits_chart
from tokviz.charts.token_use import frequencies_chart
from tokviz.charts.vocabulary import kinds_chart, lengths_chart
from tokviz.charts.vocabulary_size import LABELLED_FROM, vocabulary_chart
from tokviz.display import shown
from tokviz.samples import parallel_passages, sample

NASTY = "<b>bold</b> & <a href='javascript:alert(1)'>"
BACKGROUNDS = ("#ffffff", "#fafbfc", "#0f1216", "#161b21")  # of the light and the dark theme


def traces(chart: Chart) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart.figure.to_plotly_json()["data"]
    return found


def trace(chart: Chart, name: str) -> dict[str, Any]:
    (found,) = (each for each in traces(chart) if each.get("name") == name)
    return found


def test_a_chart_has_a_question_an_answer_and_a_description() -> None:
    for chart in charts().values():
        assert chart.title.endswith("?")
        assert chart.answer.endswith(".")
        assert chart.title in chart.alt and chart.answer in chart.alt and chart.describes in chart.alt
        assert all("customdata" in each for each in traces(chart) if each.get("hoverinfo") != "skip")


@pytest.mark.parametrize(
    "text, tokenizers", [("", NAMES), ("", ()), ("x", NAMES)], ids=["empty", "nothing", "one byte"]
)
def test_charts_of_almost_no_data_are_drawn(text: str, tokenizers: tuple[str, ...]) -> None:
    for chart in every_chart(text, tokenizers).values():
        chart.figure.to_json()


def test_a_curve_agrees_with_truncated_tokenizers() -> None:
    tok = tokviz.load("gpt2")
    drawn = trace(charts()["merges"], "gpt2")
    assert drawn["x"][0] == 1 and drawn["x"][-1] == tok.num_merges
    for number in (0, len(drawn["x"]) // 2, -1):
        tokens = len(tok.cut(drawn["x"][number]).encode(TEXT))
        assert drawn["y"][number] == pytest.approx(100 * tokens / len(TEXT.encode()))
        assert f"{tokens:,} tokens" in drawn["customdata"][number]


def test_the_curve_of_a_small_tokenizer_is_in_view() -> None:
    large, small = (tokviz.compression_curve(TEXT, tok) for tok in ("gpt2", tokviz.train(TEXT, num_merges=20)))
    seen = compression_chart({"large": large}).figure.layout.xaxis.range
    assert seen[0] == pytest.approx(np.log10(256)) and seen[1] > np.log10(large.num_merges)
    assert compression_chart({"large": large, "small": small}).figure.layout.xaxis.range is None


def test_no_law_is_fitted_to_a_text_without_repetitions() -> None:
    chart = frequencies_chart({"gpt2": tokviz.token_frequencies("one two three", "gpt2")}, {"gpt2": 50257})
    assert [each["name"] for each in traces(chart)] == ["gpt2"]
    assert "3 different tokens, of a vocabulary of 50,257 (less than 0.01%)" in chart.answer
    assert "No token occurs twice" in chart.answer and "Zipf" not in chart.answer
    assert "Zipf" in charts()["frequencies"].answer


def test_a_single_token_has_no_fitted_line() -> None:
    chart = frequencies_chart({"gpt2": tokviz.token_frequencies("aaaa" * 9, "gpt2")}, {"gpt2": 50257})
    assert "1 different token," in chart.answer
    assert [each["name"] for each in traces(chart)] == ["gpt2"]
    assert "Zipf" not in chart.answer and "No token occurs twice" not in chart.answer


def test_counts_of_one_are_in_the_singular() -> None:
    drawn = every_chart("x", ("gpt2",))
    said = [text for chart in drawn.values() for each in traces(chart) for text in each.get("customdata") or []]
    assert "gpt2: 1 merge<br>1 token, 1.00 bytes each<br>0.0% fewer than with half the merges" in said
    assert not [text for text in said if re.search(r"(?<![\d,.])1 (tokens|merges|pairs|times|bytes)\b", text)]


def test_the_largest_vocabulary_is_labelled_if_any_is() -> None:
    for merges, is_written in ((20, False), (LABELLED_FROM - 256, True)):
        tok = tokviz.train(Counter({f"{n:05d}": 2 for n in range(5000)}), num_merges=merges)
        costs = tokviz.vocabulary_costs(tokviz.compression_curve("00000", tok), width=8, context=8)
        assert (costs[-1].vocabulary >= LABELLED_FROM) == is_written
        [line] = traces(vocabulary_chart({"own": costs}))
        assert any(line["text"]) == bool(line["text"][-1]) == is_written


@pytest.mark.parametrize("name", NAMES)
def test_totals_agree_with_encoding(name: str) -> None:
    tok = tokviz.load(name)
    ids = tok.encode(TEXT)
    assert trace(charts()["vocabulary size"], name)["y"][-1] == len(ids)
    assert dict(zip(*(trace(charts()["formats"], name)[axis] for axis in "yx"), strict=True))["this"] == len(ids)
    assert dict(zip(*(trace(charts()["languages"], name)[axis] for axis in "yx"), strict=True))["this"] == 1
    uses = trace(charts()["frequencies"], name)
    most = sorted(Counter(ids).values(), reverse=True)
    assert all(most[place - 1] == times for place, times in zip(uses["x"], uses["y"], strict=True))
    assert (
        f"{len(set(ids)):,} different tokens, of a vocabulary of {max(tok.vocab) + 1:,}"
        in charts()["frequencies"].answer
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_charts_of_a_vocabulary_add_up_to_it(name: str) -> None:
    entries = vocabulary_table(name)
    size = len(tokviz.load(name).vocab)
    assert sum(trace(charts()["lengths"], name)["y"]) == pytest.approx(100)
    assert sum(trace(charts()["kinds"], name)["x"]) == pytest.approx(100)
    assert sum(row.tokens for row in count_lengths(entries)) == sum(row.tokens for row in count_kinds(entries)) == size


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_states_the_same_size_of_a_vocabulary(name: str) -> None:
    """tiktoken's n_vocab. cl100k's ids have holes."""
    size = {"gpt2": "50,257", "cl100k_base": "100,277"}[name]
    for chart in ("vocabulary size", "lengths", "frequencies"):
        [line] = [line for line in charts()[chart].answer.split("\n") if line.startswith(f"{name}:")]
        assert size in line
    assert "cl100k_base: a vocabulary of 100,277 (16 ids without a token)" in charts()["lengths"].answer


@pytest.mark.parametrize("name", NAMES)
def test_scripts_are_drawn_in_the_unit_of_the_sentence(name: str) -> None:
    drawn = trace(charts()["kinds"], name)
    shares = dict(zip(drawn["y"], drawn["x"], strict=True))
    most = max(shares, key=shares.__getitem__)
    assert f"{name}: {shares[most]:.1f}% of the tokens are {most}." in charts()["kinds"].answer
    axis = charts()["kinds"].figure.layout.xaxis
    assert (axis.type, axis.title.text) == (None, "% of the tokens")


def test_zipfs_law_is_fitted_to_each_tokenizer() -> None:
    """The line goes through all counts that follow the law, whatever another tokenizer counts."""
    keeps = [row(place, 5040 // place) for place in range(1, 11)]
    others = [row(place, 7) for place in range(1, 11)]
    chart = frequencies_chart({"keeps": keeps, "others": others}, {"keeps": 100, "others": 100})
    first, second = [each for each in traces(chart) if each["name"].startswith("Zipf")]
    assert (first["x"], first["y"]) == (pytest.approx([1, 10]), pytest.approx([5040, 504]))
    mean = np.exp(np.mean([np.log(7 * place) for place in trace(chart, "others")["x"]]))
    assert second["y"] == pytest.approx([mean, mean / second["x"][1]])
    assert [each["line"]["color"] for each in (first, second)] == [
        trace(chart, name)["line"]["color"] for name in ("keeps", "others")
    ]


def row(place: int, frequency: int) -> TokenFrequency:
    return TokenFrequency(place, place, b"x", "x", frequency, 0.1)


def test_bands_of_ranks_hold_every_merge_once() -> None:
    rows = count_kinds_by_rank(vocabulary_table("gpt2"))
    bands = list(dict.fromkeys((row.first_rank, row.last_rank) for row in rows))
    assert bands[:2] == [(0, 255), (256, 511)] and bands[-1] == (32768, 49999)
    for first, last in bands:
        assert sum(row.tokens for row in rows if row.first_rank == first) == last - first + 1
    drawn = traces(charts()["ranks"])
    sums = [sum(column) for column in zip(*(each["x"] for each in drawn), strict=True)]
    assert sums == pytest.approx([100] * len(bands))


def test_the_best_is_at_the_top() -> None:
    rows = tokviz.measure({"this": TEXT}, ["gpt2", "o200k_base"])
    for measure in MEASURES:
        (bars,) = traces(suits_chart(rows, measure))
        assert bars["x"] == sorted(bars["x"], reverse=not measure.more_is_better)
    ratio = {row.tokenizer: row.bytes_per_token for row in rows}
    (bars,) = traces(suits_chart(rows, MEASURES[0]))
    assert dict(zip(bars["y"], bars["x"], strict=True)) == ratio


def test_words_without_spaces_between_them_can_not_be_measured() -> None:
    rows = tokviz.measure(sample("prose-th").text, ["gpt2"])
    chart = suits_chart(rows, MEASURES[1])
    assert "doesn't space its words" in chart.answer
    assert not chart.figure.data


@pytest.mark.parametrize(("text", "why"), [("!!! 🍕", "without words"), ("", "empty"), ("世界", "doesn't space")])
def test_the_reason_for_a_missing_figure_fits_the_text(text: str, why: str) -> None:
    answer = suits_chart(tokviz.measure({"this": text}, ["gpt2"]), MEASURES[1]).answer
    assert why in answer


def test_white_space_marks_differ_from_the_same_characters_in_text() -> None:
    alike = [" ", "·", "\n", "↵", "\r", "␍", "\t", "→", "\u00a0", "\u3000", "\u200b"]
    assert len({shown(each.encode()) for each in alike}) == len(alike)


def test_one_takes_the_singular() -> None:
    answer = compression_chart({"GPT-2": tokviz.compression_curve("a", "gpt2")}).answer
    assert answer == "GPT-2: 50,000 merges turn 1 byte into 1 token."


def test_ties_are_listed_as_best_together() -> None:
    rows = tokviz.measure("Hello, world!", ["gpt2", "cl100k_base"])
    assert "cl100k_base and gpt2 are best" in suits_chart(rows, MEASURES[0]).answer


def test_languages_are_sorted_by_the_first_tokenizer() -> None:
    texts = {each.title: each.text for each in parallel_passages()}
    rows = tokviz.measure(texts, NAMES, reference="English")
    chart = languages_chart(rows, "English")
    order = chart.figure.layout.yaxis.categoryarray
    tok = tokviz.load(NAMES[0])
    lengths = [len(tok.encode(texts[title])) for title in order]
    assert lengths == sorted(lengths) and len(order) == len(texts)


def test_names_and_tokens_are_escaped() -> None:
    curve = tokviz.compression_curve(TEXT, "gpt2")
    rows = [row._replace(tokenizer=NASTY) for row in tokviz.measure({NASTY: TEXT}, ["gpt2"], reference=NASTY)]
    uses = tokviz.token_frequencies(NASTY, tokviz.ByteTokenizer())
    drawn = [
        compression_chart({NASTY: curve}),
        vocabulary_chart({NASTY: tokviz.vocabulary_costs(curve, width=1, context=1)}),
        languages_chart(rows, NASTY),
        formats_chart(rows),
        suits_chart(rows, MEASURES[0]),
        frequencies_chart({NASTY: uses}, {NASTY: 256}),
        digits_chart({NASTY: [["1"]]}),
        lengths_chart({NASTY: count_lengths(vocabulary_table("gpt2"))}, {NASTY: 50_257}),
        kinds_chart({NASTY: count_kinds(vocabulary_table("gpt2"))}),
    ]
    for chart in drawn:
        said = [chart.figure.layout.xaxis.title.text or ""]
        for each in traces(chart):
            said += [each.get("name") or "", *each["customdata"]] if "customdata" in each else []
            said += [label for axis in "xy" for label in each[axis] if isinstance(label, str)]
        tags = {tag for text in said for tag in re.findall(r"<[^>]*>?", text)}
        assert tags <= {"<br>"}, chart.title
        entities = {entity for text in said for entity in re.findall(r"&[#\w]+;", text)}
        assert entities <= {"&lt;", "&gt;", "&amp;"}, chart.title  # Plotly writes others as they are


def test_tokens_show_their_white_space_and_bytes() -> None:
    assert shown(b" a\n\t\x00") == "·a↵→[U+0000]"
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
    assert len(set(DASHES)) == len(set(SYMBOLS)) == len(set(COLORS)) == len(PATTERNS)


def test_no_two_series_look_alike() -> None:
    styles = [style(number) for number in range(12)]
    assert len({(color, dash) for color, dash, _ in styles}) == len({(color, mark) for color, _, mark in styles}) == 12
