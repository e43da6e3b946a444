"""Tokenizers are immutable, and pickle to other processes small, once, and with all their behavior."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

import numpy as np
import pytest

import tokviz
from tokviz.chats.spans import TemplateError
from tokviz.pretokens.special_tokens import SpecialsTooSlow
from tokviz.pretokens.splitting import TooSlow
from tokviz.subwords.fallback import NoUnknownToken
from tokviz.tokenizers.base import Tokenizer

T = TypeVar("T")

ROOT = Path(__file__).parent.parent
TEXT = "The lowest of the newest: 12345 naïve 🍕s, don't!\n\n  <s> newer still"
CORPUS = (ROOT / "tokviz" / "samples" / "training" / "anna-karenina.txt").read_text("utf-8") + TEXT


@cache
def trained() -> tokviz.BPETokenizer:
    return tokviz.train(CORPUS, num_merges=60, split_pattern="gpt2", special_tokens=["<s>"])


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "shipped": lambda: tokviz.load("cl100k_base"),
    "shipped, another pattern": lambda: tokviz.load("cl100k_base").with_split_pattern("words"),
    "shipped, another name": lambda: tokviz.load("gpt2").with_name("mine"),
    "cut": lambda: tokviz.load("gpt2").cut(300),
    "trained": trained,
    "trained, another pattern": lambda: trained().with_split_pattern(None),
    "characters": lambda: tokviz.train(CORPUS, num_merges=20, alphabet="characters", end_of_word="_"),
    "code points": tokviz.CharacterTokenizer,
    "bytes": tokviz.ByteTokenizer,
    "words": lambda: tokviz.WordTokenizer.from_text(CORPUS),
}


@pytest.fixture(params=KINDS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return KINDS[request.param]()


class OtherProcess:
    """A process that shares nothing with this one and calls functions of this module."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def call(self, function: Callable[[Any], T], argument: object) -> T:
        assert self._process.stdin and self._process.stdout
        pickle.dump((function, argument), self._process.stdin)
        self._process.stdin.flush()
        result: T = pickle.load(self._process.stdout)
        return result


@pytest.fixture(scope="module")
def other_process() -> Iterator[OtherProcess]:
    # Not `multiprocessing`: it would import this process's main module, which page tests replace.
    code = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'tests')]}; import test_sendable; test_sendable.serve()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield OtherProcess(process)
        process.kill()


def serve() -> None:
    """Answer calls: runs in the other process."""
    while True:
        function, argument = pickle.load(sys.stdin.buffer)
        pickle.dump(function(argument), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def columns(tokenization: tokviz.Tokenization) -> dict[str, Any]:
    """All data of a Tokenization."""
    names = ("ids", "byte_offsets", "special", "pretoken_index", "code_point_offsets", "utf16_offsets")
    values = {name: getattr(tokenization, name).tolist() for name in names}
    return values | {"text": tokenization.text, "replaced": tokenization.replaced, "bytes": tokenization.token_bytes}


def behavior(tokenizer: Tokenizer) -> dict[str, Any]:
    allowed = "all" if tokenizer.special_tokens else ()
    ids = tokenizer.encode(TEXT, allowed)
    results = {"name": tokenizer.name, "ids": ids, "text": tokenizer.decode(ids), "size": tokenizer.vocab_size}
    return results | columns(tokenizer.tokenize(TEXT, allowed))


def is_loaded_tokenizer(tokenizer: Tokenizer) -> bool:
    return tokenizer is tokviz.load(tokenizer.name)


seen: WeakSet[Tokenizer] = WeakSet()


def is_seen_before(tokenizer: Tokenizer) -> bool:
    """Return whether this function was called with the same object before."""
    is_known = tokenizer in seen
    seen.add(tokenizer)
    return is_known


def test_a_tokenizer_behaves_the_same_in_another_process(tokenizer: Tokenizer, other_process: OtherProcess) -> None:
    assert other_process.call(behavior, tokenizer) == behavior(tokenizer)


def test_a_shipped_tokenizer_is_pickled_by_name(other_process: OtherProcess) -> None:
    for name in tokviz.available():
        tokenizer = tokviz.load(name)
        assert len(pickle.dumps(tokenizer)) < 500
        changed = tokenizer.with_split_pattern("words") if tokenizer.takes_split_patterns else tokenizer
        assert len(pickle.dumps(changed.with_name("mine"))) < 500
    assert other_process.call(is_loaded_tokenizer, tokviz.load("gpt2"))


def test_a_tokenizer_is_pickled_without_caches() -> None:
    def pickled(use: bool) -> int:
        tokenizer = tokviz.train(CORPUS, num_merges=60, alphabet="characters")
        if use:
            behavior(tokenizer)
            tokenizer.replay(TEXT), tokenizer.tree(tokenizer.vocab_size - 1), tokenizer.knows(b"the")
        return len(pickle.dumps(tokenizer))

    assert pickled(use=True) == pickled(use=False)


def test_a_process_builds_a_tokenizer_once(other_process: OtherProcess) -> None:
    tokenizer = tokviz.train(CORPUS, num_merges=5)
    assert [other_process.call(is_seen_before, tokenizer) for _ in range(3)] == [False, True, True]
    assert not other_process.call(is_seen_before, tokenizer.with_split_pattern("gpt2"))
    assert pickle.loads(pickle.dumps(tokenizer)) is tokenizer


def test_a_tokenization_is_pickled_without_its_vocabulary(other_process: OtherProcess) -> None:
    for make in KINDS.values():
        tokenizer = make()
        tokenization = tokenizer.tokenize(TEXT, "all" if tokenizer.special_tokens else ())
        size = len(pickle.dumps(tokenization))
        assert size < 1000 + 20 * len(tokenization), tokenizer
        assert other_process.call(columns, tokenization) == columns(tokenization)
        again = pickle.loads(pickle.dumps(tokenization))
        assert columns(pickle.loads(pickle.dumps(again))) == columns(tokenization)


def contents(comparison: tokviz.Comparison) -> list[object]:
    others = range(1, len(comparison.tokenizers))
    reasons = [comparison.reasons(other).tolist() for other in others]
    explained = [comparison.explain(segment, other) for segment in range(len(comparison)) for other in others]
    sentences = [explanation.sentence for explanation in explained if explanation]
    counts = [column.tolist() for column in comparison.class_counts]
    return [comparison.names, list(comparison), comparison.token_counts, reasons, sentences, counts]


def test_a_comparison_is_the_same_in_another_process(other_process: OtherProcess) -> None:
    comparison = tokviz.compare(TEXT, ["gpt2", "cl100k_base", trained(), trained()], names=["a", "b", "c", "c"])
    expected = contents(comparison)
    assert len(set(comparison.names)) == 4 and any(np.concatenate([comparison.reasons(1), comparison.reasons(2)]))
    assert other_process.call(contents, comparison) == expected
    assert len(pickle.dumps(tokviz.compare(TEXT, ["gpt2", "cl100k_base"]))) < 5000


def test_a_batch_can_not_be_written_to_in_another_process_either() -> None:
    batch = trained().encode_batch([TEXT, ""])
    again = pickle.loads(pickle.dumps(batch))
    assert [ids.tolist() for ids in again] == [ids.tolist() for ids in batch]
    assert not again.ids.flags.writeable and not again.offsets.flags.writeable


@pytest.mark.parametrize(
    "error",
    [NoUnknownToken("é"), TemplateError("no", 3), TemplateError("no", None), TooSlow("a+", 2.0), SpecialsTooSlow()],
)
def test_errors_are_the_same_in_another_process(error: ValueError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_tokenizers_are_immutable(tokenizer: Tokenizer) -> None:
    before = behavior(tokenizer)
    for name in [*vars(tokenizer), "merges", "vocab_size", "split_pattern", "some_thing"]:
        with pytest.raises(AttributeError, match=f"can't set '{name}'.*with_name and with_split_pattern"):
            setattr(tokenizer, name, None)
        with pytest.raises(AttributeError, match=f"can't set '{name}'"):
            delattr(tokenizer, name)
    assert behavior(tokenizer) == before


def test_tokenizations_are_immutable() -> None:
    tokenization = trained().tokenize(TEXT)
    with pytest.raises(AttributeError, match="can't set 'text': a Tokenization can't be changed"):
        tokenization.text = "another"


def test_with_name_returns_another_tokenizer() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.with_name("mine").name == "mine" and gpt2.name == "gpt2"
    for wrong, error in ((5, TypeError), ("", ValueError), (" ", ValueError)):
        with pytest.raises(error, match="a tokenizer's name must"):
            gpt2.with_name(wrong)  # type: ignore[arg-type]


def test_a_tokenizer_copies_its_vocabulary() -> None:
    vocab, specials = dict(trained().vocab), dict(trained().special_tokens)
    tokenizer = tokviz.BPETokenizer("copied", vocab, trained().merges, special_tokens=specials)
    vocab[97] = b"changed"
    specials["changed"] = 97
    assert tokenizer.vocab == trained().vocab and tokenizer.special_tokens == trained().special_tokens


def test_a_subclass_may_set_attributes_in_init() -> None:
    class Halves(tokviz.ByteTokenizer):
        def __init__(self) -> None:
            super().__init__()
            self.name = "Halves"

    halves = Halves()
    assert halves.name == "Halves"
    with pytest.raises(AttributeError):
        halves.name = "Thirds"


def test_results_are_frozen() -> None:
    tokenizer = trained()
    curve = tokviz.compression_curve("ab abab", tokenizer)
    assert tokenizer.training is not None
    for result, field in ((tokenizer.training[0], "count"), (tokenizer.tree(300), "rank"), (curve, "bytes")):
        with pytest.raises(FrozenInstanceError):
            setattr(result, field, 1)
