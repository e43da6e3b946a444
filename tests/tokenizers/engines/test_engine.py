"""Replays, lattices and longest matches end with what the engines encode, and show it at the same places."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable
from functools import partial

import numpy as np
import pytest
import regex
import tokenizer_files
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from tokviz.bpe.tower import blocks_of
from tokviz.loading import load_shipped
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.engines.engine import EngineTokenizer
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
    """Return the tokens that a tokenizer's replay, lattice or longest matches end with, checked on the way."""
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


def check(tok: EngineTokenizer, texts: Iterable[str] = TEXTS) -> None:
    for text in texts:
        for allowed in ((), "all"):
            found, expected = final(tok, text, allowed), tok.tokenize(text, allowed)
            if isinstance(found, Tokenization):
                assert found.byte_offsets.tolist() == expected.byte_offsets.tolist()
                found = found.ids.tolist()
            assert found == expected.ids.tolist()


@pytest.mark.parametrize("name", EXACT)
def test_hugging_face_families(name: str) -> None:
    check(HuggingFaceTokenizer(name, family(name)))


def test_added_tokens_that_must_be_whole_words() -> None:
    """Inside a word, the model may make the same token of its own symbols."""
    tok = HuggingFaceTokenizer("all flags", tokenizer_files.family("all flags").to_str().encode())
    check(tok, ["ablow", "xlow slow", "lo low lo.low", "lo's below", "né nén", "１lo", "e\u0301lo", "\u200dlo"])


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_sentencepiece_models(kind: str, options: dict[str, object]) -> None:
    check(SentencePieceTokenizer(kind, sentencepiece_model(model_type=kind, **options)))


def check_trees(tok: EngineTokenizer) -> None:
    """A token's tree says the same merge and rank as the replay that makes the token."""
    for text in TEXTS:
        for step in tok.replay(text, "all")[:]:
            tree = tok.tree(step.new)
            assert tree.left and tree.right
            assert (tree.rank, tree.left.id, tree.right.id) == (step.rank, step.left, step.right)
            assert tok.rank(step.left) == tree.left.rank
    for token in list(tok.vocab)[:600]:
        assert tok.tree(token).id == token


def several_merges_per_token(ignore_merges: bool, seed: int) -> HuggingFaceTokenizer:
    """As converters of tiktoken's files write Llama 3's: merges of any two tokens that make a third, in any order."""
    rng = random.Random(seed)
    words = sorted({"".join(rng.choices("theĠ", k=rng.randint(2, 4))) for _ in range(40)})
    vocab = {text: at for at, text in enumerate([*sorted(pre_tokenizers.ByteLevel.alphabet()), *words])}
    pairs = [(word[:at], word[at:]) for word in words for at in range(1, len(word))]
    known = [pair for pair in pairs if vocab.keys() >= set(pair)]
    engine = Tokenizer(models.BPE(vocab, rng.sample(known, len(known)), ignore_merges=ignore_merges))
    engine.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r" ?\w+|\s+"), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )
    return HuggingFaceTokenizer("several", engine.to_str().encode())


@pytest.mark.parametrize("ignore_merges", [False, True])
def test_merge_trees_agree_with_replays_where_several_merges_make_a_token(ignore_merges: bool) -> None:
    for seed in range(12):
        tok = several_merges_per_token(ignore_merges, seed)
        assert len(tok.merges) > len(set(tok.merges.values()))
        rng = random.Random(seed)
        for _ in range(20):
            text = "".join(rng.choices("the ", k=rng.randint(1, 30)))
            for step in tok.replay(text)[:]:
                tree = tok.tree(step.new)
                assert tree.left and tree.right
                assert (tree.rank, tree.left.id, tree.right.id) == (step.rank, step.left, step.right)
                assert list(tok.merges.items())[step.rank] == ((step.left, step.right), step.new)
        for token, data in tok.vocab.items():
            assert b"".join(leaf.bytes for leaf in tok.tree(token).leaves()) == data


@pytest.mark.parametrize("name", ["llama2", "gemma", "llama3", "roberta", "modernbert", "clip"])
def test_merge_trees_agree_with_replays(name: str) -> None:
    tok = HuggingFaceTokenizer(name, family(name))
    if name != "clip":
        check_trees(tok)
    else:
        step = tok.replay("lowest")[-1]
        assert tok.tree(step.new).rank == step.rank
        assert tok.tree(step.new).bytes.endswith(b"</w>")


def test_merge_trees_of_sentencepiece_agree_with_replays() -> None:
    check_trees(
        SentencePieceTokenizer("bpe", sentencepiece_model(model_type="bpe", byte_fallback=True, vocab_size=800))
    )


@pytest.mark.parametrize("name", ["qwen3", "mistral-7b"])
def test_shipped_models_have_trees_and_replays(name: str) -> None:
    tok = load_shipped(name)
    assert isinstance(tok, EngineTokenizer)
    replay = tok.replay("Unbelievable tokenizers!")
    assert len(replay) and tok.num_merges > 28_000
    for step in replay[:]:
        assert (tok.rank(step.new), tok.parents(step.new)) == (step.rank, (step.left, step.right))
    with pytest.raises(ValueError, match="is not in use"):
        tok.tree(10**6)
    assert HuggingFaceTokenizer("bert", family("bert")).tree(5).rank is None


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


@pytest.mark.parametrize("name", ["qwen3", "mistral-7b", "bert-base-uncased"])
def test_engines_neither_give_nor_take_split_patterns(name: str) -> None:
    gpt2, engine = load_shipped("gpt2"), load_shipped(name)
    refused = partial(pytest.raises, ValueError, match=f"{name} cuts texts by the rules of its own file")
    with refused():
        gpt2.with_splits_of(engine)
    for giver in (gpt2, engine):
        with refused():
            engine.with_splits_of(giver)
    for pattern in ("gpt2", None):
        with refused():
            engine.with_split_pattern(pattern)


def test_dropped_characters_are_refused() -> None:
    clip = HuggingFaceTokenizer("clip", family("clip"))
    with pytest.raises(ValueError, match="no piece of the vocabulary fits '½', and it has no unknown token"):
        clip.replay("½")
    assert clip.replay("the lowest").state(0).tolist()


@pytest.mark.parametrize("does", ["replay", "sample"])
def test_dropped_characters_are_named_as_they_are_in_the_text(does: str) -> None:
    """Not as the pieces of a byte-level vocabulary spell their bytes."""
    clip = HuggingFaceTokenizer("clip", family("clip"))
    work = clip.replay if does == "replay" else partial(clip.sample, dropout=0.5, seed=1)
    named = set()
    for text in (*TEXTS, "the 你", "É ½"):
        try:
            work(text)
        except ValueError as error:
            message = re.fullmatch("no piece of the vocabulary fits ('.+'), and it has no unknown token", str(error))
            assert message and ast.literal_eval(message[1]) in text, f"{error} in {text!r}"
            named.add(ast.literal_eval(message[1]))
    assert {"你", "½"} <= named and all(regex.fullmatch(r"\X", each) for each in named)


def test_shown_in_notebooks() -> None:
    t5, bert = (HuggingFaceTokenizer(name, family(name)) for name in ("t5", "bert"))
    assert t5.lattice("the lowest")._repr_html_().startswith("<iframe")
    assert bert.longest_matches("the lowest")._repr_html_().startswith("<iframe")
    assert "a lattice shows 1,000 at most" in t5.lattice("the lowest " * 200)._repr_html_()
    assert "500 are shown at most" in bert.longest_matches("the lowest " * 300)._repr_html_()
