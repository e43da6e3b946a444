"""Training report: held-out parts, figures, rows and trees, checked against slow and obvious counting."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.analysis.training.holdout import hold_out
from tokviz.analysis.training.report import report, token_rows, used_tokens

CATS = "the cat in the hat sat on the mat\n" * 3
LINES = st.lists(st.text("ab \n\r\x0b\u2028é", max_size=30), min_size=1, max_size=4)


@examples(200)
@given(LINES, st.integers(1, 4))
def test_every_nth_line_is_held_out_and_nothing_is_lost(texts: list[str], nth: int) -> None:
    lines = [line for text in texts for line in text.splitlines(keepends=True)]
    if len(lines) < nth:
        with pytest.raises(ValueError, match="fewer than"):
            hold_out(texts, nth)
        return
    learn, held_out = hold_out(texts, nth)
    assert "".join(held_out) == "".join(lines[nth - 1 :: nth])
    assert "".join(learn) == "".join(line for number, line in enumerate(lines, 1) if number % nth)
    assert len(learn) == len(held_out) == len(texts)


def test_a_report_counts_tokens_and_bytes() -> None:
    tok = tokviz.train([CATS, "a mat"], vocab_size=270, split_pattern="gpt2", special_tokens=["<s>"])
    texts, others = [CATS, "a mat<s>"], ["the rat é"]
    found = report(tok, texts, others)
    expected = Counter(token for text in texts for token in tok.encode(text, "all"))
    assert {token: times for token, times in enumerate(found.counts.tolist()) if times} == expected
    gpt2 = tokviz.load("gpt2")
    assert [row.tokens for row in found.learned_from[:2]] == [
        sum(expected.values()),
        sum(len(gpt2.encode(text)) for text in texts),
    ]
    assert found.measured[0].bytes_per_token == len("the rat é".encode()) / len(tok.encode("the rat é"))
    assert [row.tokenizer for row in found.measured[1:]] == ["gpt2", "cl100k_base"]
    rows = token_rows(tok, found.counts)
    assert used_tokens(rows) == len(expected)


def test_a_text_outside_the_alphabet_gives_a_reason_instead_of_a_figure() -> None:
    tok = tokviz.train(CATS, num_merges=5, alphabet="characters")
    own, gpt2, _ = report(tok, [CATS], ["zebra"]).measured
    assert own.tokens is None and own.bytes_per_token is None
    assert "'z' (U+007A) at position 0, counted from 0, is not in this tokenizer's alphabet" in own.problem
    assert gpt2.tokens == len(tokviz.load("gpt2").encode("zebra"))


def test_without_other_texts_nothing_else_is_measured() -> None:
    tok = tokviz.train(CATS, num_merges=5)
    assert report(tok, [CATS]).measured == report(tok, [CATS], [""]).measured == []


@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
def test_rows_agree_with_the_training_history(alphabet: str) -> None:
    mark = "</w>" if alphabet == "characters" else None
    tok = tokviz.train(CATS, num_merges=9, alphabet=alphabet, end_of_word=mark, special_tokens=["<s>"])  # type: ignore[arg-type]
    rows = {row.id: row for row in token_rows(tok, None)}
    assert {token: row.token for token, row in rows.items()} == dict(tok.vocab)
    assert tok.training is not None
    for rank, step in enumerate(tok.training):
        row = rows.pop(step.new)
        assert (row.rank, row.pair_count, row.tied) == (rank, step.count, step.tied)
        assert (row.left, row.right) == (step.left, step.right)
        assert row.length == len(row.token)
    assert all(row.rank is None and row.left is None and row.pair_count is None for row in rows.values())


def test_rows_of_a_tokenizer_that_was_not_trained_here() -> None:
    gpt2 = tokviz.load("gpt2")
    rows = token_rows(gpt2, np.zeros(gpt2.vocab_size, np.int64))
    (he,) = (row for row in rows if row.token == b"he")
    assert (he.rank, he.times, he.tied) == (2, 0, None)
    assert he.left is not None and he.right is not None
    assert (gpt2.vocab[he.left], gpt2.vocab[he.right]) == (b"h", b"e")
