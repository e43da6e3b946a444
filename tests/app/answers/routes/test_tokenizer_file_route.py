"""The route that opens tokenizer files: the tokenizers that it registers and describes, and its refusals."""

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest
import tiktoken
from engine_files import family, sentencepiece_model
from sentencepiece import SentencePieceProcessor
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tokenizers import BertWordPieceTokenizer, ByteLevelBPETokenizer, Tokenizer
from transformers import XLMRobertaTokenizer

import tokviz
from tokviz import formats
from tokviz.app import server
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.widgets import wire

TEXT = "the cat in the hat, the cat"
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


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
    label = {"tokenizer.json": "tokenizer.json (261 tokens)"}.get(name, name)
    assert (described["label"], described["vocabSize"], described["recipe"]) == (label, 261, "")
    assert registry.get(described["name"]).encode(TEXT) == tok.encode(TEXT)
    registry.forget(described["name"])


def test_visitors_name_their_tokenizers(client: TestClient) -> None:
    data = formats.write(tokviz.train(TEXT, num_merges=5), "tokenizer.json").files["tokenizer.json"]
    for given, label in ((" my\n cats ", "my cats"), ("   ", "tokenizer.json (261 tokens)"), ("x" * 200, "x" * 100)):
        described = client.post(
            f"/_tokviz/tokenizer-file?name=tokenizer.json&label={quote(given)}", content=data
        ).json()
        assert described["label"] == label
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


@pytest.mark.parametrize(("says", "before"), [({}, []), ({"add_bos_token": True}, ["<s>"])])
def test_a_model_is_said_to_get_what_its_files_say_and_no_more(
    client: TestClient, says: dict[str, bool], before: list[str]
) -> None:
    """A `.model` has a piece for the beginning of a text, but not whether its model gets it."""
    files = {"tokenizer.model": sentencepiece_model(), "tokenizer_config.json": json.dumps(says).encode()}
    sizes = {"name": list(files), "size": [str(len(data)) for data in files.values()]}
    described = client.post("/_tokviz/tokenizer-file", params=sizes, content=b"".join(files.values())).json()
    assert described["before"]["texts"] == before
    stages = client.post(f"/_tokviz/stages?tokenizer={described['name']}", content=b"the low").json()["stages"]
    at_the_end = [stage["pieces"][0] for stage in stages if stage["name"] == "special tokens"]
    assert at_the_end == before
    registry.forget(described["name"])


def test_pre_tokens_of_opened_files_have_no_white_space_that_the_library_drops(client: TestClient) -> None:
    described = client.post("/_tokviz/tokenizer-file?name=tokenizer.json", content=family("bert")).json()
    for name, is_dropped in ((described["name"], True), ("bert-base-uncased", True), ("mistral-7b", False)):
        answer = client.post(f"/_tokviz/pretokens?tokenizer={name}", content=b"the low")
        assert wire.unpack(answer.content)[1]["drops_spaces"] == is_dropped
    registry.forget(described["name"])


def gpt2s_files() -> tuple[dict[str, bytes], list[int]]:
    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(iter([TEXT]), vocab_size=270, show_progress=False)
    with TemporaryDirectory() as folder:
        learned.save_model(folder)
        files = {name: (Path(folder) / name).read_bytes() for name in ("merges.txt", "vocab.json")}
    return files, learned.encode(TEXT).ids


def word_pieces() -> tuple[dict[str, bytes], list[int]]:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "c", "##at", "in", "hat", ","]
    library = BertWordPieceTokenizer({piece: token for token, piece in enumerate(pieces)})
    return {"bert-vocab.txt": "\n".join(pieces).encode()}, library.encode(TEXT, add_special_tokens=False).ids


def tekken() -> tuple[dict[str, bytes], list[int]]:
    tokens = [*(bytes([value]) for value in range(256)), b"th", b"the", b"at"]
    pattern = r"\s*\w+|\W"
    vocab = [{"rank": rank, "token_bytes": b64encode(data).decode()} for rank, data in enumerate(tokens)]
    config = {"pattern": pattern, "default_vocab_size": 260, "default_num_special_tokens": 1, "version": "v3"}
    library = tiktoken.Encoding(
        "x", pat_str=pattern, mergeable_ranks={d: r for r, d in enumerate(tokens)}, special_tokens={}
    )
    data = json.dumps({"config": config, "vocab": vocab}).encode()
    return {"tekken.json": data}, [1 + token for token in library.encode(TEXT)]


def sentencepiece() -> tuple[dict[str, bytes], list[int]]:
    data = sentencepiece_model(model_type="bpe")
    return {"some.model": data}, SentencePieceProcessor(model_proto=data).encode(TEXT)


def folder_of_a_class() -> tuple[dict[str, bytes], list[int]]:
    """XLM-R's ids are not those of its model, and a token is added to them."""
    files = {
        "sentencepiece.bpe.model": sentencepiece_model(model_type="unigram"),
        "added_tokens.json": b'{"at": 1000}',
        "tokenizer_config.json": b'{"tokenizer_class": "XLMRobertaTokenizer"}',
    }
    with TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        return files, XLMRobertaTokenizer.from_pretrained(folder).encode(TEXT, add_special_tokens=False)


def hugging_face() -> tuple[dict[str, bytes], list[int]]:
    data = family("t5")
    return {"tokenizer.json": data}, Tokenizer.from_buffer(data).encode(TEXT, add_special_tokens=False).ids


def of_tiktoken() -> tuple[dict[str, bytes], list[int]]:
    ranks = {data: rank for rank, data in enumerate([*(bytes([value]) for value in range(256)), b"th", b" the", b"at"])}
    library = tiktoken.Encoding("x", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={})
    lines = b"".join(b"%s %d\n" % (b64encode(data), rank) for data, rank in ranks.items())
    return {"gpt2.tiktoken": lines}, library.encode(TEXT)


def test_files_of_all_kinds_are_opened(client: TestClient) -> None:
    for make in (gpt2s_files, word_pieces, tekken, sentencepiece, folder_of_a_class, hugging_face, of_tiktoken):
        files, ids = make()
        named = {name for name in files if name not in ("added_tokens.json", "tokenizer_config.json")}
        query: list[tuple[str, str | int | float | bool | None]] = [
            *(("name", name) for name in files),
            *(("size", str(len(data))) for data in files.values()),
        ]
        if make is of_tiktoken:
            query.append(("pattern", "gpt2"))
        answer = client.post("/_tokviz/tokenizer-file", params=query, content=b"".join(files.values()))
        assert answer.status_code == 200, answer.text
        name, size = " and ".join(file for file in files if file in named), answer.json()["vocabSize"]
        assert answer.json()["label"] in (name, f"{name} ({size} tokens)")
        name = answer.json()["name"]
        tokens = client.post(f"/_tokviz/tokenize?tokenizer={name}", content=TEXT)
        assert wire.unpack(tokens.content)[0]["ids"].tolist() == ids, make.__name__
        registry.forget(name)


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("name=vocab.json&name=merges.txt&size=3&size=4", 400, "The sizes of the parts don't add up"),
        ("name=vocab.json&name=merges.txt&size=3", 400, "“size” must be given for each file"),
        ("name=a&name=a&size=3&size=5", 400, "Name one to 7 files, each once"),
        ("", 400, "Name one to 7 files"),
        ("name=a&specials=x", 400, "“specials” must be a whole number"),
        ("name=a&specials=50001", 413, "The special tokens are too long: 50 KB"),
        ("name=a.tiktoken&pattern=mine", 400, "“pattern” must be one of: none, gpt2"),
        ("name=vocab.json&name=notes.txt&size=3&size=5", 422, "Give one file, or "),
        ("name=tokenizer.json&pattern=gpt2", 422, "tokenizer.json holds its split pattern"),
    ],
)
def test_files_that_are_not_one_tokenizer_are_refused(
    client: TestClient, query: str, status: int, message: str
) -> None:
    answer = client.post(f"/_tokviz/tokenizer-file?{query}", content=b"{}" + b" " * 6)
    assert (answer.status_code, answer.json()["error"][: len(message)]) == (status, message)


def test_what_a_format_lacks_is_given(client: TestClient) -> None:
    """As the page gives it: a named pattern or an own one, and special tokens in front of the files."""
    tok = tokviz.train(f"{TEXT}<s>", num_merges=5, split_pattern="[a-z]+|.", special_tokens=["<s>"])
    given: list[tuple[dict[str, str], str | None]] = [
        ({"own": "[a-z]+|."}, "[a-z]+|."),
        ({"own": "gpt2"}, "(?:gpt2)"),
        ({"own": ""}, None),
        ({"pattern": "gpt2"}, tokviz.split_patterns["gpt2"]),
        ({"pattern": "none"}, None),
    ]
    for name in ("cat.tiktoken", "vocab.bpe"):
        files = formats.write(tok, name).files
        specials = f"\n <s>  {tok.special_tokens['<s>']} \n".encode() if name == "cat.tiktoken" else b""
        for query, pattern in given:
            sizes = {"name": list(files), "size": [str(len(data)) for data in files.values()]}
            answer = client.post(
                "/_tokviz/tokenizer-file",
                params={**sizes, **query, "specials": len(specials)},
                content=specials + b"".join(files.values()),
            )
            assert answer.status_code == 200, answer.text
            opened = registry.get(answer.json()["name"])
            assert isinstance(opened, tokviz.BPETokenizer)
            assert (opened.split_pattern, opened.special_tokens) == (pattern, tok.special_tokens)
            assert opened.vocab == tok.vocab
            registry.forget(answer.json()["name"])


@pytest.mark.parametrize(("own", "says"), [("(", "does not compile"), ("a" * 2001, "may have 2,000 characters")])
def test_own_patterns_are_checked(client: TestClient, own: str, says: str) -> None:
    answer = client.post("/_tokviz/tokenizer-file", params={"name": "a.tiktoken", "own": own}, content=b"YQ== 0\n")
    assert answer.status_code == 422
    assert says in answer.json()["error"]


@pytest.mark.parametrize("specials", ["<s>", "<s> x", "<s> 1x", "300", "<s> -1"])
def test_special_tokens_need_ids(client: TestClient, specials: str) -> None:
    query = f"name=a.tiktoken&pattern=gpt2&specials={len(specials)}"
    answer = client.post(f"/_tokviz/tokenizer-file?{query}", content=f"{specials}YQ== 0\n")
    assert answer.status_code == 422
    assert answer.json()["error"] == f"'{specials}' should be a special token, a space, and its id."


def test_chosen_files_are_recognized(client: TestClient) -> None:
    ask = partial(client.post, "/_tokviz/files-kind")
    one = ask(params={"name": "some.tiktoken"}, content=b"IQ== 0\n").json()
    assert (one["names"], one["says"]) == (["some.tiktoken"], "")
    assert {"split_pattern", "special_tokens"} <= set(one["lacks"])
    half = ask(params={"name": "merges.txt"}, content=b"#version: 0.2\n").json()
    assert (half["names"], half["isHalf"], half["isText"]) == ([], True, True)
    assert half["says"].startswith("merges.txt holds merges without a vocabulary: open it together with its vocab.json")
    text = ask(params={"name": "notes.txt"}, content=b"notes").json()
    assert text == {"names": [], "lacks": [], "says": "", "isHalf": False, "isText": True, "beside": []}
    two = ask(params={"name": ["merges.txt", "vocab.json"], "size": [13, 8]}, content=b'#version: 0.2{"a": 0}')
    assert two.json()["names"] == ["vocab.json", "merges.txt"]
    many = "&".join(f"name={number}.txt&size=0" for number in range(21))
    assert ask(params=many, content=b"").json()["error"] == "Name one to 20 files, each once."
    assert ask(params={"name": "a"}, content=b"x" * 200_000).status_code == 413


@pytest.mark.parametrize(
    ("name", "data", "status", "message"),
    [
        ("tokenizer.json", b'{"model": {"type": "None"}}', 422, "tokenizer.json can't be opened"),
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
    name, library = described["name"], SentencePieceProcessor(model_proto=data)
    answer = client.post(f"/_tokviz/tokenize?tokenizer={name}", content=TEXT)
    assert wire.unpack(answer.content)[0]["ids"].tolist() == library.encode(TEXT)
    compared = client.post(f"/_tokviz/compare?tokenizers=gpt2,{name}&reasons=1", content=TEXT)
    assert compared.status_code == 200, compared.text
    registry.forget(name)
