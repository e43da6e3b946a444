"""Pictures of what is on a screen: the tokens that a page has, and a comparison."""

import json
from threading import current_thread
from typing import Any
from xml.etree import ElementTree

import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz import export
from tokviz.app.answers.routes import compare as compare_routes
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.widgets.comparison_svg import comparison_svg

CODE = "def add(a, b):\n    return a + b"
GPT2 = tokviz.load("gpt2")


def tokens_of(text: str) -> dict[str, Any]:
    pieces = GPT2.decode_tokens_bytes(GPT2.encode(text))
    title = f"gpt2: {len(pieces)} tokens, {len(text.encode())} bytes"
    return {"text": text, "lengths": [len(piece) for piece in pieces], "kinds": [0] * len(pieces), "title": title}


def asked(client: TestClient, sent: object, columns: int = 60) -> Any:
    return client.post(f"/_tokviz/tokens-picture?columns={columns}&dark=1", content=json.dumps(sent))


@pytest.mark.parametrize("text", ["the cat", "مرحبا (12) cat", "I love 🍕, नमस्ते 你好\r\n", "</text><script>&amp;"])
def test_tokens_of_a_page_are_drawn_as_in_python(client: TestClient, text: str) -> None:
    answer = asked(client, tokens_of(text))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == export.to_svg(GPT2, text, dark=True)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"lengths": [3, 5]}, 400),
        ({"lengths": [7]}, 400),
        ({"lengths": [-1, 8]}, 400),
        ({"lengths": [3.0, 4]}, 400),
        ({"lengths": [True, 6]}, 400),
        ({"lengths": "ab"}, 400),
        ({"kinds": None}, 400),
        ({"kinds": [0, 4]}, 400),
        ({"text": 7}, 400),
        ({"title": "a" * 201}, 400),
        ({"text": "a" * 1001, "lengths": [1000, 1]}, 422),
        ({"text": "\u202eabcd", "lengths": [3, 4]}, 422),
    ],
)
def test_what_is_no_tokens_is_refused_with_a_sentence(client: TestClient, change: dict[str, Any], status: int) -> None:
    answer = asked(client, tokens_of("the cat") | change)
    assert answer.status_code == status
    assert answer.json()["error"].endswith((".", "web page"))


def test_a_title_is_text(client: TestClient) -> None:
    title = "</text></svg><script>alert(1)</script>"
    answer = asked(client, tokens_of("the cat") | {"title": title})
    assert not list(ElementTree.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}script"))
    assert "<script" not in answer.text


def test_a_picture_has_as_many_columns_as_fit(client: TestClient) -> None:
    for columns in (1, 201):
        assert asked(client, tokens_of("the cat"), columns).status_code == 400
    assert asked(client, tokens_of("the cat"), 2).status_code == 200


def test_the_largest_tokens_are_taken(client: TestClient) -> None:
    control = "\x01" * 1000  # six bytes each as JSON
    sent = {"text": control, "lengths": [1] * 1000, "kinds": [1] * 1000, "title": "a" * 200}
    assert asked(client, sent).status_code == 200


def test_a_comparison_is_drawn_under_the_names_of_the_page(client: TestClient) -> None:
    route = "/_tokviz/compare/picture?tokenizers=gpt2,cl100k_base&special=0&columns=40&dark=0"
    answer = client.post(route, content=CODE)
    expected = tokviz.compare(CODE, ["gpt2", "cl100k_base"])
    counts = [f"{label} {count}" for label, count in zip(("GPT-2", "cl100k"), expected.token_counts, strict=True)]
    title = ElementTree.fromstring(answer.text)[0].text
    assert title == f"The same text as tokens: {', '.join(counts)}"
    assert client.post(route, content="a" * 1001).status_code == 413
    assert client.post(route, content="\u202ea").status_code == 422


def test_a_label_with_control_characters_leaves_the_picture_whole(client: TestClient) -> None:
    """XML can hold neither, not even escaped: no program would show the file."""
    label = "a\x1b[31m\x00\ufffe<b>"
    name = registry.register(GPT2, label)
    for answer in (
        client.post(f"/_tokviz/compare/picture?tokenizers=gpt2,{name}&columns=40&dark=0", content="abc"),
        asked(client, {**tokens_of("abc"), "title": label}),
    ):
        texts = "".join(ElementTree.fromstring(answer.text).itertext())
        assert "a[ESC][31m[NUL][U+FFFE]<b>" in texts
    registry.forget(name)


def test_a_comparison_is_drawn_in_a_lane(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing one takes as long as dozens of key presses, which wait for the event loop."""
    threads: list[str] = []

    def noted(*given: Any, **options: Any) -> str:
        threads.append(current_thread().name)
        return comparison_svg(*given, **options)

    monkeypatch.setattr(compare_routes, "comparison_svg", noted)
    route = "/_tokviz/compare/picture?tokenizers=gpt2,cl100k_base&special=0&columns=40&dark=0"
    assert client.post(route, content="a" * 1000).status_code == 200
    assert [name.rpartition("_")[0] for name in threads] == ["tokviz-drawing"]
