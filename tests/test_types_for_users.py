"""Types in a user's code: mypy reads this file with the other tests (see `test_repository`).

Where an error is ignored, it must be one, or mypy says that there is nothing to ignore.
"""

from pathlib import Path
from typing import assert_type

import pytest

import tokviz
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer


def test_a_name_says_which_tokenizer_it_is() -> None:
    assert_type(tokviz.load("gpt2"), tokviz.BPETokenizer)
    assert_type(tokviz.load("bert-base-uncased"), HuggingFaceTokenizer)
    assert_type(tokviz.load("mistral-7b"), SentencePieceTokenizer)
    for name in tokviz.available():
        tok = tokviz.load(name)
        assert_type(tok, tokviz.BPETokenizer | EngineTokenizer)
        assert_type(tok.encode("a"), list[int])
        with pytest.raises(AttributeError):
            tok.encodes("a")  # type: ignore[union-attr]


def test_a_file_has_what_both_kinds_have(tmp_path: Path) -> None:
    tokviz.save(tokviz.train("low lower", num_merges=3), tmp_path / "tokenizer.json")
    tok = tokviz.open(tmp_path / "tokenizer.json")
    assert_type(tok, tokviz.BPETokenizer | EngineTokenizer)
    assert_type(tok.replay("low"), tokviz.Replay)
    assert_type(tok.tree(97), tokviz.MergeTree)
    assert_type(tok.segmentations("low", 2), list[list[int]])
    with pytest.raises(AttributeError):
        tok.lattice("low")  # type: ignore[union-attr]
    if isinstance(tok, tokviz.BPETokenizer):
        assert_type(tok.cut(1), tokviz.BPETokenizer)


def test_every_tokenizer_has_the_work_that_some_refuse() -> None:
    tok: tokviz.Tokenizer = tokviz.WordTokenizer(["low"])
    with pytest.raises(ValueError, match="Words"):
        assert_type(tok.unstable_tail("low").tokens, int)
    with pytest.raises(ValueError, match="Words"):
        assert_type(tok.heal("low").ids, list[int])
