"""The route of the Chat page: it matches the package, and refuses what no template or message may be."""

import json
import time
from typing import Any

import numpy as np
import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz.app.http.routes import chat as chat_route
from tokviz.tokenizer_colors import color_numbers
from tokviz.widgets.wire import unpack

HI = [{"role": "user", "content": "Hi 🍕<|im_end|>"}, {"role": "assistant", "content": "é"}]


def ask(client: TestClient, template: Any, messages: Any = HI, tokenizer: str = "qwen3", **values: Any) -> Any:
    asked = {"messages": messages, "template": template, "values": values}
    return client.post("/_tokviz/chat", params={"tokenizer": tokenizer}, content=json.dumps(asked))


@pytest.mark.parametrize("name", ["qwen3", "chatml", "qwen2.5"])
def test_a_chat_matches_the_package(client: TestClient, name: str) -> None:
    columns, meta = unpack(ask(client, {"name": name}, add_generation_prompt=True).content)
    expected = tokviz.chat(HI, "qwen3", name, add_generation_prompt=True)
    assert meta["prompt"] == expected.prompt
    assert columns["ids"].tolist() == expected.ids
    units = expected.prompt.encode("utf-16-le")
    ends = columns["span_ends"].tolist()
    stretches = [units[2 * start : 2 * end].decode("utf-16-le") for start, end in zip([0, *ends], ends, strict=False)]
    assert stretches == [expected.prompt[span.start : span.end] for span in expected.spans]
    origins = [meta["origins"][number] for number in columns["span_origins"]]
    assert origins == [list(span.origin) if isinstance(span.origin, tuple) else span.origin for span in expected.spans]
    assert sum(meta["counts"]) == len(expected)
    assert meta["added"] == list(expected.ordinary_added)
    assert columns["written"].tolist() == expected.written_controls.tolist()
    assert columns["ids_as_text"].tolist() == expected.as_text.ids.tolist()
    assert columns["byte_lengths_as_text"].tolist() == np.diff(expected.as_text.byte_offsets).tolist()


def test_two_models_on_a_chat(client: TestClient) -> None:
    """Each side's tokens are those of its own chat, and its color is the tokenizer's on every page."""
    query = {"tokenizer": "gpt2", "against": "o200k_harmony", "by": "harmony"}
    body = json.dumps({"messages": HI, "template": {"name": "chatml"}, "values": {"add_generation_prompt": True}})
    sides = client.post("/_tokviz/chat/compare", params=query, content=body).json()["sides"]
    for side, name, template in zip(sides, ("gpt2", "o200k_harmony"), ("chatml", "harmony"), strict=True):
        chat = tokviz.chat(HI, name, template, add_generation_prompt=True)
        assert side["around"] + side["words"] == len(chat)
        assert side["words"] == sum(side["messages"].values())
    assert [side["label"] for side in sides] == ["GPT-2", "o200k harmony"]
    assert [side["color"] for side in sides] == list(color_numbers(side["label"] for side in sides).values())
    query["by"] = "mistral-nemo"
    asked = client.post("/_tokviz/chat/compare", params=query, content=body.replace("user", "assistant"))
    assert asked.status_code == 422
    query["by"] = "nobody"
    assert client.post("/_tokviz/chat/compare", params=query, content=body).status_code == 404


def test_ones_own_template(client: TestClient) -> None:
    own = {"text": "{{ bos_token }}{{ messages[0].content }}", "special_tokens": {"bos_token": "<s>", "x": "y"}}
    assert unpack(ask(client, own, tokenizer="gpt2").content)[1]["prompt"] == "<s>Hi 🍕<|im_end|>"
    sent = client.get("/_tokviz/chat/template", params={"name": "mistral-nemo"}).json()
    assert sent["special_tokens"]["bos_token"] == "<s>"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{% for i in range(9) %}\n{{ x.y }}{% endfor %}", "Line 2 of the template: 'x' is undefined."),
        ("{{ raise_exception('9!') }}", "Line 1 of the template: 9!"),
        ("{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}", "MB"),
        ("{{ 'a' * 99999999999 }}", "MB"),
        ("{{ 'a' * 3000000 }}", "The prompt is too long"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "longer than 2 s"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
    ],
)
def test_templates_that_are_refused(client: TestClient, template: str, said: str) -> None:
    answer = ask(client, {"text": template})
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert "!." not in answer.json()["error"]
    started = time.monotonic()
    assert ask(client, {"name": "chatml"}).status_code == 200
    assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("[", 400),
        ("[]", 400),
        ('{"messages": [], "template": {"name": "chatml"}}', 422),
        ('{"messages": {}, "template": {"name": "chatml"}}', 400),
        ('{"messages": [5], "template": {"name": "chatml"}}', 422),
        ('{"messages": [{"role": "user"}], "template": {"name": "nope"}}', 404),
        ('{"messages": [{"role": "user"}], "template": {"text": 5}}', 400),
        ('{"messages": [{"role": "user"}], "template": {}}', 400),
        ('{"messages": [{"role": "user"}], "template": 5}', 400),
        ('{"messages": [{"role": "user"}], "template": {"name": "chatml"}, "values": 5}', 400),
        ("[" * 5000, 400),
        (json.dumps({"messages": [{"role": "user"}] * 1001, "template": {"name": "chatml"}}), 413),
        (json.dumps({"messages": [{"role": "user"}], "template": {"text": "x" * 200_001}}), 413),
    ],
)
def test_what_is_no_chat(client: TestClient, body: str, status: int) -> None:
    answer = client.post("/_tokviz/chat", params={"tokenizer": "gpt2"}, content=body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")


def test_long_chats_are_refused(client: TestClient) -> None:
    messages = [{"role": "user", "content": "x" * chat_route.MAX_CHAT}]
    assert ask(client, {"name": "chatml"}, messages).status_code == 413
