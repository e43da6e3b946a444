"""Ranks of tokens, by which the Tokens page colors: those of each tokenizer's own file."""

import gzip
import json
from functools import partial
from pathlib import Path

import pytest
from clients import client as client
from sentencepiece import SentencePieceProcessor
from shipped import ranks_of
from starlette.testclient import TestClient

from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, LEARNED_FIRST, registry
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.loading import load_shipped
from tokviz.pretrained import open_models
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets.wire import unpack

FILES = Path(open_models.__file__).parent
TEXT = " the      0  end, Überraschung 🍕 <|endoftext|>"


def ranks_sent(client: TestClient, name: str) -> tuple[list[int], list[int]]:
    """Return the ids of the text, and the rank of each."""
    answer = client.post(
        "/_tokviz/tokenize", params={"tokenizer": name, "special": 1, "ranks": 1}, content=TEXT.encode()
    )
    assert answer.status_code == 200, answer.text
    columns, _ = unpack(answer.content)
    return columns["ids"].tolist(), columns["ranks"].tolist()


def ranks_in_files(name: str) -> dict[int, int]:
    """Return the ranks of a shipped tokenizer's merges by the ids that they make, as its own file lists them."""
    if name in ("bert-base-uncased", "code-points", "bytes", "words"):
        return {}
    if name in ("qwen3", "deepseek"):
        model = json.loads(gzip.decompress((FILES / f"{name}.tokenizer.json.gz").read_bytes()))["model"]
        pairs = (pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"])
        return {model["vocab"]["".join(pair)]: rank for rank, pair in enumerate(pairs)}
    if name.startswith("mistral"):
        file = {"mistral-7b": "mistral-7b-v3", "mistral-7b-v0.1": "mistral-7b-v1"}[name]
        pieces = SentencePieceProcessor(model_proto=gzip.decompress((FILES / f"{file}.model.gz").read_bytes()))
        scores = [pieces.get_score(token) for token in range(len(pieces))]
        # Bytes, control tokens and those with a name in brackets have no score. Single characters are not merged.
        merged = [token for token, score in enumerate(scores) if score < 0 and len(pieces.id_to_piece(token)) > 1]
        return {token: rank for rank, token in enumerate(sorted(merged, key=lambda token: -scores[token]))}
    merged = sorted(token for data, token in ranks_of(name).items() if len(data) > 1)
    return {token: rank for rank, token in enumerate(merged)}


@pytest.mark.parametrize("name", [description.name for description in DESCRIPTIONS])
def test_ranks_are_those_of_the_tokenizer_s_file(client: TestClient, name: str) -> None:
    ids, ranks = ranks_sent(client, name)
    made = ranks_in_files(name)
    assert ranks == [made.get(token, -1) for token in ids]
    assert any(rank >= 0 for rank in ranks) == bool(made)


def test_ranks_of_a_trained_tokenizer_are_the_places_of_its_merges(client: TestClient) -> None:
    ids, ranks = ranks_sent(client, LEARNED_FIRST)
    tokenizer = registry.get(LEARNED_FIRST)
    assert isinstance(tokenizer, BPETokenizer)
    assert any(rank >= 0 for rank in ranks)
    for token, rank in zip(ids, ranks, strict=True):
        if rank >= 0:
            left, right = list(tokenizer.merges)[rank]
            assert tokenizer.vocab[token] == tokenizer.vocab[left] + tokenizer.vocab[right]
        else:
            assert len(tokenizer.vocab[token]) == 1


@pytest.mark.parametrize("name", ["qwen3", "mistral-7b-v0.1", "bert-base-uncased"])
def test_ranks_of_a_visitor_s_file_are_those_of_the_same_tokenizer_inside(client: TestClient, name: str) -> None:
    theirs = registry.register(GuardedTokenizer(partial(load_shipped, name)))
    try:
        assert ranks_sent(client, theirs) == ranks_sent(client, name)
    finally:
        registry.forget(theirs)
