"""Training that continues from a tokenizer: equal to the slow reference, ids kept, read by Hugging Face."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
import reference
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, corpora, examples, texts_of_words

import tokviz
from tokviz import pretrained

TIES = ["first-seen", "lowest-ids", "greatest-bytes"]
STDLIB = Path(argparse.__file__).read_text(encoding="utf-8")


def history(tok: tokviz.BPETokenizer) -> list[reference.Learned]:
    assert tok.training is not None
    return [reference.Learned(s.left, s.right, s.new, s.count, s.merged, s.tied) for s in tok.training]


@pytest.mark.parametrize("split", [None, "gpt2", r"\w+"])
@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
def test_equals_the_reference(alphabet: str, split: str | None) -> None:
    pattern = reference.pattern_text(split)

    @examples(15, alphabet, split)
    @given(
        corpora(texts_of_words()), corpora(texts_of_words()), st.integers(0, 8), st.booleans(), st.sampled_from(TIES)
    )
    def check(corpus: list[str], more: list[str], num_merges: int, with_specials: bool, tie_break: str) -> None:
        options: dict[str, Any] = {"alphabet": alphabet, "special_tokens": SPECIALS if with_specials else ()}
        options["end_of_word"] = "_" if alphabet == "characters" and with_specials else None
        if alphabet != "bytes":
            more = [*corpus[1:], *corpus]
        first = tokviz.train(corpus, split_pattern=split, num_merges=num_merges, **options)
        reference_of_first = reference.train(corpus, split_pattern=pattern, num_merges=num_merges, **options)
        choice: dict[str, Any] = {"tie_break": tie_break, "num_merges": 6}
        tok = tokviz.train(more, initial=first, **choice)
        expected = reference.train(more, split_pattern=pattern, initial=reference_of_first, **choice, **options)
        assert list(tok.merges.items()) == list(expected.merges.items())
        assert dict(tok.vocab) == reference_of_first.vocab | {
            new: tok.vocab[left] + tok.vocab[right] for (left, right), new in expected.merges.items()
        }
        assert history(tok) == expected.history
        assert tok.training is not None
        assert (tok.training.stopped, tok.training.num_known) == (expected.stopped, len(first.merges))
        assert (tok.special_tokens, tok.end_of_word) == (first.special_tokens, first.end_of_word)
        for text in more:
            assert tok.encode(text, "all") == reference.encode(expected, text, "all")
            replay = tok.replay(text, special_names := list(tok.special_tokens))
            assert replay.state(len(replay)).tolist() == tok.encode(text, special_names)

    check()


def test_continuing_on_the_same_texts_is_training_on() -> None:
    """In two goes or in one, as the history shows, too; only special tokens keep their ids in between."""
    options: dict[str, Any] = {"split_pattern": "gpt2", "tie_break": "lowest-ids"}
    whole = tokviz.train(STDLIB, num_merges=300, **options)
    begun = tokviz.train(STDLIB, num_merges=120, **options)
    tok = tokviz.train(STDLIB, initial=begun, vocab_size=556, tie_break="lowest-ids")
    assert tok.merges == whole.merges
    assert dict(tok.vocab) == dict(whole.vocab)
    assert history(tok) == history(whole)


def test_continuing_on_counts() -> None:
    first = tokviz.train("ab<s> ab", num_merges=1, split_pattern="gpt2", special_tokens=["<s>"])
    table = tokviz.count_pretokens("abc<s>abc", "gpt2", ["<s>"])
    assert tokviz.train(table, initial=first, num_merges=1).merges == {(97, 98): 256, (256, 99): 258}
    for other in (tokviz.count_pretokens("abc"), tokviz.count_pretokens("abc", "gpt2")):
        with pytest.raises(ValueError, match="is part of the counts"):
            tokviz.train(other, initial=first, num_merges=1)


@pytest.mark.parametrize(("name", "merges"), [("gpt2", 20_000), ("cl100k_base", 5_000)])
def test_hugging_face_reads_the_result_with_equal_ids(name: str, merges: int, tmp_path: Path) -> None:
    """The first merges of GPT-2, and of cl100k with its own order of bytes, and special tokens after a wide gap."""
    first = pretrained.load(name).cut(merges)
    tok = tokviz.train(STDLIB, initial=first, num_merges=100)
    assert list(tok.merges.items())[: len(first.merges)] == list(first.merges.items())
    assert len(tok.merges) == len(first.merges) + 100
    assert min(list(tok.merges.values())[-100:]) == first.vocab_size
    assert dict(tok.vocab).items() >= dict(first.vocab).items()
    assert tok.special_tokens == first.special_tokens
    tokviz.save(tok, tmp_path / "tokenizer.json")
    other = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in (STDLIB[:20_000], "naïve 🍕 argparse.ArgumentParser()"):
        ids = tok.encode(text)
        assert other.encode(text, add_special_tokens=False).ids == ids
        assert tok.decode(ids) == text
    assert len(tok.encode(STDLIB)) < len(first.encode(STDLIB))


def test_a_token_that_no_merge_made_keeps_its_id() -> None:
    """A vocabulary may list a token that its merges never make: learning to make it adds no second one."""
    vocab = {**{value: bytes([value]) for value in range(256)}, 256: b"abc", 257: b"ab"}
    first = tokviz.BPETokenizer("with a gap", vocab, {(97, 98): 257})
    tok = tokviz.train(["abcd"] * 2, initial=first, num_merges=2)
    assert tok.merges == {(97, 98): 257, (257, 99): 256, (256, 100): 258}
    assert tok.encode("abc abcd") == [256, 32, 258]


def test_the_first_merges_of_a_history() -> None:
    first = tokviz.train("ab ab abc abc", num_merges=2)
    tok = tokviz.train("abcd abcd", initial=first, num_merges=2)
    assert len(tok.merges) == 3
    for num_merges in range(4):
        cut = tok.cut(num_merges)
        assert cut.encode("abcd abc") == reference.encode_sequence(b"abcd abc", cut.merges)
        assert cut.training is not None and cut.training.num_known == min(num_merges, 2)


def test_initial_tokenizers_that_are_refused() -> None:
    first = tokviz.train("abab", num_merges=1, split_pattern="gpt2", alphabet="seen-bytes")
    with pytest.raises(TypeError, match=r"^initial must be a BPETokenizer"):
        tokviz.train("ab", initial=tokviz.ByteTokenizer())  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"the texts hold 'c' \(U\+0063\), which the alphabet of trained, 1 merge lacks"
    ):
        tokviz.train("abc", initial=first)
    with pytest.raises(ValueError, match="the vocabulary size 2 is too small: trained, 1 merge has 3"):
        tokviz.train("ab", initial=first, vocab_size=2)
    with pytest.raises(ValueError, match="initial has its own split_pattern"):
        tokviz.train("ab", initial=first, split_pattern="words")
    assert tokviz.train("ab", initial=first, split_pattern="gpt2").merges == first.merges
    with pytest.raises(ValueError, match="several split patterns"):
        tokviz.train("ab", initial=first.with_split_patterns([r"\s+", r"\d"]))
    for options in ({"alphabet": "characters"}, {"special_tokens": ["<s>"]}):
        with pytest.raises(ValueError, match=r"initial has its own .*: leave them out"):
            tokviz.train("ab", initial=first, **options)
    with pytest.raises(ValueError, match="nothing to learn from"):
        tokviz.train("", initial=first)
    unordered = tokviz.BPETokenizer("unordered", {97: b"a", 1: b"aaa", 2: b"aa"}, {(2, 97): 1, (97, 97): 2})
    with pytest.raises(ValueError, match="the merges of unordered don't build on each other alone"):
        tokviz.train("aaa", initial=unordered)
