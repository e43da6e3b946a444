"""gigatoken gives the ids of tiktoken, of Hugging Face's library and of SentencePiece, or is not asked."""

import json
import random
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fast import fast, verdicts
from hypothesis import given
from hypothesis import strategies as st
from new_process import output_of
from sentencepiece import SentencePieceProcessor
from shipped import encoding_of
from starlette.applications import Starlette
from starlette.testclient import TestClient
from strategies import examples, texts
from tokenizers import Tokenizer as Library

import tokviz
from tokviz.app import server
from tokviz.command.main import main
from tokviz.tokenizers.engines import bulk, proof
from tokviz.tokenizers.engines.hugging_face_cuts import overlapping

__all__ = ["fast", "verdicts"]

NEW = ["\U000323cd", "\U00032a2d", "\u1acf", "\ua7d2"]
"""Characters that are new in Unicode 17, which gigatoken knows as letters and marks, and tiktoken not yet."""

OPENAI = ("p50k_edit", "cl100k_base", "o200k_base")


def is_served(tok: tokviz.Tokenizer) -> bool:
    return tok.engines().bulk.startswith("gigatoken ")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the texts that gigatoken encodes."""
    found: list[str] = []
    encode = bulk.BulkEngine.encode

    def collecting(engine: bulk.BulkEngine, several: list[str], parallel: bool = True) -> Any:
        found.extend(several)
        return encode(engine, several, parallel)

    monkeypatch.setattr(bulk.BulkEngine, "encode", collecting)
    return found


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("name", OPENAI)
def test_batches_equal_tiktoken(name: str, asked: list[str]) -> None:
    tok, expected = tokviz.load(name), encoding_of(name)
    assert is_served(tok)
    asked.clear()
    pieces = [*tok.special_tokens, "<|endof", *(new + "'s" for new in NEW), *(new + "1234" for new in NEW)]
    glued = st.lists(st.one_of(texts(), st.sampled_from(pieces)), max_size=4).map("".join)

    @examples(60, name)
    @given(st.lists(glued, max_size=6), st.sampled_from([None, 1, 3]))
    def check(several: list[str], workers: int | None) -> None:
        batch = tok.encode_batch(several, workers)
        assert batch.ids.dtype == np.int32 and batch.offsets.dtype == np.int64
        assert [ids.tolist() for ids in batch] == expected.encode_ordinary_batch(several)
        with_specials = tok.encode_batch(several, workers, allowed_special="all")
        assert [ids.tolist() for ids in with_specials] == expected.encode_batch(several, allowed_special="all")

    check()
    assert asked
    for new in NEW:
        text = f"a {new}'s{new}12345 {new}"
        assert tok.encode_batch([text])[0].tolist() == expected.encode_ordinary(text)


@pytest.mark.usefixtures("fast")
def test_batches_equal_the_library_of_hugging_face() -> None:
    """Also where characters of a new edition of Unicode are composed, which gigatoken does otherwise."""
    tok: Any = tokviz.load("qwen3")
    assert is_served(tok)
    library = Library.from_buffer(tok.data)
    plain = Library.from_buffer(tok.data)
    plain.encode_special_tokens = True
    added = ["<|im_start|>", "<think>", "</tool_call>", "<|im_", "\U000113c2\U000113c2", "e\u0301", "\u1100\u1161"]
    added += [new + "'s" for new in NEW]
    glued = st.lists(st.one_of(texts(), st.sampled_from(added)), max_size=4).map("".join)

    @examples(100)
    @given(st.lists(glued.map(lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))))
    def check(several: list[str]) -> None:
        for allowed, judge in (((), plain), ("all", library)):
            expected = [each.ids for each in judge.encode_batch(several, add_special_tokens=False)]
            assert [ids.tolist() for ids in tok.encode_batch(several, allowed_special=allowed)] == expected

    check()


@pytest.mark.usefixtures("fast")
def test_batches_equal_sentencepiece() -> None:
    tok: Any = tokviz.load("mistral-7b-v0.1")
    assert is_served(tok)
    processor = SentencePieceProcessor()
    processor.LoadFromSerializedProto(tok.data)

    @examples(100)
    @given(st.lists(st.one_of(texts(), st.sampled_from(["<s>", "a <s>b", "</s>", "<unk>"])), max_size=6))
    def check(several: list[str]) -> None:
        expected = [processor.EncodeAsIds(tokviz.Tokenizer.tokenize(tok, text).text) for text in several]
        assert [ids.tolist() for ids in tok.encode_batch(several)] == expected

    check()


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("split", ["gpt2", "qwen3"])
def test_trained_tokenizers(split: str, asked: list[str]) -> None:
    """The rule of merging is independent: `encode` asks tiktoken, or merges by itself."""
    tok = tokviz.train(
        ["low lower lowest 12 1234 I'll I'LL\n\n été 你好", "ab aab <s>"],
        num_merges=60,
        split_pattern=split,
        special_tokens=["<s>"],
    )
    assert is_served(tok)

    @examples(40, split)
    @given(st.lists(texts(), max_size=5))
    def check(several: list[str]) -> None:
        for allowed in ((), "all"):
            batch = tok.encode_batch(several, allowed_special=allowed)
            assert [ids.tolist() for ids in batch] == [tok.encode(text, allowed) for text in several]

    check()
    assert asked


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_streams(name: str) -> None:
    """The text is cut at random, also inside special tokens and surrogate pairs."""
    tok, rng = tokviz.load(name), random.Random(1)
    text = "".join(
        rng.choices(["low ", "I'LL", "<|endoftext|>", "<|end", "😀", "\n\n", "ABC", "中", "1", "  "], k=6_000)
    )
    places = sorted(rng.choices(range(len(text)), k=400))
    parts = [text[start:end] for start, end in zip([0, *places], [*places, None], strict=True)]
    for allowed in ((), "all"):
        assert list(tok.encode_iter(parts, allowed)) == tok.encode(text, allowed)


@pytest.mark.usefixtures("fast")
def test_counts(tmp_path: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = "I love 🍕, and it's 12345. <|endoftext|>\n" * 50
    expected = encoding_of("gpt2").encode_ordinary(text)
    assert tokviz.count(text, "gpt2") == len(expected)
    with_special = encoding_of("gpt2").encode(text, allowed_special="all")
    assert tokviz.count([text, text], "gpt2", "all") == 2 * len(with_special)
    asked.clear()
    (tmp_path / "text.txt").write_text(text, "utf-8")
    assert main(["count", "-m", "gpt2", "-f", "json", str(tmp_path / "text.txt")]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["tokens"] == {"gpt2": len(expected)}
    assert "".join(asked) == text


@pytest.mark.usefixtures("fast")
def test_an_engine_that_differs_does_not_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a certain word it gives another id, which only the probes of the vocabulary find."""
    tok = tokviz.train("spqr spqr spqr", num_merges=3, split_pattern="gpt2").with_name("other")
    encode = bulk.BulkEngine.encode

    def wrong(engine: bulk.BulkEngine, several: list[str], parallel: bool = True) -> Any:
        ids, offsets = encode(engine, several, parallel)
        ids = ids.copy()
        ids[ids == 258] = 0
        return ids, offsets

    monkeypatch.setattr(bulk.BulkEngine, "encode", wrong)
    assert tok.engines().why_not_faster == "gigatoken is not exact: it gives other ids for 'spqr'"
    assert tok.encode_batch(["spqr"])[0].tolist() == [258]


@pytest.mark.usefixtures("fast")
def test_what_gigatoken_fails_on_is_encoded_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tok = tokviz.load("gpt2")
    assert is_served(tok)

    def fail(*_: object) -> None:
        raise bulk.BulkEngineFailed("stopped")

    monkeypatch.setattr(bulk.BulkEngine, "encode", fail)
    monkeypatch.setattr(bulk.BulkEngine, "encode_one", fail)
    assert tok.encode_batch(["hello", "<|endoftext|>"], allowed_special="all").ids.tolist() == [31373, 50256]
    assert list(tok.encode_iter(["hello"])) == [31373]


@pytest.mark.usefixtures("fast")
def test_its_cache_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = bulk.BulkEngine(tokviz.load("gpt2")._bulk_definition())  # type: ignore[arg-type]
    opened: list[bulk.BulkEngine] = []
    open_again = bulk.BulkEngine._opened

    def counted(self: bulk.BulkEngine) -> Any:
        opened.append(self)
        return open_again(self)

    monkeypatch.setattr(bulk.BulkEngine, "_opened", counted)
    sizes = iter([50, 2_000_000_000, 100, 200])
    monkeypatch.setattr(bulk, "_memory", lambda: next(sizes))
    engine._size_before = 1
    for calls in (0, 1, 1):
        assert engine.encode_one("hello").tolist() == [31373]
        assert len(opened) == calls
    monkeypatch.setattr(bulk, "_memory", lambda: 0)  # where the system doesn't say
    monkeypatch.setattr(bulk, "_MAX_TEXT", 12)
    engine._size_before, engine._encoded = 0, 0
    for calls in (1, 1, 2, 2, 3):
        assert engine.encode_one("hello").tolist() == [31373]
        assert len(opened) == calls


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[partial[tokviz.BPETokenizer]]:
    """Yield what trains a small tokenizer; its verdicts are in a folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yield partial(tokviz.train, "ab ab", num_merges=1, split_pattern="gpt2")


@pytest.mark.usefixtures("fast")
def test_verdicts_are_kept(
    small: partial[tokviz.BPETokenizer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_served(small())
    paths = list((tmp_path / "tokviz" / "proofs").iterdir())  # of the pattern's cuts, and of the tokenizer
    kept = {path: path.read_text("utf-8") for path in paths}
    assert len(paths) == 2
    monkeypatch.setattr(proof, "differing", lambda *_: proof.Verdict("asked again"))
    monkeypatch.setattr(proof, "prove", lambda *_: "asked again")
    assert is_served(small())
    assert not is_served(small(special_tokens=["<s>"]))  # another tokenizer
    for path in paths:
        path.write_text("damaged", "utf-8")
    assert not is_served(small())
    for path in paths:
        path.write_text(kept[path], "utf-8")
    assert is_served(small())
    monkeypatch.setattr(proof, "version", lambda name: "another version")
    assert not is_served(small())


@pytest.mark.usefixtures("fast")
def test_where_no_verdict_can_be_kept(small: partial[tokviz.BPETokenizer], tmp_path: Path) -> None:
    (tmp_path / "tokviz").write_bytes(b"")
    assert is_served(small())


@pytest.mark.usefixtures("fast")
def test_what_it_has_no_code_for(asked: list[str]) -> None:
    why = "gigatoken has no code for its way of cutting texts"
    for tok in (
        tokviz.load("bert-base-uncased"),
        tokviz.train("ab ab", num_merges=1, split_pattern=r"\w+|."),
        tokviz.train("ab ab", num_merges=1, split_pattern="gpt2", alphabet="characters"),
        tokviz.ByteTokenizer(),
    ):
        engines = tok.engines()
        assert (engines.encode, engines.why_not_faster) == (engines.bulk, why)
        assert tok.encode_batch(["ab"])[0].tolist() == tok.encode("ab")
    assert not asked


def test_it_is_off_if_told(asked: list[str]) -> None:
    """As in all other tests."""
    tok = tokviz.load("gpt2")
    assert tok.engines().why_not_faster == "TOKVIZ_FAST is 0"
    assert re.fullmatch(r"tiktoken [\d.]+", tok.engines().bulk)
    tok.encode_batch(["hello " * 200_000])
    assert not asked


@pytest.mark.usefixtures("fast")
def test_it_is_off_in_the_server(asked: list[str]) -> None:
    tok = tokviz.load("gpt2")
    assert is_served(tok)
    asked.clear()
    with TestClient(Starlette(lifespan=server.lifespan)):
        assert tok.engines().why_not_faster == "TOKVIZ_FAST is 0"
        tok.encode_batch(["hello"])
        assert output_of("import tokviz; print(tokviz.load('gpt2').engines().why_not_faster)") == "TOKVIZ_FAST is 0\n"
        assert not asked
    assert is_served(tok)


def test_without_gigatoken() -> None:
    script = (
        "import os, sys; os.environ.pop('TOKVIZ_FAST'); sys.modules['gigatoken'] = None; import tokviz; "
        "tok = tokviz.load('gpt2'); print(tok.engines().why_not_faster); "
        "print(len(tok.encode_batch(['hello ' * 200_000]).ids))"
    )
    assert output_of(script).splitlines() == ["gigatoken is not installed: pip install '.[fast]'", "200001"]


def test_short_texts_never_load_it() -> None:
    script = (
        "import os, sys; os.environ.pop('TOKVIZ_FAST'); import tokviz; "
        "tokviz.load('gpt2').encode_batch(['hello'] * 1000); print('gigatoken' in sys.modules)"
    )
    assert output_of(script) == "False\n"


def test_overlapping_texts() -> None:
    assert overlapping(["<a>", "<b>", "｜c｜"]) == frozenset()
    assert overlapping(["<a>｜", "｜c｜"]) == {"<a>｜"}
    assert overlapping(["<a>", "<a>b", "x<a>y"]) == {"<a>b", "x<a>y"}
