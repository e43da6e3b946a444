"""Ids that encoding doesn't give: found and named, listed in order, and drawn at random."""

import math
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, examples, glued, texts, texts_with_specials

import tokviz
from tokviz import pretrained

SPLITS = [None, "gpt2", "words"]


def every_segmentation(data: bytes, ids: dict[bytes, int]) -> Iterator[list[int]]:
    if not data:
        yield []
    for end in range(1, len(data) + 1):
        if data[:end] in ids:
            yield from ([ids[data[:end]], *rest] for rest in every_segmentation(data[end:], ids))


# ---------------------------------------------------------------- canonical


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "trained"])
def test_canonical_ids_are_those_that_encoding_gives(name: str) -> None:
    tok = (
        tokviz.train("ab aab 😀é", num_merges=9, special_tokens=SPECIALS)
        if name == "trained"
        else pretrained.load(name)
    )

    @examples(60, name)
    @given(st.one_of(texts(), texts_with_specials()), st.integers(0, 1000))
    def check(text: str, seed: int) -> None:
        for allowed in ((), "all"):
            ids = tok.encode(text, allowed)
            assert tok.canonical(ids) == (ids, []) and tok.canonical(ids)
        sampled = tok.sample(text, 0.3, seed, "all") if name == "trained" else tok.sample(text, 0, seed)
        found = tok.canonical(sampled)
        assert found.ids == tok.encode(text, "all" if name == "trained" else ())
        assert bool(found) == (found.ids == sampled)
        # Putting the canonical ids in, from the right, gives what encoding gives.
        for deviation in reversed(found.deviations):
            assert sampled[deviation.start : deviation.end] == deviation.given != deviation.canonical
            assert tok.decode_bytes(deviation.given) == tok.decode_bytes(deviation.canonical)
            sampled[deviation.start : deviation.end] = deviation.canonical
        assert sampled == found.ids

    check()


def test_canonical_by_hand() -> None:
    gpt2 = tokviz.load("gpt2")
    hello, world, end = 31373, 995, 50256
    found = gpt2.canonical([258, 297, 78, world, end, 258, 18798])  # he ll o; he llo
    assert found.ids == [hello, world, end, hello]
    assert found.deviations == [(0, 3, [258, 297, 78], [hello]), (5, 7, [258, 18798], [hello])]
    with pytest.raises(ValueError, match="not UTF-8, from the token at index 1 on"):
        gpt2.canonical([hello, 8582, world])
    with pytest.raises(ValueError, match="not in use"):
        gpt2.canonical([60_000])


def test_a_word_without_its_mark_is_not_canonical() -> None:
    tok = tokviz.train("ab ab", alphabet="characters", end_of_word="</w>", num_merges=2)
    ids = tok.encode("ab")
    assert tok.decode([token for token in ids if tok.vocab[token]]) == "ab"
    a, b = (next(t for t, data in tok.vocab.items() if data == letter) for letter in (b"a", b"b"))
    assert tok.canonical([a, b]) == (ids, [(0, 2, [a, b], ids)])


# ---------------------------------------------------------------- segmentations


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
def test_segmentations_equal_trying_everything(split: str | None, alphabet: Any) -> None:
    @examples(25, split, alphabet)
    @given(glued(["a", "b", "ab", " ", "é"], max_size=8), st.integers(0, 40))
    def check(text: str, n: int) -> None:
        tok = tokviz.train([text, "ab aab abb"], split_pattern=split, alphabet=alphabet, num_merges=6)
        ids = {data: token for token, data in tok.vocab.items()}
        expected: list[list[int]] = [[]]
        for piece in tok.pretokens(text):
            ways = list(every_segmentation(piece.encode(), ids))
            expected = [[*before, *way] for before in expected for way in ways]
        expected.sort(key=lambda way: (len(way), [-len(tok.vocab[token]) for token in way]))
        assert tok.segmentations(text, n) == expected[:n]

    check()


def test_segmentations_of_shipped_tokenizers_and_long_texts() -> None:
    gpt2 = tokviz.load("gpt2")
    first = gpt2.segmentations("hello world", 50)
    assert first[0] == [31373, 995] and len({tuple(ids) for ids in first}) == 50
    assert all(gpt2.decode(ids) == "hello world" for ids in first)
    text = "many words of a text " * 400
    assert gpt2.segmentations(text, 1)[0] == gpt2.encode(text)
    assert gpt2.segmentations("a<|endoftext|>", 1, "all") == [[64, 50256]]
    assert gpt2.segmentations("", 3) == [[]]
    with pytest.raises(ValueError, match="up to 10,000 bytes"):
        gpt2.segmentations("a" * 10_001, 1)
    with pytest.raises(ValueError, match="n must be 0 or more"):
        gpt2.segmentations("a", -1)
    marked = tokviz.train("ab", alphabet="characters", end_of_word="</w>")
    with pytest.raises(ValueError, match="ends its words in a mark"):
        marked.segmentations("ab", 1)


# ---------------------------------------------------------------- BPE-dropout


def slow_dropout(symbols: list[int], merges: dict[tuple[int, int], int], dropout: float, rng: Random) -> list[int]:
    """Algorithm 1 of the paper, with a list of all merges that are possible at each step."""
    while True:
        possible = [place for place, pair in enumerate(pairwise(symbols)) if pair in merges]
        kept = [place for place in possible if not rng.random() < dropout]
        if not kept:
            return symbols
        order = list(merges)
        best = min(kept, key=lambda place: (order.index((symbols[place], symbols[place + 1])), place))
        new = merges[symbols[best], symbols[best + 1]]
        symbols = [*symbols[:best], new, *symbols[best + 2 :]]


@pytest.mark.parametrize("split", SPLITS)
def test_dropout_equals_the_slow_reference(split: str | None) -> None:
    @examples(30, split)
    @given(texts_with_specials(), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]), st.integers(0, 9))
    def check(text: str, dropout: float, seed: int) -> None:
        tok = tokviz.train("ab aab abab <s>", split_pattern=split, num_merges=8, special_tokens=SPECIALS)
        rng, expected = Random(seed), []
        for piece in tok.pretokens(text, "all"):
            special = tok.special_tokens.get(piece)
            expected += [special] if special else slow_dropout(list(piece.encode()), tok.merges, dropout, rng)
        assert tok.sample(text, dropout, seed, "all") == expected
        assert tok.sample(text, 0, seed, "all") == tok.encode(text, "all")
        assert tok.decode(tok.sample(text, dropout, seed)) == tok.decode(tok.encode(text))

    check()


def test_dropout_of_shipped_tokenizers_and_end_marks() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.sample("hello world", 1, 5) == [gpt2.encode_single_token(bytes([byte])) for byte in b"hello world"]
    assert gpt2.sample("hello world", 0.5, 5) == gpt2.sample("hello world", 0.5, 5)
    marked = tokviz.train("ab ab", alphabet="characters", end_of_word="</w>", num_merges=2)
    assert len(marked.sample("ab", 1, 0)) == 3
    # A pair that may merge stays unmerged in that step with the probability given.
    pair = tokviz.train("abab", num_merges=1)
    apart = sum(len(pair.sample("ab", 0.3, seed)) == 2 for seed in range(2000))
    assert math.isclose(apart / 2000, 0.3, abs_tol=0.05)


@pytest.mark.parametrize(
    ("dropout", "error"), [(-0.1, ValueError), (1.5, ValueError), ("a", TypeError), (True, TypeError)]
)
def test_wrong_probabilities_and_seeds(dropout: Any, error: type[Exception]) -> None:
    tok = tokviz.train("abab")
    with pytest.raises(error, match="dropout must be"):
        tok.sample("ab", dropout, 0)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        tok.sample("ab", 0.5, None)  # type: ignore[arg-type]
