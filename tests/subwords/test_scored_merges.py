"""Merging by scores gives what sentencepiece gives, and its replay is one like any other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from subword_models import (
    BYTE_PIECES,
    NORMAL,
    UNKNOWN,
    USER_DEFINED,
    byte_ids,
    piece_ids,
    processor,
    proto,
    sentencepiece_file,
    sentencepiece_model,
)

from tokviz.bpe.merge_replay import ORDERS, MergeReplay, Order
from tokviz.bpe.tower import blocks_of
from tokviz.subwords import scored_merges
from tokviz.subwords.fallback import NoUnknownToken
from tokviz.subwords.scored_merges import ScoredPieces, symbols_of

WORDS = st.sampled_from(
    ["the", "shells", "low", "er", "ab", "un", "Ü", "é", "日本", "語", " ", "  ", ".", "zq", "🍕", "<n>"]
)
TEXTS = st.lists(WORDS, max_size=20).map("".join)


def from_sentencepiece(file: bytes) -> ScoredPieces:
    model = proto(file)
    return ScoredPieces(
        ids=piece_ids(model, NORMAL, USER_DEFINED),
        scores=np.array([piece.score for piece in model.pieces], np.float32),
        user_defined=frozenset(piece_ids(model, USER_DEFINED)),
        unk_id=processor(file).unk_id(),
        byte_ids=byte_ids(model),
    )


def replay(model: ScoredPieces, text: str, order: Order = "rank") -> MergeReplay:
    return MergeReplay(*scored_merges.merge_columns(model, [(text, None)], order))


def check_replay(played: MergeReplay, text: str) -> None:
    """A replay's states follow from one another, and its bytes tile the text."""
    assert played.byte_offsets[0] == 0
    assert played.byte_offsets[-1] == len(text.encode())
    assert np.diff(played.byte_offsets).min(initial=1) >= 1
    for k, step in enumerate(played[:]):
        before, after = played.state(k).tolist(), played.state(k + 1).tolist()
        assert len(before) - len(after) == step.places
        assert after.count(step.new) - before.count(step.new) == step.places
    blocks_of(played, [range(len(played.symbols))])


@pytest.mark.parametrize(
    "options",
    [{}, {"byte_fallback": True}, {"user_defined_symbols": "<n>,ab,she,▁lo"}, {"split_by_whitespace": False}],
    ids=str,
)
@pytest.mark.parametrize("order", ORDERS)
def test_the_end_is_what_sentencepiece_encodes(options: dict[str, object], order: Order) -> None:
    file = sentencepiece_model("bpe", 500, **options)
    engine, model = processor(file), from_sentencepiece(file)

    @examples(30, str(options))
    @given(TEXTS)
    def check(text: str) -> None:
        normalized = engine.normalize(text)
        played = replay(model, normalized, order)
        assert played.state(len(played)).tolist() == engine.encode(text)
        check_replay(played, normalized)

    check()


SCORES = st.sampled_from([0.0, -1.0, -2.0, -3.5, 2.0])


@examples(100)
@given(st.dictionaries(st.text("ab", min_size=2, max_size=5), SCORES, min_size=1), st.text("abc", min_size=1))
def test_equal_scores_and_any_order_are_as_in_sentencepiece(pieces: dict[str, float], text: str) -> None:
    characters = [("<unk>", 0.0, UNKNOWN), ("a", -9.0, NORMAL), ("b", -9.0, NORMAL)]
    file = sentencepiece_file("bpe", characters + [(piece, score, NORMAL) for piece, score in pieces.items()])
    played = replay(from_sentencepiece(file), text)
    assert played.state(len(played)).tolist() == processor(file).encode(text)
    check_replay(played, text)


def test_merges_never_cross_pretokens_which_begin_at_spaces() -> None:
    file = sentencepiece_model("bpe", 500)
    text = processor(file).normalize("the lower the fox  shells")
    played = replay(from_sentencepiece(file), text)
    starts = np.flatnonzero(np.diff(played.pretoken_index, prepend=-1))
    assert [text[start] for start in starts] == ["▁"] * 5
    crossing = replay(from_sentencepiece(sentencepiece_model("bpe", 500, split_by_whitespace=False)), text)
    assert len(set(crossing.pretoken_index.tolist())) < 5


def test_steps_are_ranks_by_score_and_candidates_include_them() -> None:
    pieces = [("t", -9.0, NORMAL), ("h", -9.0, NORMAL), ("e", -9.0, NORMAL)]
    pieces += [("the", -2.0, NORMAL), ("th", -1.0, NORMAL), ("he", 0.0, NORMAL)]
    played = replay(from_sentencepiece(sentencepiece_file("bpe", [("<unk>", 0.0, UNKNOWN), *pieces])), "the")
    assert played[:] == [(0, 2, 3, 6, 1), (2, 1, 6, 4, 1)]
    assert {tuple(pair) for pair in zip(*map(np.ndarray.tolist, played.candidates()), strict=True)} == {
        (2, 3, 0),
        (1, 2, 1),
        (1, 6, 2),
    }


def test_unknown_characters_are_bytes_or_one_unknown_symbol_from_the_start() -> None:
    pieces = [("<unk>", 0.0, UNKNOWN), ("a", -1.0, NORMAL)]
    with_bytes = from_sentencepiece(sentencepiece_file("bpe", pieces + BYTE_PIECES, byte_fallback=True))
    played = replay(with_bytes, "aé")
    assert played.symbols.tolist() == [1, *(2 + byte for byte in "é".encode())]
    assert played.byte_offsets.tolist() == [0, 1, 2, 3]
    played = replay(from_sentencepiece(sentencepiece_file("bpe", pieces)), "aé語a")
    assert played.symbols.tolist() == [1, 0, 1]
    assert played.byte_offsets.tolist() == [0, 1, 6, 7]
    with pytest.raises(NoUnknownToken, match="no piece of the vocabulary fits 'é'"):
        replay(ScoredPieces({"a": 0}, np.zeros(1, np.float32)), "aé")


def test_a_piece_of_characters_that_are_no_pieces_is_refused() -> None:
    file = sentencepiece_file("bpe", [("<unk>", 0.0, UNKNOWN), ("a", -2.0, NORMAL), ("ab", -1.0, NORMAL)])
    assert processor(file).encode("ab") == [2]
    with pytest.raises(ValueError, match="'b' can be merged but is no piece itself"):
        replay(from_sentencepiece(file), "ab")


def test_user_defined_symbols_are_the_longest_that_fit() -> None:
    model = ScoredPieces({"ab": 0, "abc": 1, "a": 2}, np.zeros(3, np.float32), frozenset({"ab", "abc"}))
    assert symbols_of(model, [("ababcab", None)]).texts == ["ab", "abc", "ab"]
    assert len(replay(model, "ababc")) == 0


def test_special_tokens_are_never_joined() -> None:
    model = from_sentencepiece(sentencepiece_model("bpe", 500))
    played = MergeReplay(*scored_merges.merge_columns(model, [("▁the", None), ("<s>", 1), ("the", None)]))
    separate = [replay(model, text) for text in ["▁the", "the"]]
    one, other = (each.state(len(each)).tolist() for each in separate)
    assert played.state(len(played)).tolist() == [*one, 1, *other]
    assert played.byte_offsets.tolist() == [0, 3, 4, 5, 6, 9, 10, 11, 12]
    assert played.pretoken_index.tolist() == [0, 0, 0, 0, 1, 2, 2, 2]
