"""The columns of a text under any number of merges: at k, they are what encoding with the first k merges gives."""

from functools import cache
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from reference import tiktoken_arguments
from shipped import ranks_of
from strategies import examples, texts, texts_with_specials

import tokviz
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets.columns import seek_columns

SHIPPED = ("gpt2", "p50k_edit", "cl100k_base")
TRAINED_ON = "the cat in the hat, 12 cats in 12 hats\n  naïve 🍕🍕 they then there"


@cache
def load(name: str) -> BPETokenizer:
    tokenizer = tokviz.load(name)
    assert isinstance(tokenizer, BPETokenizer)
    return tokenizer


def tokens_after(columns: dict[str, Any], k: int) -> list[tuple[int, int]]:
    """Each token's id and length in bytes under the first k merges: its last step's id, or its only symbol."""
    tokens: list[tuple[int, int]] = []
    last = -1
    for symbol, length, step in zip(columns["symbols"], columns["symbol_lengths"], columns["removed_at"], strict=True):
        if step < len(columns["ranks"]) and columns["ranks"][step] < k:
            last = max(last, step)
            tokens[-1] = int(columns["new_ids"][last]), tokens[-1][1] + int(length)
        else:
            last = -1
            tokens.append((int(symbol), int(length)))
    return tokens


def check(tokenizer: BPETokenizer, text: str, k: int, allowed: Any = ()) -> list[int]:
    tokens = tokens_after(seek_columns(tokenizer, text, allowed)[0], k)
    cut = tokenizer.cut(k).tokenize(text, allowed)
    assert [token for token, _ in tokens] == cut.ids.tolist()
    assert [length for _, length in tokens] == (cut.byte_offsets[1:] - cut.byte_offsets[:-1]).tolist()
    return [token for token, _ in tokens]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tokenizers_read_as_if_cut(name: str) -> None:
    @examples(8)
    @given(texts_with_specials(), st.floats(0, 1), st.booleans())
    def agrees(text: str, share: float, special: bool) -> None:
        # As many small numbers as large ones: most of what happens to a text does so early.
        check(load(name), text, round(load(name).num_merges ** share), "all" if special else ())

    agrees()


@pytest.mark.parametrize(("alphabet", "mark"), [("bytes", None), ("characters", None), ("characters", "</w>")])
def test_trained_tokenizers_read_as_if_cut(alphabet: Any, mark: str | None) -> None:
    tokenizer = tokviz.train(TRAINED_ON, num_merges=60, alphabet=alphabet, end_of_word=mark)
    for k in range(tokenizer.num_merges + 1):
        check(tokenizer, TRAINED_ON[::-1] + TRAINED_ON, k)


@examples(10)
@given(texts(), st.integers(0, 3_000))
def test_tiktoken_with_its_ranks_cut_agrees(text: str, k: int) -> None:
    ranks = {token: rank for token, rank in ranks_of("gpt2").items() if rank < 256 + k}
    arguments = tiktoken_arguments("gpt2", ranks) | {"explicit_n_vocab": None, "special_tokens": {}}
    cut = tiktoken.Encoding(**arguments)
    text = text.encode("utf-8", "replace").decode()
    assert [token for token, _ in tokens_after(seek_columns(load("gpt2"), text)[0], k)] == cut.encode_ordinary(text)


def test_tokenizers_without_merges_in_rank_order_are_refused() -> None:
    with pytest.raises(ValueError, match="no merges that are applied in rank order"):
        seek_columns(tokviz.load("bert-base-uncased"), "a text")
