"""The lattice gives what sentencepiece and tokenizers give, and its n best paths are those of trying all."""

from __future__ import annotations

import json
from collections.abc import Iterator

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
    hugging_face_unigram,
    piece_ids,
    processor,
    proto,
    sentencepiece_file,
    sentencepiece_model,
)

import tokviz.subwords.unigram
from tokviz.subwords.fallback import NoUnknownToken
from tokviz.subwords.unigram import Lattice, UnigramModel, user_defined_score

WORDS = st.sampled_from(
    ["the", "shells", "low", "er", "ab", "un", "Ü", "é", "日本", "語", " ", "  ", ".", "zq", "🍕", "ﬁ"]
)
TEXTS = st.lists(WORDS, max_size=20).map("".join)


def from_sentencepiece(file: bytes) -> UnigramModel:
    model = proto(file)
    scores = np.array([piece.score for piece in model.pieces], np.float32)
    for piece, index in piece_ids(model, USER_DEFINED).items():
        scores[index] = user_defined_score(piece)
    normal = [piece.score for piece in model.pieces if piece.type == NORMAL]
    return UnigramModel(
        ids=piece_ids(model, NORMAL, USER_DEFINED),
        scores=scores,
        unk_id=processor(file).unk_id(),
        unk_score=float(np.float32(min(normal)) - np.float32(10)),
        byte_ids=byte_ids(model),
    )


def best_ids(model: UnigramModel, text: str) -> list[int]:
    lattice = Lattice(model, text)
    return [token.id for token in lattice.tokens(lattice.paths()[0])]


@pytest.mark.parametrize("options", [{}, {"byte_fallback": True}, {"user_defined_symbols": "shell,er,ab,▁l"}], ids=str)
def test_best_path_is_what_sentencepiece_encodes(options: dict[str, object]) -> None:
    file = sentencepiece_model("unigram", 400, **options)
    engine, model = processor(file), from_sentencepiece(file)

    @examples(75, str(options))
    @given(TEXTS)
    def check(text: str) -> None:
        assert best_ids(model, engine.normalize(text)) == engine.encode(text)

    check()


@examples(150)
@given(TEXTS)
def test_best_path_is_what_tokenizers_encodes(text: str) -> None:
    engine = hugging_face_unigram()
    vocab = json.loads(engine.to_str())["model"]["vocab"]
    scores = np.array([score for _, score in vocab])
    model = UnigramModel({piece: i for i, (piece, _) in enumerate(vocab)}, scores, scores.min() - 10, unk_id=0)
    for word in ["<unk>", "q<unk>", text.replace(" ", "▁")]:
        assert best_ids(model, word) == [token.id for token in engine.model.tokenize(word)]


SCORES = st.sampled_from([-1.0, -2.0, -3.0, -0.1, -0.7, -1e-3])


@examples(150)
@given(st.dictionaries(st.text("ab", min_size=1, max_size=4), SCORES, min_size=1), st.text("abc", min_size=1))
def test_ties_are_broken_as_in_sentencepiece(pieces: dict[str, float], text: str) -> None:
    listed = [("<unk>", 0.0, UNKNOWN), *((piece, score, NORMAL) for piece, score in pieces.items())]
    file = sentencepiece_file("unigram", listed)
    assert best_ids(from_sentencepiece(file), text) == processor(file).encode(text)


def test_long_texts_keep_their_precision_as_in_sentencepiece() -> None:
    listed = [("<unk>", 0.0, UNKNOWN), ("a", -0.3, NORMAL), ("aa", -0.60001, NORMAL), ("ba", -900.1, NORMAL)]
    file = sentencepiece_file("unigram", listed)
    text = "aababaaacbaaaba" * 200
    assert best_ids(from_sentencepiece(file), text) == processor(file).encode(text)


def cuts(pieces: set[str], text: str) -> Iterator[list[str]]:
    """All ways to write a text as pieces and single characters."""
    if not text:
        yield []
    for end in range(1, len(text) + 1):
        if text[:end] in pieces or end == 1:
            yield from ([text[:end], *rest] for rest in cuts(pieces, text[end:]))


@examples(100)
@given(
    st.dictionaries(st.text("ab", min_size=1, max_size=3), st.floats(-9, -1), min_size=1), st.text("abc", max_size=7)
)
def test_next_best_paths_are_those_of_trying_all(pieces: dict[str, float], text: str) -> None:
    unknown, scores = min(pieces.values()) - 10, np.array([0, *pieces.values()])
    model = UnigramModel({piece: i for i, piece in enumerate(pieces, 1)}, scores, unknown, unk_id=0)
    expected = sorted(
        ((sum(pieces.get(p, unknown) for p in cut), cut) for cut in cuts(set(pieces), text)), reverse=True
    )
    lattice = Lattice(model, text)
    assert lattice.num_paths == len(expected)
    found = [
        (path.score, [lattice.piece(edge) for edge in path.edges.tolist()]) for path in lattice.paths(len(expected))
    ]
    assert [score for score, _ in found] == pytest.approx([score for score, _ in expected])
    assert sorted(cut for _, cut in found) == sorted(cut for _, cut in expected)


@examples(40)
@given(TEXTS.filter(str.strip))
def test_next_best_paths_are_sentencepiece_s(text: str) -> None:
    file = sentencepiece_model("unigram", 400)
    engine = processor(file)
    lattice = Lattice(from_sentencepiece(file), engine.normalize(text))
    expected = engine.nbest_encode(text, nbest_size=8, return_type="proto").nbests
    assert [path.score for path in lattice.paths(8)] == pytest.approx([each.score for each in expected], rel=1e-4)
    ids = [[token.id for token in lattice.tokens(path)] for path in lattice.paths(8)]
    if len({round(each.score, 2) for each in expected}) == len(expected):  # without ties
        assert ids == [[piece.id for piece in each.pieces] for each in expected]


def test_unknown_text_becomes_one_token_or_its_bytes() -> None:
    pieces = [("<unk>", 0.0, UNKNOWN), ("a", -1.0, NORMAL)]
    with_bytes = from_sentencepiece(sentencepiece_file("unigram", pieces + BYTE_PIECES, byte_fallback=True))
    without = from_sentencepiece(sentencepiece_file("unigram", pieces))
    for model, expected in [(without, [(1, 1), (0, 5)]), (with_bytes, [(1, 1)] + [(2 + b, 1) for b in "é語".encode()])]:
        lattice = Lattice(model, "aé語")
        assert lattice.tokens(lattice.paths()[0]) == expected
        assert lattice.scores.tolist() == [-1, -11, -11]


def test_what_cannot_be_done_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = UnigramModel({"a": 0, "aa": 1}, np.array([-1.0, -1.5]), -11.5)
    with pytest.raises(NoUnknownToken, match="no piece of the vocabulary fits 'b'"):
        Lattice(model, "ab")
    with pytest.raises(ValueError, match="n must be 1 or more, not 0"):
        Lattice(model, "a").paths(0)
    monkeypatch.setattr(tokviz.subwords.unigram, "MAX_EDGES", 10)
    with pytest.raises(ValueError, match="more than 10 pieces fit"):
        Lattice(model, "aaaaaaaa")


def test_empty_text_has_one_path_without_pieces() -> None:
    lattice = Lattice(UnigramModel({"a": 0}, np.array([-1.0]), -11.0), "")
    assert [(path.edges.tolist(), path.score) for path in lattice.paths(3)] == [([], 0.0)]
    assert (len(lattice), lattice.num_paths) == (0, 1)
