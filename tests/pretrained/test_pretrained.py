"""The shipped tokenizers are OpenAI's, complete and undamaged, and found by every name that tiktoken knows."""

import gzip
import socket
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pytest
import tiktoken.load
import tiktoken.model
from tiktoken_ext import openai_public

import tokviz
from tokviz import pretrained
from tokviz.pretrained import OpenAIName
from tokviz.pretrained.open_models import OPEN_MODELS

OPENAI = get_args(OpenAIName)
VOCABULARY_BYTES = {"r50k_base": 835554, "p50k_base": 836186, "cl100k_base": 1681126, "o200k_base": 3613922}


@pytest.fixture
def expected_hashes(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Record the files that tiktoken's own constructors load: file name -> expected sha256. No file is fetched."""
    requested: dict[str, str] = {}
    every_byte = {bytes([value]): value for value in range(256)}

    def load_tiktoken_bpe(url: str, expected_hash: str) -> dict[bytes, int]:
        requested[url.rsplit("/", 1)[1]] = expected_hash
        return every_byte

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", load_tiktoken_bpe)
    monkeypatch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", lambda **_: every_byte)
    return requested


def test_names_equal_tiktokens() -> None:
    assert OPENAI == ("gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony")
    assert set(OPENAI) == set(openai_public.ENCODING_CONSTRUCTORS)


def test_every_vocabulary_in_the_package_is_available() -> None:
    folder = Path(str(resources.files(pretrained)))
    files = {f"{pretrained._DEFINITIONS[name].vocabulary}.tiktoken" for name in OPENAI}
    files |= {OPEN_MODELS[name].file for name in tokviz.available()[len(OPENAI) :]}
    assert files == {file.stem for file in folder.rglob("*.gz")}
    assert [tokviz.load(name).name for name in tokviz.available()] == list(tokviz.available())


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("GPT-2", "gpt2"),
        ("GPT2", "gpt2"),
        ("O200K_base", "o200k_base"),
        ("GPT-4o", "o200k_base"),
        ("Gpt 4o mini", "o200k_base"),
        ("Text-Embedding-3-small", "cl100k_base"),
        ("Qwen3", "qwen3"),
        ("QWEN3 8B", "qwen3"),
        ("BERT", "bert-base-uncased"),
        ("bert_base_uncased", "bert-base-uncased"),
        (" gpt2 ", "gpt2"),
        ("GPT_4o", "o200k_base"),
        ("gpt4o", "o200k_base"),
        ("GPT4o-mini", "o200k_base"),
        ("gpt4", "cl100k_base"),
        ("R50K base", "r50k_base"),
        ("o200k", "o200k_base"),
        ("o200k-harmony", "o200k_harmony"),
        ("p50k", "p50k_base"),
    ],
)
def test_capitals_spaces_and_underscores_in_names_do_not_matter(spelling: str, name: str) -> None:
    assert tokviz.load(spelling) is tokviz.load(name)


@pytest.mark.parametrize("name", OPENAI)
def test_pattern_and_special_tokens_equal_tiktokens(name: str, expected_hashes: dict[str, str]) -> None:
    encoding: dict[str, Any] = openai_public.ENCODING_CONSTRUCTORS[name]()
    tok = tokviz.load(name)
    assert tok.name == name
    assert tok.split_pattern == encoding["pat_str"]
    assert tok.special_tokens == encoding["special_tokens"]


@pytest.mark.parametrize("vocabulary", VOCABULARY_BYTES)
def test_files_have_the_sha256_that_tiktoken_expects(vocabulary: str, expected_hashes: dict[str, str]) -> None:
    for constructor in openai_public.ENCODING_CONSTRUCTORS.values():
        constructor()
    data = gzip.decompress((resources.files(pretrained) / f"{vocabulary}.tiktoken.gz").read_bytes())
    assert tiktoken.load.check_hash(data, expected_hashes[f"{vocabulary}.tiktoken"])
    assert len(data) == VOCABULARY_BYTES[vocabulary]


@pytest.mark.parametrize(
    ("name", "size", "in_use"),
    [
        ("gpt2", 50257, 50257),
        ("r50k_base", 50257, 50257),
        ("p50k_base", 50281, 50281),
        ("p50k_edit", 50284, 50284),
        ("cl100k_base", 100277, 100261),
        ("o200k_base", 200019, 200000),
        ("o200k_harmony", 201088, 201088),
    ],
)
def test_vocabulary_sizes(name: str, size: int, in_use: int) -> None:
    tok = tokviz.load(name)
    assert (tok.vocab_size, len(tok.vocab)) == (size, in_use)
    assert max(tok.vocab) == size - 1
    assert {tok.vocab[token] for token in tok.special_tokens.values()} <= {text.encode() for text in tok.special_tokens}


@pytest.mark.parametrize("name", ["gpt2", "p50k_edit", "cl100k_base", "o200k_base"])
def test_every_token_is_merged_from_tokens_of_lower_ids(name: str) -> None:
    tok = pretrained.load(name)
    longer = {token for token, data in tok.vocab.items() if len(data) > 1} - set(tok.special_tokens.values())
    assert list(tok.merges.values()) == sorted(longer)
    assert all(len(tok.vocab[part]) == 1 or part < new for pair, new in tok.merges.items() for part in pair)
    assert tok.in_order and tok.num_merges == len(longer)


@pytest.mark.parametrize(
    ("name", "other"), [("r50k_base", "gpt2"), ("p50k_base", "p50k_edit"), ("o200k_harmony", "o200k_base")]
)
def test_tokenizers_of_one_file_differ_in_special_tokens_only(name: str, other: str) -> None:
    first, second = pretrained.load(name), pretrained.load(other)
    assert first.merge_results == second.merge_results
    shared = set(first.vocab) - set(first.special_tokens.values()) - set(second.special_tokens.values())
    assert all(first.vocab[token] == second.vocab[token] for token in shared)
    assert shared >= set(first.merge_results)


def test_surprising_ids() -> None:
    gpt2, p50k, cl100k = tokviz.load("gpt2"), tokviz.load("p50k_base"), tokviz.load("cl100k_base")
    assert gpt2.vocab[0] == b"!"  # the first 256 ids are bytes, but not in the order of their values
    assert p50k.vocab[50256] == b"<|endoftext|>"
    assert p50k.vocab[50257] == b"  "
    assert 100256 not in cl100k.vocab
    assert 100261 not in cl100k.vocab
    assert cl100k.vocab[100276] == b"<|endofprompt|>"
    harmony = tokviz.load("o200k_harmony")
    assert harmony.special_tokens["<|endofprompt|>"] == harmony.special_tokens["<|reserved_200018|>"] == 200018


@pytest.mark.parametrize(
    "model",
    [
        *tiktoken.model.MODEL_TO_ENCODING,
        *(f"{prefix}-x".replace("--", "-") for prefix in tiktoken.model.MODEL_PREFIX_TO_ENCODING),
        *("gpt-5.1", "gpt-5.2-codex", "ft:gpt-4o:x", "ft:gpt-4o-mini:x"),
    ],
)
def test_models_map_to_the_same_tokenizers_as_in_tiktoken(model: str) -> None:
    assert tokviz.load(model) is tokviz.load(tiktoken.encoding_name_for_model(model))


@pytest.mark.parametrize("prefix", [each for each in tiktoken.model.MODEL_PREFIX_TO_ENCODING if each[-1] != "-"])
@pytest.mark.parametrize("more", ["000", "x"])
def test_a_name_that_only_begins_like_a_model_is_not_taken_for_it(prefix: str, more: str) -> None:
    longer = prefix + more
    with pytest.raises(ValueError, match="Did you mean") as raised:
        tokviz.load(longer)
    assert repr(longer) in str(raised.value)


@pytest.mark.parametrize("wrong", ["gpt-nonsense", "gpt9", "", "base", "cl100", "Gpt9"])
def test_the_error_for_an_unknown_name_lists_the_choices(wrong: str) -> None:
    with pytest.raises(ValueError, match="cl100k_base") as raised:
        tokviz.load(wrong)
    assert repr(wrong) in str(raised.value)


def test_a_name_of_the_wrong_type() -> None:
    with pytest.raises(TypeError):
        tokviz.load(None)  # type: ignore[call-overload]


def test_loading_needs_no_network(monkeypatch: pytest.MonkeyPatch, fresh_caches: None) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert tokviz.load("gpt2").encode("offline") == [2364, 1370]


def test_threads_get_the_same_object(fresh_caches: None) -> None:
    loaded: list[object] = []
    threads = [threading.Thread(target=lambda: loaded.append(tokviz.load("cl100k_base"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loaded) == 8
    assert len(set(map(id, loaded))) == 1


@pytest.mark.parametrize("damage", ["missing", "truncated", "not gzip", "another vocabulary", "one bit"])
def test_a_damaged_file_is_named(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_caches: None
) -> None:
    good = (resources.files(pretrained) / "r50k_base.tiktoken.gz").read_bytes()
    text = gzip.decompress(good)
    content = {
        "truncated": good[: len(good) // 2],
        "not gzip": b"<html>404</html>",
        "another vocabulary": gzip.compress(b"IQ== 0\n", mtime=0),
        "one bit": gzip.compress(text[:100] + bytes([text[100] ^ 1]) + text[101:], mtime=0),
    }.get(damage)
    if content is not None:
        (tmp_path / "r50k_base.tiktoken.gz").write_bytes(content)
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    with pytest.raises(RuntimeError, match=r"r50k_base\.tiktoken\.gz"):
        tokviz.load("gpt2")


@pytest.fixture
def fresh_caches() -> Iterator[None]:
    """Clear the caches of loaded tokenizers before and after the test."""
    for cached in (pretrained._load, pretrained._read):
        cached.cache_clear()
    yield
    for cached in (pretrained._load, pretrained._read):
        cached.cache_clear()
