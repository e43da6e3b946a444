"""Share codes: written, read, and refused if invalid."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from clients import client as client
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.share_codes import Origin
from tokviz.app.shields.processes.training_recipes import (
    LARGEST,
    EngineRecipe,
    Recipe,
    SentencePieceRecipe,
    WordPieceRecipe,
)
from tokviz.lesson.links import pack
from tokviz.tokenizers.inputs import check_special_tokens

LINES = "the cat in the hat sat on the mat\n" * 12
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
RECIPES = st.builds(
    Recipe,
    st.integers(1, LARGEST),
    st.sampled_from([None, "gpt2", r"\w+|\W+"]),
    st.sampled_from(["bytes", "seen-bytes", "characters"]),
    st.none() | st.just("</w>"),
    st.sampled_from(["first-seen", "lowest-ids", "greatest-bytes"]),
    st.lists(TEXTS.filter(bool), unique=True, max_size=3).map(tuple),
)
NO_RECIPES = ["", "x", "🍕", "A" * 2_000, "A" * 100_000, pack("[" * 500_000), pack(" " * 2_000_000)]
TAKES_AGES = Recipe(300, r"(?=(.*a)*c)b|.")
ORIGIN = Origin("Mine", Recipe(270), texts=("abab",))


@examples(100)
@given(st.builds(Origin, TEXTS, RECIPES, TEXTS, st.lists(TEXTS, max_size=3).map(tuple), st.booleans()))
def test_share_codes_round_trip(origin: Origin) -> None:
    code = share_codes.write(origin)
    assert not code or share_codes.read(code) == origin


def test_origins_too_long_for_a_link_have_no_share_code() -> None:
    assert share_codes.write(replace(ORIGIN, texts=("ab" * 60_000,))) == ""
    assert share_codes.write(replace(ORIGIN, texts=("".join(chr(0x4E00 + n) for n in range(5_000)),))) == ""
    assert len(share_codes.write(replace(ORIGIN, texts=(LINES * 100,)))) < 1_000


def test_a_lone_surrogate_is_repaired_as_training_repairs_it() -> None:
    assert share_codes.read(share_codes.write(replace(ORIGIN, texts=("a\ud800",)))).texts == ("a\ufffd",)


@pytest.mark.parametrize(
    "change",
    [
        {"label": 1},
        {"label": None},
        {"sample": 5},
        {"texts": [1]},
        {"texts": None},
        {"texts": "abab"},
        {"texts": {"abab": 1}},
        {"label": "a\ud800"},
        {"texts": ["a", "\udc00"]},
        {"held_out": "yes"},
        {"more": 1},
        {"recipe": None},
        {"recipe": {}},
    ],
)
def test_invalid_origins_are_refused(change: dict[str, Any]) -> None:
    refused(asdict(ORIGIN) | change)


@pytest.mark.parametrize(
    "change",
    [
        {"vocab_size": 0},
        {"vocab_size": LARGEST + 1},
        {"vocab_size": "300"},
        {"vocab_size": True},
        {"vocab_size": 1e3},
        {"split_pattern": 5},
        {"split_pattern": "a" * (share_codes.LONGEST_PATTERN + 1)},
        {"split_pattern": "("},
        {"split_pattern": "\ud800"},
        {"split_pattern": "(" * 1_000 + ")" * 1_000},
        {"alphabet": "runes"},
        {"alphabet": []},
        {"end_of_word": 7},
        {"end_of_word": "w" * (share_codes.LONGEST_MARK + 1)},
        {"end_of_word": "\ud800"},
        {"tie_break": None},
        {"special_tokens": [""]},
        {"special_tokens": ["a", "a"]},
        {"special_tokens": [1]},
        {"special_tokens": ["\ud800"]},
        {"special_tokens": 1},
        {"special_tokens": "abc"},
        {"special_tokens": {"<s>": 1}},
        {"special_tokens": ["a" * share_codes.MAX_SPECIALS_LENGTH, "b"]},
        {"special_tokens": [str(number) for number in range(share_codes.MAX_SPECIALS + 1)]},
        {"progress": 1},
    ],
)
def test_invalid_recipes_are_refused(change: dict[str, Any]) -> None:
    refused(asdict(ORIGIN) | {"recipe": asdict(ORIGIN.recipe) | change})


@pytest.mark.parametrize("said", [[], 1, None, "recipe", {}, {"recipe": []}])
def test_invalid_json_is_refused(said: object) -> None:
    refused(said)


def refused(said: object) -> None:
    with pytest.raises(ValueError):
        share_codes.read(pack(json.dumps(said)))


@pytest.mark.parametrize(
    "code", ["", "x", "🍕", "A" * 2_000, "A" * 100_000, pack("[" * 500_000), pack(" " * 2_000_000)]
)
def test_invalid_share_codes_are_refused(code: str) -> None:
    with pytest.raises(ValueError, match="this link"):
        share_codes.read(code)


def test_the_values_of_a_share_code_are_counted_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", lambda _: pytest.fail("it was parsed"))
    for many in ("[]," * 300_000, '"",' * 300_000):
        with pytest.raises(ValueError, match="does not say how"):
            share_codes.read(pack('{"texts":[' + many + "1]}"))


def test_a_truncated_share_code_is_refused() -> None:
    code = share_codes.write(ORIGIN)
    for end in range(len(code)):
        with pytest.raises(ValueError, match="this link"):
            share_codes.read(code[:end])


class Counted(str):
    """A string that counts its comparisons."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_special_tokens_are_checked_in_one_pass() -> None:
    Counted.compared = 0
    check_special_tokens([Counted(number) for number in range(2_000)])
    assert Counted.compared < 20_000  # comparing all pairs would take four million


def test_repeated_special_tokens_are_not_listed_in_full() -> None:
    with pytest.raises(ValueError, match="repeated: 0, 1") as raised:
        check_special_tokens([*map(str, range(1_000)), "c" * 10_000] * 2)
    assert len(str(raised.value)) < 200


ENGINE_RECIPES = st.builds(
    SentencePieceRecipe,
    st.integers(1, LARGEST),
    st.sampled_from(["bpe", "unigram"]),
    st.floats(0.98, 1.0),
    *[st.booleans()] * 4,
    st.sampled_from(["identity", "nfkc_cf"]),
    st.integers(1, 512),
) | st.builds(
    WordPieceRecipe,
    st.integers(1, LARGEST),
    st.integers(0, 1_000_000),
    st.integers(1, 100_000),
    TEXTS.filter(lambda text: 0 < len(text) <= 20),
    st.booleans(),
    st.none() | st.booleans(),
)


@examples(50)
@given(ENGINE_RECIPES)
def test_recipes_of_other_libraries_round_trip(recipe: EngineRecipe) -> None:
    origin = replace(ORIGIN, recipe=recipe)
    assert share_codes.read(share_codes.write(origin)) == origin


@pytest.mark.parametrize(
    "recipe",
    [
        {"algorithm": "sentencepiece"},
        {"algorithm": "train", "vocab_size": 300},
        {"algorithm": ["sentencepiece"], "vocab_size": 300},
        {"algorithm": "sentencepiece", "vocab_size": "300"},
        {"algorithm": "sentencepiece", "vocab_size": True},
        {"algorithm": "sentencepiece", "vocab_size": LARGEST + 1},
        {"algorithm": "sentencepiece", "vocab_size": 300, "input": "/etc/passwd"},
        {"algorithm": "sentencepiece", "vocab_size": 300, "character_coverage": float("nan")},
        {"algorithm": "sentencepiece", "vocab_size": 300, "model_type": ["bpe"]},
        {"algorithm": "sentencepiece", "vocab_size": 300, "byte_fallback": 1},
        {"algorithm": "wordpiece", "vocab_size": 300, "wordpieces_prefix": ""},
        {"algorithm": "wordpiece", "vocab_size": 300, "wordpieces_prefix": "\ud800"},
        {"algorithm": "wordpiece", "vocab_size": 300, "min_frequency": 1.5},
        {"algorithm": "wordpiece", "vocab_size": 300, "strip_accents": "yes"},
        ["algorithm"],
        "algorithm",
    ],
)
def test_invalid_recipes_of_other_libraries_are_refused(recipe: Any) -> None:
    with pytest.raises(ValueError, match="does not say how its tokenizer was made"):
        share_codes.read(pack(json.dumps({"label": "Mine", "recipe": recipe, "texts": ["abab"]})))
