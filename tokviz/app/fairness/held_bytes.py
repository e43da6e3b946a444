"""Budgets for bytes held for visitors. When one is exceeded, its largest holder is evicted.

Requests and WebSockets share one: texts being received or queued, and responses being sent.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock

from tokviz.app.fairness.visitors import Visitor, largest_holder

MAX_HELD = 150_000_000
"""Maximum bytes held by all requests and WebSockets together."""


class LetGo(Exception):
    """The budget is exceeded, and this holding is evicted as the largest."""


class Holding:
    """The bytes held by a request, a connection, or a session. `drop` is called when it is evicted, in any thread."""

    def __init__(self, holdings: "Holdings", visitor: Visitor, drop: Callable[[], object]) -> None:
        self._holdings = holdings
        self._drop = drop
        self.visitor = visitor
        self.size = 0
        self.is_evicted = False

    def hold(self, size: int) -> None:
        """Set the size to `size` bytes, evicting larger holdings if the budget requires it.

        Raises LetGo if this holding is the largest, or has just been evicted.
        """
        if self.is_evicted or not self._holdings.change(self, size):
            raise LetGo

    def close(self) -> None:
        """Release all held bytes."""
        self._holdings.change(self, 0)

    def evict(self) -> None:
        """Set `is_evicted`, and drop what is held."""
        self.is_evicted = True
        self._drop()


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
    """The bytes held together, at most `limit`. Thread-safe."""

    def __init__(self, limit: int = MAX_HELD) -> None:
        self._limit = limit
        self._open: set[Holding] = set()
        self._total = 0
        self._lock = RLock()

    @property
    def total(self) -> int:
        """Bytes held at the moment."""
        return self._total

    def open(self, visitor: Visitor) -> Holding:
        """Return an empty holding for the current task, which is cancelled when the holding is evicted."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        return Holding(self, visitor, lambda: task and loop.call_soon_threadsafe(task.cancel))

    def change(self, holding: Holding, size: int) -> bool:
        """Set the size of a holding; return False if the holding itself was evicted. Called by `Holding`."""
        with self._lock:
            self._set(holding, size)
            while size and self._total > self._limit:
                largest = largest_holder((each.visitor, each.size) for each in self._open)
                victim = max((each for each in self._open if each.visitor == largest), key=lambda each: each.size)
                self._set(victim, 0)
                if victim is holding:
                    return False
                victim.evict()
        return True

    def _set(self, holding: Holding, size: int) -> None:
        self._total += size - holding.size
        holding.size = size
        (self._open.add if size else self._open.discard)(holding)


holdings = Holdings()
"""Bytes held by the requests and WebSockets of this server."""
