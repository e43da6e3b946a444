"""Visitors' files for native engines: opened in guarded processes, with the ids of the engines themselves."""

import json
from base64 import b64encode
from typing import Any

import pytest
import sentencepiece
import tokenizers
from engine_files import family, nasty_texts, sentencepiece_model

import tokviz
from tokviz import formats
from tokviz.app.shields.processes import guarded_workers, opening
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer


@pytest.mark.parametrize("name", ["bert", "t5", "llama2"])
def test_a_tokenizer_json_of_any_family(name: str) -> None:
    opened = opening.open_files({f"{name}.json": family(name)})
    library = tokenizers.Tokenizer.from_buffer(family(name))
    library.encode_special_tokens = True
    here = HuggingFaceTokenizer(name, family(name))
    assert isinstance(opened, GuardedTokenizer)
    assert opened.is_around_known
    assert opened.drops_spaces == here.drops_spaces
    assert (opened.name, opened.vocab, opened.special_tokens, opened.around, opened.rewriting) == (
        name,
        here.vocab,
        here.special_tokens,
        here.around,
        here.rewriting,
    )
    for text in nasty_texts(40):
        assert opened.encode(text) == library.encode(text, add_special_tokens=False).ids
    text = "The lowest, café"
    assert opened.encode(text, add_special=True) == here.encode(text, add_special=True)
    there, expected = opened.tokenize(text, add_special=True), here.tokenize(text, add_special=True)
    assert there.byte_offsets.tolist() == expected.byte_offsets.tolist()
    assert there.pretoken_index.tolist() == expected.pretoken_index.tolist()
    assert there.special.tolist() == expected.special.tolist()
    assert opened.decode(opened.encode(text)) == here.decode(here.encode(text))


def test_a_sentencepiece_model() -> None:
    data = sentencepiece_model(model_type="bpe", byte_fallback=True)
    opened = opening.open_files({"tokenizer.model": data})
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert isinstance(opened, GuardedTokenizer)
    assert not opened.is_around_known
    for text in nasty_texts(40):
        assert opened.encode(text) == library.encode(text)


def test_files_with_merges_of_our_own_kind_are_read_as_before() -> None:
    files = formats.write(tokviz.train("the cat, the hat", num_merges=5, split_pattern="gpt2"), "tokenizer.json").files
    assert isinstance(opening.open_files(files), tokviz.BPETokenizer)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        (
            "tokenizer.json",
            b'{"model": {"type": "None"}}',
            "tokenizer.json can't be opened",
        ),
        ("some.model", b"\x0a\x0e\x0a\x05<unk>\0\0\0\0", "some.model is not a SentencePiece model, or is damaged"),
        ("some.model", b"\x0a" + bytes(formats.MAX_FILE), "some.model has 40,000,001 bytes"),
    ],
)
def test_damaged_files_are_refused(name: str, data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        opening.open_files({name: data})


def test_a_vocabulary_of_word_pieces() -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s"]
    opened = opening.open_files({"vocab.txt": "\n".join(pieces).encode()})
    assert isinstance(opened, GuardedTokenizer)
    assert [pieces[token] for token in opened.encode("The cats")] == ["the", "cat", "##s"]


# Files that do harm


def hostile_file(**changes: Any) -> dict[str, bytes]:
    """A small file of byte pair encoding that only the library reads, with some of its parts replaced."""
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    parts = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding"))
    content = {"version": "1.0", "added_tokens": [], **parts, "normalizer": {"type": "NFC"}, "model": model, **changes}
    return {"tokenizer.json": json.dumps(content).encode()}


def nested(depth: int) -> dict[str, Any]:
    return {"type": "NFC"} if depth == 0 else {"type": "Sequence", "normalizers": [nested(depth - 1)]}


def splitting_by(pattern: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {"added_tokens": [{"id": number, "content": f"<{number}>"} for number in range(100_001)]},
            "adds 100,001 tokens",
        ),
        ({"normalizer": nested(300)}, "recursion limit exceeded"),
        ({"pre_tokenizer": splitting_by("(" * 50_000)}, "tokenizer.json can't be opened"),
        ({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b"]]}}, "tokenizer.json can't be opened"),
        ({"model": {"type": "BPE", "vocab": {"a": 2**70}, "merges": []}}, "tokenizer.json can't be opened"),
        (
            {"model": {"type": "WordLevel", "vocab": {"a": 2**32 - 1, "b": 0}, "unk_token": "b"}},
            "has 2 tokens, with ids up to 4,294,967,295; that takes more than the 250 MB",
        ),
    ],
    ids=["added tokens", "nesting", "groups", "merges", "ids", "large ids"],
)
def test_hostile_files_are_refused_with_a_sentence(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        opening.open_files(hostile_file(**changes))


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer.model", "vocab.txt", "tekken.json", "merges.txt"])
def test_files_of_fifty_megabytes_are_refused_unread(name: str) -> None:
    others = {"vocab.json": b"{}"} if name == "merges.txt" else {}
    for open_files in (opening.open_files, formats.read_any):
        with pytest.raises(ValueError, match=rf"{name} has 50,000,000 bytes"):
            open_files(others | {name: bytes(50_000_000)})


def tekken_cut_by(pattern: str) -> dict[str, bytes]:
    vocab = [{"rank": rank, "token_bytes": b64encode(bytes([rank])).decode()} for rank in range(256)]
    config = {"pattern": pattern, "default_vocab_size": 257, "default_num_special_tokens": 1, "version": "v3"}
    return {"tekken.json": json.dumps({"config": config, "vocab": vocab}).encode()}


@pytest.mark.parametrize(
    "files",
    [
        hostile_file(pre_tokenizer=splitting_by("(a|aa)+$")),
        hostile_file(normalizer={"type": "Replace", "pattern": {"Regex": "(a|aa)+$"}, "content": "b"}),
        tekken_cut_by("(a|aa)+$"),
    ],
    ids=["split", "normalizer", "tekken"],
)
def test_a_regular_expression_that_never_ends_is_stopped(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = opening.open_files(files)
    assert isinstance(opened, GuardedTokenizer)
    lane = guarded_workers.workers.slow
    monkeypatch.setattr(lane, "limits", lane.limits._replace(seconds=0.2))
    with pytest.raises(ValueError, match=r"longer than 0\.21 s for this text|can't encode this text"):
        opened.encode("a" * 5_000 + "!")
    monkeypatch.setattr(lane, "limits", lane.limits._replace(seconds=60))
    assert opened.encode("!") == ([34] if "tekken.json" in files else [])  # 33, after one special token


def test_merges_in_a_circle_end() -> None:
    """With a prefix as long as the right part, `a` and `ab` make `a` again, and `ba` and `ab` make `ba`."""
    vocab = {piece: token for token, piece in enumerate(("a", "b", "ab", "ba", "abb", "aba"))}
    pairs = [["a", "ab"], ["ba", "ab"], ["ab", "ba"], ["a", "abb"], ["ab", "abb"]]
    model = {"type": "BPE", "continuing_subword_prefix": "ab", "vocab": vocab | {"abab": 6}, "merges": pairs}
    files = hostile_file(model=model)
    opened, library = opening.open_files(files), tokenizers.Tokenizer.from_buffer(files["tokenizer.json"])
    here = HuggingFaceTokenizer("circle", files["tokenizer.json"])
    for text in ("abab", "aab" * 50, "b" * 200, "ab" * 200):
        assert opened.encode(text) == library.encode(text).ids
    assert [here.tree(token).id for token in here.vocab] == list(here.vocab)
