"""The chapter "vectors": its facts, and the figures it computes."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import tiktoken
from chapter_facts import Facts, expect_true
from shipped import encoding_of, ranks_of
from transformers import GPT2Config

from tokviz.course import embedding, vectors
from tokviz.course.chapters import chapter

ANNA = "Happy families are all alike; every unhappy family is unhappy in its own way."
GPT2 = GPT2Config()
ROWS_OF_GPT2: int = GPT2.vocab_size
ROWS = [(-1.2, 0.9), (1.4, 0.8), (-0.8, -1.3), (1.3, -0.9)]


@cache
def kept() -> dict[str, np.ndarray]:
    """The file's tables, read without the package."""
    with np.load(Path(embedding.__file__).with_suffix(".npz")) as file:
        return {name: file[name] for name in file.files}


@cache
def encoding(name: str, size: int) -> tiktoken.Encoding:
    """A tokenizer's first tokens, as tiktoken merges them."""
    first = {data: rank for data, rank in ranks_of(name).items() if rank < size}
    return tiktoken.Encoding("first", pat_str=encoding_of(name)._pat_str, mergeable_ranks=first, special_tokens={})


def parameters(layers: int, width: int) -> int:
    """Numbers in a model like GPT-2: both embeddings, and in a layer attention, a hidden layer and two norms."""
    layer = (width + 1) * 3 * width + (width + 1) * width + (width + 1) * 4 * width + (4 * width + 1) * width
    return (ROWS_OF_GPT2 + int(GPT2.n_positions)) * width + layers * (layer + 4 * width) + 2 * width


def share_of_table(layers: int, width: int) -> float:
    return ROWS_OF_GPT2 * width / parameters(layers, width)


def surest(length: float) -> float:
    """The greatest chance for an arrow of this length, in the direction of the chapter's."""
    powers = [math.exp(length * (1.2 * x - 0.4 * y)) for x, y in ROWS]
    return max(powers) / sum(powers)


def words_like(text: str) -> list[str]:
    return [row["text"].strip("·") for row in vectors.similar(text)["rows"]]


FACTS: Facts = {
    "token 40 is not twice token 20": lambda: True,
    "a row has two numbers for each word": lambda: [len(row) for row in ROWS] == [2] * 4,
    "the number e, about 2.72": lambda: round(math.e, 2) == 2.72,
    "If the arrow is [0, 0]": lambda: surest(0) == 1 / 4,
    "All four scores are 0, and e to the power of 0 is 1": lambda: math.exp(0) == 1,
    "each of the four words gets a quarter": lambda: len(ROWS) == 4,
    "0 %25 %100 %": lambda: True,  # the choices
    "The longer the arrow, the surer the model": lambda: surest(0.5) < surest(1) < surest(2),
    "GPT-2 does the same with 50,257 rows of 768 numbers": lambda: (
        (encoding_of("gpt2").n_vocab, ROWS_OF_GPT2, GPT2.n_embd) == (50_257, 50_257, 768)
    ),
    "between its tables are 12 layers": lambda: GPT2.n_layer == 12,
    "the cosine of the angle between them is near 1": lambda: vectors.similar("is")["rows"][0]["cosine"] > 0.9,
    "Try if, they, two and 3": lambda: "three" in words_like("two") and {"If", "when", "while"} <= {*words_like("if")},
    "Nobody told it that 3 is a number": lambda: sum(word.isdecimal() for word in words_like("3")) >= 6,
    "speak of police and a President, so the tokenizer has these tokens": lambda: (
        [len(encoding("gpt2", 2000).encode(text)) for text in (" police", " President")] == [1, 1]
    ),
    "among 482 of 2,000 that are still random": lambda: (
        (int((kept()["counts"] == 0).sum()), len(kept()["rows"])) == (482, 2_000)
    ),
    "or uses the first again, as GPT-2 does": lambda: GPT2.tie_word_embeddings is True,
    "GPT-2's small model has 124 million parameters": lambda: round(parameters(12, 768) / 1e6) == 124,
    "3 %31 %60 %": lambda: round(100 * share_of_table(12, 768)) == 31,  # the choices
    "50,257 times 768 is nearly 39 million": lambda: 38.5e6 < 50_257 * 768 < 39e6,
    "In larger models the share is smaller": lambda: share_of_table(48, 1600) < share_of_table(24, 1024) < 0.31,
}


def test_every_fact_is_true() -> None:
    expect_true("vectors", FACTS)


def test_the_plane_is_the_one_of_the_facts() -> None:
    value = next(block.value for block in chapter("vectors").blocks if block.name == "plane")
    text, arrow, *rows = value.split(";")
    assert (text, arrow) == ("the cat in the hat", "1.2,-0.4")
    assert [tuple(map(float, row.split(","))) for row in rows] == ROWS


# The embedding


def test_training_again_gives_what_is_in_the_file() -> None:
    """To a sixteenth, on the text of the file. The documentation of another Python gives nearly the same."""
    trained = embedding.train(embedding.training_text())
    if trained.digest == str(kept()["digest"]):
        assert trained.counts.tolist() == kept()["counts"].tolist()
        for name in ("rows", "columns"):
            assert np.abs(np.round(getattr(trained, name) * 16) - kept()[name]).max() <= 1
    for word in (" is", " two", " if", " they"):
        both = {*nearest(trained, word, 10)} & {*nearest(embedding.embedding(), word, 10)}
        assert len(both) >= 5, word


def nearest(trained: embedding.Embedding, text: str, most: int) -> list[int]:
    """The tokens whose rows are most similar to that of a text's only token, one after the other."""
    (token,) = encoding("gpt2", 2000).encode(text)
    rows = trained.rows.tolist()
    cosine = [
        sum(a * b for a, b in zip(rows[token], row, strict=True)) / (math.hypot(*rows[token]) * math.hypot(*row))
        for row in rows
    ]
    often = [other for other in range(len(rows)) if trained.counts[other] >= vectors.MIN_SEEN and other != token]
    return sorted(often, key=lambda other: -cosine[other])[:most]


def test_rows_of_tokens_that_were_never_seen_are_those_of_the_beginning() -> None:
    first = np.random.default_rng(0).normal(0, 0.1, (2000, 16))
    never = kept()["counts"] == 0
    assert np.array_equal(np.round(first[never] * 16), kept()["rows"][never])
    assert np.abs(np.round(first[~never] * 16) - kept()["rows"][~never]).mean() > 5


@pytest.mark.parametrize("text", ["is", "two", "3", "they"])
def test_similar_rows_are_those_of_the_greatest_cosine(text: str) -> None:
    found = vectors.similar(text)
    assert [row["id"] for row in found["rows"]] == nearest(embedding.embedding(), f" {text}", vectors.MAX_LISTED)


def test_a_row_that_was_never_trained_has_no_similar_ones() -> None:
    for text in ("police", "President"):
        found = vectors.similar(text)
        assert kept()["counts"][found["token"]["id"]] == 0
        assert found["rows"] == []


def test_the_model_predicts_better_than_frequency_alone() -> None:
    ids = embedding.tokenizer().encode(embedding.training_text()[:10_000])
    model = embedding.embedding()
    frequent = (model.counts + 1) / (model.counts + 1).sum()
    chances = np.array([model.chances(token)[other] for token, other in zip(ids, ids[1:], strict=False)])
    assert -np.log2(chances).mean() < -np.log2(frequent[ids]).mean() - 2


# The figures


def test_reading_is_a_row_times_the_columns_and_softmax() -> None:
    ids = encoding("gpt2", 2000).encode("You can")
    found = vectors.reading("You can", [])
    assert [token["id"] for token in found["tokens"]] == ids
    row = kept()["rows"][ids[-1]] / 16
    scores = [
        math.log(count + 1) + sum(a * b / 16 for a, b in zip(row, column, strict=True))
        for count, column in zip(kept()["counts"].tolist(), kept()["columns"].tolist(), strict=True)
    ]
    total = sum(map(math.exp, scores))
    expected = sorted(((math.exp(score) / total, token) for token, score in enumerate(scores)), reverse=True)
    for chance, (value, token) in zip(found["chances"], expected, strict=False):
        assert (chance["id"], chance["chance"]) == (token, pytest.approx(value, rel=1e-4))
    assert (found["merges"], found["vocabulary"], found["width"]) == (2000 - 256, 2000, 16)


def test_the_model_goes_on_from_what_it_wrote() -> None:
    first = vectors.reading("You can", [])["chances"][0]["id"]
    written = vectors.reading("You can", [first, 999_999])
    assert written["written"] == [first]
    assert [token["id"] for token in written["tokens"]][-1] == first
    assert written["chances"] == vectors.reading(encoding("gpt2", 2000).decode([first]), [])["chances"]


def test_sizes_count_tokens_parameters_and_work() -> None:
    found = vectors.sizes(ANNA, 768, 12, tied=True)
    two = vectors.sizes(ANNA, 768, 12, tied=False)
    assert found["inside"] == 12 * (4 * 768**2 + 2 * 4 * 768**2)  # attention's four, and the hidden layer's two
    specials = encoding_of("o200k_base").special_tokens_set
    for place in (0, 20, 40, -1):
        row = found["rows"][place]
        tokens = len(encoding("o200k_base", row["vocabulary"] - len(specials)).encode(ANNA))
        assert row["tokens"] == tokens
        assert row["parameters"] == row["vocabulary"] * 768 == two["rows"][place]["parameters"] // 2
        assert row["work"] == 2 * tokens * (found["inside"] + row["vocabulary"] * 768) == two["rows"][place]["work"]
    least = min(found["rows"], key=lambda row: row["work"])
    assert found["rows"][found["best"]] == least


def test_large_models_want_long_tables() -> None:
    """As the chapter says of its two models, on its text and on others."""
    links = [part.value for block in chapter("vectors").blocks for part in block.parts if part.target == "sizes"]
    for text in (ANNA, "print('Hello, world!')\n" * 3, "Привет, мир! Как дела?"):
        best = []
        for value in links:
            width, layers, tied, _ = map(int, value.split(","))
            found = vectors.sizes(text, width, layers, tied=bool(tied))
            best.append(found["rows"][found["best"]]["vocabulary"])
        assert best[0] * 10 < best[1]


@pytest.mark.parametrize(("width", "layers"), [(0, 12), (768, 0), (10**6, 12)])
def test_sizes_of_no_model(width: int, layers: int) -> None:
    with pytest.raises(ValueError, match="rows have 1 to 20,000 numbers"):
        vectors.sizes(ANNA, width, layers, tied=True)


@pytest.mark.parametrize("text", ["<|user|>Hi!", "no token here", "<|user|><|user|> <|endoftext|>", ""])
def test_adding_a_token_is_what_tiktoken_does_with_it(text: str) -> None:
    gpt2 = encoding_of("gpt2")
    specials = {"<|endoftext|>": 50_256, "<|user|>": 50_257}
    more = tiktoken.Encoding("more", pat_str=gpt2._pat_str, mergeable_ranks=ranks_of("gpt2"), special_tokens=specials)
    found = vectors.adding(text, "<|user|>")
    assert found["before"]["ids"] == gpt2.encode_ordinary(text)
    assert found["after"]["ids"] == more.encode(text, allowed_special="all")
    assert found["sizes"] == [gpt2.n_vocab, more.n_vocab]
    assert [token for token, _ in found["rows"]] == [50_254, 50_255, 50_256, 50_257]


def test_adding_what_is_there_or_can_not_be() -> None:
    assert vectors.adding("a", "<|endoftext|>")["sizes"] == [50_257, 50_257]
    with pytest.raises(ValueError, match="special token"):
        vectors.adding("a", "")


@pytest.mark.parametrize("text", ["", "\ud800", "x " * 100_000, "שלום עולם", "<|endoftext|>"])
def test_hostile_texts(text: str) -> None:
    figures = [
        vectors.reading(text, list(range(3000))),
        vectors.similar(text[:300]),
        vectors.sizes(text, 768, 12, tied=True),
        vectors.adding(text[:300], "<|user|>"),
    ]
    assert all(len(json.dumps(figure)) < 50_000 for figure in figures)
    assert len(figures[0]["written"]) == vectors.MAX_WRITTEN
    assert bool(figures[1]["rows"]) == bool(figures[1]["token"] and figures[1]["token"]["count"])
