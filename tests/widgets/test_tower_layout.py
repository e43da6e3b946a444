"""The layout of a tower: no block is cut, nothing overlaps, lines break at pre-tokens, and words are counted."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
import reference
from graphemes import grapheme_borders
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, corpora, examples, texts, texts_of_words, texts_with_specials

import tokviz
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.tower_layout import MAX_SYMBOLS, Placement, place, tower_columns
from tokviz.widgets.wire import Columns

WORDS = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)


def tower(replay: tokviz.Replay, *, distinct: bool = False) -> Columns:
    found = tower_columns(replay, distinct=distinct)
    assert found
    return found


def pretoken_symbols(replay: tokviz.Replay) -> list[list[int]]:
    """Symbols of each pre-token."""
    found: dict[int, list[int]] = {}
    for symbol, number in enumerate(replay.pretoken_index.tolist()):
        found.setdefault(number, []).append(symbol)
    return list(found.values())


def spans(replay: tokviz.Replay, drawn: Columns, placed: Placement) -> list[tuple[int, float, float]]:
    """Line, left and right edge of each symbol."""
    return [
        (line, left, left + width)
        for line, left, width in zip(placed.lines, placed.lefts, drawn["tower_widths"].tolist(), strict=True)
    ]


@examples(120)
@given(corpora(), st.one_of(texts(), texts_with_specials()), st.integers(1, 40))
def test_lines_break_between_tokens_and_only_where_a_pretoken_is_too_long(
    corpus: list[str], text: str, columns: int
) -> None:
    tok = tokviz.train(corpus, num_merges=20, split_pattern="gpt2", special_tokens=SPECIALS)
    replay = tok.replay(text, "all")
    drawn = tower(replay)
    placed = place(drawn, columns)
    at = spans(replay, drawn, placed)
    assert at == sorted(at)  # in the order of the text
    for (line, _, right), (next_line, left, _) in pairwise(at):
        assert next_line in (line, line + 1)
        assert left == 0 if next_line > line else left >= right
    tokens = replay.tokenization(len(replay)).byte_offsets.tolist()
    edges = {i for i, offset in enumerate(replay.byte_offsets.tolist()) if offset in tokens}
    for start, end in pairwise(sorted(edges)):
        assert len({line for line, _, _ in at[start:end]}) == 1
        whole = at[end - 1][2] - at[start][1]
        assert whole == sum(drawn["tower_widths"][start:end])  # side by side, without gaps
        assert at[end - 1][2] <= columns or at[start][1] == 0
    for symbols in pretoken_symbols(replay):
        if sum(drawn["tower_widths"][symbols[0] : symbols[-1] + 1]) <= columns:
            assert len({at[symbol][0] for symbol in symbols}) == 1
    assert placed.width == max((right for _, _, right in at), default=0)


@examples(60)
@given(texts(), st.integers(1, 40))
def test_lines_have_room_for_their_blocks(text: str, columns: int) -> None:
    """From the characters above the symbols down to the ids beneath the tokens."""
    replay = tokviz.load("gpt2").replay(text)
    drawn = tower(replay)
    placed = place(drawn, columns)
    lowest: dict[int, float] = {}
    for start, depth in zip(drawn["block_starts"].tolist(), drawn["block_depths"].tolist(), strict=True):
        line = placed.lines[start]
        lowest[line] = max(lowest.get(line, 0), placed.tops[line] + depth + 1)
    above = {placed.lines[symbol] for symbol in drawn["character_starts"].tolist()}
    for line, top in enumerate(placed.tops):
        assert top - (0.5 if line in above else 0) >= (lowest[line - 1] + 0.5 if line else 0)
    assert placed.height >= max(lowest.values(), default=0)


@examples(60)
@given(st.one_of(texts().filter(bool), texts_of_words().filter(bool)), st.booleans())
def test_equal_words_are_drawn_once_with_their_count_while_learning(text: str, marked: bool) -> None:
    marks: dict[str, Any] = {"alphabet": "characters", "end_of_word": "</w>"} if marked else {}
    replay = tokviz.train(text, num_merges=10, split_pattern="words", **marks).replay(text)
    drawn = tower(replay, distinct=True)
    pattern = reference.pattern_text("words")
    pieces = [piece.text for piece in reference.pretokens(reference.repair(text)[0], pattern, marked, {})]
    counts = Counter(pieces)
    shown = [pieces[number] for number in drawn["tower_pretokens"].tolist()]
    assert shown == list(counts)
    assert drawn["tower_counts"].tolist() == list(counts.values())


def test_the_words_of_a_lesson_are_all_in_sight() -> None:
    tok = tokviz.train(WORDS, alphabet="characters", end_of_word="</w>")
    columns, _ = learn_columns(tok.replay(WORDS))
    assert columns["tower_counts"].tolist() == [5, 15, 2, 6, 3]
    assert len(columns["tower_widths"]) == len("low" + " " + "lower" + "newest" + "widest") + 4
    applied, _ = apply_columns(tok.replay(WORDS))
    assert len(applied["tower_pretokens"]) == 31


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
@examples(80)
@given(texts())
def test_characters_of_several_bytes_stand_over_them(name: str, text: str) -> None:
    replay = tokviz.load(name).replay(text)
    drawn = tower(replay)
    expected = []
    at = 0
    for piece in replay.tokenizer.pretokens(text):
        for start, end in pairwise(grapheme_borders(piece)):
            size = len(piece[start:end].encode())
            if size > 1 and not piece[start:end].isascii():
                expected.append((at, at + size))
            at += size
    found = zip(drawn["character_starts"].tolist(), drawn["character_ends"].tolist(), strict=True)
    assert list(found) == expected


def test_characters_of_several_code_points_stand_over_these() -> None:
    text = "cafe\u0301 नमस्ते"
    drawn = tower(tokviz.train(text, alphabet="characters", num_merges=0).replay(text))
    found = list(zip(drawn["character_starts"].tolist(), drawn["character_ends"].tolist(), strict=True))
    assert [text[start:end] for start, end in found] == ["e\u0301", "स्ते"]


@examples(60)
@given(texts())
def test_tokens_take_turns_in_color_and_neighbors_differ_at_every_step(text: str) -> None:
    replay = tokviz.load("cl100k_base").replay(text)
    drawn = tower(replay)
    tint_at = {
        (start, end): tint
        for start, end, tint in zip(
            drawn["block_starts"].tolist(), drawn["block_ends"].tolist(), drawn["block_tints"].tolist(), strict=True
        )
    }
    for start, middle, end in zip(
        *(drawn[f"block_{name}"].tolist() for name in ("starts", "middles", "ends")), strict=True
    ):
        if middle > start:
            assert tint_at[start, middle] == tint_at[start, end] != tint_at[middle, end]
    for step in range(len(replay) + 1):
        edges = [*(replay.removed_at >= step).nonzero()[0].tolist(), len(replay.symbols)]
        tints = [tint_at[start, end] for start, end in pairwise(edges)]
        assert all(one != other for one, other in pairwise(tints)), step
    assert tints == [i % 4 for i in range(len(tints))]


def test_long_symbols_are_wider() -> None:
    tok = tokviz.train("low low", alphabet="characters", end_of_word="</w>", special_tokens=["<|endoftext|>"])
    drawn = tower(tok.replay("low<|endoftext|>low", "all"))
    widths = drawn["tower_widths"].tolist()
    assert widths[:3] == [1, 1, 1]
    assert widths[3] > 1  # the mark
    assert widths[4] > widths[3]  # the special token


def test_long_texts_have_no_tower() -> None:
    tok = tokviz.train("ab", num_merges=0, split_pattern="words")
    assert tower_columns(tok.replay("a" * MAX_SYMBOLS), distinct=False)
    assert tower_columns(tok.replay("a" * (MAX_SYMBOLS + 1)), distinct=False) == {}
    columns, _ = apply_columns(tok.replay("a" * (MAX_SYMBOLS + 1)))
    assert not [name for name in columns if name.startswith(("tower", "block", "character"))]
    # What counts is what is drawn: words that repeat are drawn once.
    assert tower_columns(tok.replay("ab " * MAX_SYMBOLS), distinct=True)
