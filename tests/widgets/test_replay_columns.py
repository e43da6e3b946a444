"""Replay columns: every state, pair, count and byte can be rebuilt from them and equals the reference."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
import reference
from hypothesis import given
from strategies import corpora, examples, texts, texts_with_specials

import tokviz
from tokviz.analysis.branches import pretoken_branches
from tokviz.widgets import wire
from tokviz.widgets.columns import apply_columns, learn_columns

ORDERS: tuple[Literal["rank", "pretoken"], ...] = ("rank", "pretoken")


def pretoken_states(columns: dict[str, Any], k: int) -> list[list[int]]:
    """Ids of each pre-token after k steps, rebuilt by removing symbol boundaries step by step."""
    symbols, removed = columns["symbols"].tolist(), columns["removed_at"].tolist()
    merged_ids: dict[tuple[int, int], int] = {}
    for left, right, new in zip(*(columns[name].tolist() for name in ("lefts", "rights", "new_ids")), strict=True):
        merged_ids[left, right] = new
    states, start = [], 0
    for length in columns["pretoken_symbols"].tolist():
        piece = range(start, start + length)
        spans = [[i] for i in piece]
        for step in range(k):
            for i in piece:
                if removed[i] == step:
                    right = next(span for span in spans if span[0] == i)
                    left = spans[spans.index(right) - 1]
                    left += right
                    spans.remove(right)
        states.append([_span_id(span, symbols, removed, merged_ids) for span in spans])
        start += length
    return states


def _span_id(span: list[int], symbols: list[int], removed: list[int], merged_ids: dict[tuple[int, int], int]) -> int:
    if len(span) == 1:
        return symbols[span[0]]
    last = max(span[1:], key=removed.__getitem__)
    cut = span.index(last)
    return merged_ids[
        _span_id(span[:cut], symbols, removed, merged_ids), _span_id(span[cut:], symbols, removed, merged_ids)
    ]


def bytes_by_id(columns: dict[str, Any]) -> dict[int, bytes]:
    ends = np.cumsum(columns["token_lengths"]).tolist()
    data = columns["token_bytes"].tobytes()
    return {
        token: data[end - length : end]
        for token, length, end in zip(
            columns["token_ids"].tolist(), columns["token_lengths"].tolist(), ends, strict=True
        )
    }


@pytest.mark.parametrize("order", ORDERS)
@examples(60)
@given(corpora(), texts())
def test_states_and_bytes_match_the_reference(order: Any, corpus: list[str], text: str) -> None:
    options: dict[str, Any] = {"num_merges": 20, "split_pattern": "gpt2"}
    columns, meta = apply_columns(tokviz.train(corpus, **options).replay(text, order=order))
    options["split_pattern"] = reference.pattern_text("gpt2")
    trained = reference.train(corpus, **options)
    steps, states = reference.replay(trained, text, order=order)
    data, repaired = bytes_by_id(columns), reference.repair(text)[0].encode()
    for k in {0, len(steps) // 2, len(steps)}:
        state = [token for sequence in pretoken_states(columns, k) for token in sequence]
        assert state == states[k]
        assert b"".join(data[token] for token in state) == repaired
    assert [reference.Step(*step) for step in zip(*steps_of(columns), strict=True)] == steps
    ranks = {pair: rank for rank, pair in enumerate(trained.merges)}
    pairs = zip(*(columns[name].tolist() for name in ("pair_lefts", "pair_rights", "pair_ranks")), strict=True)
    assert all(ranks[left, right] == rank for left, right, rank in pairs)
    assert (meta["story"], meta["order"], meta["merges"]) == ("apply", order, len(trained.merges))


def steps_of(columns: dict[str, Any]) -> list[list[int]]:
    return [columns[name].tolist() for name in ("ranks", "lefts", "rights", "new_ids", "places")]


@pytest.mark.parametrize("ties", ["first-seen", "lowest-ids", "greatest-bytes"])
@examples(60)
@given(texts().filter(bool))
def test_learned_counts_and_ties_match_the_reference(ties: Any, text: str) -> None:
    trained = reference.train(text, tie_break=ties)
    columns, meta = learn_columns(tokviz.train(text, tie_break=ties).replay(text))
    history = trained.history
    assert columns["counts"].tolist() == [step.count for step in history]
    assert columns["tied"].tolist() == [step.tied for step in history]
    assert columns["places"].tolist() == [step.merged for step in history]
    assert (meta["story"], meta["ties"], meta["stopped"]) == ("learn", ties, trained.stopped)
    assert meta["alphabet"] == 256
    # Recounting the pairs before each step, the learned pair is the most frequent.
    for k, step in enumerate(history[:4]):
        counts = Counter(pair for sequence in pretoken_states(columns, k) for pair in pairwise(sequence))
        assert counts[step.left, step.right] == max(counts.values()) == step.count
        assert sum(count == step.count for count in counts.values()) == step.tied + 1


@examples(60)
@given(texts_with_specials())
def test_each_special_token_is_one_symbol_and_one_pretoken(text: str) -> None:
    tok = tokviz.train("aabab aab", num_merges=5, split_pattern="words", special_tokens=["<s>", "<s>>", "<|end|>"])
    columns, meta = apply_columns(tok.replay(text, "all"))
    pieces = pretoken_branches(tok, text, tok.special_tokens)
    assert len(columns["pretoken_symbols"]) == len(columns["branches"]) == len(pieces)
    assert columns["branches"].tolist() == [branch for _, branch in pieces]
    used = {tok.special_tokens[piece] for piece, _ in pieces if piece in tok.special_tokens}
    assert meta["special"] == sorted(used)
    assert b"".join(bytes_by_id(columns)[symbol] for symbol in columns["symbols"].tolist()) == text.encode()


def test_metadata_describes_end_of_word_marks() -> None:
    tok = tokviz.train("low lower low", alphabet="characters", end_of_word="</w>")
    columns, meta = learn_columns(tok.replay("low lower low"))
    assert (meta["end_of_word"], meta["units"]) == ("</w>", "characters")
    assert [bytes_by_id(columns)[ending] for ending in meta["endings"]] == [b""]
    assert columns["pretoken_symbols"].tolist() == [4, 1, 6, 1, 4]


def test_empty_text_has_empty_columns() -> None:
    columns, _ = apply_columns(tokviz.load("gpt2").replay(""))
    assert all(len(column) == 0 for column in columns.values())


def test_learning_requires_known_training() -> None:
    with pytest.raises(ValueError, match="was not trained here"):
        learn_columns(tokviz.load("gpt2").replay("a text"))


def test_replay_columns_round_trip() -> None:
    columns, meta = apply_columns(tokviz.load("gpt2").replay("I'll replay 你好", "all"))
    unpacked, unpacked_meta = wire.unpack(wire.pack(columns, meta))
    assert unpacked_meta == meta
    assert {name: column.tolist() for name, column in unpacked.items()} == {
        name: column.tolist() for name, column in columns.items()
    }
    assert meta["branches"][columns["branches"][1]] == "'s, 't, 're and such"


def test_merges_not_in_rank_order_are_replayed_by_pretoken() -> None:
    """A step then applies the lowest rank of its pre-token only; other pre-tokens may still have a lower one."""
    symbols = {value: bytes([value]) for value in range(256)}
    tok = tokviz.BPETokenizer("odd", symbols | {256: b"abc", 257: b"ab"}, split_pattern=r"\w+")
    assert tok.merges == {(257, 99): 256, (97, 98): 257} and not tok.in_order
    columns, meta = apply_columns(tok.replay("abc ab abc"))
    assert columns["ranks"].tolist() == [1, 0, 1, 1, 0]
    assert meta["order"] == "pretoken"
    assert apply_columns(tokviz.load("gpt2").replay("hello hello"))[1]["order"] == "rank"
