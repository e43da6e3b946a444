"""A tower shows exactly what is merged: its blocks equal the reference's states, and the tokenizers' merges."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, corpora, disputed, examples, texts, texts_of_words, texts_with_specials

import tokviz
from tokviz.bpe.merge_replay import ORDERS, Order
from tokviz.bpe.tower import Blocks, blocks_of
from tokviz.tokenizers.bpe import BPETokenizer


class Block(NamedTuple):
    start: int
    middle: int
    end: int
    step: int
    depth: int
    id: int


def rows(blocks: Blocks) -> list[Block]:
    return [Block(*map(int, row)) for row in zip(*blocks, strict=True)]


def whole_tower(replay: tokviz.Replay) -> list[Block]:
    return rows(blocks_of(replay, [range(len(replay.symbols))]))


def blocks_of_states(states: list[list[int]]) -> set[Block]:
    """Blocks seen by comparing each state with the one before: what is new was joined of the two that it covers."""
    lengths = dict.fromkeys(states[0], 1)
    found = {Block(i, i, i + 1, -1, 0, token) for i, token in enumerate(states[0])}
    depth_of = {(i, i + 1): 0 for i in range(len(states[0]))}
    for step in range(len(states) - 1):
        before = iter(states[step])
        at = 0
        for token in states[step + 1]:
            first = next(before)
            if token == first:
                at += lengths[first]
                continue
            second = next(before)
            middle, end = at + lengths[first], at + lengths[first] + lengths[second]
            lengths[token] = end - at
            depth_of[at, end] = 1 + max(depth_of[at, middle], depth_of[middle, end])
            found.add(Block(at, middle, end, step, depth_of[at, end], token))
            at = end
    return found


@pytest.mark.parametrize("tie_break", ["first-seen", "lowest-ids", "greatest-bytes"])
@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
@pytest.mark.parametrize("order", ORDERS)
def test_equals_the_states_of_the_reference(order: Order, alphabet: Any, tie_break: Any) -> None:
    @examples(8, order, alphabet, tie_break)
    @given(corpora(), st.one_of(texts(), texts_with_specials()), st.sampled_from([None, "gpt2", "words"]))
    def check(corpus: list[str], text: str, split: str | None) -> None:
        corpus = [*corpus, text, " ".join("<s>|end")]  # the alphabet has to cover the text
        options: dict[str, Any] = {"alphabet": alphabet, "tie_break": tie_break, "num_merges": 25}
        tok = tokviz.train(corpus, split_pattern=split, special_tokens=SPECIALS, **options)
        pattern = reference.pattern_text(split)
        trained = reference.train(corpus, split_pattern=pattern, special_tokens=SPECIALS, **options)
        _, states = reference.replay(trained, text, "all", order)
        blocks = whole_tower(tok.replay(text, "all", order))
        assert set(blocks) == blocks_of_states(states)
        assert_in_order(blocks)

    check()


@examples(30)
@given(texts_of_words())
def test_marks_at_the_end_of_words_are_symbols(text: str) -> None:
    options: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>", "num_merges": 25}
    trained = reference.train(text + "ab ab", **options)
    _, states = reference.replay(trained, text)
    assert set(whole_tower(tokviz.train(text + "ab ab", **options).replay(text))) == blocks_of_states(states)


@cache
def shipped(name: str) -> tuple[BPETokenizer, dict[bytes, int]]:
    tok = tokviz.load(name)
    assert isinstance(tok, BPETokenizer)
    specials = set(tok.special_tokens.values())
    return tok, {token: number for number, token in tok.vocab.items() if number not in specials}


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
@examples(25)
@given(texts().filter(lambda text: not disputed() & set(text)), st.sampled_from(ORDERS))
def test_blocks_of_shipped_tokenizers_are_their_merges(name: str, text: str, order: Order) -> None:
    """Parts are a token's parents by the meaning of the published files; the lowest blocks are its encoding."""
    tok, ranks = shipped(name)
    replay = tok.replay(text, order=order)
    blocks = whole_tower(replay)
    block_at = {(block.start, block.end): block for block in blocks}
    for start, middle, end, step, depth, token in blocks[len(replay.symbols) :]:
        left, right = block_at[start, middle], block_at[middle, end]
        assert [tok.vocab[left.id], tok.vocab[right.id]] == reference.parents(tok.vocab[token], ranks)
        assert tok.rank(token) == replay.ranks[step]
        assert max(left.step, right.step) < step
        assert depth == 1 + max(left.depth, right.depth)
    lowest = [block for block in blocks if not any(holds(other, block) for other in blocks)]
    assert [block.id for block in sorted(lowest)] == tok.encode(text)
    assert_in_order(blocks)


def holds(one: Block, other: Block) -> bool:
    return one != other and one.start <= other.start and other.end <= one.end


def assert_in_order(blocks: list[Block]) -> None:
    """First the symbols, then the merged tokens by step, so that parts come before what is made of them."""
    assert blocks == sorted(blocks, key=lambda block: (block.step, block.start))


def test_a_tower_of_some_pretokens_has_their_blocks_only() -> None:
    replay = tokviz.load("cl100k_base").replay("hello hello world")
    starts = [0, 5, 11, len(replay.symbols)]
    everything = whole_tower(replay)
    first, last = range(*starts[:2]), range(*starts[2:])
    expected = [block for block in everything if block.start in first or block.start in last]
    assert rows(blocks_of(replay, [first, last])) == expected
    assert rows(blocks_of(replay, [])) == []
