"""Budgets for what is held for visitors. When one is exceeded, its largest holder gives way.

Requests and WebSockets share one: texts being received or queued, and responses being sent.
"""

import asyncio
import math
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import RLock
from typing import Generic, TypeVar

from tokviz.app.shields.fairness.visitors import NOBODY, Visitor, largest_holder

MAX_HELD = 150_000_000
"""Maximum bytes held by all requests and WebSockets together."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LetGo(Exception):
    """The budget is exceeded, and this holding is evicted as the largest."""


class Holding:
    """Bytes held for a request, a connection, or a session. `drop` is called when it is evicted, in any thread.

    `is_needed` says whether anybody would miss it at once.
    """

    def __init__(self, budget: "Budget", visitor: Visitor, drop: Callable[[], object]) -> None:
        self._budget = budget
        self._drop = drop
        self.visitor = visitor
        self.size = 0
        self.is_evicted = False
        self.is_needed = True

    def hold(self, size: int) -> None:
        """Set the size to `size` bytes, evicting larger holdings if the budget requires it.

        Raises LetGo if this holding is the largest, or has just been evicted.
        """
        if self.is_evicted or (size != self.size and not self._budget.change(self, size)):
            raise LetGo

    def close(self) -> None:
        """Release all that is held."""
        self._budget.change(self, 0)

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


class Budget:
    """Holdings together: at most `limit` bytes, `each` of one visitor, in at most `most` holdings. Thread-safe.

    The address that holds the most gives way: its oldest holding, if `oldest_first` says so or there are too many, or
    else the largest of its visitor with the most. Holdings that nobody needs go first. With `spares_newest`, others
    give way to the holding that has just grown, however large it is.
    """

    def __init__(
        self,
        limit: int = MAX_HELD,
        most: int | None = None,
        each: int | None = None,
        *,
        oldest_first: bool = False,
        spares_newest: bool = False,
    ) -> None:
        self._limit = limit
        self._most = most
        self._each = each
        self._oldest_first = oldest_first
        self._spares_newest = spares_newest
        self._open: dict[Holding, None] = {}  # oldest first
        self._total = 0
        # Reentrant, since what holds may be garbage-collected at any moment, which closes its holding.
        self.lock = RLock()

    def open(self, visitor: Visitor) -> Holding:
        """Return an empty holding for the current task, which is cancelled when the holding is evicted."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        return Holding(self, visitor, lambda: task and loop.call_soon_threadsafe(task.cancel))

    def change(self, holding: Holding, size: int) -> bool:
        """Set the size of a holding; return False if the holding itself was evicted. Called by `Holding`."""
        with self.lock:
            self._set(holding, 0 if size > self._limit and not self._spares_newest else size)
            while size and holding in self._open and (victim := self._victim(holding)):
                self._set(victim, 0)
                if victim is not holding:
                    victim.evict()
            return not size or holding in self._open

    def use(self, holding: Holding) -> None:
        """Count a holding as the newest. Do nothing if it has been closed."""
        with self.lock:
            if holding in self._open:
                del self._open[holding]
                self._open[holding] = None

    def _set(self, holding: Holding, size: int) -> None:
        self._total += size - holding.size
        holding.size = size
        if size:
            self._open.setdefault(holding)
        else:
            self._open.pop(holding, None)

    def _victim(self, newest: Holding) -> Holding | None:
        """Return the holding that has to give way, if one has to."""
        own = [] if self._each is None else [each for each in self._open if each.visitor == newest.visitor]
        is_count = False
        if self._each is not None and sum(each.size for each in own) > self._each:
            among = own
        elif self._total > self._limit or (is_count := self._most is not None and len(self._open) > self._most):
            among = list(self._open)
        else:
            return None
        largest = largest_holder((each.visitor, 1 if is_count else each.size) for each in among)
        if self._spares_newest:
            among.remove(newest)
            if among and all(each.visitor.address != largest.address for each in among):
                largest = largest_holder((each.visitor, each.size) for each in among)
        at_address = [each for each in among if each.visitor.address == largest.address]
        if self._oldest_first or is_count:
            return min(at_address, key=lambda each: (each.is_needed, each.visitor != largest), default=None)
        return max((each for each in at_address if each.visitor == largest), key=lambda each: each.size)


class Kept(Generic[K, V]):
    """Values by key within a budget: the least recently used goes first."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._values: dict[K, tuple[V, Holding, float]] = {}  # with the end of its time

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[K]:
        return iter(list(self._values))

    def put(self, key: K, value: V, size: int, seconds: float = math.inf) -> None:
        """Keep a value of `size` bytes in place of the one before, unless it has to give way itself.

        After `seconds`, the next `tidy` drops it.
        """
        with self._budget.lock:
            self.drop(key)
            holding = Holding(self._budget, NOBODY, partial(self._values.pop, key, None))
            self._values[key] = value, holding, time.monotonic() + seconds
            try:
                holding.hold(max(1, size))
            except LetGo:
                self.drop(key)

    def get(self, key: K) -> V | None:
        """Return the value, or None if it is not kept. It counts as used."""
        value, holding, _ = self._values.get(key, (None, None, None))
        if holding is not None:
            self._budget.use(holding)
        return value

    def drop(self, key: K) -> None:
        """Drop a value, if it is kept."""
        _, holding, _ = self._values.pop(key, (None, None, None))
        if holding is not None:
            holding.close()

    def tidy(self) -> None:
        """Drop the values whose time is over."""
        now = time.monotonic()
        for key in [key for key, (_, _, end) in list(self._values.items()) if end < now]:
            self.drop(key)


holdings = Budget()
"""Bytes held by the requests and WebSockets of this server."""
