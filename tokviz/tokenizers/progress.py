"""Progress callbacks of long work.

`progress(phase, done, total)` says what is being done, and how much of it is done. Of a training:

- "cutting": code points of text that are cut into pre-tokens and counted. `total` is None for a file or an iterator.
  Long texts are reported after every million code points if a named split pattern cuts them.
- "counting": symbols of distinct pre-tokens whose pairs are counted, at the beginning and at the end.
- "merging": merges learned, of those requested (without a limit: the most there can be), before the first and after
  each. If training ends early, it is called once more with both equal.

Of an audit of a vocabulary:

- "vocabulary": tokens whose own text was encoded.
- "characters": characters tried to reach tokens that hold parts of characters.
- "contexts": tokens for which longer texts were tried, of those that are left.
- "texts": bytes of the audited texts; `total` is None.

Of finding a difference between tokenizers:

- "trying": texts encoded by both; `total` is None.

A callback of fewer arguments, `progress(done, total)` or `progress(done)`, hears only of the phase that matters most:
merging, texts or trying. Where there is only counting of pre-tokens, it hears of cutting.
"""

import inspect
from collections.abc import Callable
from typing import Any, Literal

Phase = Literal["cutting", "counting", "merging", "vocabulary", "characters", "contexts", "texts", "trying"]
"""Phases of a training, of an audit, and of finding a difference."""

PhaseProgress = Callable[[Phase, int, int | None], object]
TotalProgress = Callable[[int, int], object]
DoneProgress = Callable[[int], object]

Progress = PhaseProgress | TotalProgress | DoneProgress


def with_phases(progress: Progress | None, heard: Phase = "merging") -> PhaseProgress:
    """Return a callback that takes phases. One of one or two arguments hears only of `heard`; None hears nothing."""
    if progress is None:
        return no_progress
    taken = _arguments(progress)
    of_one_phase: Any = progress

    def report(phase: Phase, done: int, total: int | None) -> None:
        if phase == heard:
            of_one_phase(done) if taken == 1 else of_one_phase(done, total or 0)

    return progress if taken == 3 else report  # type: ignore[return-value]


def no_progress(phase: str, done: int, total: int | None) -> None:
    """Ignore progress."""


def _arguments(progress: Progress) -> int:
    """Return how many arguments a function takes: three if it can, or if that isn't known, else two, else one."""
    try:
        signature = inspect.signature(progress)
    except (TypeError, ValueError):  # some functions written in C
        return 3
    return next((count for count in (3, 2, 1) if _binds(signature, count)), 3)


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True
