"""Functions in a limited child process: their results, their refusals, and what takes too much."""

import operator
import os
import time
from collections.abc import Callable

import hostile_tokenizers
import pytest
from hostile_tokenizers import importable as importable

from tokviz.app.shields.processes.children import Failed, Refused
from tokviz.app.shields.processes.limited import call_limited
from tokviz.app.shields.processes.pool import Limits


def call(function: Callable[..., object], *arguments: object, seconds: float = 20) -> object:
    limits = Limits(512 * 1024**2, seconds)
    return call_limited(function, *arguments, limits=limits, most=1_000, doing="testing this")


def test_results_and_refusals_come_back() -> None:
    assert call(divmod, 17, 5) == [3, 2]
    with pytest.raises(ValueError, match="invalid literal for int"):
        call(int, "five")
    with pytest.raises(Refused, match="doesn't expect"):
        call(operator.getitem, (), 0)


def test_a_sentence_is_cut_where_it_is_too_long(importable: None) -> None:
    with pytest.raises(Refused, match=r"^x{1000}$"):
        call(hostile_tokenizers.long_answer, "refusal")


@pytest.mark.parametrize(
    ("function", "argument", "seconds", "message"),
    [
        (time.sleep, 60, 1.0, "longer than 1 s"),
        (bytes, 1024**3, 20, "more than the 512 MB of memory"),
        (hostile_tokenizers.long_answer, "result", 20, "1,000 bytes"),
        (os._exit, 0, 20, "perhaps it took more than the 512 MB of memory"),
    ],
)
def test_what_takes_too_much_is_refused_in_words(
    function: Callable[..., object], argument: object, seconds: float, message: str, importable: None
) -> None:
    with pytest.raises(Failed, match=message):
        call(function, argument, seconds=seconds)
