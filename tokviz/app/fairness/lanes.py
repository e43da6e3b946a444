"""Threads for work that takes a while, in lanes: who asks for little never waits behind those who ask for much.

Within a lane visitors are served in turn. Someone who has left is not worked for.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from starlette.requests import ClientDisconnect, Request

from tokviz.app.fairness.visitors import FairQueue, QueueFull, Visitor, serving, visitor_of

MAX_SHORT = 256_000
"""Bytes of the longest text in the lane of short ones."""

_MAX_WAITING = 200
_MAX_WAITING_EACH = 40

T = TypeVar("T")


class Busy(Exception):
    """So much is waiting already that this can't wait, too."""


class _Task(NamedTuple):
    work: Callable[[], Any]
    future: "Future[Any]"


class Lane:
    """A few threads and a fair queue before them. An address has at most `each` of the threads at a time.

    The queue holds 200 tasks, 40 of a visitor; where it is full, the visitor with the most tasks loses the last one.
    """

    def __init__(self, name: str, threads: int, each: int | None = None) -> None:
        self._name = name
        self._threads = threads
        self._each = each or threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"tokviz-{name}")
        self._lock = Lock()
        self._queue: FairQueue[_Task] = FairQueue(_MAX_WAITING, _MAX_WAITING_EACH)
        self._running: Counter[str] = Counter()  # by address

    def __repr__(self) -> str:
        return f"<Lane {self._name}: {self._running.total()} running, {len(self._queue)} waiting>"

    async def run(self, request: Request, work: Callable[[], T]) -> T:
        """Call `work` in a thread when it is the visitor's turn, and return what it returns.

        The request's body must have been read. Raises Busy, and ClientDisconnect as soon as the visitor has left.
        """
        return await unless_left(request, self.wait(visitor_of(request), work))

    async def wait(self, visitor: Visitor, work: Callable[[], T]) -> T:
        """Call `work` in a thread when it is the visitor's turn, and return what it returns. Raises Busy."""
        # Where it still waits, cancelling takes it out of the queue.
        return await asyncio.wrap_future(self.submit(visitor, work))

    def submit(self, visitor: Visitor, work: Callable[[], T]) -> "Future[T]":
        """Put `work` into the queue. Cancelling the future takes it out again. Raises Busy."""
        task = _Task(work, Future())
        with self._lock:
            try:
                evicted = self._queue.push(visitor, task)
            except QueueFull:
                raise Busy from None
        if evicted is not None:
            evicted.future.set_exception(Busy())
        task.future.add_done_callback(lambda future: self._forget(task) if future.cancelled() else None)
        self._fill()
        return task.future

    def _forget(self, task: _Task) -> None:
        with self._lock:
            self._queue.remove(task)

    def _fill(self) -> None:
        with self._lock:
            while self._running.total() < self._threads:
                found = self._queue.pop(lambda visitor, _: self._running[visitor.address] < self._each)
                if found is None:
                    break
                visitor, task = found
                self._running[visitor.address] += 1
                self._pool.submit(self._work, visitor, task)

    def _work(self, visitor: Visitor, task: _Task) -> None:
        try:
            if task.future.set_running_or_notify_cancel():
                try:
                    with serving(visitor):
                        task.future.set_result(task.work())
                except BaseException as error:
                    task.future.set_exception(error)
        finally:
            del task  # and with it the text
            with self._lock:
                self._running[visitor.address] -= 1
                self._running += Counter()  # forgets who has nothing running
            self._fill()


async def unless_left(request: Request, awaited: Awaitable[T]) -> T:
    """What is awaited. It is cancelled as soon as the visitor has left, which raises ClientDisconnect.

    The request's body must have been read.
    """
    future = asyncio.ensure_future(awaited)
    left = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((future, left), return_when=asyncio.FIRST_COMPLETED)
        if not future.done():
            raise ClientDisconnect
        return await future
    finally:
        left.cancel()
        future.cancel()


async def _left(request: Request) -> None:
    """Return when the visitor has closed the connection."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


short_texts = Lane("short", 2)
"""For texts up to MAX_SHORT, and whatever takes no longer."""

long_texts = Lane("long", 2, each=1)
"""For longer texts, comparisons and files. With what `answers` allows of each, two at a time take about 0.7 GB."""

replays = Lane("replays", 1)
"""For learning on the spot, and for replays."""

finding = Lane("finding", 1)
"""For looking through a vocabulary."""

OPENED_AT_A_TIME = 2

opening = Lane("opening", OPENED_AT_A_TIME, each=1)
"""For tokenizers' files, which children read."""

links = Lane("links", 2, each=1)
"""For the recipes of links, whose patterns children compile."""

drawing = Lane("drawing", 1)
"""For QR codes."""

writing = Lane("writing", 1)
"""For the pieces of files that are made while they are sent."""


def for_text(size: int) -> Lane:
    """The lane for a text of so many bytes."""
    return short_texts if size <= MAX_SHORT else long_texts
