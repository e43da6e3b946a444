"""Tokenizers stay as they were made, and go to other processes small and once, with all that they can do."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest

import tokviz
from tokviz.formats import Preparation, PreparedTokenizer, Split
from tokviz.tokenizers import Tokenizer

TEXT = "The lowest of the newest: 12345 naïve 🍕s, don't!\n\n  <s> newer still"
CORPUS = (Path(__file__).parent / "data" / "anna_karenina_opening.txt").read_text("utf-8") + TEXT
TRAINED = tokviz.train(CORPUS, num_merges=60, split_pattern="gpt2", special_tokens=["<s>"])
KINDS: dict[str, Tokenizer] = {
    "shipped": tokviz.load("cl100k_base"),
    "shipped, another pattern": tokviz.load("cl100k_base").with_split_pattern("words"),
    "shipped, another name": tokviz.load("gpt2").with_name("mine"),
    "cut": tokviz.load("gpt2").cut(300),
    "trained": TRAINED,
    "trained, another pattern": TRAINED.with_split_pattern(None),
    "characters": tokviz.train(CORPUS, num_merges=20, alphabet="characters", end_of_word="_"),
    "prepared": PreparedTokenizer(
        "prepared", TRAINED.vocab, TRAINED.merges, Preparation(normal_forms=("NFD",), splits=(Split(r"\w+"),))
    ),
    "code points": tokviz.CharacterTokenizer(),
    "bytes": tokviz.ByteTokenizer(),
    "words": tokviz.WordTokenizer.from_text(CORPUS),
}
a_kind = pytest.mark.parametrize("tokenizer", KINDS.values(), ids=KINDS)


@pytest.fixture(scope="module")
def other_process() -> Iterator[ProcessPoolExecutor]:
    """A process that shares nothing with this one."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def columns(tokenization: tokviz.Tokenization) -> dict[str, Any]:
    """All that a Tokenization says."""
    names = ("ids", "byte_offsets", "special", "pretoken_index", "code_point_offsets", "utf16_offsets")
    columns = {name: getattr(tokenization, name).tolist() for name in names}
    return columns | {"text": tokenization.text, "replaced": tokenization.replaced, "bytes": tokenization.token_bytes}


def what_it_does(tokenizer: Tokenizer) -> dict[str, Any]:
    allowed = "all" if tokenizer.special_tokens else ()
    ids = tokenizer.encode(TEXT, allowed)
    told = {"name": tokenizer.name, "ids": ids, "text": tokenizer.decode(ids), "size": tokenizer.vocab_size}
    return told | columns(tokenizer.tokenize(TEXT, allowed))


def is_the_loaded_one(tokenizer: Tokenizer, name: str) -> bool:
    return tokenizer is tokviz.load(name)


seen: WeakSet[Tokenizer] = WeakSet()


def was_here_before(tokenizer: Tokenizer) -> bool:
    """Whether this very object was asked the same before."""
    known = tokenizer in seen
    seen.add(tokenizer)
    return known


@a_kind
def test_a_tokenizer_does_the_same_in_another_process(tokenizer: Tokenizer, other_process: ProcessPoolExecutor) -> None:
    assert other_process.submit(what_it_does, tokenizer).result() == what_it_does(tokenizer)


def test_a_shipped_tokenizer_is_sent_by_name(other_process: ProcessPoolExecutor) -> None:
    for name in tokviz.available():
        tokenizer = tokviz.load(name)
        assert len(pickle.dumps(tokenizer)) < 500
        assert len(pickle.dumps(tokenizer.with_split_pattern("words").with_name("mine"))) < 500
    assert other_process.submit(is_the_loaded_one, tokviz.load("gpt2"), "gpt2").result()


def test_a_tokenizer_is_sent_without_what_it_worked_out() -> None:
    def pickled(use: bool) -> int:
        tokenizer = tokviz.train(CORPUS, num_merges=60, alphabet="characters")
        if use:
            what_it_does(tokenizer)
            tokenizer.replay(TEXT), tokenizer.tree(tokenizer.vocab_size - 1), tokenizer.knows(b"the")
        return len(pickle.dumps(tokenizer))

    assert pickled(use=True) == pickled(use=False)


def test_a_process_builds_a_tokenizer_once(other_process: ProcessPoolExecutor) -> None:
    tokenizer = tokviz.train(CORPUS, num_merges=5)
    assert [other_process.submit(was_here_before, tokenizer).result() for _ in range(3)] == [False, True, True]
    assert not other_process.submit(was_here_before, tokenizer.with_split_pattern("gpt2")).result()
    assert pickle.loads(pickle.dumps(tokenizer)) is tokenizer


def test_a_tokenization_is_sent_without_its_vocabulary(other_process: ProcessPoolExecutor) -> None:
    for tokenizer in KINDS.values():
        tokenization = tokenizer.tokenize(TEXT, "all" if tokenizer.special_tokens else ())
        size = len(pickle.dumps(tokenization))
        assert size < 1000 + 20 * len(tokenization), tokenizer
        assert other_process.submit(columns, tokenization).result() == columns(tokenization)
        again = pickle.loads(pickle.dumps(tokenization))
        assert columns(pickle.loads(pickle.dumps(again))) == columns(tokenization)


def findings(comparison: tokviz.Comparison) -> list[object]:
    others = range(1, len(comparison.tokenizers))
    reasons = [comparison.reasons(other).tolist() for other in others]
    explained = [comparison.explain(segment, other) for segment in range(len(comparison)) for other in others]
    sentences = [explanation.sentence for explanation in explained if explanation]
    counts = [column.tolist() for column in comparison.class_counts]
    return [comparison.names, list(comparison), comparison.token_counts, reasons, sentences, counts]


def test_a_comparison_does_the_same_in_another_process(other_process: ProcessPoolExecutor) -> None:
    comparison = tokviz.compare(TEXT, ["gpt2", "cl100k_base", TRAINED, TRAINED], names=["a", "b", "c", "c"])
    expected = findings(comparison)
    assert len(set(comparison.names)) == 4 and any(np.concatenate([comparison.reasons(1), comparison.reasons(2)]))
    assert other_process.submit(findings, comparison).result() == expected
    assert len(pickle.dumps(tokviz.compare(TEXT, ["gpt2", "cl100k_base"]))) < 5000


@a_kind
def test_attributes_of_tokenizers_can_not_be_set(tokenizer: Tokenizer) -> None:
    before = what_it_does(tokenizer)
    for name in [*vars(tokenizer), "merges", "vocab_size", "split_pattern", "some_thing"]:
        with pytest.raises(AttributeError, match=f"can't set '{name}'.*with_name and with_split_pattern"):
            setattr(tokenizer, name, None)
        with pytest.raises(AttributeError, match=f"can't set '{name}'"):
            delattr(tokenizer, name)
    assert what_it_does(tokenizer) == before


def test_attributes_of_a_tokenization_can_not_be_set() -> None:
    tokenization = TRAINED.tokenize(TEXT)
    with pytest.raises(AttributeError, match="can't set 'text': a Tokenization stays as it was made"):
        tokenization.text = "another"


def test_another_name_is_another_tokenizer() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.with_name("mine").name == "mine" and gpt2.name == "gpt2"
    for wrong, error in ((5, TypeError), ("", ValueError), (" ", ValueError)):
        with pytest.raises(error, match="a tokenizer's name must"):
            gpt2.with_name(wrong)  # type: ignore[arg-type]


def test_a_tokenizer_holds_its_vocabulary_for_itself() -> None:
    vocab, specials = dict(TRAINED.vocab), dict(TRAINED.special_tokens)
    tokenizer = tokviz.BPETokenizer("copied", vocab, TRAINED.merges, special_tokens=specials)
    vocab[97] = b"changed"
    specials["changed"] = 97
    assert tokenizer.vocab == TRAINED.vocab and tokenizer.special_tokens == TRAINED.special_tokens


def test_a_kind_of_tokenizer_from_outside_may_set_its_attributes_while_it_is_made() -> None:
    class Halves(tokviz.ByteTokenizer):
        def __init__(self) -> None:
            super().__init__()
            self.name = "Halves"

    halves = Halves()
    assert halves.name == "Halves"
    with pytest.raises(AttributeError):
        halves.name = "Thirds"
