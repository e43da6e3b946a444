"""A replay shows exactly what encoding does: every step, every seek, for trained and shipped tokenizers.

`reference.py` applies each merge to the whole text and keeps every state; the package keeps one column
and compares. The two must never differ.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    SPECIALS,
    corpora,
    disputed,
    examples,
    glued,
    has_ordinary,
    texts,
    texts_of_words,
    texts_with_specials,
)
from tokenizer_files import with_every_pair

import tokviz
from tokviz import pretrained
from tokviz.bpe.merging import Merges
from tokviz.samples import parallel_passages

SPLITS = [None, "gpt2", "cl100k", "words", r"\w+"]
Order = Literal["rank", "pretoken"]
ORDERS: list[Order] = ["rank", "pretoken"]


def steps_of(replay: tokviz.Replay) -> list[reference.Step]:
    """Read the steps from the columns, and check that each single step agrees."""
    columns: list[Any] = [replay.ranks, replay.lefts, replay.rights, replay.new_ids, replay.places]
    assert all(len(column) == len(replay) for column in columns)
    steps = [reference.Step(*map(int, row)) for row in zip(*columns, strict=True)]
    for i, step in enumerate(steps):
        single = replay[i]
        assert reference.Step(single.rank, single.left, single.right, single.new, single.places) == step
    return steps


def assert_replay(
    tok: Any, replay: tokviz.Replay, steps: list[reference.Step], states: list[list[int]], seeks: list[int]
) -> None:
    """Check every step, every state, any seek, forward or back; then the counts and the column they come from."""
    assert steps_of(replay) == steps
    total = len(steps)
    played = [replay.state(k) for k in range(total + 1)]
    assert [state.tolist() for state in played] == states
    assert all(state.dtype == np.int32 for state in played)
    for seek in seeks:
        k = seek % (total + 1)
        assert replay.state(k).tolist() == states[k]
    assert list(replay.token_counts) == [len(state) for state in states]
    assert np.diff(replay.token_counts).tolist() == [-step.places for step in steps]
    for k in (-1, total + 1, total + 1000):
        with pytest.raises(IndexError):
            replay.state(k)
        with pytest.raises(IndexError):
            replay.tokenization(k)
    # As many symbol boundaries vanish at a step as places are joined (whether steps count from 0 or 1).
    column = np.asarray(replay.removed_at)
    removed = [[int((column == k + base).sum()) for k in range(total)] for base in (0, 1)]
    assert [step.places for step in steps] in removed


def assert_state_tiles(tok: Any, replay: tokviz.Replay, text: str, k: int) -> None:
    """Check that the tokens of a state tile the text, and cover their own bytes."""
    result = replay.tokenization(k)
    repaired, lone = reference.repair(text)
    data = repaired.encode()
    assert (result.text, result.replaced) == (repaired, lone)
    assert result.ids.tolist() == replay.state(k).tolist()
    assert result.ids.dtype == result.byte_offsets.dtype == np.int32
    offsets = result.byte_offsets.tolist()
    assert len(offsets) == len(result) + 1
    assert (offsets[0], offsets[-1]) == (0, len(data))
    covered = [data[start:end] for start, end in pairwise(offsets)]
    assert covered == [tok.vocab[number] for number in result.ids.tolist()]


# ---------------------------------------------------------------- trained tokenizers


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
@pytest.mark.parametrize("order", ORDERS)
def test_equals_the_reference(order: Order, alphabet: str, split: str | None) -> None:
    """Any text under any trained tokenizer, special tokens allowed or not; the end equals `encode`."""

    @examples(10, order, alphabet, split)
    @given(
        corpora(),
        st.one_of(texts(), texts_with_specials()),
        st.sampled_from([(), "all", SPECIALS[:1]]),
        st.lists(st.integers(0, 10**6), max_size=8),
    )
    def check(corpus: list[str], text: str, allowed_special: Any, seeks: list[int]) -> None:
        if alphabet != "bytes":
            corpus = [*corpus, text, " ".join("<s>|end")]  # the alphabet has to cover the text
        options: dict[str, Any] = {"alphabet": alphabet, "num_merges": 25, "special_tokens": SPECIALS}
        tok = tokviz.train(corpus, split_pattern=split, **options)
        trained = reference.train(corpus, split_pattern=reference.pattern_text(split), **options)
        replay = tok.replay(text, allowed_special, order=order)
        steps, states = reference.replay(trained, text, allowed_special, order)
        assert_replay(tok, replay, steps, states, seeks)
        assert replay.state(len(replay)).tolist() == tok.encode(text, allowed_special)
        for k in {0, len(replay) // 2, len(replay)}:
            assert_state_tiles(tok, replay, text, k)

    check()


@pytest.mark.parametrize("order", ORDERS)
@examples(40)
@given(texts_of_words(), st.lists(st.integers(0, 10**6), max_size=8))
def test_end_marks_equal_the_reference(order: Order, text: str, seeks: list[int]) -> None:
    """A mark covers no bytes: the boundaries before and after it are at the same byte."""
    options: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>", "num_merges": 25}
    tok = tokviz.train(text + "ab ab", **options)
    trained = reference.train(text + "ab ab", **options)
    replay = tok.replay(text, order=order)
    steps, states = reference.replay(trained, text, order=order)
    assert_replay(tok, replay, steps, states, seeks)
    assert states[-1] == tok.encode(text)
    for k in range(len(replay) + 1):
        assert_state_tiles(tok, replay, text, k)


@examples(50)
@given(corpora(), texts())
def test_a_state_equals_encoding_by_the_cut_tokenizer(corpus: list[str], text: str) -> None:
    """After k steps in rank order: the text encoded by a tokenizer with only the merges up to that rank."""
    tok = tokviz.train(corpus, num_merges=20)
    trained = reference.train(corpus, num_merges=20)
    replay = tok.replay(text)
    assert replay.state(0).tolist() == [*reference.repair(text)[0].encode()]
    for k in range(1, len(replay) + 1):
        merges_applied = int(replay.ranks[k - 1]) + 1
        assert replay.state(k).tolist() == tok.cut(merges_applied).encode(text)
        assert replay.state(k).tolist() == reference.state(trained, text, merges_applied)


@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
@pytest.mark.parametrize("tie_break", ["first-seen", "lowest-ids", "greatest-bytes"])
def test_replaying_the_training_text_reenacts_training(tie_break: str, alphabet: str) -> None:
    """Step i is merge i, and joins as many places as it did in training."""

    @examples(12, tie_break, alphabet)
    @given(st.one_of(texts(), texts_with_specials()).filter(has_ordinary), st.integers(1, 3))
    def check(text: str, min_count: int) -> None:
        options: dict[str, Any] = {"tie_break": tie_break, "alphabet": alphabet, "min_count": min_count}
        expected = reference.train(text, special_tokens=SPECIALS, **options)
        tok = tokviz.train(text, special_tokens=SPECIALS, **options)
        replay = tok.replay(text, "all")
        assert list(replay.ranks) == list(range(len(expected.history)))
        events = [(step.left, step.right, step.new, step.places) for step in steps_of(replay)]
        assert events == [(step.left, step.right, step.new, step.merged) for step in expected.history]
        assert tok.training is not None
        assert list(replay.places) == [tok.training[i].merged for i in range(len(tok.training))]

    check()


@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k", "words"])
def test_training_and_encoding_split_newer_characters_alike(split: str) -> None:
    """Characters that tiktoken's engine and `regex` class differently: training and encoding must agree on
    one of the two, or training could not be replayed."""
    characters = sorted(disputed())[:: max(1, len(disputed()) // 40)]
    if not characters:
        pytest.skip("these versions of tiktoken and regex agree on every character")
    for glue in ("", "a", " ", "1", "'"):
        text = glue.join(characters) * 3
        tok = tokviz.train(text, split_pattern=split)
        replay = tok.replay(text)
        assert list(replay.ranks) == list(range(len(tok.merges)))
        assert tok.training is not None
        assert list(replay.places) == [tok.training[i].merged for i in range(len(tok.training))]
        assert replay.state(len(replay)).tolist() == tok.encode(text)
        assert "".join(tok.pretokens(text)) == text


def test_reenacting_with_end_marks() -> None:
    text = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)
    options: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>"}
    history = reference.train(text, **options).history
    replay = tokviz.train(text, **options).replay(text)
    assert list(replay.new_ids) == [step.new for step in history]
    assert list(replay.places) == [step.merged for step in history]


# ---------------------------------------------------------------- candidates


def reference_candidates(trained: reference.Trained, text: str, order: Order) -> set[tuple[int, int, int]]:
    """Apply all merges, and collect every pair with a rank that occurs in a pre-token before, between and after."""
    _, sequences = reference.sequences_of(trained, text)
    rank_of = {pair: rank for rank, pair in enumerate(trained.merges)}
    everything = range(len(sequences))
    found = {pair for sequence in sequences for pair in pairwise(sequence)}
    for places in [everything] if order == "rank" else [range(i, i + 1) for i in everything]:
        for pair, new in trained.merges.items():
            for i in places:
                sequences[i] = reference.join(sequences[i], pair, new)
                found.update(pairwise(sequences[i]))
    return {(rank_of[pair], *pair) for pair in found if pair in rank_of}


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("order", ORDERS)
def test_candidates_are_all_adjacent_pairs_with_a_rank(order: Order, split: str | None) -> None:
    @examples(10, order, split)
    @given(corpora(), texts())
    def check(corpus: list[str], text: str) -> None:
        tok = tokviz.train(corpus, num_merges=25, split_pattern=split)
        trained = reference.train(corpus, num_merges=25, split_pattern=reference.pattern_text(split))
        lefts, rights, ranks = tok.replay(text, order=order).candidates()
        rows = [*zip(ranks.tolist(), lefts.tolist(), rights.tolist(), strict=True)]
        assert len(set(rows)) == len(rows)
        assert rows == sorted(rows)
        assert set(rows) == reference_candidates(trained, text, order)

    check()


@examples(30)
@given(texts_of_words())
def test_candidates_with_end_marks(text: str) -> None:
    options: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>", "num_merges": 25}
    trained = reference.train(text + "ab ab", **options)
    lefts, rights, ranks = tokviz.train(text + "ab ab", **options).replay(text).candidates()
    rows = {*zip(ranks.tolist(), lefts.tolist(), rights.tolist(), strict=True)}
    assert rows == reference_candidates(trained, text, "rank")


def test_pretoken_index_of_symbols() -> None:
    tok = tokviz.load("gpt2")
    text = "I'll go, 你好<|endoftext|>!"
    replay = tok.replay(text, "all")
    lengths = [1 if piece == "<|endoftext|>" else len(piece.encode()) for piece in tok.pretokens(text, "all")]
    assert replay.pretoken_index.tolist() == [i for i, length in enumerate(lengths) for _ in range(length)]


# ---------------------------------------------------------------- by hand


def test_empty_text() -> None:
    for tok in (tokviz.load("gpt2"), tokviz.train("abab"), tokviz.train("abab", special_tokens=["<s>"])):
        for order in ORDERS:
            assert_replay(tok, tok.replay("", order=order), [], [[]], [0, 5])


def test_special_tokens_inside() -> None:
    """A special token is there from the start, takes no part in merges, and separates its neighbors."""
    tok = tokviz.train("abab", special_tokens=["<s>"])
    replay = tok.replay("ab<s>ab<s>", "all")
    assert replay.state(0).tolist() == [97, 98, 257, 97, 98, 257]
    assert replay.state(1).tolist() == [256, 257, 256, 257]
    assert steps_of(replay) == [reference.Step(0, 97, 98, 256, 2)]
    assert replay.tokenization(1).byte_offsets.tolist() == [0, 2, 5, 7, 10]
    assert replay.tokenization(1).special.tolist() == [False, True, False, True]
    assert replay.tokenization(1).pretoken_index.tolist() == [0, 1, 2, 3]
    assert tok.replay("ab<s>").state(0).tolist() == [*b"ab<s>"]


def test_the_two_orders_by_hand() -> None:
    """`ab ba ab`: by rank, every ab first; by pre-token, one word after the other."""
    tok = tokviz.train(["ab"] * 3 + ["ba"] * 2, split_pattern=r"\w+")
    ab, ba = tok.merges[97, 98], tok.merges[98, 97]
    text = "ab ba ab"
    by_rank = tok.replay(text)
    assert steps_of(by_rank) == [reference.Step(0, 97, 98, ab, 2), reference.Step(1, 98, 97, ba, 1)]
    assert by_rank.state(1).tolist() == [ab, 32, 98, 97, 32, ab]
    by_word = tok.replay(text, order="pretoken")
    assert list(by_word.ranks) == [0, 1, 0]
    assert list(by_word.places) == [1, 1, 1]
    assert by_word.state(2).tolist() == [ab, 32, ba, 32, 97, 98]
    assert list(by_word.token_counts) == [8, 7, 6, 5]


@pytest.mark.parametrize(
    ("merges", "is_in_order"),
    [
        ({(0, 1): 2, (2, 2): 3, (0, 3): 4}, True),
        ({(2, 0): 3, (0, 1): 2}, False),  # joins what is only made after it: as its left part,
        ({(0, 2): 3, (0, 1): 2}, False),  # as its right part,
        ({(0, 1): 2, (0, 3): 3}, False),  # or as both itself and a part
    ],
)
def test_merges_in_order_join_what_lower_ranks_make(merges: dict[tuple[int, int], int], is_in_order: bool) -> None:
    assert Merges.from_dict(merges).in_order == is_in_order


def test_pairs_that_are_never_joined_keep_rank_order() -> None:
    """If a file lists every pair that makes a token, some pairs join what only later merges make: they never fire."""
    prose = "\n".join(passage.text for passage in parallel_passages())
    tok = tokviz.train(prose, num_merges=400, split_pattern="gpt2")
    listed = with_every_pair(tok)
    assert listed.num_merges > tok.num_merges and not listed._merge_columns.in_order
    assert listed.in_order
    plain, replay = tok.replay(prose), listed.replay(prose)
    assert replay.new_ids.tolist() == plain.new_ids.tolist()
    assert replay.places.tolist() == plain.places.tolist()
    assert sorted(replay.ranks.tolist()) == replay.ranks.tolist()
    for k in range(0, len(plain) + 1, 10):
        assert replay.state(k).tolist() == plain.state(k).tolist()


def test_overlaps_by_hand() -> None:
    """`aaaaa` holds (a, a) four times, but two places are joined: from the left."""
    tok = tokviz.train("aaaaa", num_merges=1)
    assert steps_of(tok.replay("aaaaa")) == [reference.Step(0, 97, 97, 256, 2)]
    assert tok.replay("aaaaa").state(1).tolist() == [256, 256, 97]


def test_figure_hello() -> None:
    """GPT-2 on `hello`: he, ll, hell, hello. cl100k: el, lo, ello, hello."""
    expected = {"gpt2": [b"he", b"ll", b"hell", b"hello"], "cl100k_base": [b"el", b"lo", b"ello", b"hello"]}
    for name, parts in expected.items():
        tok = pretrained.load(name)
        for order in ORDERS:
            replay = tok.replay("hello", order=order)
            assert [tok.vocab[int(number)] for number in replay.new_ids] == parts
            assert [list(tok.merges.values())[rank] for rank in replay.ranks] == list(replay.new_ids)


def test_an_unknown_order() -> None:
    with pytest.raises(ValueError, match="pretoken"):
        tokviz.train("abab").replay("abab", order="random")  # type: ignore[arg-type]


def test_wrong_special_tokens() -> None:
    tok = tokviz.train("abab", special_tokens=["<s>"])
    with pytest.raises(ValueError, match="<t>"):
        tok.replay("ab", {"<t>"})
    with pytest.raises(TypeError, match="all"):
        tok.replay("ab", "<s>")


# ---------------------------------------------------------------- shipped vocabularies

SHIPPED = {"gpt2": "gpt2", "p50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}


def ranks_of(tok: tokviz.BPETokenizer) -> dict[bytes, int]:
    specials = set(tok.special_tokens.values())
    return {token: number for number, token in tok.vocab.items() if number not in specials}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_vocabularies_equal_the_reference(name: str) -> None:
    """Rank order is id order here: a state is the text encoded with only the ids up to that of its merge."""
    tok = pretrained.load(name)
    ranks = ranks_of(tok)
    pattern = reference.pattern_text(SHIPPED[name])
    rank_of = {new: rank for rank, new in enumerate(tok.merges.values())}
    prose = [
        "Hello",
        " world",
        " the",
        "2024",
        "ing",
        "don't",
        "\n",
        "  ",
        "aaaa",
        "😀",
        "你好",
        "é",
        "\ud83d",
        "!",
    ]

    @examples(25, name)
    @given(st.one_of(glued(prose, max_size=12), texts(12)), st.lists(st.integers(0, 10**6), max_size=5))
    def check(text: str, seeks: list[int]) -> None:
        pieces = [piece.encode() for piece in reference.cut(reference.repair(text)[0], pattern)]

        def state(below: float) -> list[int]:
            return [ranks[part] for piece in pieces for part in reference.encode_bytes(piece, ranks, below)]

        merges = merges_fired(pieces, ranks)
        states = [state(-1), *(state(new + 1) for new, _, _ in merges)]
        steps = [
            reference.Step(rank_of[new], left, right, new, len(before) - len(after))
            for (new, left, right), before, after in zip(merges, states, states[1:], strict=False)
        ]
        replay = tok.replay(text)
        assert_replay(tok, replay, steps, states, seeks)
        assert replay.state(len(replay)).tolist() == tok.encode(text)
        for k in {0, len(replay) // 2, len(replay)}:
            assert_state_tiles(tok, replay, text, k)

    check()


def merges_fired(pieces: list[bytes], ranks: dict[bytes, int]) -> list[tuple[int, int, int]]:
    """Return the merges that fire while these pre-tokens are encoded, as (new, left, right), in rank
    order: those of the tokens at the end, of their parts, and so on down to bytes."""
    fired: set[tuple[int, int, int]] = set()
    open_tokens = [part for piece in pieces for part in reference.encode_bytes(piece, ranks)]
    while open_tokens:
        token = open_tokens.pop()
        if len(token) > 1:
            left, right = reference.parents(token, ranks)
            fired.add((ranks[token], ranks[left], ranks[right]))
            open_tokens += [left, right]
    return sorted(fired)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_longer_text_under_a_shipped_vocabulary(name: str, order: Order) -> None:
    """The end equals `encode`; counts, seeks and states agree with each other at any step."""
    text = tokviz.__doc__ or ""
    text = (text + "The quick brown fox 😀 jumps over 12345 lazy dogs.\r\n<|endoftext|>  ") * 20
    tok = tokviz.load(name)
    replay = tok.replay(text, "all", order=order)
    final = tok.encode(text, "all")
    assert replay.state(len(replay)).tolist() == final
    assert replay.token_counts[-1] == len(final)
    assert replay.token_counts[0] - replay.places.sum() == len(final)
    random_seeks = np.random.default_rng(2).permutation(len(replay) + 1)[:60]
    for k in map(int, random_seeks):
        assert len(replay.state(k)) == replay.token_counts[k]
        assert_state_tiles(tok, replay, text, k)
    if order == "rank":
        assert np.all(np.diff(replay.ranks) > 0)  # one step per rank, in rank order


def test_steps_can_be_sliced() -> None:
    replay = tokviz.load("gpt2").replay("hello")
    assert replay[1:3] == [replay[1], replay[2]]
    assert replay[::-1] == [replay[step] for step in (3, 2, 1, 0)]
