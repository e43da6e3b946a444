"""The data for drawing longest matches are bounded, whatever a file holds."""

from __future__ import annotations

import numpy as np
import pytest

import tokviz
from tokviz.subwords.word_piece import WordPieceModel
from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.matches import TextMatches
from tokviz.widgets.longest_matches import matches_data

TOKENIZER = tokviz.WordTokenizer.from_text("a")
IDS = {"[UNK]": 0, "a": 1, "##a": 2}


def matched(word: str, model: WordPieceModel) -> TextMatches:
    return TextMatches(TOKENIZER, word, model, [Segment(word, np.arange(len(word) + 1, dtype=np.int32))])


def test_a_word_with_too_many_lookups_is_refused() -> None:
    model = WordPieceModel(IDS, 0, max_chars=10**9)
    # Each of n pieces of one character is found after all longer rests of the word were looked for.
    assert len(matches_data(matched("a" * 199, model))["words"][0]["matches"]) == 199
    with pytest.raises(ValueError, match="takes 20,100 lookups; 20,000 are shown at most"):
        matches_data(matched("a" * 200, model))


def test_long_marks_are_refused_or_shortened() -> None:
    with pytest.raises(ValueError, match="begin with more than 100 characters"):
        matches_data(matched("a", WordPieceModel(IDS, 0, prefix="#" * 101)))
    [long] = tokviz.WordTokenizer.from_text("u" * 1_000).encode("u" * 1_000)
    found = TextMatches(tokviz.WordTokenizer.from_text("u" * 1_000), "b", WordPieceModel(IDS, long), [])
    assert matches_data(found)["unknown"]["text"] == "u" * 100 + "…"
