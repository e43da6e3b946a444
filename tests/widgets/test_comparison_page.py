"""Standalone comparison pages: they contain the comparison's columns, and the text stays data."""

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

import tokviz
from tokviz import export
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
        for sentence, segment in zip(columns[f"sentences_{other}"].tolist(), expected.differing.tolist(), strict=True):
            explained = expected.explain(segment, other)
            assert (data["sentences"][sentence] if sentence >= 0 else None) == (
                explained.sentence if explained else None
            )
    assert len(set(data["sentences"])) == len(data["sentences"])


def test_number_of_explained_differences_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "MOST_EXPLAINED", 3)
    compared = tokviz.compare("It'S 1234567. " * 10, ["gpt2", "cl100k_base"])
    columns, _ = unpack(base64.b64decode(widget_data(export.comparison_to_html(compared))["comparison"]["$base64"]))
    assert (np.flatnonzero(columns["sentences_1"] >= 0) == [0, 1, 2]).all()
    assert len(compared.differing) > 3
