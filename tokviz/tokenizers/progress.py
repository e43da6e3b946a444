"""Progress of a training, as its callers want to hear of it.

`progress(phase, done, total)` says what is being done, and how much of it is done:

- "cutting": code points of text that are cut into pre-tokens and counted. `total` is None for a file or an iterator.
  Long texts are reported after every million code points if a named split pattern cuts them.
- "counting": symbols of distinct pre-tokens whose pairs are counted, at the beginning and at the end.
- "merging": merges learned, of those requested (without a limit: the most there can be), before the first and after
  each. If training ends early, it is called once more with both equal.

A callback of two arguments, `progress(done, total)`, hears only of merges; where there is only counting, of cutting.
"""

import inspect
from collections.abc import Callable
from typing import Literal

Phase = Literal["cutting", "counting", "merging"]
"""Phases of a training: cutting the texts into pre-tokens, counting pairs of neighbors, or learning merges."""

PhaseProgress = Callable[[Phase, int, int | None], object]
MergeProgress = Callable[[int, int], object]

Progress = PhaseProgress | MergeProgress


def with_phases(progress: Progress | None, heard: Phase = "merging") -> PhaseProgress:
    """Return a callback that takes phases. One of two arguments hears only of the phase `heard`; None hears nothing."""
    if progress is None:
        return _ignore
    if not _takes_two(progress):
        return progress  # type: ignore[return-value]
    of_merges: MergeProgress = progress  # type: ignore[assignment]

    def report(phase: Phase, done: int, total: int | None) -> None:
        if phase == heard:
            of_merges(done, total or 0)

    return report


def _ignore(phase: Phase, done: int, total: int | None) -> None:
    """Ignore progress."""


def _takes_two(progress: Progress) -> bool:
    """Return whether a function can be called with two arguments, but not with three."""
    try:
        signature = inspect.signature(progress)
    except (TypeError, ValueError):  # some functions written in C
        return False
    return not _binds(signature, 3) and _binds(signature, 2)


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True
