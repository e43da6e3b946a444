"""Budget for the bytes held by requests: texts being received or queued, and responses being sent.

All requests share one budget. When it is exceeded, the largest holder is evicted.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from tokviz.app.fairness.visitors import Visitor, largest_holder

MAX_HELD = 150_000_000
"""Maximum bytes held by all requests together."""


class LetGo(Exception):
    """The budget is exceeded, and this request is evicted as the largest holder."""


class Holding:
    """The bytes held by one request. It belongs to the task that creates it."""

    def __init__(self, holdings: "Holdings", visitor: Visitor) -> None:
        self._holdings = holdings
        self.visitor = visitor
        self.size = 0
        self.is_evicted = False
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()

    def hold(self, size: int) -> None:
        """Set this request's size to `size` bytes, cancelling larger requests if the budget requires it.

        Raises LetGo if this request is the largest, or has just been evicted.
        """
        if self.is_evicted or not self._holdings.change(self, size):
            raise LetGo

    def close(self) -> None:
        """Release all held bytes."""
        self._holdings.change(self, 0)

    def evict(self) -> None:
        """Cancel the task, and set `is_evicted` so that the task can tell why."""
        self.is_evicted = True
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)


@contextmanager
def evicted_quietly(holding: Holding) -> Iterator[None]:
    """Leave the block without an error when its holding is evicted."""
    try:
        yield
    except LetGo:
        pass
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if not holding.is_evicted or task is None:
            raise
        task.uncancel()


class Holdings:
    """The bytes held by all requests, at most `limit`. Thread-safe."""

    def __init__(self, limit: int = MAX_HELD) -> None:
        self._limit = limit
        self._open: set[Holding] = set()
        self._lock = RLock()

    @property
    def total(self) -> int:
        """Bytes held at the moment."""
        with self._lock:
            return sum(each.size for each in self._open)

    def open(self, visitor: Visitor) -> Holding:
        """Return an empty holding for the current task."""
        return Holding(self, visitor)

    def change(self, holding: Holding, size: int) -> bool:
        """Set the size of a holding; return False if the holding itself was evicted. Called by `Holding`."""
        with self._lock:
            holding.size = size
            (self._open.add if size else self._open.discard)(holding)
            while size and self.total > self._limit:
                largest = largest_holder((each.visitor, each.size) for each in self._open)
                victim = max((each for each in self._open if each.visitor == largest), key=lambda each: each.size)
                victim.size = 0
                self._open.discard(victim)
                if victim is holding:
                    return False
                victim.evict()
        return True


holdings = Holdings()
"""The holdings of this server."""
