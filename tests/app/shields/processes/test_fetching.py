"""Fetching tokenizers from the hub for visitors: only where the server's owner allows it, and without their token."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from clients import client as client
from engine_files import sentencepiece_model
from hub_server import Hub, running_hub
from model_files import TEMPLATE, model_files
from sentencepiece import SentencePieceProcessor
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz import formats
from tokviz.app import server as app
from tokviz.app.answers.routes import tokenizer_files
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.processes import fetching, fetching_child

TEXT = "the cat in the hat, the cat"
TRAINED = tokviz.train(TEXT, num_merges=5, split_pattern="gpt2")
FILE = formats.write(TRAINED, "tokenizer.json").files["tokenizer.json"]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    beside = {"tokenizer_config.json": b"{}", "special_tokens_map.json": b"{ }"}
    repositories = {
        "owner/good": {"tokenizer.json": FILE, "code.py": b"", **beside},
        "owner/model": {"tokenizer.model": sentencepiece_model(), **beside},
        "owner/chat": {**model_files(), "README.md": b""},
        "owner/tools": {**model_files(), "additional_chat_templates/tool_use.jinja": b"T"},
        "owner/none": {"a.txt": b""},
    }
    with running_hub(repositories) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_HOME", str(tmp_path))
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        monkeypatch.setenv(fetching.HUB, "1")
        yield server


def test_a_model_is_fetched_described_and_used(client: TestClient, server: Hub, tmp_path: Path) -> None:
    answer = client.post("/_tokviz/hub-tokenizer?name=hf:owner/good")
    assert answer.status_code == 200, answer.text
    described = answer.json()
    assert described["label"] == "owner/good"
    assert registry.get(described["name"]).encode(TEXT) == TRAINED.encode(TEXT)
    registry.forget(described["name"])
    assert sorted(server.fetched) == ["special_tokens_map.json", "tokenizer.json", "tokenizer_config.json"]
    assert not server.tokens
    assert not list(tmp_path.rglob("tokenizer.json"))  # nothing is kept


def test_a_model_brings_its_chat_template_along(client: TestClient, server: Hub) -> None:
    described = client.post("/_tokviz/hub-tokenizer?name=hf:owner/chat").json()
    template = registry.template(described["name"])
    assert template is not None
    assert (template.text, template.special_tokens["bos_token"]) == (TEMPLATE, "<s>")
    registry.forget(described["name"])


def test_a_model_brings_its_template_for_tools_along(client: TestClient, server: Hub) -> None:
    described = client.post("/_tokviz/hub-tokenizer?name=hf:owner/tools").json()
    template = registry.template(described["name"])
    assert template is not None
    assert (template.text, template.with_tools, described["problem"]) == (TEMPLATE, "T", "")
    registry.forget(described["name"])


def test_a_model_of_sentencepiece(client: TestClient, server: Hub) -> None:
    described = client.post("/_tokviz/hub-tokenizer?name=hf:owner/model").json()
    assert described["kind"] == "engine"
    library = SentencePieceProcessor(model_proto=sentencepiece_model())
    assert registry.get(described["name"]).encode(TEXT) == library.encode(TEXT)
    registry.forget(described["name"])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hf:owner/none", "Owner/none has no tokenizer file on the hub"),
        ("hf:owner/other", "There is no model owner/other on the hub"),
        ("owner", "is no model on the hub"),
        ("--help", "is no model on the hub"),
    ],
)
def test_refusals(client: TestClient, server: Hub, name: str, says: str) -> None:
    answer = client.post(f"/_tokviz/hub-tokenizer?name={name}")
    assert answer.status_code == 422
    assert says in answer.json()["error"]


def test_a_hub_that_can_not_be_reached(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ValueError, match="can't be reached"):
        fetching.fetch_files("hf:owner/good")


def test_a_hub_that_is_slow(server: Hub) -> None:
    with pytest.raises(ValueError, match=r"took longer than 0\.01 s to fetch"):
        fetching.fetch_files("hf:owner/good", seconds=0.01)


def test_off_by_default(client: TestClient, server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(fetching.HUB)
    answer = client.post("/_tokviz/hub-tokenizer?name=hf:owner/good")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("This server fetches nothing from the hub")
    assert not server.fetched


def test_a_hub_that_never_answers_keeps_nobody_from_opening_files(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, answer = Event(), Event()

    def never(name: str) -> dict[str, bytes]:
        if name == "hf:owner/second":
            ask.set()
        answer.wait()
        raise ValueError("the hub did not answer")

    monkeypatch.setattr(tokenizer_files, "fetch_files", never)
    visitors = [TestClient(Starlette(routes=app.routes), client=(f"192.0.2.{number}", 1)) for number in range(1, 4)]
    with ThreadPoolExecutor(3) as threads:
        try:
            asked = [
                threads.submit(visitor.post, f"/_tokviz/hub-tokenizer?name=hf:owner/{name}")
                for visitor, name in zip(visitors, ("first", "second"), strict=False)
            ]
            ask.wait()
            opening = threads.submit(visitors[2].post, "/_tokviz/tokenizer-file?name=tokenizer.json", content=FILE)
            opened = opening.result(timeout=60)
            assert not any(each.done() for each in asked)
        finally:
            answer.set()
    assert opened.status_code == 200
    registry.forget(opened.json()["name"])
    assert [each.result().json() for each in asked] == [{"error": "The hub did not answer."}] * 2


def test_without_a_folder_for_temporary_files_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", read_only)
    with pytest.raises(ValueError, match=r"no folder for temporary files \(TMPDIR\)"), fetching_child._cache():
        raise AssertionError
