"""A comparison as a page of its own: what is in it is the comparison's, and the text stays data."""

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

import tokviz
from tokviz import export
from tokviz.widgets import comparisons
from tokviz.widgets.columns import unpack

NASTY = "</script><script>alert(1)</script> <!-- 🍕 \x00 {data} It's 12345 é\u0301"
NAMES = ["cl100k_base", "gpt2", "o200k_base"]


def data_of(page: str) -> dict[str, Any]:
    """What the page's widget is given."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("text", ["", NASTY, "def f():\n    return 1234567\n" * 20])
def test_a_page_holds_the_text_the_cuts_and_a_sentence_for_each_difference(text: str) -> None:
    expected = tokviz.compare(text, NAMES)
    data = data_of(export.comparison_to_html(expected, lang="en"))
    columns, meta = unpack(base64.b64decode(data["comparison"]["$base64"]))
    assert data["text"] == text
    assert data["lang"] == "en"
    assert meta["names"] == NAMES
    assert columns["boundaries"].tolist() == expected.boundaries.tolist()
    assert columns["differing"].tolist() == expected.differing.tolist()
    for one, tokenization in enumerate(expected.tokenizations):
        assert columns[f"ids_{one}"].tolist() == tokenization.ids.tolist()
    for other in (1, 2):
        assert columns[f"reasons_{other}"].tolist() == expected.reasons(other)[expected.differing].tolist()
        for place, segment in zip(columns[f"sentences_{other}"].tolist(), expected.differing.tolist(), strict=True):
            explained = expected.explain(segment, other)
            assert (data["sentences"][place] if place >= 0 else None) == (explained.sentence if explained else None)
    assert len(set(data["sentences"])) == len(data["sentences"])


def test_a_text_with_very_many_differences_has_sentences_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "MOST_EXPLAINED", 3)
    compared = tokviz.compare("It'S 1234567. " * 10, ["gpt2", "cl100k_base"])
    columns, _ = unpack(base64.b64decode(data_of(export.comparison_to_html(compared))["comparison"]["$base64"]))
    assert (np.flatnonzero(columns["sentences_1"] >= 0) == [0, 1, 2]).all()
    assert len(compared.differing) > 3
