"""The route that opens tokenizer files: the tokenizers that it registers and describes, and its refusals."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from engine_files import sentencepiece_model
from sentencepiece import SentencePieceProcessor
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz import formats
from tokviz.app.http import server
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.widgets import wire

TEXT = "the cat in the hat, the cat"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=server.routes)) as client:
        yield client


@pytest.mark.parametrize("name", ["tokenizer.json", "some.model"])
def test_an_opened_tokenizer_is_described_and_kept(client: TestClient, name: str) -> None:
    tok = tokviz.train(TEXT, num_merges=5, split_pattern="gpt2")
    answer = client.post(f"/_tokviz/tokenizer-file?name={name}", content=formats.write(tok, name).files[name])
    assert answer.status_code == 200, answer.text
    described = answer.json()
    assert (described["label"], described["vocabSize"], described["recipe"]) == (name, tok.vocab_size, "")
    assert registry.get(described["name"]).encode(TEXT) == tok.encode(TEXT)
    registry.forget(described["name"])


def test_surrounding_special_tokens_are_described(client: TestClient) -> None:
    tok = tokviz.train(TEXT, num_merges=5, split_pattern="gpt2")
    content = json.loads(formats.write(tok, "tokenizer.json").files["tokenizer.json"])
    content["post_processor"] = {
        **{"type": "TemplateProcessing", "pair": []},
        "single": [*[{"SpecialToken": {"id": "<s>"}}] * 6, {"Sequence": {"id": "A"}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    }
    described = client.post("/_tokviz/tokenizer-file?name=tokenizer.json", content=json.dumps(content)).json()
    assert (described["before"], described["after"]) == ({"texts": ["<s>"] * 4, "more": 2}, {"texts": [], "more": 0})
    registry.forget(described["name"])


@pytest.mark.parametrize(
    ("name", "data", "status", "message"),
    [
        ("tokenizer.json", b'{"model": {"type": "None"}}', 422, "Hugging Face's library can't open tokenizer"),
        ("vocab.json", b'{"a": 0}', 422, "vocab.json is a vocabulary without merges"),
        ("some.tiktoken", b"YQ== 0\n", 422, "some.tiktoken can't say how a text is cut"),
        ("tokenizer.json", b"x" * (formats.MAX_FILE + 1), 413, "This file is too long: 40 MB"),
    ],
)
def test_files_that_can_not_be_opened_are_refused_with_a_reason(
    client: TestClient, name: str, data: bytes, status: int, message: str
) -> None:
    answer = client.post(f"/_tokviz/tokenizer-file?name={quote(name)}", content=data)
    assert answer.status_code == status
    assert answer.json()["error"].startswith(message)


def test_a_file_that_an_engine_reads_is_used_through_its_process(client: TestClient) -> None:
    data = sentencepiece_model(model_type="unigram")
    described = client.post("/_tokviz/tokenizer-file?name=small.model", content=data).json()
    assert (described["kind"], described["label"]) == ("engine", "small.model")
    assert described["before"]["texts"] == ["<s>"]
    name, library = described["name"], SentencePieceProcessor(model_proto=data)
    answer = client.post(f"/_tokviz/tokenize?tokenizer={name}", content=TEXT)
    assert wire.unpack(answer.content)[0]["ids"].tolist() == library.encode(TEXT)
    compared = client.post(f"/_tokviz/compare?tokenizers=gpt2,{name}&reasons=1", content=TEXT)
    assert compared.status_code == 200, compared.text
    registry.forget(name)
