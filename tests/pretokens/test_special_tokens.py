"""Special tokens in a text: the leftmost, then the longest, in limited time whatever the input."""

import re
import threading
import time
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.pretokens import special_tokens, splitting
from tokviz.pretokens.special_tokens import SpecialsTooSlow, cut_out
from tokviz.pretrained import OpenAIName

FAMILIES = ["<abs>", "ab", "<[", "a\n |?"]
TOKENS = st.sampled_from(FAMILIES).flatmap(
    lambda letters: st.sets(st.text(letters, min_size=1, max_size=5), min_size=1)
)
BRACKETED = st.sets(st.text("abs>", max_size=5).map(lambda rest: f"<{rest}"), min_size=1)


def reference_cut_out(text: str, tokens: set[str]) -> list[str]:
    """Cut character by character, following the definition."""
    parts, ordinary, place = [], "", 0
    while place < len(text):
        found = max((token for token in tokens if text.startswith(token, place)), key=len, default="")
        if found:
            parts += [ordinary, found]
            ordinary, place = "", place + len(found)
        else:
            ordinary, place = ordinary + text[place], place + 1
    return [*parts, ordinary]


@examples(120)
@given(TOKENS | BRACKETED, st.text("<abs>[\n |?", max_size=30))
def test_the_leftmost_then_the_longest_is_found(tokens: set[str], text: str) -> None:
    assert cut_out(text, tokens) == reference_cut_out(text, tokens)


def test_without_special_tokens_nothing_is_cut() -> None:
    assert cut_out("ab", []) == ["ab"]
    assert cut_out("", ["a"]) == [""]


@pytest.mark.parametrize("name", get_args(OpenAIName))
def test_shipped_special_tokens_are_found_in_one_pass_in_this_process(name: str) -> None:
    def refuse(*_: object) -> list[splitting.Spans]:
        raise AssertionError("went to a child")

    tokens = tokviz.load(name).special_tokens
    text = "".join(f"a {token}<|{token[:-1]}" for token in [*tokens][::7])
    before = splitting.set_matcher(refuse)
    try:
        assert cut_out(text, tokens) == reference_cut_out(text, set(tokens))
    finally:
        splitting.set_matcher(before)


@pytest.mark.parametrize(
    "tokens",
    [
        {"a" * length + "b" for length in range(1, 1_000)},
        {f"<{chr(0x4E00 + number)}x" for number in range(900)},
        {"<" + "a" * length for length in range(1, 900)},
        {"<" + "a" * length for length in range(1, 70)},
        {f"<{number}>" for number in range(100_000)},
    ],
    ids=["overlapping", "many branches", "deep", "a little too deep", "many"],
)
def test_potentially_slow_tokens_have_no_simple_pattern(tokens: set[str]) -> None:
    assert special_tokens._simple_pattern(frozenset(tokens)) is None


def test_tokens_that_overlap_everywhere_block_no_other_thread() -> None:
    """A thousand such tokens, which fit into a link, blocked all threads for 105 s on a text of 100,000 letters."""
    tokens = ["a" * length + chr(0x4E00 + length) for length in range(1, 401)]
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    other = threading.Thread(target=tick)
    other.start()
    started = time.monotonic()
    with splitting.time_limit(0.5), pytest.raises(SpecialsTooSlow, match="special tokens"):
        cut_out("a" * 1_000_000, tokens)
    took = time.monotonic() - started
    done.set()
    other.join()
    assert took < 60
    assert max(later - earlier for earlier, later in pairwise([started, *ticks])) < max(took * 0.8, 0.5)


def test_too_many_tokens_are_explained() -> None:
    with pytest.raises(ValueError, match="too many, or too long"):
        cut_out("ab", ["a" * length + "b" for length in range(1, 1_000)])


@examples(120)
@given(TOKENS | BRACKETED, st.text("<abs>[\n |?", max_size=30))
def test_tens_of_thousands_of_tokens_are_found_alike(tokens: set[str], text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(special_tokens, "_simple_pattern", lambda _: None)
        patch.setattr(splitting, "MAX_EXPANDED", 0)
        assert cut_out(text, tokens) == reference_cut_out(text, tokens)


def test_tens_of_thousands_of_tokens_that_begin_and_go_on_alike() -> None:
    tokens = {f"word{number}" for number in range(26_089)}
    text = "a word17 and word26088, word26089 and wordword3word"
    assert cut_out(text, tokens) == reference_cut_out(text, tokens)
    with splitting.time_limit(0), pytest.raises(SpecialsTooSlow, match="special tokens"):
        cut_out(text, tokens)


def test_long_texts_are_searched_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(special_tokens, "_WINDOW", 7)
    tokens = ["<s>", "<s>>>>>>>>>", "[end of the text]"]
    text = "ab<s>>" + "".join(f"{'x' * number}{token}" for number in range(20) for token in tokens)
    expected = [match.span() for match in re.finditer("<s>(?:>{8})?|" + re.escape(tokens[2]), text)]
    assert list(special_tokens.find(text, tokens)) == [place for span in expected for place in span]
