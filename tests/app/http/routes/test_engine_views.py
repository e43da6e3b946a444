"""Tokenizers of engines on the Merge replay page: each is shown by its algorithm."""

from __future__ import annotations

from typing import Any

import pytest
from clients import client as client
from engine_files import family, sentencepiece_model
from starlette.testclient import TestClient

from tokviz.app.http.routes.replay import MAX_MATCHED, WAYS
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.lattices import MAX_CHARACTERS, lattice_data
from tokviz.widgets.wire import unpack
from tokviz.widgets.word_pieces import matches_data

TEXT = "the lowest of the low"
TOKENIZERS = {
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
        response = answer(client, name, page="1")
        assert response.headers["content-disposition"] == f'attachment; filename="{file}"'
        assert response.text.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("tokenizer", "text", "status", "sentence"),
    [
        ("unigram", "x" * (MAX_CHARACTERS + 1), 413, "This text has 1,001 characters. 1,000 are shown at most"),
        ("unigram", "\u3349" * 600, 422, "this text has 1,201 characters; a lattice shows 1,000 at most"),
        ("bert", "x" * (MAX_MATCHED + 1), 413, "This text has 5,001 characters. 5,000 are shown at most"),
        ("bert", "a " * 600, 422, "this text has 600 words; 500 are shown at most"),
        ("word level", TEXT, 422, "words has no replay, since its algorithm is wordlevel."),
    ],
)
def test_what_cannot_be_shown_is_refused(
    client: TestClient, tokenizer: str, text: str, status: int, sentence: str
) -> None:
    response = answer(client, tokenizer, text)
    assert (response.status_code, sentence in response.text) == (status, True), response.text
