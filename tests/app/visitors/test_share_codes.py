"""Share codes: written, read, refused if invalid, and rebuilt to tokenizers by the route."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from typing import Any

import pytest
from clients import client as client
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from strategies import examples
from streamlit.testing.v1 import AppTest

import tokviz
from tokviz.analysis.holdout import hold_out
from tokviz.app.fairness.visitors import FairQueue
from tokviz.app.processes.training import Recipe, jobs
from tokviz.app.visitors import share_codes
from tokviz.app.visitors.links import pack
from tokviz.app.visitors.registry import registry
from tokviz.app.visitors.share_codes import Origin
from tokviz.samples import sample
from tokviz.tokenizers.base import check_special_tokens

LINES = "the cat in the hat sat on the mat\n" * 12
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
RECIPES = st.builds(
    Recipe,
    st.integers(1, share_codes.LARGEST),
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
    letters = share_codes.write(origin)
    assert not letters or share_codes.read(letters) == origin


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
        {"vocab_size": share_codes.LARGEST + 1},
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
        {"end_of_word": "\ud800"},
        {"tie_break": None},
        {"special_tokens": [""]},
        {"special_tokens": ["a", "a"]},
        {"special_tokens": [1]},
        {"special_tokens": ["\ud800"]},
        {"special_tokens": 1},
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
    "letters", ["", "x", "🍕", "A" * 2_000, "A" * 100_000, pack("[" * 500_000), pack(" " * 2_000_000)]
)
def test_invalid_share_codes_are_refused(letters: str) -> None:
    with pytest.raises(ValueError, match="this link"):
        share_codes.read(letters)


def test_a_truncated_share_code_is_refused() -> None:
    letters = share_codes.write(ORIGIN)
    for end in range(len(letters)):
        with pytest.raises(ValueError, match="this link"):
            share_codes.read(letters[:end])


# The route


def made(client: TestClient, letters: str, name: str = "no-longer-kept-here-at-all") -> Any:
    return client.post(f"/_tokviz/made?id={name}", content=letters.encode())


@pytest.mark.parametrize("held_out", [False, True])
def test_a_rebuilt_tokenizer_equals_the_original(client: TestClient, held_out: bool) -> None:
    recipe = Recipe(300, "gpt2", "seen-bytes", tie_break="lowest-ids", special_tokens=("<s>",))
    told = made(client, share_codes.write(Origin("Cats", recipe, texts=(LINES,), held_out=held_out))).json()
    texts = hold_out([LINES]).learn if held_out else [LINES]
    same = tokviz.train(texts, **asdict(recipe))
    again = registry.get(told["name"])
    assert (told["label"], told["vocabSize"], told["kind"]) == ("Cats", same.vocab_size, "bpe")
    assert again.vocab == same.vocab
    assert again.encode(LINES) == same.encode(LINES)


def test_samples_are_stored_by_name(client: TestClient) -> None:
    text = sample("prose-en").text
    told = made(client, share_codes.write(Origin("English", Recipe(280), sample="prose-en"))).json()
    assert registry.get(told["name"]).vocab == tokviz.train(text, vocab_size=280, split_pattern="cl100k").vocab


def test_a_registered_tokenizer_is_not_rebuilt(client: TestClient) -> None:
    name = registry.register(tokviz.train("abab", num_merges=1), "Mine")
    told = made(client, "", name).json()
    assert (told["name"], told["recipe"]) == (name, "")
    letters = share_codes.write(replace(ORIGIN, label="once"))
    first, second = (made(client, letters).json() for _ in range(2))
    assert first == second
    assert first["recipe"] == letters


def test_simultaneous_requests_share_one_rebuild(client: TestClient) -> None:
    letters = share_codes.write(replace(ORIGIN, label="all at once"))
    with ThreadPoolExecutor(8) as pool:
        names = {answer.json()["name"] for answer in pool.map(lambda _: made(client, letters), range(8))}
    assert len(names) == 1


def test_share_codes_are_read_off_the_event_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read_by = []

    def read(letters: str) -> Origin:
        read_by.append(threading.current_thread())
        return ORIGIN

    async def loop_thread() -> threading.Thread:
        return threading.current_thread()

    monkeypatch.setattr(share_codes, "read", read)
    assert client.portal is not None
    made(client, "held up")
    assert read_by and read_by != [client.portal.call(loop_thread)]


def test_a_rebuilt_tokenizer_is_kept_for_its_session_and_an_hour(client: TestClient) -> None:
    name = made(client, share_codes.write(replace(ORIGIN, label="an hour"))).json()["name"]
    assert registry._registered[name].holders == 0
    app = AppTest.from_function(adopting, kwargs={"name": name}).run()
    assert not app.exception
    assert app.json[0].value == '["an hour"]'
    assert registry._registered[name].holders == 1


def adopting(name: str) -> None:
    import streamlit as st

    from tokviz.app.visitors import visitor_tokenizers

    visitor_tokenizers.adopt(name)
    visitor_tokenizers.adopt(name)  # already adopted
    visitor_tokenizers.adopt("gone-or-never-there-at-all")
    st.json([each.label for each in visitor_tokenizers.descriptions()])


def test_removing_a_tokenizer_leaves_it_to_other_sessions() -> None:
    name = registry.register(tokviz.train("abab", num_merges=1))
    registry.hold(name)
    registry.forget(name)
    assert registry.has(name)
    registry.forget(name)
    assert not registry.has(name)


@pytest.mark.parametrize(
    ("letters", "status", "says"),
    [
        ("", 404, "not known here"),
        ("nonsense", 422, "This link"),
        (pack(json.dumps(asdict(ORIGIN) | {"label": "\ud800"})), 422, "This link does not say"),
        (share_codes.write(replace(ORIGIN, sample="none-such")), 422, "No sample is named"),
        (share_codes.write(replace(ORIGIN, held_out=True)), 422, "fewer than 10 lines"),
        (
            share_codes.write(Origin("ages", TAKES_AGES, texts=("ab" * 5_000,))),
            422,
            "takes longer than",
        ),
    ],
)
def test_a_failed_rebuild_is_explained(client: TestClient, letters: str, status: int, says: str) -> None:
    answer = made(client, letters)
    assert answer.status_code == status
    assert says in answer.json()["error"]


def test_a_link_needs_an_id(client: TestClient) -> None:
    assert client.post("/_tokviz/made", content=b"").status_code == 400


def test_a_full_training_queue_is_reported(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_waiting", FairQueue(0, 1))
    monkeypatch.setattr(jobs, "_running", {})  # the previous test's training may still be ending
    answer = made(client, share_codes.write(replace(ORIGIN, label="too many")))
    assert answer.status_code == 429
    assert "waiting already" in answer.json()["error"]


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
