"""Exercises: every stated answer is what tiktoken, or its table of ranks, says."""

from itertools import accumulate, pairwise
from typing import Any

import pytest
import regex
from shipped import encoding_of, ranks_of

from tokviz.lesson.exercises import EXERCISES, Exercise, exercises
from tokviz.lesson.steps import lesson

SHOWN: dict[str, dict[str, Any]] = {each["id"]: each for each in exercises()["exercises"]}


def of_kind(kind: str) -> list[Exercise]:
    return [each for each in EXERCISES if each.kind == kind]


def pieces(name: str, text: str) -> list[str]:
    encoding = encoding_of(name)
    return [token.decode() for token in encoding.decode_tokens_bytes(encoding.encode_ordinary(text))]


def test_there_is_an_exercise_of_each_kind_and_each_names_its_tokenizer() -> None:
    assert {each.kind for each in EXERCISES} == {"cut", "merge", "cheaper", "write"}
    assert len(SHOWN) == len(EXERCISES)
    for each in EXERCISES:
        shown = SHOWN[each.id]
        assert shown["label"] in shown["question"]
        assert shown["kind"] == each.kind


@pytest.mark.parametrize("exercise", of_kind("cut"), ids=lambda each: each.id)
def test_cuts_are_those_of_tiktoken(exercise: Exercise) -> None:
    (text,) = exercise.texts
    shown = SHOWN[exercise.id]
    encoding = encoding_of(exercise.tokenizer)
    assert [token["text"] for token in shown["tokens"]] == pieces(exercise.tokenizer, text)
    assert [token["id"] for token in shown["tokens"]] == encoding.encode_ordinary(text)
    assert text.isascii() and len(shown["tokens"]) > 1
    cuts = {match.start() for match in regex.finditer(encoding._pat_str, text)}
    boundaries = list(accumulate(len(token["text"]) for token in shown["tokens"]))[:-1]
    assert shown["splits"] == [boundary in cuts for boundary in boundaries]


@pytest.mark.parametrize("exercise", of_kind("merge"), ids=lambda each: each.id)
def test_merges_are_those_of_the_table_of_ranks(exercise: Exercise) -> None:
    (text,) = exercise.texts
    ranks = ranks_of(exercise.tokenizer)
    bytes_first = 255  # ranks 0 to 255 are the single bytes
    expected = {pair: ranks.get("".join(pair).encode(), bytes_first) - bytes_first for pair in pairwise(text)}
    shown = {(pair["left"], pair["right"]): pair["merge"] for pair in SHOWN[exercise.id]["pairs"]}
    assert shown == expected
    made = [merge for merge in shown.values() if merge]
    assert len(shown) >= 3
    assert made.count(min(made)) == 1


@pytest.mark.parametrize("exercise", of_kind("cheaper"), ids=lambda each: each.id)
def test_one_of_two_texts_is_cheaper(exercise: Exercise) -> None:
    shown = SHOWN[exercise.id]
    assert shown["pieces"] == [pieces(exercise.tokenizer, text) for text in exercise.texts]
    first, second = map(len, shown["pieces"])
    assert first != second


def test_seven_tokens_are_asked_for() -> None:
    assert SHOWN["seven"]["count"] == 7
    assert "exactly 7 tokens in cl100k" in SHOWN["seven"]["question"]


def test_the_words_are_the_language_files() -> None:
    assert exercises()["words"] == lesson().words["exercises"]
