"""A fair semaphore for threads: a few run at a time, and visitors take turns.

Its main use is page scripts: running only a few at a time neither fills memory nor delays typing.

Streamlit runs each visitor's page in its own thread, without a limit. The threads share one interpreter, so running
more of them at once is not faster; it only takes more memory and delays the thread that answers key presses.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock
from typing import Any, Generic, TypeVar

from tokviz.app.shields.fairness.visitors import FairQueue, Visitor, serving, spent

AT_A_TIME = 4
"""Maximum page scripts running at a time."""

EACH_ADDRESS = 2
"""Maximum page scripts of one address running at a time."""

CHECK_SECONDS = 1.0
"""Seconds between two times that a waiting thread checks whether it is still wanted."""

MAX_AWAY, MAX_AWAY_EACH = 64, 4
"""Maximum threads of a lane that wait for child processes, and of one address's, besides those that work."""

RETURN_SECONDS = 1.0
"""Maximum seconds until a thread goes on after a child process has answered, with a slot or without: what it makes may
be what the threads that have the slots wait for."""

T = TypeVar("T")

_UNLIMITED = 100_000  # as a queue length: never reached, since the number of WebSockets is limited


class Return(Event):
    """Set when an item that was away has its slot again."""


class Slots(Generic[T]):
    """At most `most` items at a time, of one address at most `each`; the others wait in a fair queue. Thread-safe.

    `begin` is called for an item that gets its slot, which lasts until `release`. Items that wait for a child process
    are `away` and take no slot. After that they wait for one among the others, in the same order.
    """

    def __init__(
        self, most: int, each: int | None, queue: FairQueue[T | Return], begin: Callable[[Visitor, T], object]
    ) -> None:
        self._most = most
        self._each = each or most
        self._queue = queue
        self._begin = begin
        self._lock = Lock()
        self._running: Counter[str] = Counter()  # by address
        self._away: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"{self._running.total()} running, {len(self._queue)} waiting"

    def enter(self, visitor: Visitor, item: T) -> T | None:
        """Let an item wait, or begin at once. Return one that was evicted from a full queue. Raises QueueFull."""
        with self._lock:
            evicted = self._queue.push(visitor, item)
            self._fill()
        if isinstance(evicted, Return):
            return None  # it goes on after `RETURN_SECONDS`
        return evicted

    def remove(self, item: T) -> None:
        """Remove an item, if it still waits."""
        with self._lock:
            self._queue.remove(item)

    def release(self, visitor: Visitor) -> None:
        """Give up a slot, and let others begin."""
        with self._lock:
            self._running[visitor.address] -= 1
            self._running += Counter()  # removes zero counts
            self._fill()

    @contextmanager
    def holding(self, visitor: Visitor, *, is_given_up: bool = True) -> Iterator[None]:
        """Do an item's work within the block, and release its slot after it. In the block, `away` may give it up."""
        before = _held.set((self, visitor) if is_given_up else None)
        try:
            yield
        finally:
            _held.reset(before)
            self.release(visitor)

    @contextmanager
    def away(self, visitor: Visitor) -> Iterator[None]:
        """Give up an item's slot within the block. Raises TimeoutError if too many are away."""
        with self._lock:
            if self._away.total() >= MAX_AWAY:
                raise TimeoutError
            self._away[visitor.address] += 1
            self._running[visitor.address] -= 1
            self._fill()
        try:
            yield
        finally:
            self._return(visitor)

    def _return(self, visitor: Visitor) -> None:
        """Wait for a slot again, but not for long."""
        back = Return()
        with self._lock:
            self._away[visitor.address] -= 1
            self._away += Counter()
            self._queue.put_back(visitor, back)
            self._fill()
        back.wait(RETURN_SECONDS)
        with self._lock:
            if not back.is_set():
                self._queue.remove(back)
                self._running[visitor.address] += 1

    def _fill(self) -> None:
        while self._running.total() < self._most:
            found = self._queue.pop(self._may_begin)
            if found is None:
                return
            visitor, item = found
            self._running[visitor.address] += 1
            if isinstance(item, Return):
                item.set()
            else:
                self._begin(visitor, item)

    def _may_begin(self, visitor: Visitor, item: T | Return) -> bool:
        may_leave = self._away[visitor.address] < MAX_AWAY_EACH
        return self._running[visitor.address] < self._each and (may_leave or isinstance(item, Return))


_held: ContextVar[tuple[Slots[Any], Visitor] | None] = ContextVar("held", default=None)


@contextmanager
def away() -> Iterator[None]:
    """Give up this thread's slot, if it has one, while it waits for a child process within the block.

    So others' work never waits for what strangers let a child do. Raises TimeoutError if too many threads wait.
    """
    held = _held.get()
    if held is None:
        yield
        return
    slots, visitor = held
    before = _held.set(None)
    try:
        with slots.away(visitor):
            yield
    finally:
        _held.reset(before)


class Turns:
    """A semaphore for threads that serves visitors in turn: first the addresses that have used least time lately.

    With `is_given_up`, a thread has no turn while it is `away`.
    """

    def __init__(self, at_a_time: int = AT_A_TIME, each: int = EACH_ADDRESS, *, is_given_up: bool = False) -> None:
        self._is_given_up = is_given_up
        queue: FairQueue[Event | Return] = FairQueue(_UNLIMITED, _UNLIMITED, spent.of)
        self._slots = Slots(at_a_time, each, queue, lambda _, ready: ready.set())

    @contextmanager
    def turn(
        self, visitor: Visitor, seconds: float | None = None, check: Callable[[], object] = lambda: None
    ) -> Iterator[None]:
        """Wait at most `seconds` for a turn, and hold it within the block. Raises TimeoutError.

        `check` is called again and again while the thread waits. If it raises an exception, the thread waits no longer.
        """
        ready = Event()
        self._slots.enter(visitor, ready)
        try:
            _wait(ready, seconds, check)
        except BaseException:
            self._slots.remove(ready)
            if ready.is_set():  # meanwhile it got its turn
                self._slots.release(visitor)
            raise
        with self._slots.holding(visitor, is_given_up=self._is_given_up), serving(visitor):
            yield


def _wait(ready: Event, seconds: float | None, check: Callable[[], object]) -> None:
    """Wait for an event, and call `check` while waiting. Raises TimeoutError after `seconds`."""
    end = None if seconds is None else time.monotonic() + seconds
    while not ready.wait(CHECK_SECONDS if end is None else min(CHECK_SECONDS, end - time.monotonic())):
        check()
        if end is not None and time.monotonic() >= end:
            raise TimeoutError


pages = Turns(is_given_up=True)
"""The turns of this server's page scripts."""
