"""Messages between the server and its children: whole or not sent, plain, and never another visitor's."""

import io
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

import tokviz
from tokviz import formats
from tokviz.app.shields.processes import answering, children, exchange, kept_child, sent_tokenizers
from tokviz.app.shields.processes.kept_child import KeptChild, Task
from tokviz.app.shields.processes.sent_tokenizers import tokenizer_of, values_of
from tokviz.app.shields.processes.typed import typed
from tokviz.pretokens.splitting import TimeBudget
from tokviz.pretrained import load
from tokviz.tokenizers.bpe import BPETokenizer

VALUES: list[Any] = [
    "text 🍕 \ud800",
    b"\0\xff",
    ["one", "", "\udfff"],
    [],
    {},
    {"a.json": b"{}", "b": b""},
    {"a": [1, 2.5, None, True, {"b": "c"}]},
    None,
    0.1,
]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_values_come_back() -> None:
    assert exchange.unpack(exchange.pack(*VALUES)) == VALUES
    assert exchange.unpack(exchange.pack()) == []
    assert exchange.unpack(exchange.pack((1, (2,)), np.arange(3), ("a", "b"))) == [[1, [2]], [0, 1, 2], ["a", "b"]]
    called = exchange.unpack_call(exchange.pack_call(partial(int, "11"), 2))
    assert called() == 3


def test_what_is_nested_too_deeply_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(ValueError, match="inside one another"):
        exchange.pack("x" * 100_000, nested(100_000))


def test_no_bytes_are_taken_for_a_message_that_is_none() -> None:
    whole = exchange.pack(*VALUES)
    rng = random.Random(0)
    for size in range(0, len(whole), 7):
        with pytest.raises(ValueError, match="broke"):
            exchange.unpack(whole[:size])
    for _ in range(2_000):
        broken = bytearray(whole)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        with suppress(ValueError):
            exchange.unpack(bytes(broken))
    deep = b'[["json",' + b"[" * 100_000 + b"]" * 100_000 + b",[]]]"
    for head in (deep, b"[5]", b'[["text",null,[-1]]]', b'[["text",null,[]]]', b'[["files",["a"],[]]]', b"{}x"):
        with pytest.raises(ValueError, match="broke"):
            exchange.unpack(len(head).to_bytes(8, "little") + head)


def test_a_message_has_a_limit_and_an_end() -> None:
    stream = io.BytesIO()
    exchange.write(stream, b"12345")
    stream.seek(0)
    with pytest.raises(ValueError, match="broke"):
        exchange.read(stream, 4)
    with pytest.raises(EOFError):
        exchange.read(io.BytesIO(stream.getvalue()[:-1]), 5)


class Point(NamedTuple):
    x: int
    name: str | None
    kind: Literal["a", "b"]
    places: list[tuple[int, float]]


def test_values_have_the_types_that_are_expected() -> None:
    value = Point(1, None, "b", [(1, 2.0), (3, 4.5)])
    assert typed(Point, json.loads(json.dumps(value))) == value
    wrong: list[Any] = [
        [True, None, "b", []],
        [1, 5, "b", []],
        [1, None, "c", []],
        [1, None, ["a"], []],
        [1, None, "b", [[1]]],
        [1, None, "b", {}],
        [1, None, "b"],
        {"x": 1},
        None,
    ]
    for each in wrong:
        with pytest.raises(ValueError):
            typed(Point, each)


# A child that is asked in part


class Failing:
    """A pipe to a child that fails after so many bytes, as it does if what is sent can't be made."""

    def __init__(self, pipe: Any, after: int, error: BaseException) -> None:
        self._pipe, self._left, self._error = pipe, after, error

    def write(self, data: bytes) -> None:
        self._pipe.write(data[: self._left])
        self._pipe.flush()
        self._left -= len(data)
        if self._left < 0:
            raise self._error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipe, name)


def task(pattern: str, text: str, most: int = 10_000) -> Task:
    return Task(exchange.pack(pattern, [text]), "this", most, TimeBudget(60, 60))


def ask(child: KeptChild, text: str) -> list[int]:
    child.start("this")
    numbers: list[int] = np.frombuffer(child.ask(task("[a-z]+", text)), np.int32).tolist()
    return numbers


@pytest.fixture
def child() -> Iterator[KeptChild]:
    child = KeptChild("patterns_child", 10**9)
    yield child
    child.end()


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), KeyboardInterrupt(), ValueError(), OSError()])
@pytest.mark.parametrize("after", [0, 20, 100])
def test_a_child_that_got_half_a_message_is_ended(child: KeptChild, after: int, error: BaseException) -> None:
    """What the next visitor asks must never be read after the half that another sent."""
    assert ask(child, "ab c") == [4, 0, 2, 3, 4]
    process: Any = child.process
    process.stdin = Failing(process.stdin, after, error)
    with pytest.raises((type(error), children.Failed)):
        ask(child, "stranger " * 50)
    assert process.poll() is not None
    assert ask(child, "ab c") == [4, 0, 2, 3, 4]


def test_a_child_whose_answer_was_not_read_is_ended(child: KeptChild, monkeypatch: pytest.MonkeyPatch) -> None:
    child.start("this")
    process = child.process
    with monkeypatch.context() as patch:
        patch.setattr(kept_child, "LEAST", 0)
        with pytest.raises(children.Failed, match="broke"):
            child.ask(task("(", "ab", 0))
    assert process is not None and process.poll() is not None
    assert ask(child, "ab") == [2, 0, 2]


def test_a_longer_answer_than_was_allowed_is_not_sent(child: KeptChild) -> None:
    child.start("this")
    process = child.process
    with pytest.raises(children.Failed, match="this gives more than this server sends: 5,000 bytes"):
        child.ask(task("a", "a" * 10_000, 5_000))
    assert ask(child, "ab") == [2, 0, 2]
    assert child.process is process


def test_nobody_waits_forever_for_a_child_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_child, "START_SECONDS", 0.001)
    child = KeptChild("patterns_child", 10**9)
    with pytest.raises(children.Failed, match="too busy to start"):
        child.start("this")
    assert child.process is None


def test_what_a_child_answers_when_it_fails() -> None:
    """The kinds are those of the protocol."""

    def raising(error: BaseException) -> tuple[bytes, bytes]:
        def answer(*_: object) -> bytes:
            raise error

        return answering.outcome(answer, b"", 1.0)

    assert raising(ValueError("no \ud800")) == (answering.PROBLEM, b"no ?")
    assert raising(TimeoutError()) == raising(KeyboardInterrupt()) == (answering.TOO_SLOW, b"")
    assert raising(MemoryError()) == (answering.TOO_LARGE, b"")
    assert raising(SystemExit()) == (answering.FAILED, b"SystemExit")


# Tokenizers

TEXT = "The cat, the hat\n\n  and 12 cafés 🍕 <|endoftext|>"


def trained(**options: Any) -> BPETokenizer:
    return tokviz.train("the cat in the hat, the cat. " * 3 + TEXT, num_merges=12, **options)


def from_file(tok: BPETokenizer, name: str, **given: Any) -> BPETokenizer:
    return formats.read(formats.write(tok, name).files, **given)


TOKENIZERS: dict[str, Callable[[], BPETokenizer]] = {
    "trained": lambda: trained(split_pattern="cl100k", special_tokens=["<|endoftext|>"]),
    "characters": lambda: trained(alphabet="characters", end_of_word="</w>"),
    "glued marks": lambda: trained(alphabet="characters", end_of_word="</w>", split_pattern=None).cut(3),
    "seen bytes": lambda: trained(alphabet="seen-bytes", split_pattern=None, tie_break="greatest-bytes"),
    "from ranks": lambda: from_file(load("gpt2"), "x.tiktoken", split_pattern="gpt2"),
    "from merges": lambda: from_file(load("gpt2"), "tokenizer.json"),
    "whole tokens": lambda: BPETokenizer("whole", load("gpt2").vocab, split_pattern="gpt2", ignore_merges=True),
    "several patterns": lambda: load("gpt2").with_split_patterns([r"\d", r"\w+|\W"]),
    "settings": lambda: BPETokenizer("s", load("gpt2").vocab, unapplied={"decoder": {"type": "Fuse"}, "n": [None, 1]}),
    "without tokens": lambda: BPETokenizer("none", {}),
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_comes_back_the_same(name: str) -> None:
    expected = TOKENIZERS[name]()
    found = tokenizer_of(exchange.unpack(exchange.pack(*values_of(expected))))
    for attribute in (
        *("name", "vocab", "special_tokens", "split_patterns", "merges", "ranks", "tiktoken_ranks", "alphabet"),
        *("end_of_word", "ignore_merges", "unapplied", "around", "in_order", "num_merges", "_well_made", "_merges"),
    ):
        assert getattr(found, attribute) == getattr(expected, attribute), attribute
    for attribute in ("vocab", "merges", "special_tokens"):
        assert list(getattr(found, attribute)) == list(getattr(expected, attribute)), attribute
    if expected.vocab:
        assert found.encode(TEXT, "all") == expected.encode(TEXT, "all")
    if expected.training is None:
        assert found.training is None
    else:
        assert found.training is not None
        assert list(found.training) == list(expected.training)
        assert repr(found.training) == repr(expected.training)


def test_no_other_values_are_taken_for_a_tokenizer() -> None:
    rng = random.Random(0)
    values = exchange.unpack(exchange.pack(*values_of(TOKENIZERS["trained"]())))
    number = np.array([2**31 - 1], np.int32).tobytes()
    for place, value in enumerate(values):
        others: list[Any] = [None, "", [], 5, {}]
        if isinstance(value, bytes):
            others += [number * 3, value[:-1], value + number]
        for other in others[(place == len(values) - 1) :]:  # without tiktoken's ids, it merges by itself
            with pytest.raises(ValueError, match="broke"):
                tokenizer_of([*values[:place], other, *values[place + 1 :]])
    for place in range(1, len(values)):
        for _ in range(100):
            broken = bytearray(values[place])
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
            try:
                found = tokenizer_of([*values[:place], bytes(broken), *values[place + 1 :]])
            except ValueError:
                continue
            assert set(found.merges.values()) <= set(found.vocab)
    assert len(exchange.pack(*values_of(load("cl100k_base")))) < sent_tokenizers.MAX_SENT
