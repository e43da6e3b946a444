"""Compile and match untrusted split patterns in child processes, with limits on memory and time.

A few characters can make `regex` use up all memory, or crash the process that compiles them. So the server itself
compiles only named patterns and those of open models (see `splitting.trust`), and `SplitWorkers` is its matcher for all
others (see `splitting.set_matcher`).

There are two child processes, which stay alive between requests and are restarted if they end. The *quick* one takes
short texts under patterns that compiled fast the first time, and gives each request a tenth of a second. Everything
else goes to the *slow* one, which serves visitors in turn. So nobody who types waits for another visitor's slow
pattern, and whoever uses a slow pattern waits for at most one request of each other visitor.

A child process runs `patterns_child`. The server checks the numbers that it answers with, so that a child corrupted by
a pattern can't make it lose or repeat any part of a text.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

import numpy as np

from tokviz.app.fairness.turns import Turns, away
from tokviz.app.fairness.visitors import served
from tokviz.app.processes import children, exchange
from tokviz.app.processes.answering import RESULT, TOO_LARGE, TOO_SLOW
from tokviz.app.processes.kept_child import KeptChild
from tokviz.display import quote
from tokviz.pretokens import unicode_tables
from tokviz.pretokens.splitting import Spans, TimeBudget, TooSlow, set_matcher

MAX_PATTERN = 100_000
"""Maximum code points of a pattern."""

SECONDS = 5.0
"""Time limit in seconds of a request for which `splitting.time_limit` sets none."""

MAX_WAIT = 10.0
"""Maximum seconds that a request waits for its turn."""

_GRACE = 1.0  # seconds past its time limit before a child is ended
_QUICK_SECONDS = 0.1
_QUICK_TEXTS = 100_000  # code points
_QUICK_TO_COMPILE = 0.02  # seconds
_MAX_REMEMBERED = 1_000  # patterns
_MIN_SECONDS = 0.001  # shortest time limit given to a child
_MIN_COST = 0.0002  # seconds charged for any request, since asking a child takes time, too
_BYTES_PER_NUMBER = 4  # of an answer
_BROKEN = "this split pattern broke the process that tried it"


class TooLarge(ValueError):
    """A split pattern takes more memory than a child process may use."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"the split pattern {quote(pattern)} takes more memory than this server has for it")


class Busy(TooSlow):
    """Other visitors' patterns keep the child process busy."""

    def __init__(self) -> None:
        ValueError.__init__(self)

    def __str__(self) -> str:
        return "other people's split patterns keep this server busy; try again in a minute"


class SplitWorkers:
    """Matcher for untrusted split patterns, for `splitting.set_matcher`. Thread-safe."""

    def __init__(self) -> None:
        self._quick, self._slow = _Worker(), _Worker(is_polite=True)
        self._quick_patterns: OrderedDict[str, bool] = OrderedDict()
        self._lock = Lock()

    def __call__(self, pattern: str, texts: Sequence[str], budget: TimeBudget | None) -> list[Spans]:
        """Return the spans of a pattern in each text. Raises ValueError, also if it takes too much memory or time."""
        if len(pattern) > MAX_PATTERN:
            raise ValueError(
                f"the split pattern {quote(pattern)} has {len(pattern):,} characters; a split pattern may have "
                f"{MAX_PATTERN:,}"
            )
        allowed = TimeBudget(SECONDS, SECONDS) if budget is None else budget
        if allowed.left <= 0:
            raise TooSlow.after(pattern, allowed.given, 0)
        is_quick = self._recall(pattern)
        if is_quick is None:
            before = allowed.left
            self._slow.match(pattern, (), allowed)  # only compiles it
            is_quick = self._remember(pattern, before - allowed.left <= _QUICK_TO_COMPILE)
        if not texts:
            return []
        # For some texts a pattern is rewritten (see `unicode_tables`), and may take long to compile after that.
        if is_quick and sum(map(len, texts)) <= _QUICK_TEXTS and not unicode_tables.is_disputed("".join(texts)):
            tenth = TimeBudget(allowed.given, min(allowed.left, _QUICK_SECONDS))
            allowed.left -= tenth.left
            try:
                return self._quick.match(pattern, texts, tenth)
            except (TooSlow, TooLarge):
                self._remember(pattern, False)
            finally:
                allowed.left += max(tenth.left, 0)
        return self._slow.match(pattern, texts, allowed)

    def close(self) -> None:
        """End the child processes."""
        self._quick.child.end()
        self._slow.child.end()

    def _recall(self, pattern: str) -> bool | None:
        """Return whether a pattern is quick; None if that is not known."""
        with self._lock:
            if pattern in self._quick_patterns:
                self._quick_patterns.move_to_end(pattern)
            return self._quick_patterns.get(pattern)

    def _remember(self, pattern: str, is_quick: bool) -> bool:
        with self._lock:
            self._quick_patterns[pattern] = is_quick
            while len(self._quick_patterns) > _MAX_REMEMBERED:
                self._quick_patterns.popitem(last=False)
        return is_quick


@contextmanager
def patterns_apart() -> Iterator[None]:
    """Match untrusted split patterns in child processes within the block; this process compiles only trusted ones."""
    workers = SplitWorkers()
    before = set_matcher(workers)
    try:
        yield
    finally:
        set_matcher(before)
        workers.close()


class _Worker:
    """A child process, started on first use. A polite one runs at a lower priority (`nice`)."""

    def __init__(self, is_polite: bool = False) -> None:
        self._turns = Turns(at_a_time=1)
        self.child = KeptChild("patterns_child", *(["--polite"] if is_polite else []))

    def match(self, pattern: str, texts: Sequence[str], budget: TimeBudget) -> list[Spans]:
        """Return the spans, within what is left of the budget. Waiting for a turn is not charged to it."""
        try:
            with away(), self._turns.turn(served(), MAX_WAIT):
                kind, took, data = self._ask(pattern, texts, max(budget.left, _MIN_SECONDS))
        except TimeoutError:
            raise Busy from None
        budget.left -= max(took, _MIN_COST)
        if kind == RESULT:
            return _checked_spans(data, texts)
        if kind == TOO_SLOW:
            raise TooSlow.after(pattern, budget.given, took) if texts else TooSlow(pattern, budget.given, "compile")
        if kind == TOO_LARGE:
            raise TooLarge(pattern)
        raise ValueError(data.decode("utf-8", "replace") or _BROKEN)

    def _ask(self, pattern: str, texts: Sequence[str], seconds: float) -> tuple[bytes, float, bytes]:
        """Send a request and return the child's answer: its kind, the seconds it took, and its data."""
        most = _BYTES_PER_NUMBER * (len(texts) + 2 * sum(map(len, texts)))  # at most a span for each character
        message = exchange.pack(pattern, list(texts), seconds)
        try:
            self.child.start()
        except children.Ended:
            raise Busy from None
        started = time.monotonic()
        try:
            return self.child.ask(seconds + _GRACE, message, most)
        except exchange.TooLong:
            raise ValueError(_BROKEN) from None
        except children.Ended:
            took = time.monotonic() - started
            return TOO_SLOW if took >= seconds else TOO_LARGE, took, b""


def _checked_spans(data: bytes, texts: Sequence[str]) -> list[Spans]:
    """Return the spans in an answer, which holds the count of numbers for each text, followed by the numbers.

    Raises ValueError unless the spans of each text are in ascending order and lie within the text.
    """
    numbers = np.frombuffer(data[: len(data) // 4 * 4], np.int32)
    counts, spans = numbers[: len(texts)], numbers[len(texts) :]
    if len(counts) < len(texts) or (counts < 0).any() or (counts % 2).any() or counts.sum() != len(spans):
        raise ValueError(_BROKEN)
    ends = np.cumsum([0, *map(len, texts)])
    positions = spans + np.repeat(ends[:-1], counts)
    if (spans < 0).any() or (positions > np.repeat(ends[1:], counts)).any() or (np.diff(positions) < 0).any():
        raise ValueError(_BROKEN)
    return [part.tolist() for part in np.split(spans, np.cumsum(counts)[:-1])]
