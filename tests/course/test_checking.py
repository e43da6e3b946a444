"""The chapter "checking": its facts, and what the readers of its examples are told."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl

import hostile_solutions
import pytest
from chapter_facts import Facts, expect_true
from hostile_solutions import ids_request, merges_request
from shipped import encoding_of

from tokviz.analysis.checking.mistaken_training import WAYS
from tokviz.analysis.checking.training_check import CHARACTERS, OTHER_PRETOKENS, REORDERED, WRONG_RULE
from tokviz.course.chapters import chapter
from tokviz.course.checking import MAX_TEXT, check_ids, check_merges

CAT = "the cat in the hat"


def names_of_mistakes() -> set[str]:
    mistakes = [mistake for mistake, _ in OTHER_PRETOKENS] + [way.mistake for way in WAYS]
    return {mistake.name for mistake in (*mistakes, CHARACTERS, REORDERED, WRONG_RULE)}


def examples() -> list[dict[str, str]]:
    """What the sentences of the chapter put into its first figure, and what it begins with."""
    blocks = chapter("checking").blocks
    values = [block.value for block in blocks if block.name == "merges"]
    values += [part.value for block in blocks for part in block.parts if part.target == "merges"]
    return [dict(parse_qsl(value)) for value in values]


FACTS: Facts = {
    "22 such mistakes": lambda: len(names_of_mistakes()) == 22,
    "joins two pairs rightly, and then one that is too rare": lambda: (
        CAT.count("th") == 2 == CAT.count("the") and CAT.count("ca") == 1
    ),
    "joined the pairs from left to right": lambda: (
        [encoding_of("gpt2").decode([token]) for token in (7012, 2616, 2616)] == ["ba", "na", "na"]
    ),
}


def test_every_fact_is_true() -> None:
    expect_true("checking", FACTS)


def test_the_examples_are_wrong_as_their_sentences_say() -> None:
    first, overlaps, across, ties = map(check_merges, examples())
    assert first["sentences"][1] == "Merge 3: you join c + a, in 1 place. More frequent is the + ·, in 2 places."
    assert "You counted overlapping places once." in overlaps["sentences"][-1]
    assert "across pre-tokens" in across["sentences"][-1]
    assert "another tie rule" in " ".join(ties["sentences"])
    # The pair that occurs most, counted in another way.
    assert CAT.count("the ") == 2
    pairs = list(pairwise("aaaaa bcbcbc"))
    assert (pairs.count(("a", "a")), pairs.count(("b", "c"))) == (4, 3)


def test_a_wrong_answer_links_to_its_step() -> None:
    found = check_merges(examples()[0])
    assert found["link"]["page"] == "replay"
    assert found["link"]["fields"] | {"step": "2", "story": "learn", "split": "none"} == found["link"]["fields"]
    assert found["link"]["text"] == CAT


def test_ids_are_checked_by_the_chosen_tokenizer() -> None:
    text = "naïve 🍕 banana"
    for name in ("gpt2", "cl100k_base"):
        ids = encoding_of(name).encode_ordinary(text)
        assert check_ids({"solution": str(ids), "text": text, "tokenizer": name})["right"]
        wrong = check_ids({"solution": str([*ids[:-1], 0]), "text": text, "tokenizer": name})
        assert re.match(rf"Token {len(ids)}, at byte", wrong["sentences"][1])


SLOW = {
    *("sums", "lists of nothing", "too many merges", "a text of one letter", "ten thousand merges of a long text"),
    *("pairs of long texts", "one long line", "a special token everywhere", "ids without end"),
}
"""Requests that take a second or more, within limits: `hostile.py` sends them."""

HOSTILE = [
    *((check_merges, merges_request(fields)) for name, fields in hostile_solutions.MERGES.items() if name not in SLOW),
    *((check_ids, ids_request(fields)) for name, fields in hostile_solutions.IDS.items() if name not in SLOW),
]


@pytest.mark.parametrize(("check", "fields"), HOSTILE)
def test_hostile_solutions_get_a_short_sentence(
    check: Callable[[dict[str, str]], dict[str, Any]], fields: dict[str, str]
) -> None:
    try:
        sentences = check(fields)["sentences"]
    except ValueError as error:
        sentences = [str(error)]
    for sentence in sentences:
        assert 10 < len(sentence) < 500


def test_a_mark_of_another_encoding_is_no_part_of_a_solution() -> None:
    assert check_merges(merges_request({"solution": "\ufeff[(116, 104)]"}))["right"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "nothing to learn from|no list"),
        ({"text": "a" * (MAX_TEXT + 1), "solution": "[]"}, "200,000 bytes"),
        ({"text": "abc", "solution": "merges = 3"}, "no list of Python's"),
        ({"text": "abc", "solution": "[(1, 2)]", "merges": "9" * 30}, "nowhere|no merges|nothing"),
    ],
)
def test_what_can_not_be_checked_is_refused_in_words(fields: dict[str, str], message: str) -> None:
    try:
        said = " ".join(check_merges(fields)["sentences"])
    except ValueError as error:
        said = str(error)
    assert re.search(message, said)
