"""Routes with a visitor's tokenizer that runs in a guarded process: whatever it does, the server answers."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import hostile_tokenizers
import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz.app.answers.routes import pieces
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.widgets import wire


@pytest.fixture(scope="module")
def name() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(hostile_tokenizers.__file__).parent))
        name = registry.register(GuardedTokenizer(hostile_tokenizers.hostile), "hostile")
        yield name
        registry.forget(name)


def test_tokens_and_a_crash(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good")
    columns, meta = wire.unpack(answer.content)
    assert columns["ids"].tolist() == list(b"good")
    assert meta["vocab_size"] == 256
    crash = client.post(f"/_tokviz/tokenize?tokenizer={name}", content="abort")
    assert crash.status_code == 422
    assert crash.json()["error"].startswith("This tokenizer ended the process that ran it")
    assert client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good").status_code == 200


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("pretokens?tokenizer={}", "good"),
        ("token?tokenizer={}&id=97", ""),
        ("find?tokenizer={}", "a"),
        ("decode?tokenizer={}", '{"ids": [97, 98]}'),
        ("export?tokenizer={}&format=json", "good"),
        ("compare?tokenizers=gpt2,{}", "good"),
        ("compare/explain?tokenizers=gpt2,{}&segments=0-4", "good"),
        ("compare/texts?tokenizer={}&first=2", "good"),
    ],
)
def test_other_routes(client: TestClient, name: str, route: str, body: str) -> None:
    method = "GET" if route.startswith("token?") else "POST"
    answer = client.request(method, f"/_tokviz/{route.format(name)}", content=body)
    assert answer.status_code == 200, answer.text


_WORDS = b"""{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
"pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
"model": {"type": "WordLevel", "vocab": {"hello": 0, "a": 1, "x y": 2}, "unk_token": "[UNK]"}}"""


def test_what_the_library_refuses_is_refused_in_words(client: TestClient) -> None:
    opened = client.post("/_tokviz/tokenizer-file?name=words.json", content=_WORDS).json()["name"]
    for route, body in (("trained/read", "hello zz"), ("pretokens", "hello zz"), ("find", "x y")):
        answer = client.post(f"/_tokviz/{route}?tokenizer={opened}", content=body)
        assert answer.status_code == 422, route
        assert "can't encode this text" in answer.json()["error"], route


def test_what_a_decoder_makes_of_tokens_is_bounded(client: TestClient) -> None:
    """A few ids stand for 54 million characters, of four bytes each in memory."""
    replace = b'{"type": "Replace", "pattern": {"String": "a"}, "content": "\\ud83e\\udd21%b"}' % (b"x" * 90_000)
    file = _WORDS.replace(b'"decoder": null', b'"decoder": ' + replace)
    opened = client.post("/_tokviz/tokenizer-file?name=words.json", content=file).json()["name"]
    decoded = client.post(f"/_tokviz/decode?tokenizer={opened}", json={"ids": [1] * 600})
    assert (decoded.status_code, decoded.json()["error"]) == (
        422,
        "These ids stand for too long a text: 2 MB is the most that fits.",
    )
    read = client.post(f"/_tokviz/trained/read?tokenizer={opened}", content="a a")
    assert (read.status_code, read.json()["error"]) == (
        422,
        "Decoding these tokens gives 180,002 characters; 100,000 are shown.",
    )
    assert client.post(f"/_tokviz/decode?tokenizer={opened}", json={"ids": [0]}).json()["text"] == "hello"


def test_lists_are_by_piece_and_not_by_id(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _WORDS.replace(b'{"hello": 0, "a": 1, "x y": 2}', b'{"[UNK]": 0, "a": 1, "b": 3800000}')
    opened = client.post("/_tokviz/tokenizer-file?name=words.json", content=file).json()["name"]
    monkeypatch.setattr(pieces, "MAX_VOCABULARY", 1_000)  # bytes that the list may have
    found = client.post(f"/_tokviz/trained/pieces?tokenizer={opened}&order=length&from=0", content="").json()
    assert [(row["id"], row["piece"], row["kind"], row["score"], row["times"]) for row in found["rows"]] == [
        (0, "[UNK]", "unknown", None, None),
        (1, "a", "character", None, None),
        (3_800_000, "b", "character", None, None),
    ]
    told = client.get(f"/_tokviz/trained?tokenizer={opened}").json()
    assert (told["kinds"], told["scored"]) == ({"unknown": 1, "character": 2}, False)


def test_a_text_that_takes_a_library_too_long_is_refused_at_once(
    client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "guarded", None)  # it waits for nobody
    for route in ("tokenize?tokenizer={}", "pretokens?tokenizer={}", "compare?tokenizers=gpt2,{}"):
        answer = client.post(f"/_tokviz/{route.format(name)}", content="a " * 1_500_000)
        assert (answer.status_code, answer.json()["error"]) == (
            413,
            "hostile takes a text of up to 1,000 KB here; this one has 3,000 KB. "
            "Choose another tokenizer, or a part of the text.",
        )
    with pytest.raises(ValueError, match="takes a text of up to 1,000 KB here, not 3,000 KB"):
        registry.get(name).encode("a " * 1_500_000)


@pytest.mark.parametrize(
    ("single", "does"),
    [
        ([{"SpecialToken": {"id": "a", "type_id": 0}}], "leaves out the text itself"),
        ([{"Sequence": {"id": "A", "type_id": 0}}] * 2, "repeats the text"),
    ],
)
def test_a_template_without_the_text_is_refused_in_words(client: TestClient, single: list[Any], does: str) -> None:
    special = {"a": {"id": "a", "ids": [1], "tokens": ["a"]}}
    template = {"type": "TemplateProcessing", "single": single, "pair": single, "special_tokens": special}
    file = _WORDS.replace(b'"post_processor": null', b'"post_processor": ' + json.dumps(template).encode())
    answer = client.post("/_tokviz/tokenizer-file?name=words.json", content=file)
    assert answer.json()["error"] == f"The post_processor of words {does}: correct its “single”."


@pytest.mark.parametrize("name", ["日本.json", 'a"; filename="evil.exe".json', "x\r\nSet-Cookie: a=b\r\n.json"])
def test_files_are_saved_by_names_that_strangers_gave(client: TestClient, name: str) -> None:
    opened = client.post("/_tokviz/tokenizer-file", params={"name": name}, content=_WORDS).json()["name"]
    answer = client.get("/_tokviz/trained/file", params={"tokenizer": opened, "file": name})
    assert answer.content == _WORDS
    named = answer.headers["content-disposition"].removeprefix("attachment; filename*=UTF-8''")
    assert unquote(named) == name and re.fullmatch(r"[\w.%-]+", named, re.ASCII)


def test_pieces_of_mistral_and_bert_are_described_by_their_own_bytes(client: TestClient) -> None:
    """As SentencePiece and BERT's vocabulary have them: a byte, `\u2581D`, and `##ja`."""
    mistral, bert = tokviz.load("mistral-7b"), tokviz.load("bert-base-uncased")
    inside = next(token for token, data in bert.vocab.items() if data == b"##ja")
    for tokenizer, number, data in ((mistral, 1011, b"\xf0"), (mistral, 1152, b" D"), (bert, inside, b"ja")):
        details = client.get(f"/_tokviz/token?tokenizer={tokenizer.name}&id={number}").json()
        assert bytes.fromhex(details["hex"]) == data


def test_a_tail_is_refused(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/tail?tokenizer={name}", content="good")
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        "Not available for this tokenizer: choose another, such as GPT-2's.",
    )


def test_a_replay_is_refused(client: TestClient, name: str) -> None:
    answer = client.post(f"/_tokviz/replay?tokenizer={name}&order=rank", content="good")
    assert answer.status_code == 422
    assert "it merges nothing" in answer.json()["error"]


def test_it_has_a_lane_of_its_own(client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    lane = lanes.Lane("test", 1)
    monkeypatch.setattr(lanes, "guarded", lane)
    submit = lane.submit

    def noted(visitor: Visitor, work: Callable[[], Any]) -> "Future[Any]":
        ran.append("guarded")
        return submit(visitor, work)

    monkeypatch.setattr(lane, "submit", noted)
    client.post(f"/_tokviz/tokenize?tokenizer={name}", content="good")
    client.post(f"/_tokviz/compare?tokenizers=gpt2,{name}", content="good")
    assert ran == ["guarded"] * 2
    client.post("/_tokviz/tokenize?tokenizer=gpt2", content="good")
    assert ran == ["guarded"] * 2
