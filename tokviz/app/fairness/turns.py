"""Turns of threads, visitor by visitor, for what only a few may do at a time.

Above all these are scripts that make pages: a few at a time neither fill the memory nor hold up typing.

Streamlit gives each visitor's run of a page a thread of its own, however many there are. They share one interpreter, so
more of them at a time are not faster; they only take more memory, and keep the thread that answers key presses waiting.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

from tokviz.app.fairness.visitors import FairQueue, Visitor, serving

AT_A_TIME = 4
"""Pages that are made at a time."""

EACH_ADDRESS = 2
"""Pages of one address that are made at a time."""

_ANY = 100_000  # waiting: no more than there are WebSockets


class Turns:
    """Turns of threads, in which visitors are served address by address."""

    def __init__(self, at_a_time: int = AT_A_TIME, each: int = EACH_ADDRESS) -> None:
        self._at_a_time = at_a_time
        self._each = each
        self._lock = Lock()
        self._waiting: FairQueue[Event] = FairQueue(_ANY, _ANY)
        self._running: Counter[str] = Counter()
        self._mine = local()

    @contextmanager
    def turn(self, visitor: Visitor, seconds: float | None = None) -> Iterator[None]:
        """Wait for a turn, for so many seconds at most, and have it within the block. Raises TimeoutError."""
        self._begin(visitor, seconds)
        try:
            with serving(visitor):
                yield
        finally:
            self._end(visitor)

    @contextmanager
    def handed_on(self) -> Iterator[None]:
        """Within a turn: let others have theirs while this thread waits for something else."""
        visitor: Visitor | None = getattr(self._mine, "visitor", None)
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
            if not ready.is_set():  # nor was it meanwhile
                raise TimeoutError
        self._mine.visitor = visitor

    def _end(self, visitor: Visitor) -> None:
        self._mine.visitor = None
        with self._lock:
            self._running[visitor.address] -= 1
            self._running += Counter()  # forgets addresses without any
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
"""Those of this server."""
