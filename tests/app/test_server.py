"""The routes: their responses and refusals, and that slow requests don't delay others."""

import asyncio
import gzip
import json
import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args
from unittest.mock import Mock

import numpy as np
import plotly.offline
import pytest
import streamlit as st
from clients import client as client
from engine_files import family
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import delta_generator, env_util
from tokenizers import AddedToken, decoders, models
from tokenizers import Tokenizer as Engine
from tokenizers.normalizers import NFC
from tokenizers.pre_tokenizers import ByteLevel

import tokviz
from tokviz.app import server
from tokviz.app.answers import requests
from tokviz.app.answers.routes import tokens
from tokviz.app.answers.visitors import kept_tokenizers
from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, Registry, registry
from tokviz.formats import read
from tokviz.pretokens import splitting
from tokviz.pretrained import OpenAIName
from tokviz.pretrained.open_models import OPEN_MODELS
from tokviz.samples import sample, samples
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer, WordTokenizer
from tokviz.tokenizers.tree import MergeTree
from tokviz.widgets.wire import unpack

TEXTS = {
    "empty": "",
    "plain": "Hello, world! I'll go.\n",
    "cut": "I love 🍕, नमस्ते 你好 안녕\r\n",
    "special": "one<|endoftext|>two<|fim_prefix|><unk>",
    "breaking out": "</script><img onerror=x> :red[x] $x$ \x00 \ufeff",
    "long": sample("prose-en").text * 20,
}
NAMES = (*get_args(OpenAIName), "code-points", "bytes")


def tokenizer_called(name: str) -> Tokenizer:
    return {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}.get(name, lambda: tokviz.load(name))()


def columns_of(response: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/octet-stream"
    return unpack(response.content)


# tokenize


@pytest.mark.parametrize("special", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_tokenize_matches_the_package(client: TestClient, name: str, special: int) -> None:
    tokenizer = tokenizer_called(name)
    for text in TEXTS.values():
        expected = tokenizer.tokenize(text, "all" if special else ())
        response = client.post(
            "/_tokviz/tokenize", params={"tokenizer": name, "special": special}, content=text.encode()
        )
        columns, meta = columns_of(response)
        assert meta == {"tokenizer": name, "vocab_size": tokenizer.vocab_size, "rewriting": []}
        assert list(columns) == ["ids", "byte_lengths", "special"]
        assert columns["ids"].tolist() == expected.ids.tolist()
        assert columns["byte_lengths"].tolist() == np.diff(expected.byte_offsets).tolist()
        assert columns["special"].tolist() == expected.special.tolist()


def test_counts_are_sent_on_request(client: TestClient) -> None:
    text = "Ae\u0301 🇪🇺\r\n"
    response = client.post("/_tokviz/tokenize?tokenizer=gpt2&counts=1", content=text.encode())
    _, meta = columns_of(response)
    assert (meta["characters"], meta["code_points"], meta["words"]) == (5, 8, 1)
    _, meta = columns_of(client.post("/_tokviz/tokenize?tokenizer=gpt2&counts=1", content="世界".encode()))
    assert meta["words"] is None


def test_words_are_learned_from_the_known_text(client: TestClient) -> None:
    known, text = "die Katze", "die Katzé"
    response = client.post(
        f"/_tokviz/tokenize?tokenizer=words&known={len(known.encode())}", content=(known + text).encode()
    )
    columns, meta = columns_of(response)
    expected = WordTokenizer.from_text(known).tokenize(text)
    assert columns["ids"].tolist() == expected.ids.tolist() == [0, 1, 3]
    assert columns["special"].tolist() == [0, 0, 1]
    assert columns["byte_lengths"].tolist() == [3, 1, 6]
    assert meta["vocab_size"] == 4


def test_words_learned_from_the_text_are_all_known(client: TestClient) -> None:
    columns, _ = columns_of(client.post("/_tokviz/tokenize?tokenizer=words", content=b"to be or not to be"))
    assert columns["ids"].tolist() == [0, 1, 2, 1, 3, 1, 4, 1, 0, 1, 2]


def test_a_registered_tokenizer_answers_until_it_is_forgotten(client: TestClient) -> None:
    name = registry.register(tokviz.train("aaabdaaabac", num_merges=3))
    columns, meta = columns_of(client.post(f"/_tokviz/tokenize?tokenizer={name}", content=b"aaab"))
    assert columns["ids"].tolist() == [258]
    assert meta["vocab_size"] == 259
    registry.forget(name)
    assert client.post(f"/_tokviz/tokenize?tokenizer={name}", content=b"aaab").status_code == 404


def test_a_character_that_the_alphabet_lacks_is_named(client: TestClient) -> None:
    name = registry.register(tokviz.train("abab", num_merges=1, alphabet="characters"))
    response = client.post(f"/_tokviz/tokenize?tokenizer={name}", content="abé".encode())
    assert response.status_code == 422
    assert "'é' (U+00E9) at position 2" in response.json()["error"]


def test_columns_are_compressed_if_accepted(client: TestClient) -> None:
    text = TEXTS["long"].encode()
    route = "/_tokviz/tokenize?tokenizer=gpt2"
    with client.stream("POST", route, content=text, headers={"accept-encoding": "gzip"}) as response:
        raw = b"".join(response.iter_raw())
        assert response.headers["content-encoding"] == "gzip"
        assert response.headers["vary"] == "Accept-Encoding"
    plain = client.post(route, content=text, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


# pretokens


@pytest.mark.parametrize("special", [0, 1])
@pytest.mark.parametrize("name", [*NAMES, "words"])
def test_pretokens_match_the_package(client: TestClient, name: str, special: int) -> None:
    tokenizer = WordTokenizer(()) if name == "words" else tokenizer_called(name)
    for text in TEXTS.values():
        expected = tokenizer.pretokens(text, "all" if special else ())
        response = client.post(
            "/_tokviz/pretokens", params={"tokenizer": name, "special": special}, content=text.encode()
        )
        columns, meta = columns_of(response)
        assert columns["byte_lengths"].tolist() == [len(piece.encode()) for piece in expected]
        assert meta["pattern"] == tokenizer.split_pattern
        assert all(branch < len(meta["branches"]) or branch == 255 for branch in columns["branches"].tolist())


def test_pretokens_have_their_branch(client: TestClient) -> None:
    columns, meta = columns_of(
        client.post("/_tokviz/pretokens?tokenizer=gpt2&special=1", content=b"I'll<|endoftext|> 12")
    )
    names = [None if branch == 255 else meta["branches"][branch] for branch in columns["branches"].tolist()]
    assert names == ["letters", "'s, 't, 're and such", None, "numbers"]
    assert meta["pattern"] == splitting.PATTERNS["gpt2"]


def test_pretokens_of_words_leave_the_known_text_out(client: TestClient) -> None:
    columns, _ = columns_of(client.post("/_tokviz/pretokens?tokenizer=words&known=3", content=b"oneto be"))
    assert columns["byte_lengths"].tolist() == [2, 1, 2]


# tail


@pytest.mark.parametrize("text", ["hello wor", "x = 12", "x = 123", "", "one<|endof", "a<|endoftext|>b  "])
def test_the_tail_and_an_example_that_changes_it(client: TestClient, text: str) -> None:
    """The tokens sent are those of encoding the text, and the text with the example: what stays, and what doesn't."""
    tok = tokviz.load("cl100k_base")
    for special in (0, 1):
        allowed = tok.special_tokens if special else ()
        found = client.post(f"/_tokviz/tail?tokenizer=cl100k_base&special={special}", content=text).json()
        now, then = tok.encode(text, allowed), tok.encode(text + found["following"], allowed)
        assert [token["id"] for token in found["now"]] == now[found["stable"] :]
        assert found["stable"] == len(now) - tok.unstable_tail(text, allowed).tokens
        assert now[: found["stable"]] == then[: found["stable"]]
        if found["now"]:
            assert [token["id"] for token in found["then"]] == then[found["stable"] :]
            assert then[found["stable"]] != now[found["stable"]]


@pytest.mark.parametrize("name", ["bytes", "code-points"])
def test_a_tail_where_nothing_changes(client: TestClient, name: str) -> None:
    found = client.post(f"/_tokviz/tail?tokenizer={name}", content="hé").json()
    assert found == {"stable": len(tokenizer_called(name).encode("hé")), "now": [], "following": "", "then": []}


def test_tails_that_are_not_looked_for(client: TestClient) -> None:
    name = registry.register(tokviz.train("abab", split_pattern=r"\w+"), "unnamed")
    says = {
        "words": "Not available for this tokenizer: choose another, such as GPT-2's.",
        name: "It can't be told which tokens of ",
    }
    for tokenizer, reason in says.items():
        refused = client.post(f"/_tokviz/tail?tokenizer={tokenizer}", content="ab")
        assert refused.status_code == 422
        assert refused.json()["error"].startswith(reason)
    registry.forget(name)
    endless = client.post("/_tokviz/tail?tokenizer=gpt2", content="a" * 20_000)
    assert endless.status_code == 422
    assert endless.json()["error"].endswith("takes too long here.")
    assert client.post("/_tokviz/tail?tokenizer=gpt2", content="a" * 400_001).status_code == 413


# token


def test_token_with_its_tree(client: TestClient) -> None:
    answer = client.get("/_tokviz/token?tokenizer=gpt2&id=31373").json()
    assert {**answer, "tree": None, "code_points": None} == {
        **{"id": 31373, "hex": "68 65 6c 6c 6f", "text": "hello", "special": False, "rank": 31117, "merges": 50000},
        **{"tree": None, "code_points": None, "alone": [], "read_as": [], "units": "bytes"},
        **{"added": False, "unknown": False, "byte": False, "mark": None},
        **{"algorithm": None},  # of engines' tokenizers
    }
    assert [point["name"] for point in answer["code_points"]][:2] == ["LATIN SMALL LETTER H", "LATIN SMALL LETTER E"]
    tree = answer["tree"]
    assert (tree["id"], tree["rank"]) == (31373, 31117)
    assert [child["text"] for child in tree["children"]] == ["hell", "o"]
    assert tree["children"][1] == {"id": 78, "hex": "6f", "text": "o", "rank": None, "children": []}


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("gpt2", 50256, {"special": True, "rank": None, "text": "<|endoftext|>", "merges": 50000}),
        ("gpt2", 8582, {"hex": "f0 9f", "text": None, "code_points": []}),
        ("gpt2", 220, {"text": " ", "rank": None}),
        ("code-points", 0x1F355, {"hex": "f0 9f 8d 95", "text": "🍕", "merges": 0, "rank": None}),
        ("bytes", 255, {"hex": "ff", "text": None}),
        ("bytes", 10, {"code_points": [{"code": "U+000A", "name": "LINE FEED", "char": "\n"}]}),
    ],
)
def test_other_tokens(client: TestClient, name: str, number: int, expected: dict[str, Any]) -> None:
    answer = client.get(f"/_tokviz/token?tokenizer={name}&id={number}").json()
    assert {key: answer[key] for key in expected} == expected


def test_a_token_that_its_own_text_does_not_encode_to(client: TestClient) -> None:
    """o200k's 3914 is `\\n//`, whose line break is split off unless it follows punctuation."""
    o200k = tokviz.load("o200k_base")
    answer = client.get("/_tokviz/token?tokenizer=o200k_base&id=3914").json()
    assert [part["id"] for part in answer["read_as"]] == o200k.encode("\n//")
    assert "".join(part["text"] for part in answer["read_as"]) == "\n//"
    assert (answer["alone"], len(answer["tree"]["children"])) == ([], 2)


def test_a_token_that_is_added_and_merged_is_not_cut_out_of_its_text(client: TestClient) -> None:
    tokenizer = HuggingFaceTokenizer("gemma", family("gemma"))
    name = registry.register(tokenizer)
    for text, is_added in {"  ": False, "the the": True}.items():
        (token,) = tokenizer.encode(text)
        answer = client.get(f"/_tokviz/token?tokenizer={name}&id={token}").json()
        assert (answer["text"], answer["added"]) == (text, is_added)


def test_a_token_of_an_engine(client: TestClient) -> None:
    """GPT-NeoX's runs of spaces are added tokens, but not special ones; its texts are normalized."""
    engine = Engine(models.BPE({**{char: i for i, char in enumerate(ByteLevel.alphabet())}, "ĠĠ": 300}, [("Ġ", "Ġ")]))
    engine.normalizer, engine.pre_tokenizer = NFC(), ByteLevel(add_prefix_space=False, use_regex=False)
    engine.decoder = decoders.ByteLevel()
    engine.add_tokens([AddedToken("  ", normalized=False), AddedToken("<s>", special=True)])
    tokenizer = HuggingFaceTokenizer("own", engine.to_str().encode())
    spaces, special = engine.token_to_id("  "), engine.token_to_id("<s>")
    name = registry.register(tokenizer)
    rewriting = ["converts the text to the Unicode form NFC"]
    for token, expected in {spaces: (False, True), special: (True, False), 97: (False, False)}.items():
        answer = client.get(f"/_tokviz/token?tokenizer={name}&id={token}").json()
        assert (answer["special"], answer["added"]) == expected
    merged = client.get(f"/_tokviz/token?tokenizer={name}&id=300").json()
    assert [(part["id"], part["added"]) for part in merged["read_as"]] == [(spaces, True)]
    assert (merged["rank"], merged["merges"]) == (0, 1)
    assert [child["text"] for child in merged["tree"]["children"]] == [" ", " "]
    _, meta = columns_of(client.post(f"/_tokviz/tokenize?tokenizer={name}", content="e\u0301".encode()))
    assert meta["rewriting"] == rewriting
    for text, said in {"e\u0301": rewriting, "e": []}.items():
        answer = client.post(f"/_tokviz/rewriting?tokenizer={name}&start=0&end=1", content=text.encode())
        assert answer.json() == {"rewriting": said}
    too_long = client.post(f"/_tokviz/rewriting?tokenizer={name}&start=0&end=1", content=b"e" * 4_001)
    assert too_long.status_code == 413


def test_pieces_of_engines_are_described_without_marks_and_by_what_they_are(client: TestClient) -> None:
    bert, mistral = tokviz.load("bert-base-uncased"), tokviz.load("mistral-7b")
    pieces = {piece: token for token, piece in bert.vocab.items()}
    inside = client.get(f"/_tokviz/token?tokenizer=bert-base-uncased&id={pieces[b'##ing']}").json()
    assert inside["mark"] == {"spelled": "##ing", "mark": "##", "place": "inside"}
    assert (inside["text"], [part["id"] for part in inside["read_as"]]) == ("ing", bert.encode("ing"))
    whole = client.get(f"/_tokviz/token?tokenizer=bert-base-uncased&id={pieces[b'the']}").json()
    assert (whole["mark"], whole["byte"], whole["unknown"]) == (None, False, False)
    first, *_ = [token for token in mistral.encode("\U0001faa4") if mistral.vocab[token] == b"\xf0"]
    assert client.get(f"/_tokviz/token?tokenizer=mistral-7b&id={first}").json()["byte"]
    word = next(token for token, piece in mistral.vocab.items() if piece == b"af")
    assert client.get(f"/_tokviz/token?tokenizer=mistral-7b&id={word}").json()["read_as"] == []  # but for the space


def test_a_token_that_no_merge_makes(client: TestClient) -> None:
    vocab = dict(enumerate([b"a", b"b", b"c", b"ab", b"bc", b"abc"]))
    name = registry.register(tokviz.BPETokenizer("odd", vocab, {(1, 2): 4, (0, 1): 3, (3, 2): 5}))
    answer = client.get(f"/_tokviz/token?tokenizer={name}&id=5").json()
    assert [part["text"] for part in answer["alone"]] == ["a", "bc"]
    assert (answer["rank"], answer["tree"]["children"]) == (None, [])


def test_a_huge_tree_is_cut_off(client: TestClient) -> None:
    tokenizer = tokviz.train("a" * 2**14, num_merges=13)
    name = registry.register(tokenizer)
    answer = client.get(f"/_tokviz/token?tokenizer={name}&id={256 + 12}").json()
    nodes = [answer["tree"]]
    for node in nodes:
        nodes += node["children"]
    assert 1900 < len(nodes) <= tokens.MAX_NODES
    assert any(node.get("more") for node in nodes)


def test_a_deep_tree_is_cut_off() -> None:
    tree = MergeTree(0, b"a")
    for depth in range(1, 3000):
        tree = MergeTree(depth, b"a", depth, tree, MergeTree(0, b"a"))
    assert json.dumps(tokens._nodes(tree)).count('"more"') == 1


# find


@pytest.mark.parametrize("length", [tokens.MAX_SHOWN, tokens.MAX_SHOWN + 1])
def test_tokens_that_are_too_long_are_not_described(client: TestClient, length: int) -> None:
    name = registry.register(BPETokenizer("long", {97: b"a", 300: b"a" * length}, {}))
    answer = client.get("/_tokviz/token", params={"tokenizer": name, "id": 300})
    if length > tokens.MAX_SHOWN:
        assert answer.status_code == 413
        assert answer.json()["error"] == "This token has 50,001 bytes. Only tokens of up to 50,000 are shown."
    else:
        assert len(answer.json()["code_points"]) == length


def test_find_gives_the_exact_token_first(client: TestClient) -> None:
    tokens = client.post("/_tokviz/find?tokenizer=cl100k_base", content="hello").json()["tokens"]
    assert tokens[0] == {"id": 15339, "hex": "68 65 6c 6c 6f", "text": "hello"}
    assert all("hello" in token["text"] for token in tokens)


def test_find_gives_no_more_than_fifty_others(client: TestClient) -> None:
    tokens = client.post("/_tokviz/find?tokenizer=gpt2", content="an").json()["tokens"]
    assert len(tokens) == 51
    assert tokens[0]["text"] == "an"
    numbers = [token["id"] for token in tokens[1:]]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("name", "text", "read_as", "special"),  # as tiktoken counts
    [("cl100k_base", "hello", 1, False), ("o200k_base", "\n//", 2, False), ("gpt2", "<|endoftext|>", 7, True)],
)
def test_find_says_how_a_tokens_text_is_read(
    client: TestClient, name: str, text: str, read_as: int, special: bool
) -> None:
    answer = client.post(f"/_tokviz/find?tokenizer={name}", content=text).json()
    assert answer["tokens"][0]["text"] == text
    assert answer["read_as"] == read_as
    assert answer["special"] is special
    assert answer["one"] == (answer["tokens"][0]["id"] if read_as == 1 else None)


def test_find_lists_a_special_token_whose_characters_the_alphabet_lacks(client: TestClient) -> None:
    trained = tokviz.train("aaaa", vocab_size=4, alphabet="characters", special_tokens=["<s>"])
    answer = client.post(f"/_tokviz/find?tokenizer={registry.register(trained)}", content="<s>").json()
    assert [found["text"] for found in answer["tokens"]] == ["<s>"]
    assert answer["special"] and answer["read_as"] is None and answer["one"] is None


def test_find_counts_all_that_contain_a_text(client: TestClient) -> None:
    answer = client.post("/_tokviz/find?tokenizer=gpt2", content="an").json()
    vocabulary = tokviz.load("gpt2").vocab.values()
    assert answer["containing"] == sum(b"an" in token for token in vocabulary) - 1
    assert client.post("/_tokviz/find?tokenizer=gpt2", content="qzx").json()["read_as"] is None


@pytest.mark.parametrize(("text", "numbers"), [("é", [233]), ("ab", [])])
def test_find_a_code_point(client: TestClient, text: str, numbers: list[int]) -> None:
    tokens = client.post("/_tokviz/find?tokenizer=code-points", content=text.encode()).json()["tokens"]
    assert [token["id"] for token in tokens] == numbers


# decode


@pytest.mark.parametrize(
    ("ids", "answer"),
    [
        ([31373, 995], {"text": "hello world", "hex": "68 65 6c 6c 6f 20 77 6f 72 6c 64", "valid": True}),
        ([8582], {"text": "\N{REPLACEMENT CHARACTER}", "hex": "f0 9f", "valid": False}),
        ([], {"text": "", "hex": "", "valid": True}),
    ],
)
def test_decode(client: TestClient, ids: list[int], answer: dict[str, Any]) -> None:
    assert client.post("/_tokviz/decode?tokenizer=gpt2", json={"ids": ids}).json() == answer


@pytest.mark.parametrize("number", [60000, -1, 10**30])
def test_decode_an_id_that_is_not_in_use(client: TestClient, number: int) -> None:
    response = client.post("/_tokviz/decode?tokenizer=gpt2", json={"ids": [31373, number]})
    assert response.status_code == 422
    assert f"Token id {number} is not in use" in response.json()["error"]


def test_decode_too_many_ids(client: TestClient) -> None:
    response = client.post("/_tokviz/decode?tokenizer=gpt2", content=b'{"ids": [' + b"[]," * 400_000 + b"1]}")
    assert response.status_code == 413
    assert response.json()["error"] == "This list of ids is too long: 1 MB is the most that fits."
    response = client.post("/_tokviz/decode?tokenizer=gpt2", content=b'{"ids": [' + b"1," * 200_000 + b"1]}")
    assert response.status_code == 413
    assert response.json()["error"] == "What was sent holds more than 200,000 values."


@pytest.mark.parametrize(
    "body",
    ["", "{", "[1]", "{}", '{"ids": 1}', '{"ids": ["1"]}', '{"ids": [1.5]}', '{"ids": [true]}', "[" * 100_000, b"\xff"],
    ids=lambda body: repr(body[:20]),
)
def test_decode_something_else(client: TestClient, body: str | bytes) -> None:
    response = client.post("/_tokviz/decode?tokenizer=gpt2", content=body)
    assert response.status_code == 400
    assert re.search("list of whole numbers|levels of lists", response.json()["error"])


def test_ids_of_too_long_a_text_are_refused(client: TestClient) -> None:
    name = registry.register(tokviz.train("a" * 2**17, num_merges=16))  # the last token has 65,536 bytes
    route = f"/_tokviz/decode?tokenizer={name}"
    assert len(client.post(route, json={"ids": [271] * 30}).json()["text"]) == 30 * 2**16
    refused = client.post(route, json={"ids": [271] * 31})
    assert refused.status_code == 413
    assert refused.json() == {"error": "These ids stand for too long a text: 2 MB is the most that fits."}


# sample


def test_every_sample_is_served(client: TestClient) -> None:
    for each in samples():
        answer = client.get("/_tokviz/sample", params={"name": each.name}).json()
        shown = {"name": each.name, "title": each.title, "text": each.text}
        assert answer == shown | {"lang": each.lang, "direction": each.direction}


# static


JAVASCRIPT = ("text/javascript", "application/javascript")
"""Its media types; which one is given depends on the machine's table of types."""


def test_static_files_are_revalidated_each_time(client: TestClient) -> None:
    first = client.get("/_tokviz/static/shared/net/columns.js")
    assert first.status_code == 200
    assert first.headers["content-type"].split(";")[0] in JAVASCRIPT
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/_tokviz/static/shared/net/columns.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["columns.py", "__init__.py", "", "shared", "nothing.js", "..%2fapp%2fserver.py", "%2e%2e/%2e%2e/x.js"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(f"/_tokviz/static/{path}").status_code == 404


def test_plotlys_script_is_that_of_its_package(client: TestClient) -> None:
    script = client.get("/_tokviz/static/js/plotly.min.js")
    assert script.headers["content-type"].split(";")[0] in JAVASCRIPT
    assert script.text == plotly.offline.get_plotlyjs()
    again = client.get("/_tokviz/static/js/plotly.min.js", headers={"if-none-match": script.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


# Refusals


@pytest.mark.parametrize("route", ["tokenize", "pretokens", "decode", "token", "tail", "find"])
def test_an_unknown_tokenizer(client: TestClient, route: str) -> None:
    method = "GET" if route == "token" else "POST"
    content = b'{"ids": []}' if method == "POST" else None
    response = client.request(method, f"/_tokviz/{route}?tokenizer=nope&id=1&text=a", content=content)
    assert response.status_code == 404
    assert "not known here" in response.json()["error"]


@pytest.mark.parametrize("route", ["tokenize", "pretokens"])
def test_a_text_that_is_too_long(client: TestClient, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MAX_BODY", 1_000_000)
    response = client.post(f"/_tokviz/{route}?tokenizer=gpt2", content=b"a" * 1_000_001)
    assert response.status_code == 413
    assert response.json() == {"error": "This text is too long: 1 MB is the most that fits."}


@pytest.mark.parametrize("declared", [[], [(b"content-length", b"99999999999")]])
def test_bodies_are_read_only_up_to_the_limit(declared: list[tuple[bytes, bytes]]) -> None:
    received = 0
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        nonlocal received
        received += 1_000_000
        return {"type": "http.request", "body": b"a" * 1_000_000, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        **{"type": "http", "method": "POST", "path": "/_tokviz/tokenize", "query_string": b"tokenizer=gpt2"},
        **{"headers": declared, "root_path": "", "http_version": "1.1"},
    }
    asyncio.run(Starlette(routes=server.routes)(scope, receive, send))
    assert sent[0]["status"] == 413
    assert received <= (0 if declared else requests.MAX_BODY + 1_000_000)


@pytest.mark.parametrize("route", ["tokenize", "pretokens"])
def test_a_text_that_is_not_utf8(client: TestClient, route: str) -> None:
    response = client.post(f"/_tokviz/{route}?tokenizer=gpt2", content=b"ab\xff")
    assert response.status_code == 400
    assert response.json() == {"error": "The text is not UTF-8: byte 2 does not belong there."}


def test_known_text_that_ends_within_a_character(client: TestClient) -> None:
    assert client.post("/_tokviz/tokenize?tokenizer=words&known=1", content="é".encode()).status_code == 400


@pytest.mark.parametrize(
    ("method", "route", "reason"),
    [
        ("POST", "tokenize", "The request lacks “tokenizer”."),
        ("POST", "pretokens", "The request lacks “tokenizer”."),
        ("POST", "decode", "The request lacks “tokenizer”."),
        ("GET", "token?id=1", "The request lacks “tokenizer”."),
        ("GET", "token?tokenizer=gpt2", "The request lacks “id”."),
        ("GET", "token?tokenizer=gpt2&id=1e3", "“id” must be a whole number, 0 or more."),
        ("GET", "token?tokenizer=gpt2&id=-1", "“id” must be a whole number, 0 or more."),
        ("GET", "token?tokenizer=gpt2&id=%D9%A1", "“id” must be a whole number, 0 or more."),
        ("GET", "token?tokenizer=words&id=1", "The Words tokenizer has no fixed vocabulary"),
        ("POST", "find", "The request lacks “tokenizer”."),
        ("POST", "find?tokenizer=gpt2", "There is no text to look for."),
        ("GET", "sample", "The request lacks “name”."),
        ("POST", "tokenize?tokenizer=gpt2&special=yes", "“special” must be 0 or 1."),
        ("POST", "tokenize?tokenizer=gpt2&counts=2", "“counts” must be 0 or 1."),
        ("POST", "tokenize?tokenizer=gpt2&known=0", "“known” goes with the tokenizer “words” only."),
        ("POST", "tokenize?tokenizer=words&known=x", "“known” must be a whole number, 0 or more."),
        ("POST", "tokenize?tokenizer=words&known=9", "“known” is more than was sent."),
    ],
)
def test_a_malformed_request(client: TestClient, method: str, route: str, reason: str) -> None:
    response = client.request(method, f"/_tokviz/{route}")
    assert response.status_code == 400
    assert response.json()["error"].startswith(reason)


@pytest.mark.parametrize("number", ["60000", "9" * 5000])
def test_an_id_that_is_not_in_use(client: TestClient, number: str) -> None:
    response = client.get(f"/_tokviz/token?tokenizer=gpt2&id={number}")
    assert response.status_code == 404
    assert "is not in use: the ids of gpt2 go from 0 to 50256" in response.json()["error"]


def test_an_unknown_sample(client: TestClient) -> None:
    response = client.get("/_tokviz/sample?name=nope")
    assert response.status_code == 404
    assert "No sample is named 'nope'" in response.json()["error"]


def test_the_wrong_method(client: TestClient) -> None:
    assert client.get("/_tokviz/tokenize?tokenizer=gpt2").status_code == 405


# Paths, threads and logs


@pytest.mark.parametrize("base", ["", "/my", "/my/tokviz"])
def test_the_routes_match_under_any_base_path(client: TestClient, base: str) -> None:
    assert client.get(f"{base}/_tokviz/sample?name=start").status_code == 200
    assert client.get(f"{base}/_tokviz/static/shared/net/columns.js").status_code == 200


@pytest.mark.parametrize("path", ["/tokviz/sample?name=start", "/_tokviz", "/_tokviz/nothing"])
def test_other_paths_are_not_ours(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_slow_request_does_not_delay_others(client: TestClient) -> None:
    started, released = threading.Event(), threading.Event()

    class Slow(ByteTokenizer):
        def _encode_ordinary(self, text: str) -> list[int]:
            started.set()
            assert released.wait(20)
            return super()._encode_ordinary(text)

    name = registry.register(Slow())
    registry.get("bytes")
    with ThreadPoolExecutor(1) as elsewhere:
        slow = elsewhere.submit(client.post, f"/_tokviz/tokenize?tokenizer={name}", content=b"a")
        assert started.wait(20)
        columns, _ = columns_of(client.post("/_tokviz/tokenize?tokenizer=bytes", content=b"ab"))
        assert columns["ids"].tolist() == [97, 98]
        large, _ = columns_of(client.post("/_tokviz/tokenize?tokenizer=bytes", content=b"a" * 200_000))
        assert len(large["ids"]) == 200_000
        assert not slow.done()
        released.set()
        assert slow.result().status_code == 200


@pytest.mark.parametrize(
    ("known", "more", "in_a_thread"), [(0, 0, False), (0, 1, True), (9_000, 0, False), (9_000, 1, True)]
)
def test_long_texts_are_handled_in_a_thread(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, known: int, more: int, in_a_thread: bool
) -> None:
    """The text in front that words are learned from counts as well."""
    ran_in = []

    def tokenizer_for(*arguments: Any) -> Any:
        ran_in.append(threading.current_thread().name.startswith("tokviz-"))
        return requests.tokenizer_for(*arguments)

    monkeypatch.setattr(tokens, "tokenizer_for", tokenizer_for)
    query: dict[str, Any] = {"tokenizer": "words"} | ({"known": known} if known else {})
    body = (b"ab " * 6_000)[:known] + b"a" * (16_000 - known + more)
    assert client.post("/_tokviz/tokenize", params=query, content=body).status_code == 200
    assert ran_in == [in_a_thread]


def test_no_text_is_logged(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ByteTokenizer):
        def _encode_ordinary(self, text: str) -> list[int]:
            raise RuntimeError(f"can't work on {text}")

    caplog.set_level(logging.DEBUG)
    name = registry.register(Broken())
    for tokenizer, status in ((name, 500), ("gpt2", 200), ("nope", 404)):
        response = client.post(f"/_tokviz/tokenize?tokenizer={tokenizer}", content=b"a secret")
        assert response.status_code == status
        assert "can't work on" not in response.text
    client.post("/_tokviz/tokenize?tokenizer=gpt2", content=b"a secret\xff")
    assert "RuntimeError at /_tokviz/tokenize failed" in caplog.text
    assert "secret" not in caplog.text


# The registry


def test_descriptions_are_true() -> None:
    described = {each.name: each for each in DESCRIPTIONS}
    assert set(described) == {*NAMES, *OPEN_MODELS, "words"}
    assert described["words"].vocab_size is None
    for name in NAMES:
        tokenizer = tokenizer_called(name)
        assert (described[name].vocab_size, described[name].num_tokens) == (tokenizer.vocab_size, len(tokenizer.vocab))
        assert described[name].kind == ("bpe" if name in get_args(OpenAIName) else "simple")
    for name in OPEN_MODELS:
        tokenizer = tokviz.load(name)
        before, after = (tuple(tokenizer.vocab[token].decode() for token in side) for side in tokenizer.around)
        assert described[name].surrounding == (before, after)
        assert (described[name].vocab_size, described[name].kind) == (tokenizer.vocab_size, "engine")
        assert described[name].num_tokens == len(tokenizer.vocab)
    assert described["gpt2"].models == ("gpt2", "gpt-2")
    assert {"gpt-4o", "gpt-4o-*", "gpt-5*"} <= set(described["o200k_base"].models)


def test_every_model_is_listed_with_its_tokenizer() -> None:
    for each in DESCRIPTIONS:
        for model in each.models:
            assert tokviz.load(model.replace("*", "-x")) is tokviz.load(each.name)


@pytest.mark.parametrize("route", ["tokenize", "pretokens", "export"])
def test_engines_take_no_huge_texts_in_the_server(client: TestClient, route: str) -> None:
    query = {"tokenizer": "bert-base-uncased", "format": "csv"}
    answer = client.post(f"/_tokviz/{route}", params=query, content=b"a " * 100_500)
    assert answer.status_code == 413
    assert answer.json()["error"].startswith("BERT takes a text of up to 200 KB here; this one has 201 KB.")


def test_an_engine_s_tokens_are_sent_like_any_others(client: TestClient) -> None:
    columns, meta = columns_of(client.post("/_tokviz/tokenize?tokenizer=bert-base-uncased", content="Zürich!".encode()))
    assert columns["ids"].tolist() == tokviz.load("bert-base-uncased").encode("Zürich!")
    assert int(columns["byte_lengths"].sum()) == len("Zürich!".encode())
    assert meta["rewriting"]


def test_the_default_is_the_first_on_the_list() -> None:
    assert DESCRIPTIONS[0].name == kept_tokenizers.DEFAULT


def test_the_registry_keeps_the_last_used() -> None:
    kept = Registry(limit=2)
    tokenizers = [ByteTokenizer() for _ in range(3)]
    first, second = kept.register(tokenizers[0]), kept.register(tokenizers[1])
    assert kept.get(first) is tokenizers[0]
    third = kept.register(tokenizers[2])
    assert kept.get(first) is tokenizers[0]
    assert kept.get(third) is tokenizers[2]
    with pytest.raises(LookupError, match="not known here"):
        kept.get(second)


def test_ids_can_not_be_guessed() -> None:
    kept = Registry()
    made_up = {kept.register(ByteTokenizer()) for _ in range(50)}
    assert len(made_up) == 50
    assert min(map(len, made_up)) >= 20


def test_forgetting_twice_is_allowed() -> None:
    kept = Registry()
    name = kept.register(ByteTokenizer())
    kept.forget(name)
    kept.forget(name)


@pytest.mark.parametrize("words", [30, 31])
@pytest.mark.parametrize("route", ["tokenize?tokenizer=words", "compare?tokenizers=words,gpt2"])
def test_distinct_words_are_limited(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, route: str, words: int
) -> None:
    monkeypatch.setattr(requests, "MAX_WORDS", 31)  # the space is one of them
    monkeypatch.setattr(requests, "_FEW_WORDS", 20)
    text = " ".join(str(number % words) for number in range(100))
    answer = client.post(f"/_tokviz/{route}", content=text.encode())
    if words == 31:
        assert answer.status_code == 413
        assert answer.json()["error"].startswith("This text has 32 different words, and 31 are the most")
    else:
        assert answer.status_code == 200


def test_a_token_is_described_in_a_thread(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    named = requests.tokenizer_named

    def recording(name: str) -> Tokenizer:
        threads.append(threading.current_thread().name)
        return named(name)

    monkeypatch.setattr(tokens, "tokenizer_named", recording)
    assert client.get("/_tokviz/token?tokenizer=gpt2&id=300").status_code == 200
    assert threads[0].startswith("tokviz-short")


def test_a_token_of_a_shipped_tokenizer_takes_no_recovering_of_all_merges() -> None:
    tokenizer = tokviz.load("cl100k_base").with_name("fresh")
    vars(tokenizer).pop("merges", None)
    assert tokenizer.merge_alone(5_000) == (5_000,)
    assert tokenizer.tree(5_000).rank == 5_000 - 256
    assert "merges" not in vars(tokenizer)


def test_the_bytes_of_a_tree_are_limited(client: TestClient) -> None:
    lines = ["0 0", *(f"{256 + number} {256 + number}" for number in range(14))]  # 32,768 bytes
    lines += [f"{270 + number} 0" for number in range(20)]
    file = "\n".join(["minbpe v1", "", "0", *lines, ""]).encode()
    name = registry.register(read({"long.model": file}))
    answer = client.get(f"/_tokviz/token?tokenizer={name}&id={256 + len(lines) - 1}").json()
    nodes = [answer["tree"]]
    for node in nodes:
        nodes += node["children"]
    assert sum(len(node["text"]) for node in nodes) <= tokens.MAX_TREE_BYTES + 40_000
    found = client.post(f"/_tokviz/find?tokenizer={name}", content="\0").json()
    assert found["containing"] == len(lines)
    assert [len(token["text"]) for token in found["tokens"]] == [1, *(2**power for power in range(1, 10))]
    assert client.post(f"/_tokviz/find?tokenizer={name}", content=b"\0" * 32_768).status_code == 200


def test_stages_of_short_texts_only(client: TestClient) -> None:
    answer = client.post("/_tokviz/stages?tokenizer=bert-base-uncased", content="Zürich".encode()).json()
    assert [stage["name"] for stage in answer["stages"]] == ["normalized", "pre-tokens", "tokens", "special tokens"]
    assert answer["edits"] == [["Zü", "zu", 1]]
    assert client.post("/_tokviz/stages?tokenizer=gpt2", content=b"a" * 10_001).status_code == 413
    assert client.post("/_tokviz/stages?tokenizer=words", content=b"a").status_code == 400


# start


def test_the_first_page_does_not_wait_for_a_search_of_all_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Mock(return_value=False)
    monkeypatch.setattr(env_util, "is_repl", search)
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    monkeypatch.setattr(server, "warm_up", lambda: None)
    with TestClient(Starlette(lifespan=server.lifespan)):
        st.html("<p></p>")
        assert not search.called
    delta_generator._use_warning_has_been_displayed = False
    st.html("<p></p>")
    assert search.called  # the installed Streamlit still works this way
