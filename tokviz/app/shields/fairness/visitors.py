"""Visitors, queues that serve them in turn, and places for what their addresses hold.

A visitor is a browser at an address. Turns rotate among addresses first, then among the browsers of an address. So
forging browser cookies gains nothing over other addresses, and a class behind one address shares its turns.
"""

import asyncio
import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:  # child processes, which serve nothing, import this module and start sooner without it
    from starlette.requests import HTTPConnection


# Streamlit sets this cookie with a browser's first page.
_COOKIE = "_streamlit_xsrf"
_MAX_REMEMBERED = 1_000
_HALF = 5.0  # seconds
_MOST = 1.0  # seconds that count, so that a class behind one address does not wait long for having used more

T = TypeVar("T")


class Visitor(NamedTuple):
    """A browser at an address. `browser` is "" if it sends no cookie."""

    address: str
    browser: str = ""


NOBODY = Visitor("")
"""Placeholder for an unknown visitor."""


def visitor_of(connection: "HTTPConnection") -> Visitor:
    """Return the visitor who makes a request."""
    return visitor_at(connection.client.host if connection.client else "", connection.cookies)


def visitor_at(host: str, cookies: Mapping[str, str]) -> Visitor:
    """Return the visitor with this client address and these cookies."""
    return Visitor(network(host), cookies.get(_COOKIE, "")[:200])


@lru_cache(maxsize=4096)  # a request asks several times
def network(host: str) -> str:
    """Return the part of an address that identifies one person: the IPv4 address, or the IPv6 /64 network."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host  # a test client or a Unix socket
    if address.version == 4:
        return str(address)
    mapped = address.ipv4_mapped  # a dual-stack server sees IPv4 clients like this
    return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))


_served: ContextVar[Visitor] = ContextVar("served", default=NOBODY)


@contextmanager
def serving(visitor: Visitor) -> Iterator[None]:
    """Mark this thread as working for `visitor` within the block."""
    before = _served.set(visitor)
    try:
        yield
    finally:
        _served.reset(before)


def served() -> Visitor:
    """Return the visitor this thread works for."""
    return _served.get()


class Pace:
    """Token bucket: `rate` units a second after an initial burst of `burst` units."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._paid_until = float("-inf")

    def wait(self, now: float) -> float:
        """Return the seconds until the units taken so far may be used."""
        return max(self._paid_until - now, 0.0)

    def take(self, units: float, now: float) -> float:
        """Take `units` and return the seconds to wait before using them."""
        self._paid_until = max(self._paid_until, now - self._burst / self._rate) + units / self._rate
        return self.wait(now)

    def forgive(self, now: float) -> None:
        """Forget what was taken in advance."""
        self._paid_until = min(self._paid_until, now)


ALONE_SECONDS = 2.0
"""Seconds after another address's last request until an address counts as alone."""


class Shares:
    """Each address's share of the event loop's thread, which answers all visitors.

    Work for an address may take `share` seconds a second, after a burst of `credit` seconds. An address that has used
    more has to wait, unless no other has asked for anything for `ALONE_SECONDS`: a class behind one address takes
    nothing from anybody. For the event loop's thread only.
    """

    def __init__(
        self,
        share: float = 0.5,
        credit: float = 0.15,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._share = share
        self._credit = credit
        self._clock = clock
        self._paces: OrderedDict[str, Pace] = OrderedDict()  # by address, most recently used last
        self._latest = ""  # the address that asked last
        self._last_used = self._others_used = -math.inf  # when anybody asked, and anybody but the latest address
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # kept while somebody waits

    async def turn(self, address: str, cost: float, within: float | None = None) -> None:
        """Wait until it is this address's turn, and charge `cost` seconds for a request, besides its work.

        Requests of an address wait in line: the next one's turn comes when the work for the one before is paid for.
        Raises TimeoutError if that takes longer than `within` seconds.
        """
        seconds = self.wait(address)
        if not seconds and address not in self._lines:
            self.charge(address, cost)
            return
        if within is not None and seconds > within:
            raise TimeoutError
        line = self._lines.setdefault(address, asyncio.Lock())
        async with asyncio.timeout(within), line:
            while seconds := self.wait(address):
                await asyncio.sleep(seconds)
            self.charge(address, cost)

    def wait(self, address: str) -> float:
        """Return the seconds until the work done for this address is paid for."""
        now = self._clock()
        return self._forgiving_wait(self._pace(address, now), now)

    def idle_seconds(self) -> float:
        """Return the seconds since anybody asked for anything. May be called from any thread."""
        return self._clock() - self._last_used

    @contextmanager
    def work_for(self, address: str) -> Iterator[None]:
        """Charge the time spent within the block to `address`."""
        started = self._clock()
        try:
            yield
        finally:
            self.charge(address, self._clock() - started)

    def charge(self, address: str, seconds: float) -> float:
        """Charge time spent to `address`, and return the seconds to wait before spending more."""
        now = self._clock()
        pace = self._pace(address, now)
        pace.take(seconds, now)
        return self._forgiving_wait(pace, now)

    def _pace(self, address: str, now: float) -> Pace:
        """Return the pace of an address that asks for something."""
        if address != self._latest:
            self._latest, self._others_used = address, self._last_used
        self._last_used = now
        if address not in self._paces:
            self._paces[address] = Pace(self._share, self._credit)
            if len(self._paces) > _MAX_REMEMBERED:
                self._paces.popitem(last=False)
        self._paces.move_to_end(address)
        return self._paces[address]

    def _forgiving_wait(self, pace: Pace, now: float) -> float:
        """Return how long the latest address has to wait: not at all if it is alone."""
        if now - self._others_used > ALONE_SECONDS:
            pace.forgive(now)
        return pace.wait(now)


shares = Shares()
"""The shares of this server's event loop."""


class QueueFull(Exception):
    """The queue has no room for another item of this visitor. The message says why, if there is one."""


class Spent:
    """The time that addresses have used lately: what they used `_HALF` seconds ago counts half. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()  # seconds, and when, most recent last
        self._lock = Lock()

    @contextmanager
    def work_for(self, address: str) -> Iterator[None]:
        """Charge the processor's time that this thread takes within the block to an address."""
        started = time.thread_time()
        try:
            yield
        finally:
            self.charge(address, time.thread_time() - started)

    def charge(self, address: str, seconds: float) -> None:
        """Charge time to an address."""
        with self._lock:
            self._used[address] = min(self._left(address) + seconds, _MOST), self._clock()
            self._used.move_to_end(address)
            if len(self._used) > _MAX_REMEMBERED:
                self._used.popitem(last=False)

    def of(self, address: str) -> float:
        """Return the seconds that an address has used lately, in steps too coarse for chance to matter."""
        with self._lock:
            return round(self._left(address), 1)

    def _left(self, address: str) -> float:
        now = self._clock()
        used, since = self._used.get(address, (0.0, now))
        return float(used * 0.5 ** ((now - since) / _HALF))


spent = Spent()
"""The processor's time that addresses have used in lanes, and the time of child processes that they asked."""


class FairQueue(Generic[T]):
    """Queue that serves visitors in turn: first the address, then the browser, that was served longest ago.

    It holds at most `limit` items, and `each` per visitor. Addresses that `spent` less come before all
    others. Not thread-safe.
    """

    def __init__(self, limit: int, each: int, spent: Callable[[str], float] = lambda _: 0.0) -> None:
        self._limit = limit
        self._each = each
        self._spent = spent
        self._waiting: list[tuple[Visitor, T]] = []
        # When each address and each visitor was last served, as a count of served items.
        self._served: OrderedDict[str | Visitor, int] = OrderedDict()
        self._clock = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, visitor: Visitor, item: T) -> T | None:
        """Append an item. If the queue is full, evict another and return it.

        Evicted is the last item of the address with the most items, and there of the browser with the most. Raises
        QueueFull if this visitor already has the maximum, or if the evicted item would be one of the same address.
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

    def put_back(self, visitor: Visitor, item: T) -> None:
        """Insert an item in front that was served before its time, whatever the limits."""
        self._waiting.insert(0, (visitor, item))

    def evict(self, amount: Callable[[T], int] = lambda _: 1) -> T:
        """Remove and return the last item of the largest holder: the address, then its browser, with the most in all.

        `amount` measures an item; by default, items are counted.
        """
        largest = largest_holder((visitor, amount(item)) for visitor, item in self._waiting)
        index = max(index for index, (visitor, _) in enumerate(self._waiting) if visitor == largest)
        return self._waiting.pop(index)[1]

    def pop(self, may: Callable[[Visitor, T], bool] = lambda *_: True) -> tuple[Visitor, T] | None:
        """Remove the next item for which `may` is true, and return its visitor and the item; None if there is none."""
        candidates = (index for index, entry in enumerate(self._waiting) if may(*entry))
        index = min(candidates, key=self._last_served, default=None)  # ties go to the item that was queued first
        if index is None:
            return None
        visitor, item = self._waiting.pop(index)
        self._clock += 1
        for key in (visitor.address, visitor):
            self._served[key] = self._clock
            self._served.move_to_end(key)
        while len(self._served) > _MAX_REMEMBERED:
            self._served.popitem(last=False)
        return visitor, item

    def _last_served(self, index: int) -> tuple[float, int, int]:
        visitor, _ = self._waiting[index]
        return self._spent(visitor.address), self._served.get(visitor.address, 0), self._served.get(visitor, 0)

    def remove(self, item: T) -> None:
        """Remove an item, if it is still in the queue."""
        self._waiting = [entry for entry in self._waiting if entry[1] is not item]

    def in_turn(self) -> Iterator[T]:
        """Yield the items in the order in which they will be served if no others arrive."""
        rest = copy(self)
        rest._waiting, rest._served = self._waiting.copy(), self._served.copy()
        while found := rest.pop():
            yield found[1]


def largest_holder(held: Iterable[tuple[Visitor, int]]) -> Visitor:
    """Return the visitor with the largest amount, at the address with the largest total."""
    by_visitor: Counter[Visitor] = Counter()
    by_address: Counter[str] = Counter()
    for visitor, amount in held:
        by_visitor[visitor] += amount
        by_address[visitor.address] += amount
    # Ties go to the visitor who came last.
    return max(reversed(by_visitor), key=lambda visitor: (by_address[visitor.address], by_visitor[visitor]))


# Places


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
