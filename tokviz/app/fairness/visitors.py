"""Visitors, and queues that serve them in turn.

A visitor is a browser at an address. Turns go round the addresses first, and round the browsers of an address within
its turn: whoever invents browsers gains nothing over other addresses, and a class behind one address shares its turns.
"""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

from starlette.requests import HTTPConnection

# Streamlit gives every browser one with the first page.
_COOKIE = "_streamlit_xsrf"
_MAX_REMEMBERED = 1_000

T = TypeVar("T")


class Visitor(NamedTuple):
    """Who asks. `browser` is "" where there is no cookie."""

    address: str
    browser: str = ""


NOBODY = Visitor("")
"""Whoever is not known."""


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor who makes a request."""
    return visitor_at(connection.client.host if connection.client else "", connection.cookies)


def visitor_at(host: str, cookies: Mapping[str, str]) -> Visitor:
    """The visitor at a client's address with these cookies."""
    return Visitor(network(host), cookies.get(_COOKIE, "")[:200])


def network(host: str) -> str:
    """What one person has: an IPv4 address, or a network of IPv6 addresses (/64)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host  # a test's client, or a Unix socket's
    if address.version == 4:
        return str(address)
    mapped = address.ipv4_mapped  # as a server that listens on both kinds sees IPv4
    return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))


_served: ContextVar[Visitor] = ContextVar("served", default=NOBODY)


@contextmanager
def serving(visitor: Visitor) -> Iterator[None]:
    """Within it, this thread works for a visitor."""
    before = _served.set(visitor)
    try:
        yield
    finally:
        _served.reset(before)


def served() -> Visitor:
    """The visitor whom this thread works for."""
    return _served.get()


class Pace:
    """A token bucket: how fast something may go on, in units a second, after a burst of so many units."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._paid_until = float("-inf")

    def wait(self, now: float) -> float:
        """The seconds until what was taken so far may be used."""
        return max(self._paid_until - now, 0.0)

    def take(self, units: float, now: float) -> float:
        """Take some units. Returns the seconds to wait before they may be used."""
        self._paid_until = max(self._paid_until, now - self._burst / self._rate) + units / self._rate
        return self.wait(now)


class Shares:
    """What each address may take of the thread that answers everybody.

    Work for an address may go on for `share` seconds a second, after a burst of `credit` seconds. Whoever has taken
    more waits; a request as such counts as `cost` seconds. Not safe to use from several threads at once.
    """

    def __init__(
        self,
        share: float = 0.5,
        credit: float = 0.15,
        cost: float = 0.0015,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._share = share
        self._credit = credit
        self._cost = cost
        self._clock = clock
        self._paces: OrderedDict[str, Pace] = OrderedDict()  # by address, the one that was used last at the end

    def wait(self, address: str) -> float:
        """The seconds after which another request of this address is to be handled."""
        now = self._clock()
        seconds = self._pace(address).wait(now)
        self._pace(address).take(self._cost, now)
        return seconds

    @contextmanager
    def work_for(self, address: str) -> Iterator[None]:
        """Within it, that thread works for an address."""
        begun = self._clock()
        try:
            yield
        finally:
            now = self._clock()
            self._pace(address).take(now - begun, now)

    def _pace(self, address: str) -> Pace:
        pace = self._paces.setdefault(address, Pace(self._share, self._credit))
        self._paces.move_to_end(address)
        if len(self._paces) > _MAX_REMEMBERED:
            self._paces.popitem(last=False)
        return pace


shares = Shares()
"""The one of this server."""


class QueueFull(Exception):
    """There is no room in a queue for another item of this visitor."""


class FairQueue(Generic[T]):
    """Items of visitors, in turn: next is the one whose address, then whose browser, was served longest ago.

    It holds `limit` items, and `each` of a visitor. Not safe to use from several threads at once.
    """

    def __init__(self, limit: int, each: int) -> None:
        self._limit = limit
        self._each = each
        self._waiting: list[tuple[Visitor, T]] = []
        # When an address or a visitor was last served, counted in items.
        self._served: OrderedDict[str | Visitor, int] = OrderedDict()
        self._clock = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, visitor: Visitor, item: T) -> T | None:
        """Add an item at the end. Return the one that had to go for it, if the queue is full.

        That is the last one of the address with the most items, and there of the browser with the most. Raises
        QueueFull where this visitor has as many items as are allowed, or would push out one of the same address.
        """
        if sum(each == visitor for each, _ in self._waiting) >= self._each:
            raise QueueFull
        evicted = None
        if len(self._waiting) >= self._limit:
            holders = Counter(each.address for each, _ in self._waiting)
            if max(holders.values(), default=0) <= holders[visitor.address]:
                raise QueueFull
            evicted = self.evict()
        self._waiting.append((visitor, item))
        return evicted

    def evict(self, amount: Callable[[T], int] = lambda _: 1) -> T:
        """Remove the last item of the address with the most in all, and there of the browser with the most."""
        largest = largest_holder((visitor, amount(item)) for visitor, item in self._waiting)
        place = max(place for place, (visitor, _) in enumerate(self._waiting) if visitor == largest)
        return self._waiting.pop(place)[1]

    def pop(self, may: Callable[[Visitor, T], bool] = lambda *_: True) -> tuple[Visitor, T] | None:
        """Remove the next item that may be served now to its visitor, and return both; None if there is none."""
        place = _next(self._waiting, self._served, may)
        if place is None:
            return None
        visitor, item = self._waiting.pop(place)
        self._clock += 1
        _serve(visitor, self._clock, self._served)
        while len(self._served) > _MAX_REMEMBERED:
            self._served.popitem(last=False)
        return visitor, item

    def remove(self, item: T) -> None:
        """Remove an item. It may be gone already."""
        self._waiting = [entry for entry in self._waiting if entry[1] is not item]

    def in_turn(self) -> Iterator[T]:
        """The items in the order in which they will be served if nobody else comes."""
        waiting, served = list(self._waiting), self._served.copy()
        clock = self._clock
        while (place := _next(waiting, served, lambda *_: True)) is not None:
            visitor, item = waiting.pop(place)
            clock += 1
            _serve(visitor, clock, served)
            yield item


def _next(
    waiting: list[tuple[Visitor, T]], served: Mapping[str | Visitor, int], may: Callable[[Visitor, T], bool]
) -> int | None:
    places = (place for place, entry in enumerate(waiting) if may(*entry))

    def turn(place: int) -> tuple[int, int]:
        visitor = waiting[place][0]
        return served.get(visitor.address, 0), served.get(visitor, 0)

    return min(places, key=turn, default=None)  # of equals the one that came first


def _serve(visitor: Visitor, now: int, served: OrderedDict[str | Visitor, int]) -> None:
    for key in (visitor.address, visitor):
        served[key] = now
        served.move_to_end(key)


def largest_holder(held: Iterable[tuple[Visitor, int]]) -> Visitor:
    """Of visitors and what they hold, the one with the most at the address that has the most in all."""
    by_visitor: Counter[Visitor] = Counter()
    by_address: Counter[str] = Counter()
    for visitor, amount in held:
        by_visitor[visitor] += amount
        by_address[visitor.address] += amount
    # Of equals the one who came last.
    return max(reversed(by_visitor), key=lambda visitor: (by_address[visitor.address], by_visitor[visitor]))
