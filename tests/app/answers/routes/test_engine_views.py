"""Tokenizers of engines on the Merge replay page: each is shown by its algorithm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from math import nan
from typing import Any

import numpy as np
import pytest
from clients import client as client
from engine_files import family, sentencepiece_model
from starlette.testclient import TestClient
from subword_models import NORMAL, UNKNOWN, sentencepiece_file

from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.export import lattice_to_svg
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.lattices import MAX_CHARACTERS, lattice_data
from tokviz.widgets.longest_matches import matches_data
from tokviz.widgets.replay_views import MAX_MATCHED, WAYS, steps_of
from tokviz.widgets.wire import unpack

TEXT = "the lowest of the low"
TOKENIZERS: dict[str, SentencePieceTokenizer | HuggingFaceTokenizer] = {
    "bpe": SentencePieceTokenizer("bpe", sentencepiece_model(model_type="bpe")),
    "unigram": SentencePieceTokenizer("unigram", sentencepiece_model(model_type="unigram")),
    "bert": HuggingFaceTokenizer("bert", family("bert")),
    "word level": HuggingFaceTokenizer("words", family("words")),
}


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokenizers that the server has, as it has those that are shipped."""
    find = registry.get
    monkeypatch.setattr(registry, "get", lambda name: TOKENIZERS.get(name) or find(name))


def answer(client: TestClient, tokenizer: str, text: str = TEXT, **query: str) -> Any:
    query = {"tokenizer": tokenizer, "order": "rank"} | query
    return client.post("/_tokviz/replay", params=query, content=text.encode())


def test_sentencepiece_merges_are_replayed(client: TestClient) -> None:
    columns, meta = unpack(answer(client, "bpe").content)
    expected, expected_meta = apply_columns(TOKENIZERS["bpe"].replay(TEXT))
    assert meta == expected_meta
    assert all(columns[name].tolist() == expected[name].tolist() for name in expected)


def test_unigram_is_a_lattice(client: TestClient) -> None:
    columns, meta = unpack(answer(client, "unigram").content)
    assert (columns, meta["view"]) == ({}, "lattice")
    assert meta["lattice"] == lattice_data(TOKENIZERS["unigram"].lattice(TEXT, WAYS))


def test_wordpiece_is_longest_matches(client: TestClient) -> None:
    _, meta = unpack(answer(client, "bert").content)
    assert meta["matches"] == matches_data(TOKENIZERS["bert"].longest_matches(TEXT))


def test_views_are_saved_as_pages(client: TestClient) -> None:
    for name, file in (("unigram", "lattice.html"), ("bert", "matches.html")):
        response = answer(client, name, page="1", step="-2", symbols="text")
        assert response.headers["content-disposition"] == f'attachment; filename="{file}"'
        assert response.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("tokenizer", "text", "status", "sentence"),
    [
        ("unigram", "x" * (MAX_CHARACTERS + 1), 422, "This text has 1,001 characters; 1,000 are shown at most"),
        ("unigram", "\u3349" * 600, 422, "This text has 1,201 characters; a lattice shows 1,000 at most"),
        ("bert", "x" * (MAX_MATCHED + 1), 422, "This text has 5,001 characters; 5,000 are shown at most"),
        ("bert", "a " * 600, 422, "This text has 600 words; 500 are shown at most"),
        ("word level", TEXT, 422, "Words has no replay, since its algorithm is wordlevel."),
    ],
)
def test_what_cannot_be_shown_is_refused(
    client: TestClient, tokenizer: str, text: str, status: int, sentence: str
) -> None:
    response = answer(client, tokenizer, text)
    assert (response.status_code, sentence in response.text) == (status, True), response.text


@pytest.fixture(scope="module", params=["bpe", "unigram", "bert"])
def guarded(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The same tokenizers, as a visitor's: the id, and the name of the one that the server has."""
    tokenizer = TOKENIZERS[request.param]
    id = registry.register(GuardedTokenizer(partial(type(tokenizer), tokenizer.name, tokenizer.data)), request.param)
    yield id, request.param
    registry.forget(id)


def test_a_visitors_own_file_is_shown_in_the_same_way(client: TestClient, guarded: tuple[str, str]) -> None:
    theirs, ours = (unpack(answer(client, name, special="1").content) for name in guarded)
    assert theirs[1] == ours[1]
    assert {name: column.tolist() for name, column in theirs[0].items()} == {
        name: column.tolist() for name, column in ours[0].items()
    }
    pages = [answer(client, name, page="1", step="-2", symbols="text") for name in guarded]
    assert [each.status_code for each in pages] == [200, 200]
    assert pages[0].text == pages[1].text
    drawing = {"picture": "1", "columns": "9", "way": "1", "step": "2", "symbols": "text"}
    pictures = [answer(client, name, **drawing) for name in guarded]
    assert {each.status_code for each in pictures} == {422 if "matches" in ours[1] else 200}
    assert pictures[0].text == pictures[1].text


def test_a_picture_of_a_lattice_is_the_packages(client: TestClient) -> None:
    for way in (0, 2):
        response = answer(client, "unigram", picture="1", columns="9", way=str(way), dark="1")
        assert response.headers["content-disposition"] == 'attachment; filename="lattice.svg"'
        assert response.text == lattice_to_svg(TOKENIZERS["unigram"], TEXT, way, columns=9, dark=True)
    assert answer(client, "unigram", picture="1", columns="9", way="99").status_code == 422


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31), -1, 0, 1])
@pytest.mark.parametrize("guarded", ["bpe", "unigram"], indirect=True)
def test_no_answer_of_a_guarded_process_breaks_the_drawing(
    client: TestClient, guarded: tuple[str, str], monkeypatch: pytest.MonkeyPatch, value: int
) -> None:
    columns, meta = steps_of(TOKENIZERS[guarded[1]], TEXT)
    wrong: list[tuple[Any, Any]] = [
        (columns | {name: np.full(length, value, np.int32)}, meta)
        for name, column in columns.items()
        for length in (0, len(column), 5_000)
    ]
    wrong += [(columns, {**meta, name: value}) for name in meta]
    data = meta.get("lattice", {})
    wrong += [(columns, {**meta, "lattice": {**data, name: [value] * 20_000}}) for name in data]
    drawing = {"picture": "1", "columns": "9", "way": "0", "step": "2", "symbols": "text"}
    for answered in wrong:
        monkeypatch.setattr(GuardedTokenizer, "steps", lambda *_, answered=answered: answered)
        for scene in ({}, {"step": "-1"}, {"decoding": "1", "row": "1", "end": "4"}):
            assert answer(client, guarded[0], **{**drawing, **scene}).status_code in (200, 422)


def test_a_piece_for_each_substring_is_refused(client: TestClient) -> None:
    text = "".join(chr(97 + number * number % 26) for number in range(200))
    pieces = dict.fromkeys(text[at : at + size] for size in range(1, 201) for at in range(201 - size))
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], *([piece, -1.0] for piece in pieces)]}
    data = json.dumps({"version": "1.0", "added_tokens": [], "model": model}).encode()
    id = registry.register(GuardedTokenizer(partial(HuggingFaceTokenizer, "x", data)))
    response = answer(client, id, text)
    assert (response.status_code, "a lattice shows 10,000 at most" in response.text) == (422, True), response.text
    assert answer(client, id, text[:100]).status_code == 200
    registry.forget(id)


def test_what_is_too_long_in_a_visitors_own_file_is_refused(client: TestClient, guarded: tuple[str, str]) -> None:
    response = answer(client, guarded[0], "x " * 60_000)
    assert response.status_code in (413, 422)
    assert "use its beginning" in response.json()["error"]


def test_scores_that_are_no_numbers_are_left_out(client: TestClient) -> None:
    """JSON has no such numbers, and a stranger's file may."""
    file = sentencepiece_file("bpe", [("<unk>", 0.0, UNKNOWN), ("a", nan, NORMAL), ("b", -1.0, NORMAL)])
    opened = client.post("/_tokviz/tokenizer-file?name=some.model", content=file).json()["name"]
    rows = client.post(f"/_tokviz/trained/pieces?tokenizer={opened}&order=score&from=0").json()["rows"]
    assert [(row["piece"], row["score"]) for row in rows] == [("<unk>", 0.0), ("b", -1.0), ("a", None)]
