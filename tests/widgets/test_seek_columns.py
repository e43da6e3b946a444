"""The columns of a text under any number of merges: at k, they are what encoding with the first k merges gives."""

import json
from functools import cache
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from reference import tiktoken_arguments
from shipped import ranks_of
from strategies import examples, texts, texts_with_specials
from subword_models import processor, proto

import tokviz
from tokviz.app.answers.visitors import shipped_tokenizers
from tokviz.samples import sample
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets.seeks import seek_columns

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
        if step < len(columns["known"]) and columns["known"][step] <= k:
            last = max(last, step)
            tokens[-1] = int(columns["new_ids"][last]), tokens[-1][1] + int(length)
        else:
            last = -1
            tokens.append((int(symbol), int(length)))
    return tokens


def check(tokenizer: BPETokenizer, text: str, k: int, allowed: Any = ()) -> list[int]:
    columns, _ = seek_columns(tokenizer, text, allowed)
    tokens = tokens_after(columns, k)
    cut = tokenizer.cut(k).tokenize(text, allowed)
    assert columns["special"].sum() == cut.special.sum()
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


# Other libraries' tokenizers, whose library gets their files without the merges after k

CODE = "    if a:\n        return [1,  2]\n\tpass  # ok\n"
WRITTEN = (sample("prose-en").text[:400], CODE, "Ünïcode 日本語 🍕 №1", "  two  spaces ")


def ids_after(columns: dict[str, Any], k: int) -> list[int]:
    return [token for token, _ in tokens_after(columns, k)]


def hugging_face_cut(data: bytes, k: int) -> tokenizers.Tokenizer:
    written = json.loads(data)
    del written["model"]["merges"][k:]
    return tokenizers.Tokenizer.from_str(json.dumps(written))


@pytest.mark.parametrize("name", ["qwen3", "deepseek"])
def test_hugging_face_without_the_later_merges_agrees(name: str) -> None:
    tokenizer = tokviz.load(name)
    assert isinstance(tokenizer, EngineTokenizer)
    texts = [seek_columns(tokenizer, text)[0] for text in WRITTEN]
    for k in (0, 300, 20_000):
        cut = hugging_face_cut(tokenizer.data, k)
        for text, columns in zip(WRITTEN, texts, strict=True):
            assert ids_after(columns, k) == cut.encode(text, add_special_tokens=False).ids


def sentencepiece_cut(data: bytes, k: int) -> tuple[Any, Any]:
    """Return a model without the pieces that merges after the first k make, and the ids that its pieces had."""
    model = proto(data)
    pieces = list(enumerate(model.pieces))
    made = sorted((-piece.score, number) for number, piece in pieces if piece.type == 1 and len(piece.piece) > 1)
    late = {number for _, number in made[k:]}
    kept = [(number, piece) for number, piece in pieces if number not in late]
    del model.pieces[:]
    model.pieces.extend(piece for _, piece in kept)
    return processor(model.SerializeToString()), [number for number, _ in kept]


@pytest.mark.parametrize("name", ["mistral-7b", "mistral-7b-v0.1"])
def test_sentencepiece_without_the_later_pieces_agrees(name: str) -> None:
    """In texts with indents, merges wait for later ones."""
    tokenizer = tokviz.load(name)
    assert isinstance(tokenizer, EngineTokenizer)
    for text in WRITTEN:
        columns, meta = seek_columns(tokenizer, text)
        for k in (0, 5, 40, 300, 3_000, 20_000, meta["merges"]):
            cut, numbers = sentencepiece_cut(tokenizer.data, k)
            assert ids_after(columns, k) == [numbers[token] for token in cut.encode(text)]


def test_tokenizers_without_merges_in_rank_order_are_refused() -> None:
    with pytest.raises(ValueError, match="no merges that are applied in rank order"):
        seek_columns(tokviz.load("bert-base-uncased"), "a text")


def test_tokenizers_that_take_words_whole_are_refused() -> None:
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}
    model = tokenizers.models.BPE(vocab, [("a", "b")], ignore_merges=True)
    whole = HuggingFaceTokenizer("whole", tokenizers.Tokenizer(model).to_str().encode())
    with pytest.raises(ValueError, match="takes a word that is in its vocabulary whole"):
        seek_columns(whole, "abc")


def test_the_shipped_tokenizers_algorithms_are_listed() -> None:
    for each in shipped_tokenizers.SHIPPED:
        assert each.algorithm == getattr(tokviz.load(each.name), "algorithm", "bpe"), each.name
