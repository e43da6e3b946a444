"""Replays, lattices and longest matches end with what the engines encode, and show it at the same places."""

from __future__ import annotations

import numpy as np
import pytest
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model

from tokviz.bpe.tower import blocks_of
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

# Clip's small file has no tokens for some bytes at the end of a word: the library drops them.
EXACT = [name for name in FAMILIES if name not in ("clip", "words")]
OPTIONS: list[dict[str, object]] = [
    {},
    {"byte_fallback": True, "vocab_size": 800},
    {"user_defined_symbols": "the,<mask>,▁lo"},
    {"split_by_whitespace": False},
    {"treat_whitespace_as_suffix": True},
]
TEXTS = nasty_texts(120)


def final(tok: EngineTokenizer, text: str, allowed: str | tuple[()]) -> Tokenization | list[int]:
    """How the capability of a tokenizer says that it reads a text."""
    if tok.algorithm == "wordpiece":
        return tok.longest_matches(text, allowed).ids
    if tok.algorithm == "unigram":
        lattice = tok.lattice(text, 3, allowed)
        scores = [way.score for way in lattice.ways]
        assert scores == pytest.approx(sorted(scores, reverse=True))
        assert lattice.ids(lattice.ways[0]).tolist() == tok.encode(text, allowed)
        return lattice.tokenization(lattice.ways[0])
    replay = tok.replay(text, allowed)
    for k, step in enumerate(replay[:]):
        before, after = replay.state(k), replay.state(k + 1)
        assert len(before) - len(after) == step.places
        assert (after == step.new).sum() - (before == step.new).sum() == step.places
    blocks_of(replay, [range(len(replay.symbols))])
    return replay.tokenization(len(replay))


def check(tok: EngineTokenizer) -> None:
    for text in TEXTS:
        for allowed in ((), "all"):
            found, expected = final(tok, text, allowed), tok.tokenize(text, allowed)
            if isinstance(found, Tokenization):
                assert found.byte_offsets.tolist() == expected.byte_offsets.tolist()
                found = found.ids.tolist()
            assert found == expected.ids.tolist()


@pytest.mark.parametrize("name", EXACT)
def test_hugging_face_families(name: str) -> None:
    check(HuggingFaceTokenizer(name, family(name)))


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_sentencepiece_models(kind: str, options: dict[str, object]) -> None:
    check(SentencePieceTokenizer(kind, sentencepiece_model(model_type=kind, **options)))


def test_orders_end_alike() -> None:
    tok = SentencePieceTokenizer("bpe", sentencepiece_model(model_type="bpe"))
    by_rank, by_pretoken = (tok.replay("the lowest of the low", order=order) for order in ("rank", "pretoken"))
    assert by_rank.state(len(by_rank)).tolist() == by_pretoken.state(len(by_pretoken)).tolist()
    assert np.diff(by_rank.ranks).min() > 0
    assert len(by_pretoken) > len(by_rank)


def test_next_best_ways_tile_the_text_and_decode_to_it() -> None:
    tok = SentencePieceTokenizer("unigram", sentencepiece_model(model_type="unigram"))
    text = "the lowest of the low"
    for way in tok.lattice(text, 20).ways:
        assert tok.decode(tok.lattice(text).ids(way).tolist()) == text
        assert b"".join(tok.lattice(text).tokenization(way).token_bytes) == text.encode()


def test_what_a_tokenizer_cannot_do_is_said_with_what_it_can() -> None:
    t5, bert, llama, words = (HuggingFaceTokenizer(name, family(name)) for name in ("t5", "bert", "llama2", "words"))
    with pytest.raises(ValueError, match="t5 has no replay, since its algorithm is unigram: use lattice"):
        t5.replay("a")
    with pytest.raises(ValueError, match="bert has no lattice, since its algorithm is wordpiece: use longest_matches"):
        bert.lattice("a")
    with pytest.raises(ValueError, match="llama2 has no longest_matches, since its algorithm is bpe: use replay"):
        llama.longest_matches("a")
    with pytest.raises(ValueError, match=r"words has no replay, since its algorithm is wordlevel$"):
        words.replay("a")
    with pytest.raises(ValueError, match="n must be from 1 to 100, not 0"):
        t5.lattice("a", 0)
    with pytest.raises(ValueError, match="order must be one of"):
        llama.replay("a", order="backwards")  # type: ignore[arg-type]


def test_dropped_characters_are_refused() -> None:
    clip = HuggingFaceTokenizer("clip", family("clip"))
    with pytest.raises(ValueError, match="no piece of the vocabulary fits '½', and it has no unknown token"):
        clip.replay("½")
    assert clip.replay("the lowest").state(0).tolist()


def test_shown_in_notebooks() -> None:
    t5, bert = (HuggingFaceTokenizer(name, family(name)) for name in ("t5", "bert"))
    assert t5.lattice("the lowest")._repr_html_().startswith("<iframe")
    assert bert.longest_matches("the lowest")._repr_html_().startswith("<iframe")
    assert "a lattice shows 1,000 at most" in t5.lattice("the lowest " * 200)._repr_html_()
    assert "500 are shown at most" in bert.longest_matches("the lowest " * 300)._repr_html_()
