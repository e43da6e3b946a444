"""Routes of the lesson: the figures of links, which anybody may send."""

import json
from base64 import b64decode
from typing import Any

import pytest
from clients import client as client
from shipped import encoding_of
from starlette.testclient import TestClient

from tokviz.widgets.wire import unpack


def ask(client: TestClient, link: Any) -> tuple[int, dict[str, Any]]:
    response = client.post("/_tokviz/figure", content=link if isinstance(link, bytes) else json.dumps(link))
    return response.status_code, response.json()


def test_a_link_is_answered_with_its_widget(client: TestClient) -> None:
    text = "Nguyễn 🍕"
    status, shown = ask(client, {"label": "", "page": "", "fields": {"tokenizer": "o200k_base"}, "text": text})
    assert (status, shown["widget"]) == (200, "colored")
    ids = unpack(b64decode(shown["data"]["tokens"]))[0]["ids"]
    assert ids.tolist() == encoding_of("o200k_base").encode_ordinary(text)


@pytest.mark.parametrize(
    "link",
    [
        b"",
        b"\xff",
        b"[" * 30_000,
        [],
        "link",
        {},
        {"page": "", "fields": None},
        {"page": 1, "fields": {}},
        {"page": "", "fields": {"tokenizer": 1}},
        {"page": "", "fields": [["tokenizer", "gpt2"]]},
        {"page": "", "fields": {}, "text": ["x"]},
    ],
    ids=repr,
)
def test_what_is_no_link_is_refused(client: TestClient, link: Any) -> None:
    assert ask(client, link) == (400, {"error": ask(client, link)[1]["error"]})


def test_what_a_figure_can_not_show_is_said_in_a_sentence(client: TestClient) -> None:
    status, refusal = ask(client, {"page": "", "fields": {"tokenizer": "hf:owner/name"}, "text": "x"})
    assert status == 422
    assert refusal["error"].startswith("There is no tokenizer")
    assert ask(client, {"page": "", "fields": {}, "text": "x" * 50_000})[0] == 413
    assert ask(client, {"page": "", "fields": {}, "text": "\ud800"})[0] == 200


def test_a_question_about_a_link_has_choices_and_its_figure(client: TestClient) -> None:
    text = "Nguyễn 🍕"
    link = {"page": "", "fields": {"tokenizer": "o200k_base"}, "text": text}
    slide = client.post("/_tokviz/ask", content=json.dumps(link)).json()
    (answer,) = slide["answers"]
    assert slide["choices"][answer] == str(len(encoding_of("o200k_base").encode_ordinary(text)))
    assert slide["figures"] == [{**link, "label": "What is on the page"}]


def test_what_can_not_be_asked_is_said_in_a_sentence(client: TestClient) -> None:
    response = client.post("/_tokviz/ask", content=json.dumps({"page": "", "fields": {}, "text": ""}))
    assert (response.status_code, response.json()) == (422, {"error": "There is no text to ask about: type one first."})
    assert client.post("/_tokviz/ask", content=b"[]").status_code == 400
