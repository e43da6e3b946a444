"""Counting pre-tokens gives what splitting the whole text and counting the pieces one by one gives, in that order."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, disputed, examples, glued, texts, texts_with_specials

from tokviz.pretokens.splitting import PATTERNS
from tokviz.texts import repair
from tokviz.tokenizers.pretoken_counts import PretokenCounter

STDLIB = Path(argparse.__file__).read_text(encoding="utf-8")
# What the patterns treat in different ways, next to all kinds of white space.
BORDERS = ["a", "Z", "7", "é", "日", "\u0301", "_", "'", "'s", "'LL", "!", "/", "ſ", "½", "\u200b", "\x1c"]
BORDERS += [" ", "  ", "\t", "\n", "\r\n", "\v", "\x85", "\xa0", "\u3000"]


def one_by_one(text: str, pattern: str | None, specials: tuple[str, ...] = ()) -> dict[str, int]:
    pieces = reference.pretokens(text, pattern, False, dict.fromkeys(specials, -1))
    return Counter(piece.text for piece in pieces if piece.special is None)


def counted(several: list[tuple[str, int]], pattern: str | None, specials: tuple[str, ...] = ()) -> dict[str, int]:
    counter = PretokenCounter(pattern, specials)
    for text, times in several:
        counter.add(text, times)
    return counter.counts()


@pytest.mark.parametrize("split", [*PATTERNS, None, r"\w+", r"[ab ]*"])
def test_equals_counting_one_by_one(split: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = reference.pattern_text(split)

    @examples(60, split)
    @given(
        st.one_of(glued(BORDERS), texts(), texts_with_specials()), st.sampled_from([(), SPECIALS]), st.integers(1, 9)
    )
    def check(text: str, specials: tuple[str, ...], max_chunks: int) -> None:
        monkeypatch.setattr("tokviz.tokenizers.pretoken_counts._MAX_CHUNKS", max_chunks)
        text = "".join(char for char in repair(text)[0] if char not in disputed())
        expected = one_by_one(text, pattern, specials)
        assert list(counted([(text, 1)], pattern, specials).items()) == list(expected.items())

    check()


@pytest.mark.parametrize("split", PATTERNS)
def test_equals_counting_source_code_one_by_one(split: str) -> None:
    pattern = reference.pattern_text(split)
    assert list(counted([(STDLIB, 1)], pattern).items()) == list(one_by_one(STDLIB, pattern).items())


@pytest.mark.parametrize("split", [None, "gpt2", "words"])
def test_a_text_may_occur_several_times(split: str | None) -> None:
    pattern = reference.pattern_text(split)
    several = [("the cat", 2), ("the hat", 2**40), ("a cat", 1)]
    expected: Counter[str] = Counter()
    for text, times in several:
        for piece in reference.cut(text, pattern):
            expected[piece] += times
    assert list(counted(several, pattern).items()) == list(expected.items())
