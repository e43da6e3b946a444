"""Functions in a limited child process: their results, their refusals, and what takes too much."""

import operator
import os
import time
from collections.abc import Callable

import pytest

from tokviz.app.processes.limited import RefusedError, TooExpensiveError, call_limited


def call(function: Callable[..., object], *arguments: object, seconds: float = 20) -> object:
    limits = {"memory": 512 * 1024**2, "most": 1_000}
    return call_limited(function, *arguments, seconds=seconds, **limits, doing="testing this")


def test_results_and_refusals_come_back() -> None:
    assert call(divmod, 17, 5) == [3, 2]
    with pytest.raises(ValueError, match="invalid literal for int"):
        call(int, "five")
    with pytest.raises(RefusedError, match="doesn't expect"):
        call(operator.getitem, (), 0)


@pytest.mark.parametrize(
    ("function", "argument", "seconds", "message"),
    [
        (time.sleep, 60, 1.0, "longer than 1 s"),
        (bytes, 1024**3, 20, "more memory"),
        ("x".__mul__, 5_000, 20, "1,000 bytes"),
        (operator.methodcaller("zfill", 5_000), "x", 20, "1,000 bytes"),
        (os._exit, 0, 20, "perhaps it took more memory"),
    ],
)
def test_what_takes_too_much_is_refused_in_words(
    function: Callable[..., object], argument: object, seconds: float, message: str
) -> None:
    with pytest.raises(TooExpensiveError, match=message):
        call(function, argument, seconds=seconds)
