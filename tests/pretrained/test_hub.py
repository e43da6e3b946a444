"""Tokenizer files from a hub, which is a server on this machine with the same endpoints."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_server import COMMIT, Hub, running_hub
from huggingface_hub import constants
from transformers import XLMRobertaTokenizer
from transformers_folders import sentencepiece_model

import tokviz
from tokviz import formats
from tokviz.pretrained import hub

TEXT = "the cat in the hat, the cat"
FILE = formats.write(tokviz.train(TEXT, num_merges=5, split_pattern="gpt2"), "tokenizer.json").files["tokenizer.json"]
CONFIG = b'{"add_bos_token": false}'
REPOSITORIES = {
    "owner/good": {
        "tokenizer.json": FILE,
        "tokenizer_config.json": CONFIG,
        "vocab.json": b"{}",
        "modeling.py": b"raise SystemExit",
        "model.safetensors": b"weights",
        "other/tokenizer.json": b"{}",
    },
    "owner/parts": {
        "vocab.json": b"{}",
        "merges.txt": b"#version: 0.2",
        "spiece.model": b"model",
        "config.json": b"{}",
    },
    "owner/folder": {
        "sentencepiece.bpe.model": sentencepiece_model("unigram"),
        "added_tokens.json": b'{"<|end|>": 1000}',
        "special_tokens_map.json": b'{"mask_token": {"content": "<mask>", "lstrip": true}}',
        "tokenizer_config.json": b'{"tokenizer_class": "XLMRobertaTokenizer"}',
    },
    "owner/empty": {"config.json": b"{}", "tokenizer_config.json": CONFIG, "pytorch_model.bin": b""},
    "owner/gated": {"tokenizer.json": FILE},
}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with running_hub(REPOSITORIES) as server:
        template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, server.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
        server.gated.add("owner/gated")
        yield server


def test_a_model_is_loaded_by_name(server: Hub) -> None:
    loaded = tokviz.load("hf:owner/good")
    assert loaded.name == "owner/good"
    assert loaded.encode(TEXT) == tokviz.train(TEXT, num_merges=5, split_pattern="gpt2").encode(TEXT)
    compared = tokviz.compare(TEXT, ["gpt2", "hf:owner/good"])
    assert compared.token_counts[1] == len(loaded.encode(TEXT))


def test_a_folder_without_a_tokenizer_json_is_read_as_its_class_does(server: Hub, tmp_path: Path) -> None:
    loaded = tokviz.load("hf:owner/folder")
    for name, data in REPOSITORIES["owner/folder"].items():
        (tmp_path / name).write_bytes(data)
    library = XLMRobertaTokenizer.from_pretrained(str(tmp_path))
    assert loaded.encode("the low <mask>x<|end|>", "all", add_special=True) == library.encode("the low <mask>x<|end|>")


def test_only_what_is_needed_is_fetched_and_only_once(server: Hub) -> None:
    folder = hub.fetch("hf:owner/good")
    assert sorted(server.fetched) == ["tokenizer.json", "tokenizer_config.json"]
    assert (folder / "tokenizer.json").read_bytes() == FILE
    assert hub.fetch(f"hf:owner/good@{COMMIT}") == folder
    assert len(server.fetched) == 2
    hub.fetch("hf:owner/parts")
    assert sorted(server.fetched[2:]) == ["merges.txt", "spiece.model", "vocab.json"]


def test_files_are_used_again_when_the_hub_is_away(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = hub.fetch("hf:owner/good")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    assert hub.fetch("hf:owner/good") == folder
    with pytest.raises(ConnectionError, match="owner/parts has not been fetched before"):
        hub.fetch("hf:owner/parts")


def test_offline_mode_asks_nobody(server: Hub, tmp_path: Path) -> None:
    def fetch_offline() -> "subprocess.CompletedProcess[str]":
        code = "from tokviz.pretrained import hub; print(hub.fetch('hf:owner/good').name)"
        offline = os.environ | {"HF_ENDPOINT": server.url, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"}
        return subprocess.run(
            [sys.executable, "-c", code], env=offline, capture_output=True, text=True, check=False, timeout=60
        )

    error = fetch_offline().stderr.strip().splitlines()[-1]
    assert error.startswith("ConnectionError: owner/good has not been fetched before")
    assert not server.asked
    hub.fetch("hf:owner/good")
    asked = server.asked
    assert asked and fetch_offline().stdout.strip() == COMMIT
    assert server.asked == asked


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hf:owner/none", "there is no model owner/none on the hub, or it is private"),
        ("hf:owner/gated", "owner/gated is gated"),
        ("hf:owner/empty", "owner/empty has no tokenizer file on the hub"),
        ("hf:owner/good@other", "owner/good has no branch, tag or commit 'other'"),
        ("hf:", "write hf:owner/name"),
        ("hf:owner/good@", "write hf:owner/name"),
        ("hf:owner/good@../../elsewhere", "write hf:owner/name"),
        ("hf:owner/good@/etc", "write hf:owner/name"),
        ("hf:owner/good@refs/..", "write hf:owner/name"),
        ("hf:../../etc", "write hf:owner/name"),
        ("hf:a/b/c", "write hf:owner/name"),
    ],
)
def test_what_there_is_not_is_said(server: Hub, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        tokviz.load(name)
    assert "\n" not in str(caught.value)
    assert not server.fetched


@pytest.mark.parametrize(("size", "message"), [(40_000_001, "has 40.0 MB, and 40 MB"), (None, "an unknown size")])
def test_large_files_are_not_fetched(server: Hub, size: int | None, message: str) -> None:
    server.sizes["tokenizer.json"] = size
    with pytest.raises(ValueError, match=message):
        hub.fetch("hf:owner/good")
    assert not server.fetched


def test_what_is_fetched_can_be_opened() -> None:
    assert hub.MAX_FILE == formats.MAX_FILE
