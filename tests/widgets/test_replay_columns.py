"""Replays on the wire: the columns alone give every state, pair, count and byte as the reference has them."""

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
from tokviz.widgets import columns as wire
from tokviz.widgets.replays import apply_columns, learn_columns

ORDERS: tuple[Literal["rank", "pretoken"], ...] = ("rank", "pretoken")


def sequences(columns: dict[str, Any], k: int) -> list[list[int]]:
    """The ids of each pre-token after k steps, by playing the steps out on the symbols between standing boundaries."""
    symbols, removed = columns["symbols"].tolist(), columns["removed_at"].tolist()
    made: dict[tuple[int, int], int] = {}
    for left, right, new in zip(*(columns[name].tolist() for name in ("lefts", "rights", "new_ids")), strict=True):
        made[left, right] = new
    found, at = [], 0
    for length in columns["pretoken_symbols"].tolist():
        piece = range(at, at + length)
        spans = [[i] for i in piece]
        for step in range(k):
            for i in piece:
                if removed[i] == step:
                    right = next(span for span in spans if span[0] == i)
                    left = spans[spans.index(right) - 1]
                    left += right
                    spans.remove(right)
        found.append([_id_of(span, symbols, removed, made) for span in spans])
        at += length
    return found


def _id_of(span: list[int], symbols: list[int], removed: list[int], made: dict[tuple[int, int], int]) -> int:
    if len(span) == 1:
        return symbols[span[0]]
    last = max(span[1:], key=removed.__getitem__)
    cut = span.index(last)
    return made[_id_of(span[:cut], symbols, removed, made), _id_of(span[cut:], symbols, removed, made)]


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
def test_states_and_bytes_can_be_had_from_the_columns(order: Any, corpus: list[str], text: str) -> None:
    options: dict[str, Any] = {"num_merges": 20, "split_pattern": "gpt2"}
    columns, meta = apply_columns(tokviz.train(corpus, **options), text, order=order)
    options["split_pattern"] = reference.pattern_text("gpt2")
    trained = reference.train(corpus, **options)
    steps, states = reference.replay(trained, text, order=order)
    data, repaired = bytes_by_id(columns), reference.repair(text)[0].encode()
    for k in {0, len(steps) // 2, len(steps)}:
        state = [token for sequence in sequences(columns, k) for token in sequence]
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
def test_what_was_learned_comes_with_its_counts_and_ties(ties: Any, text: str) -> None:
    trained = reference.train(text, tie_break=ties)
    columns, meta = learn_columns(tokviz.train(text, tie_break=ties), text)
    history = trained.history
    assert columns["counts"].tolist() == [step.count for step in history]
    assert columns["tied"].tolist() == [step.tied for step in history]
    assert columns["places"].tolist() == [step.merged for step in history]
    assert (meta["story"], meta["ties"], meta["stopped"]) == ("learn", ties, trained.stopped)
    assert meta["alphabet"] == 256
    # A recount of the pairs that stand before each step has the pair in front.
    for k, step in enumerate(history[:4]):
        counts = Counter(pair for sequence in sequences(columns, k) for pair in pairwise(sequence))
        assert counts[step.left, step.right] == max(counts.values()) == step.count
        assert sum(count == step.count for count in counts.values()) == step.tied + 1


@examples(60)
@given(texts_with_specials())
def test_special_tokens_are_symbols_and_pretokens_of_their_own(text: str) -> None:
    tok = tokviz.train("aabab aab", num_merges=5, split_pattern="words", special_tokens=["<s>", "<s>>", "<|end|>"])
    columns, meta = apply_columns(tok, text, "all")
    pieces = pretoken_branches(tok, text, tok.special_tokens)
    assert len(columns["pretoken_symbols"]) == len(columns["branches"]) == len(pieces)
    assert columns["branches"].tolist() == [branch for _, branch in pieces]
    used = {tok.special_tokens[piece] for piece, _ in pieces if piece in tok.special_tokens}
    assert meta["special"] == sorted(used)
    assert b"".join(bytes_by_id(columns)[symbol] for symbol in columns["symbols"].tolist()) == text.encode()


def test_end_of_word_marks_are_named() -> None:
    tok = tokviz.train("low lower low", alphabet="characters", end_of_word="</w>")
    columns, meta = learn_columns(tok, "low lower low")
    assert (meta["end_of_word"], meta["units"]) == ("</w>", "characters")
    assert bytes_by_id(columns)[meta["mark"]] == b""
    assert columns["pretoken_symbols"].tolist() == [4, 1, 6, 1, 4]


def test_no_text_has_no_steps() -> None:
    columns, _ = apply_columns(tokviz.load("gpt2"), "")
    assert all(len(column) == 0 for column in columns.values())


def test_only_what_was_trained_can_show_its_learning() -> None:
    with pytest.raises(ValueError, match="was not trained here"):
        learn_columns(tokviz.load("gpt2"), "a text")


def test_the_columns_travel() -> None:
    columns, meta = apply_columns(tokviz.load("gpt2"), "I'll replay 你好", "all")
    sent, sent_meta = wire.unpack(wire.pack(columns, meta))
    assert sent_meta == meta
    assert {name: column.tolist() for name, column in sent.items()} == {
        name: column.tolist() for name, column in columns.items()
    }
    assert meta["branches"][columns["branches"][1]] == "'s, 't, 're and such"


def test_merges_that_are_not_in_rank_order_are_said_to_go_pretoken_by_pretoken() -> None:
    """Then a step's merge has the lowest rank of its pre-token only: elsewhere, a lower one may still stand."""
    symbols = {value: bytes([value]) for value in range(256)}
    tok = tokviz.BPETokenizer("odd", symbols | {256: b"abc", 257: b"ab"}, split_pattern=r"\w+")
    assert tok.merges == {(257, 99): 256, (97, 98): 257} and not tok.in_order
    columns, meta = apply_columns(tok, "abc ab abc")
    assert columns["ranks"].tolist() == [1, 0, 1, 1, 0]
    assert meta["order"] == "pretoken"
    assert apply_columns(tokviz.load("gpt2"), "hello hello")[1]["order"] == "rank"
