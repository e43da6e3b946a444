"""A fair semaphore for threads: a few run at a time, and visitors take turns.

Its main use is page scripts: running only a few at a time neither fills memory nor delays typing.

Streamlit runs each visitor's page in its own thread, without a limit. The threads share one interpreter, so running
more of them at once is not faster; it only takes more memory and delays the thread that answers key presses.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

from tokviz.app.fairness.visitors import FairQueue, Visitor, serving

AT_A_TIME = 4
"""Maximum page scripts running at a time."""

EACH_ADDRESS = 2
"""Maximum page scripts of one address running at a time."""

_UNLIMITED = 100_000  # as a queue length: never reached, since the number of WebSockets is limited


class Turns:
    """A semaphore for threads that serves visitors in turn, address by address."""

    def __init__(self, at_a_time: int = AT_A_TIME, each: int = EACH_ADDRESS) -> None:
        self._at_a_time = at_a_time
        self._each = each
        self._lock = Lock()
        self._waiting: FairQueue[Event] = FairQueue(_UNLIMITED, _UNLIMITED)
        self._running: Counter[str] = Counter()
        self._current = local()

    @contextmanager
    def turn(self, visitor: Visitor, seconds: float | None = None) -> Iterator[None]:
        """Wait at most `seconds` for a turn, and hold it within the block. Raises TimeoutError."""
        self._begin(visitor, seconds)
        try:
            with serving(visitor):
                yield
        finally:
            self._end(visitor)

    @contextmanager
    def handed_on(self) -> Iterator[None]:
        """Give up this thread's turn within the block, so that others can run while it waits for something else."""
        visitor: Visitor | None = getattr(self._current, "visitor", None)
        if visitor is None:
            yield
            return
        self._end(visitor)
        try:
            yield
        finally:
            self._begin(visitor)

    def _begin(self, visitor: Visitor, seconds: float | None = None) -> None:
        ready = Event()
        with self._lock:
            self._waiting.push(visitor, ready)
            self._fill()
        if not ready.wait(seconds):
            with self._lock:
                self._waiting.remove(ready)
            if not ready.is_set():  # it may have been set between the timeout and the lock
                raise TimeoutError
        self._current.visitor = visitor

    def _end(self, visitor: Visitor) -> None:
        self._current.visitor = None
        with self._lock:
            self._running[visitor.address] -= 1
            self._running += Counter()  # removes zero counts
            self._fill()

    def _fill(self) -> None:
        while self._running.total() < self._at_a_time:
            found = self._waiting.pop(lambda visitor, _: self._running[visitor.address] < self._each)
            if found is None:
                return
            visitor, ready = found
            self._running[visitor.address] += 1
            ready.set()


pages = Turns()
"""The turns of this server's page scripts."""
