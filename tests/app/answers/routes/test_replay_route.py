"""The routes of the Merge replay page: they match the package, and refuse with helpful messages."""

from typing import Any

import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz.export import replay_to_svg
from tokviz.pretokens.alternatives import without
from tokviz.pretokens.splitting import BRANCHES, PATTERNS
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.replays import LIMIT
from tokviz.widgets.wire import unpack

LEARN = {"pattern": "none", "alphabet": "bytes", "ties": "first-seen", "merges": "20"}
NAMES = {"tokenizer": "gpt2", "order": "rank"}


def answer(client: TestClient, route: str, query: dict[str, str], text: str) -> Any:
    return client.post(f"/_tokviz/{route}", params=query, content=text.encode())


def same(response: Any, expected: tuple[dict[str, Any], dict[str, Any]]) -> bool:
    assert response.status_code == 200, response.text
    columns, meta = unpack(response.content)
    own, own_meta = expected
    return meta == own_meta and all(columns[name].tolist() == own[name].tolist() for name in own)


@pytest.mark.parametrize("order", ["rank", "pretoken"])
def test_apply_matches_the_package(client: TestClient, order: Any) -> None:
    text = "I'll say: 🍕 déjà vu<|endoftext|>"
    tok = tokviz.load("gpt2")
    query = {"tokenizer": "gpt2", "order": order}
    assert same(answer(client, "replay", query, text), apply_columns(tok.replay(text, (), order)))
    assert same(
        answer(client, "replay", {**query, "special": "1"}, text), apply_columns(tok.replay(text, "all", order))
    )


def test_learn_matches_the_package(client: TestClient) -> None:
    text = "dog. dog! dog? dog. dog! dog?"
    for pattern, ties in (("none", "first-seen"), ("gpt2", "greatest-bytes")):
        tok = tokviz.train(text, num_merges=20, split_pattern=None if pattern == "none" else pattern, tie_break=ties)  # type: ignore[arg-type]
        response = answer(client, "replay/learn", {**LEARN, "pattern": pattern, "ties": ties}, text)
        columns, meta = learn_columns(tok.replay(text))
        alternatives = [{"text": text, "name": name} for name, text in BRANCHES.get(pattern, ())]
        assert same(response, (columns, meta | {"alternatives": alternatives}))


@pytest.mark.parametrize(
    ("query", "text", "pattern", "texts"),
    [
        ({"pattern": "gpt2", "off": "2"}, "in 2026, 2027", without(PATTERNS["gpt2"], {2}), None),
        ({"own": r"[a-z]+|\d{1,2}|\s"}, "in 2026, 2027", r"[a-z]+|\d{1,2}|\s", [r"[a-z]+", r"\d{1,2}", r"\s"]),
        ({"own": r"[a-z]+|\d{1,2}|\s", "off": "0,1"}, "in 2026", r"\s", [r"[a-z]+", r"\d{1,2}", r"\s"]),
        ({"own": "a|b", "off": "0,1"}, "abab", None, ["a", "b"]),
        ({"own": "gpt2"}, "gpt2 gpt2", "(?:gpt2)", ["(?:gpt2)"]),
        ({"own": ""}, "abab", None, []),
    ],
)
def test_a_pattern_is_written_by_hand_and_its_alternatives_are_switched_off(
    client: TestClient, query: dict[str, str], text: str, pattern: str | None, texts: list[str] | None
) -> None:
    response = answer(client, "replay/learn", LEARN | query, text)
    columns, meta = learn_columns(tokviz.train(text, num_merges=20, split_pattern=pattern).replay(text))
    described = unpack(response.content)[1]["alternatives"]
    assert same(response, (columns, meta | {"alternatives": described}))
    branches = [{"text": text, "name": name} for name, text in BRANCHES["gpt2"]]
    assert described == branches if texts is None else [each["text"] for each in described] == texts


def test_words_may_end_in_a_mark(client: TestClient) -> None:
    text = "low lower newest widest"
    tok = tokviz.train(text, num_merges=20, alphabet="characters", end_of_word="</w>")
    query = {**LEARN, "alphabet": "characters", "end_of_word": "1"}
    columns, meta = learn_columns(tok.replay(text))
    assert same(answer(client, "replay/learn", query, text), (columns, meta | {"alternatives": []}))


def test_learned_merges_are_tried_on_a_new_word(client: TestClient) -> None:
    known, new = "the cat in the hat ü", "that"
    query = {**LEARN, "merges": "3", "known": str(len(known.encode())), "order": "rank"}
    tok = tokviz.train(known, num_merges=3)
    assert same(answer(client, "replay/try", query, known + new), apply_columns(tok.replay(new)))


@pytest.mark.parametrize(
    ("route", "query", "text", "status", "sentence"),
    [
        ("replay", NAMES, "x" * 100_001, 413, "This text has 100,001 bytes. A replay shows 100,000 at most"),
        ("replay/learn", LEARN, "x" * 100_001, 413, "use its beginning"),
        ("replay/learn", LEARN, "", 422, "the text is empty"),
        ("replay/learn", {**LEARN, "merges": "5001"}, "x", 400, "This page shows 5,000 merges at most."),
        ("replay/learn", {**LEARN, "pattern": "gpt3"}, "x", 400, "“pattern” must be one of: none, gpt2"),
        ("replay/learn", {**LEARN, "off": "1,a"}, "x", 400, "“off” must be numbers with commas between."),
        ("replay/learn", {**LEARN, "own": "(a"}, "x", 422, "does not compile: missing )"),
        ("replay/learn", {**LEARN, "own": "a" * 2_001}, "x", 422, "may have 2,000 characters here"),
        ("replay/learn", {**LEARN, "own": "(a|aa)+$"}, "a" * 60 + "b", 422, "takes longer than 1 s"),
        ("replay/learn", {**LEARN, "ties": "coin"}, "x", 400, "“ties” must be one of: first-seen, lowest-ids"),
        ("replay/learn", {**LEARN, "end_of_word": "1"}, "x", 422, 'An end-of-word mark needs alphabet="characters"'),
        ("replay", {**NAMES, "tokenizer": "bytes"}, "x", 422, "Bytes can't be replayed: it merges nothing"),
        ("replay", {**NAMES, "tokenizer": "nobody's"}, "x", 404, "This tokenizer is not known here"),
        ("replay", {**NAMES, "order": "alphabetical"}, "x", 400, "“order” must be one of: rank, pretoken."),
        ("replay/try", {**LEARN, "order": "rank", "known": "9"}, "abc", 400, "“known” is more than was sent."),
        (
            "replay/try",
            {**LEARN, "alphabet": "characters", "order": "rank", "known": "3"},
            "abcd",
            422,
            "Character 'd' (U+0064) at position 0, counted from 0, is not in this tokenizer's alphabet",
        ),
    ],
)
def test_refusals(client: TestClient, route: str, query: dict[str, str], text: str, status: int, sentence: str) -> None:
    response = answer(client, route, query, text)
    assert response.status_code == status
    assert sentence in response.json()["error"]


@pytest.mark.parametrize("route", ["replay/learn", "replay/try"])
def test_tokens_that_are_too_long_together_are_refused(client: TestClient, route: str) -> None:
    """A text of 98 KB that says everything twice makes tokens of 30 MB, and a page of 51 MB."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 16_000)))
    query = {**LEARN, "pattern": "none", "alphabet": "characters", "merges": "5000", "order": "rank", "known": "96002"}
    response = answer(client, route, query, f"{letters}\n\n{letters}")
    assert response.status_code == 422
    assert "5 MB are the most that fit: the text repeats very long passages" in response.json()["error"]


def test_a_text_of_the_maximum_size_is_accepted(client: TestClient) -> None:
    text = "déjà vu " * (LIMIT // 10)
    assert len(text.encode()) == LIMIT
    assert answer(client, "replay", NAMES, text).status_code == 200
    assert answer(client, "replay/learn", {**LEARN, "pattern": "gpt2"}, text).status_code == 200


def test_an_empty_text_is_a_replay_without_steps(client: TestClient) -> None:
    columns, _ = unpack(answer(client, "replay", NAMES, "").content)
    assert columns["symbols"].tolist() == []


def test_the_player_can_be_saved_as_a_page(client: TestClient) -> None:
    response = answer(client, "replay", {**NAMES, "page": "1", "step": "2", "symbols": "hex"}, "</script> hello")
    assert response.headers["content-type"].startswith("text/html")
    assert "attachment" in response.headers["content-disposition"]
    assert response.text.lower().count("</script>") == 4  # the page's own scripts
    assert '"steps":{"apply":2}' in response.text


@pytest.mark.parametrize("wrong", [{"step": "x"}, {"step": "1e3"}, {"symbols": "runes"}, {"page": "2"}])
def test_invalid_page_requests_are_refused(client: TestClient, wrong: dict[str, str]) -> None:
    query = {**NAMES, "page": "1", "step": "0", "symbols": "text", **wrong}
    assert answer(client, "replay", query, "hello").status_code == 400


@pytest.mark.parametrize("symbols", ["text", "hex", "ids"])
def test_a_picture_is_the_packages(client: TestClient, symbols: Any) -> None:
    query = {**NAMES, "picture": "1", "columns": "7", "step": "3", "symbols": symbols, "dark": "1"}
    response = answer(client, "replay", query, "</script> hello")
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.headers["content-disposition"] == 'attachment; filename="replay.svg"'
    expected = replay_to_svg(tokviz.load("gpt2"), "</script> hello", 3, columns=7, symbols=symbols, dark=True)
    assert response.text == expected


def test_words_that_are_learned_are_drawn_once(client: TestClient) -> None:
    query = {**LEARN, "pattern": "words", "picture": "1", "columns": "30", "step": "-1", "symbols": "text"}
    assert "×3" in answer(client, "replay/learn", query, "low low low").text


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"columns": "0"}, 400),
        ({"columns": "1001"}, 400),
        ({"step": "x"}, 400),
        ({"symbols": "runes"}, 400),
        ({"dark": "2"}, 400),
        ({"decoding": "1", "row": "-1", "end": "2"}, 400),
    ],
)
def test_invalid_picture_requests_are_refused(client: TestClient, wrong: dict[str, str], status: int) -> None:
    query = {**NAMES, "picture": "1", "columns": "9", "step": "0", "symbols": "text", **wrong}
    assert answer(client, "replay", query, "hello").status_code == status


def test_texts_without_a_tower_have_no_picture(client: TestClient) -> None:
    query = {**NAMES, "picture": "1", "columns": "9", "step": "0", "symbols": "text"}
    response = answer(client, "replay", query, "ab" * 501)
    said = "This text has 1,002 symbols; a picture shows 1,000 at most."
    assert (response.status_code, response.json()["error"]) == (422, said)
