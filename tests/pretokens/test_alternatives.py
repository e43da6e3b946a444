"""Alternatives of split patterns: joined again they are the pattern, and one after the other they match as it does."""

import random
from itertools import combinations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from nasty_patterns import nasty_pattern
from strategies import examples, texts

from tokviz.analysis.known_patterns import KNOWN
from tokviz.loading import load
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import MAX_ALTERNATIVES, alternatives, without
from tokviz.pretokens.pattern_names import OPEN_MODELS
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

KNOWN_PATTERNS = list(dict.fromkeys([*splitting.PATTERNS.values(), *KNOWN]))


def joined(pattern: str) -> str:
    flags, parts = alternatives(pattern)
    return flags + "|".join(parts)


def matched_in_turn(pattern: str, text: str) -> list[str]:
    """Non-empty matches, found by trying one alternative after the other at every place."""
    flags, parts = alternatives(pattern)
    compiled = [regex.compile(flags + part) for part in parts]
    found, place = [], 0
    while place < len(text):
        match = next((match for each in compiled if (match := each.match(text, place)) and match.group()), None)
        if match:
            found.append(match.group())
        place = match.end() if match else place + 1
    return found


def check_alternatives(pattern: str, count: int) -> None:
    """Compare a pattern with its alternatives tried in turn, on `count` texts."""
    assert joined(pattern) == pattern
    compiled = regex.compile(pattern)

    @examples(count, pattern)
    @given(texts())
    def check(text: str) -> None:
        assert matched_in_turn(pattern, text) == [match.group() for match in compiled.finditer(text) if match.group()]

    check()


@pytest.mark.parametrize("pattern", KNOWN_PATTERNS)
def test_alternatives_of_known_patterns_match_as_these_do(pattern: str) -> None:
    check_alternatives(pattern, 200)


def test_alternatives_of_the_patterns_in_shipped_files_match_as_these_do() -> None:
    tokenizers = [load(name) for name in OPEN_MODELS]
    steps = [step for each in tokenizers if isinstance(each, HuggingFaceTokenizer) for step in each.cutting_steps]
    patterns = {step["pattern"]["Regex"] for step in steps if step["type"] == "Split"}
    assert len(patterns) >= 4
    for pattern in patterns:
        check_alternatives(pattern, 40)


@pytest.mark.parametrize("pattern", KNOWN_PATTERNS)
def test_the_numbers_of_alternatives_are_those_of_their_names(pattern: str) -> None:
    flags, parts = alternatives(pattern)
    assert [flags + parts[0], *parts[1:]] == [branch for _, branch in KNOWN[pattern]]


ATOMS = st.sampled_from(
    [
        "a",
        "b+",
        r"\|",
        "[|]",
        "[]|]",
        "[^]|a]",
        r"[\]|]",
        r"(?:a|b)",
        "(a|bb)",
        "(?i:A|b)",
        r"\(",
        "(?>a|ab)b",
        "(?=a|b)[ab]",
        r"\p{L}{1,2}",
        "[[:alpha:]|]",
        "(?<!a|b)c",
        "a{2}",
    ]
)


@examples(300)
@given(
    st.lists(st.lists(ATOMS, min_size=1, max_size=3).map("".join), min_size=1, max_size=5),
    st.sampled_from(["", "(?s)", "(?i)"]),
    st.text("ab|(]c", max_size=12),
)
def test_a_pattern_falls_into_the_alternatives_that_it_was_joined_from(parts: list[str], flags: str, text: str) -> None:
    pattern = flags + "|".join(parts)
    assert alternatives(pattern).parts == (tuple(parts) if len(parts) > 1 else (pattern,))
    assert matched_in_turn(pattern, text) == [match.group() for match in regex.finditer(pattern, text)]


@pytest.mark.parametrize("numbers", [(), (0,), (1, 2), (0, 1, 2), (7,)])
def test_a_pattern_without_alternatives_is_the_others_joined(numbers: tuple[int, ...]) -> None:
    parts = ["a|b", r"[|]", r"c{1,2}"]
    left = [part for number, part in enumerate([r"(?:a|b)", *parts[1:]]) if number not in numbers]
    assert without(r"(?i)(?:a|b)|[|]|c{1,2}", numbers) == ("(?i)" + "|".join(left) if left else None)


def test_every_choice_of_a_named_patterns_alternatives_compiles() -> None:
    for pattern in splitting.PATTERNS.values():
        numbers = range(len(alternatives(pattern).parts))
        for count in numbers:
            for off in combinations(numbers, count):
                regex.compile(without(pattern, off) or "")


@pytest.mark.parametrize(
    "pattern",
    [
        *[r"(a)|\1b", "(?P<n>a)|(?P=n)b", "(a)|(?1)", "a|(?R)b", "(a)?|(?(1)b|c)", r"(?P<n>a)|\g<n>"],
        *["a|(?i)b", "(?x)a | b # c|d", "a|(?x: b # |)\n)", "(?V1)[[a|b]--[b]]|c", "[[a]|b]|c", "(?p)a|ab", "(?r)a|b"],
        *["(?#|)a|b", "a(*SKIP)|b", r"a\K|b", r"\Ga|b", "(?:ab){e<=1}|b", "(?b)(?:ab){e}|b"],
        *["a||b", "a|", "|", "", "a|b)", "(a|b", "a|[b", "a|b\\", "|".join("a" * (MAX_ALTERNATIVES + 1))],
    ],
)
def test_a_pattern_that_may_mean_something_else_in_parts_is_left_whole(pattern: str) -> None:
    assert alternatives(pattern) == ("", (pattern,))


def test_hostile_patterns_are_taken_apart_without_being_compiled() -> None:
    rng = random.Random(7)
    for _ in range(150):
        pattern = nasty_pattern(rng)
        assert joined(pattern) == pattern


@examples(100)
@given(texts(), st.sets(st.integers(0, 7)))
def test_nothing_of_a_text_is_lost_without_some_alternatives(text: str, off: set[int]) -> None:
    assert "".join(splitting.split(text, without(splitting.PATTERNS["cl100k"], off))) == text
