"""Places for what addresses hold at the same time, such as connections. Room is made where most is held."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tokviz.app.shields.fairness.visitors import Visitor, largest_holder


class AllTaken(Exception):
    """There is no place for another one of this address."""


class Places:
    """At most `limit` places, `each` of them of one address. For the event loop's thread only.

    When all are taken, the newest of the largest holder is ended for an address that then holds no more than it.
    """

    def __init__(self, limit: int, each: int) -> None:
        self._limit = limit
        self._each = each
        self._held: dict[Callable[[], object], str] = {}  # what ends each, and its address; the newest last

    def __len__(self) -> int:
        return len(self._held)

    @contextmanager
    def hold(self, address: str, end: Callable[[], object]) -> Iterator[None]:
        """Hold a place within the block. `end` is called when its place was given away. Raises AllTaken."""
        if sum(each == address for each in self._held.values()) >= self._each:
            raise AllTaken
        if len(self) >= self._limit:
            self._end_one(address)
        self._held[end] = address
        try:
            yield
        finally:
            self._held.pop(end, None)

    def _end_one(self, address: str) -> None:
        largest = giving_way(self._held.values(), address)
        if largest is None:
            raise AllTaken
        end = next(end for end, each in reversed(self._held.items()) if each == largest)
        del self._held[end]
        end()


def giving_way(holders: Iterable[str], address: str) -> str | None:
    """Return the address that holds the most, which gives one up for `address`.

    `holders` has an address for each that is held. Returns None if the largest would then hold fewer than `address`,
    so that two that are equal don't take from each other in turn.
    """
    counts = Counter(holders)
    largest = largest_holder((Visitor(holder), count) for holder, count in counts.items()).address
    return largest if counts[largest] - 1 >= counts[address] + 1 else None
