"""Batches: what encoding each text alone gives, in tiktoken's order and with its ids."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of
from strategies import examples, texts, texts_with_specials

import tokviz

NAMES = ("gpt2", "cl100k_base", "o200k_base")


@pytest.mark.parametrize("name", NAMES)
def test_batches_equal_tiktoken(name: str) -> None:
    tok, expected = tokviz.load(name), encoding_of(name)

    @examples(25, name)
    @given(st.lists(texts(), max_size=6), st.sampled_from([None, 1, 3]))
    def check(several: list[str], workers: int | None) -> None:
        batch = tok.encode_batch(several, workers)
        assert batch.ids.dtype == np.int32 and batch.offsets.dtype == np.int64
        assert [ids.tolist() for ids in batch] == expected.encode_ordinary_batch(several)
        assert tok.decode_batch(batch) == expected.decode_batch([ids.tolist() for ids in batch])

    check()


def test_texts_in_several_groups_keep_their_order() -> None:
    several = [f"{number} {'word ' * (number % 7 * 3000)}" for number in range(40)]
    expected = encoding_of("gpt2").encode_ordinary_batch(several)
    assert [ids.tolist() for ids in tokviz.load("gpt2").encode_batch(iter(several), workers=4)] == expected


@examples(20)
@given(st.lists(texts_with_specials(), max_size=5), st.sampled_from(["gpt2", r"\w+", None]))
def test_special_tokens_in_batches(several: list[str], split: str | None) -> None:
    tok = tokviz.train("ab aab <", split_pattern=split, special_tokens=["<s>", "<s>>", "<|end|>"], num_merges=5)
    for allowed in ("all", {"<s>"}, ()):
        batch = tok.encode_batch(several, 2, allowed)
        assert [ids.tolist() for ids in batch] == [tok.encode(text, allowed) for text in several]


def test_a_text_that_tiktoken_gives_up_on() -> None:
    text = " " * 1_000_000 + "a"
    tok = tokviz.load("gpt2")
    assert tok.encode_batch([text, "b"])[0].tolist() == tok.encode(text)


def test_a_batch_is_a_sequence_of_columns() -> None:
    tok = tokviz.load("gpt2")
    batch = tok.encode_batch(["hello world", "", "!"])
    assert (len(batch), batch.ids.tolist(), batch.offsets.tolist()) == (3, [31373, 995, 0], [0, 2, 2, 3])
    assert [ids.tolist() for ids in batch] == [[31373, 995], [], [0]]
    assert batch[-1].tolist() == [0]
    assert [ids.tolist() for ids in batch[::-1]] == [[0], [], [31373, 995]]
    assert repr(batch) == "<Batch: 3 tokens of 3 texts>"
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(ValueError, match="read-only"):
        batch.ids[0] = 1
    with pytest.raises(AttributeError, match="can't set"):
        batch.ids = batch.ids
    empty = tok.encode_batch([])
    assert (len(empty), empty.offsets.tolist(), tok.decode_batch(empty)) == (0, [0], [])


@pytest.mark.parametrize("wrong", ["hello", b"hello", {"hello": 1}, 5], ids=repr)
def test_texts_of_the_wrong_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"texts must be a list of texts, not {type(wrong).__name__}"):
        tokviz.load("gpt2").encode_batch(wrong)
    with pytest.raises(TypeError, match=r"a text must be a str|not int"):
        tokviz.load("gpt2").encode_batch([5])  # type: ignore[list-item]


def test_wrong_numbers_of_workers() -> None:
    with pytest.raises(ValueError, match="workers must be 1 or more, not 0"):
        tokviz.load("gpt2").encode_batch(["a"], workers=0)
    with pytest.raises(TypeError, match="number of threads"):
        tokviz.load("gpt2").encode_batch(["a"], workers="2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not in use"):
        tokviz.load("gpt2").decode_batch([[60_000]])


@pytest.mark.parametrize("ids", [[50257], [50255], [-1], [0, 2**31 - 1], [True], []])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32])
def test_columns_are_decoded_like_lists(ids: list[int], dtype: type[np.signedinteger]) -> None:
    """Also those with ids that are not in use: too high, negative, or taken out."""
    for tok in (tokviz.load("gpt2"), tokviz.load("gpt2").without([50255])):
        for several in (ids, [262, 50255, *ids]):
            column = np.array(several).astype(dtype)
            results = []
            for row in (column, column.tolist()):
                try:
                    results.append(tok.decode_batch([row]))
                except ValueError as error:
                    results.append([str(error)])
            assert results[0] == results[1]
