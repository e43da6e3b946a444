"""The bytes that requests hold: texts that arrive or wait for their turn, and answers on their way.

There is one budget for all of them. When it is spent, whoever holds the most has to let go.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from tokviz.app.fairness.visitors import Visitor, largest_holder

MAX_HELD = 150_000_000
"""Bytes that all requests together may hold."""


class LetGo(Exception):
    """This request holds the most, and there is no room for it any more."""


class Holding:
    """The bytes that one request holds. It belongs to the task that makes it."""

    def __init__(self, holdings: "Holdings", visitor: Visitor) -> None:
        self._holdings = holdings
        self.visitor = visitor
        self.size = 0
        self.is_evicted = False
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()

    def hold(self, size: int) -> None:
        """Hold `size` bytes from now on. Requests that hold more may be cancelled for it.

        Raises LetGo if this one holds the most, or was cancelled a moment ago.
        """
        if self.is_evicted or not self._holdings.change(self, size):
            raise LetGo

    def close(self) -> None:
        """Hold nothing any more."""
        self._holdings.change(self, 0)

    def evict(self) -> None:
        """Cancel the task. It finds out by `is_evicted` that this is why."""
        self.is_evicted = True
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)


@contextmanager
def evicted_quietly(holding: Holding) -> Iterator[None]:
    """End the block where its holding is evicted, without an error."""
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
    """What all requests hold, `limit` bytes at most. Safe to use from several threads."""

    def __init__(self, limit: int = MAX_HELD) -> None:
        self._limit = limit
        self._open: set[Holding] = set()
        self._lock = RLock()

    @property
    def total(self) -> int:
        """The bytes that are held now."""
        with self._lock:
            return sum(each.size for each in self._open)

    def open(self, visitor: Visitor) -> Holding:
        """A holding for the current task, of nothing yet."""
        return Holding(self, visitor)

    def change(self, holding: Holding, size: int) -> bool:
        """Set the size of a holding; False if it had to go itself. For `Holding`."""
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
"""Those of this server."""
