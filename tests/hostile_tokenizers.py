"""Tokenizers that do what a native engine might, opened by name in guarded processes.

These find this module where PYTHONPATH says: see `importable`.
"""

import os
import re
import time
from pathlib import Path

import numpy as np
import pytest

from tokviz.arrays import Int32Array
from tokviz.pretrained import load
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes import this module."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


class Hostile(Tokenizer):
    """A tokenizer over bytes that does harm when a text asks for it."""

    def __init__(self) -> None:
        self.name = "hostile"
        self.vocab = {number: bytes([number]) for number in range(256)}
        self.split_patterns = ()
        self.special_tokens = {}

    def _encode_ordinary(self, text: str) -> list[int]:
        if text == "memory":
            return list(bytearray(4 * 1024**3))
        if text == "forever":
            while True:
                pass
        if text == "abort":
            os.abort()
        if text == "refuse":
            raise ValueError("this text is refused")
        if text == "panic":
            raise _Panic
        return list(text.encode())

    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        if text == "lie":
            return np.full(len(ids), 2, np.int32)
        return np.ones(len(ids), np.int32)


class _Panic(BaseException):
    """Exception outside of Exception's subclasses, as PyO3 raises for a panic in Rust."""


def hostile() -> Tokenizer:
    """Return a tokenizer that does harm when asked to."""
    return Hostile()


def gpt2() -> Tokenizer:
    """Return a good tokenizer."""
    return load("gpt2")


def words() -> Tokenizer:
    """Return another good one."""
    return WordTokenizer.from_text("good words")


def opens_never() -> Tokenizer:
    """Take forever to open."""
    time.sleep(600)
    raise AssertionError


def holds_the_lock(begun: str) -> Tokenizer:
    """Hold Python's lock for longer than anybody waits, as native code may, once the file `begun` is there."""
    Path(begun).touch()
    re.match("(a|a)*b", "a" * 60)
    raise AssertionError


def aborts() -> Tokenizer:
    """Crash while it is opened."""
    os.abort()


def counted(path: str) -> Tokenizer:
    """Crash on every use, and note each time that it is opened."""
    with Path(path).open("a") as file:
        file.write("opened\n")
    return Hostile()


def long_answer(kind: str) -> object:
    """Return 5,000 characters, or refuse in as many."""
    if kind == "refusal":
        raise ValueError("x" * 5_000)
    return "x" * 5_000
