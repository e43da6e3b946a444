"""Compile and match untrusted split patterns in child processes, with limits on memory and time.

A few characters can make `regex` use up all memory, or crash the process that compiles them. So the server itself
compiles only named patterns and those of open models (see `splitting.trust`), and `SplitMatcher` is its matcher for all
others (see `splitting.set_matcher`).

The children of its `Pool` answer with `patterns_child`. The server checks the numbers that they answer with, so that a
child corrupted by a pattern can't make it lose or repeat any part of a text.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.children import Failed, Overdue
from tokviz.app.shields.processes.kept_child import Task
from tokviz.app.shields.processes.pool import Limits, Pool
from tokviz.display import quote
from tokviz.pretokens import unicode_tables
from tokviz.pretokens.splitting import Spans, TimeBudget, TooSlow, set_matcher

MAX_PATTERN = 100_000
"""Maximum code points of a pattern."""

MAX_WAIT = 10.0
"""Maximum seconds that a request waits for its turn."""

QUICK = Limits(288 * 1024**2, seconds=0.1, size=100_000)
SLOW = QUICK._replace(seconds=5.0, size=math.inf)

_GRACE = 1.0  # seconds past its time limit before a child is ended
_BYTES_PER_NUMBER = 4  # of an answer


class SplitMatcher:
    """Matcher for untrusted split patterns, for `splitting.set_matcher`. Thread-safe."""

    def __init__(self) -> None:
        self.pool = Pool("patterns_child", QUICK, SLOW, things="split patterns", wait=MAX_WAIT, grace=_GRACE)

    def __call__(self, pattern: str, texts: Sequence[str], budget: TimeBudget | None) -> list[Spans]:
        """Return the spans of a pattern in each text. Raises ValueError, also if it takes too much memory or time."""
        if len(pattern) > MAX_PATTERN:
            raise ValueError(
                f"the split pattern {quote(pattern)} has {len(pattern):,} characters; a split pattern may have "
                f"{MAX_PATTERN:,}"
            )
        allowed = TimeBudget(SLOW.seconds, SLOW.seconds) if budget is None else budget
        before = allowed.left
        if before <= 0:
            raise TooSlow.after(pattern, allowed.given, 0)
        size = sum(map(len, texts))
        most = _BYTES_PER_NUMBER * (len(texts) + 2 * size)  # at most a span for each character
        task = Task(exchange.pack(pattern, list(texts)), f"the split pattern {quote(pattern)}", most, allowed)
        # For some texts a pattern is rewritten (see `unicode_tables`), and may take long to compile after that.
        is_rewritten = unicode_tables.is_disputed("".join(texts))
        try:
            data = self.pool.ask(task, pattern, math.inf if is_rewritten else size)
        except Overdue:
            if not texts:
                raise TooSlow(pattern, allowed.given, "compile") from None
            raise TooSlow.after(pattern, allowed.given, before - allowed.left) from None
        return _checked_spans(data, texts) if texts else []


@contextmanager
def patterns_apart() -> Iterator[None]:
    """Match untrusted split patterns in child processes within the block; this process compiles only trusted ones."""
    matcher = SplitMatcher()
    before = set_matcher(matcher)
    try:
        yield
    finally:
        set_matcher(before)
        matcher.pool.close()


def _checked_spans(data: bytes, texts: Sequence[str]) -> list[Spans]:
    """Return the spans in an answer, which holds the count of numbers for each text, followed by the numbers.

    Raises Failed unless the spans of each text are in ascending order and lie within the text.
    """
    numbers = np.frombuffer(data[: len(data) // 4 * 4], np.int32)
    counts, spans = numbers[: len(texts)], numbers[len(texts) :]
    broken = Failed("this split pattern broke the process that tried it")
    if len(counts) < len(texts) or (counts < 0).any() or (counts % 2).any() or counts.sum() != len(spans):
        raise broken
    ends = np.cumsum([0, *map(len, texts)])
    positions = spans + np.repeat(ends[:-1], counts)
    if (spans < 0).any() or (positions > np.repeat(ends[1:], counts)).any() or (np.diff(positions) < 0).any():
        raise broken
    return [part.tolist() for part in np.split(spans, np.cumsum(counts)[:-1])]
