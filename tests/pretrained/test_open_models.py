"""The tokenizers of open models are the published files, encode as their libraries do, and are found by model names."""

import hashlib
import pickle
from typing import Any

import pytest
from engine_files import nasty_texts
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

import tokviz
from tokviz.pretrained import open_models
from tokviz.pretrained.open_models import OPEN_MODELS

BERT_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"  # as published on the hub


def reference(name: str) -> Any:
    """Return the library's tokenizer, from the shipped file."""
    data = open_models.read(name)
    if name == "bert-base-uncased":
        assert hashlib.sha256(data).hexdigest() == BERT_SHA256
        return BertWordPieceTokenizer({piece: token for token, piece in enumerate(data.decode().split("\n")[:-1])})
    if name.startswith("mistral"):
        return SentencePieceProcessor(model_proto=data)
    return Tokenizer.from_buffer(data)


def expected_ids(engine: Any, texts: list[str], *, add_special: bool) -> list[list[int]]:
    if isinstance(engine, SentencePieceProcessor):
        ids: list[list[int]] = engine.encode(texts, add_bos=add_special)
        return ids
    return [encoding.ids for encoding in engine.encode_batch(texts, add_special_tokens=add_special)]


@pytest.mark.parametrize("name", OPEN_MODELS)
def test_equals_the_library_on_nasty_texts(name: str) -> None:
    tok, engine = tokviz.load(name), reference(name)
    allowed = () if name.startswith("mistral") else "all"
    texts = nasty_texts(3_000, name)
    plain = expected_ids(engine, texts, add_special=False)
    assert [tok.encode(text, allowed) for text in texts] == plain
    around = expected_ids(engine, texts, add_special=True)
    assert [tok.encode(text, allowed, add_special=True) for text in texts] == around
    for text, ids in zip(texts[:500], plain, strict=False):
        found = tok.tokenize(text, allowed)
        assert found.ids.tolist() == ids
        assert b"".join(found.token_bytes) == (text.encode() if ids else b"")


@pytest.mark.parametrize("name", ["qwen3", "deepseek", "bert-base-uncased"])
def test_decoding_equals_the_librarys(name: str) -> None:
    tok, engine = tokviz.load(name), reference(name)
    for ids in expected_ids(engine, nasty_texts(300), add_special=True):
        assert tok.decode(ids) == engine.decode(ids, skip_special_tokens=False)


def test_vocabularies_have_the_sizes_that_the_models_publish() -> None:
    sizes = {name: tokviz.load(name).vocab_size for name in OPEN_MODELS}
    assert sizes == {
        "qwen3": 151_669, "deepseek": 129_280, "mistral-7b": 32_768, "mistral-7b-v0.1": 32_000,
        "bert-base-uncased": 30_522,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen/Qwen3-8B", "qwen3"),
        ("qwen3-30b-a3b", "qwen3"),
        ("Qwen 3", "qwen3"),
        ("deepseek-ai/DeepSeek-R1", "deepseek"),
        ("mistral", "mistral-7b"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b"),
        ("Mistral-7B-v0.1", "mistral-7b-v0.1"),
        ("Mixtral-8x7B", "mistral-7b-v0.1"),
        ("BERT", "bert-base-uncased"),
        ("bert-large-uncased", "bert-base-uncased"),
    ],
)
def test_models_are_found_by_their_names(model: str, name: str) -> None:
    assert tokviz.load(model) is tokviz.load(name)
    assert tokviz.load(name).name == name


@pytest.mark.parametrize("model", ["llama-3", "Llama 3.1", "meta-llama/Llama-3.1-8B", "gemma-3-4b", "google/gemma-2b"])
def test_what_is_not_included_says_why_and_what_to_do(model: str) -> None:
    with pytest.raises(ValueError, match=r"not included, since their license .* open it with tokviz.open"):
        tokviz.load(model)


def test_pickles_hold_only_the_name() -> None:
    for name in OPEN_MODELS:
        pickled = pickle.dumps(tokviz.load(name))
        assert len(pickled) < 500
        assert pickle.loads(pickled) is tokviz.load(name)


def test_a_damaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPEN_MODELS, "qwen3", OPEN_MODELS["qwen3"]._replace(sha256="0"))
    with pytest.raises(RuntimeError, match="damaged or missing"):
        open_models.read("qwen3")
