"""Standalone comparison pages: they contain the comparison's columns, and the text stays data."""

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

import tokviz
from tokviz import Effect, Reason, export
from tokviz.widgets import comparisons
from tokviz.widgets.wire import unpack

NASTY = "</script><script>alert(1)</script> <!-- 🍕 \x00 {data} It's 12345 é\u0301"
NAMES = ["cl100k_base", "gpt2", "o200k_base"]


def widget_data(page: str) -> dict[str, Any]:
    """Parse the data that the page passes to its widget."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


def test_reasons_are_sent_with_the_effect_of_exchanging_each_alone() -> None:
    compared = tokviz.compare("5678", ["gpt2", "cl100k_base", "gpt2"])
    [segment] = compared.differing.tolist()
    explained, explanation = comparisons.explained(compared, segment), compared.explain(segment, 1)
    assert explanation
    # GPT-2 leaves a run of digits whole before any merge; cl100k cuts off at most three of them.
    assert explained["splits"] == [(0, 4), (0, 3, 4), (0, 4)]
    reason, none = explained["reasons"]
    assert none is None
    assert reason["sentence"] == explanation.sentence
    assert {Reason(cause): Effect(effect) for cause, effect in reason["alone"]} == {
        Reason.SPLIT: Effect.CHANGES,
        Reason.VOCABULARY: Effect.CHANGES,
    }


def test_page_marks_the_tokens_that_begin_a_pretoken() -> None:
    text = "It's 12345, 🍕"
    compared = tokviz.compare(text, NAMES)
    columns, _ = unpack(base64.b64decode(widget_data(export.comparison_to_html(compared))["comparison"]["$base64"]))
    for index, name in enumerate(NAMES):
        lengths = [len(pretoken.encode()) for pretoken in tokviz.load(name).pretokens(text)]
        ends = compared.tokenizations[index].byte_offsets[columns[f"pretokens_{index}"] == 1]
        assert ends.tolist() == [sum(lengths[:count]) for count in range(len(lengths) + 1)]


@pytest.mark.parametrize("text", ["", NASTY, "def f():\n    return 1234567\n" * 20])
def test_page_contains_text_boundaries_and_explanations(text: str) -> None:
    expected = tokviz.compare(text, NAMES)
    data = widget_data(export.comparison_to_html(expected, lang="en"))
    columns, meta = unpack(base64.b64decode(data["comparison"]["$base64"]))
    assert data["text"] == text
    assert data["lang"] == "en"
    assert meta["names"] == NAMES
    assert columns["boundaries"].tolist() == expected.boundaries.tolist()
    assert columns["differing"].tolist() == expected.differing.tolist()
    for index, tokenization in enumerate(expected.tokenizations):
        assert columns[f"ids_{index}"].tolist() == tokenization.ids.tolist()
    for other in (1, 2):
        assert columns[f"reasons_{other}"].tolist() == expected.reasons(other)[expected.differing].tolist()
        indices = columns[f"explanations_{other}"].tolist()
        for index, segment in zip(indices, expected.differing.tolist(), strict=True):
            reason = data["explanations"][index] if index >= 0 else None
            assert reason == comparisons.explained(expected, segment)["reasons"][other - 1]
    sentences = [reason["sentence"] for reason in data["explanations"]]
    assert len(set(sentences)) == len(sentences)


def test_number_of_explained_differences_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "MOST_EXPLAINED", 3)
    compared = tokviz.compare("It'S 1234567. " * 10, ["gpt2", "cl100k_base"])
    columns, _ = unpack(base64.b64decode(widget_data(export.comparison_to_html(compared))["comparison"]["$base64"]))
    assert (np.flatnonzero(columns["explanations_1"] >= 0) == [0, 1, 2]).all()
    assert len(compared.differing) > 3
