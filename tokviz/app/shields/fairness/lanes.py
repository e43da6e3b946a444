"""Thread pools for longer work, one per kind of work, so that small requests never wait behind large ones.

Each pool, called a lane, serves visitors in turn: first the addresses that have used least of all lanes' time lately.
A thread that waits for a child process gives up its place in the lane meanwhile. Work for a visitor who has
disconnected is dropped from the queue.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from starlette.requests import ClientDisconnect, Request

from tokviz.app.shields.fairness.turns import MAX_AWAY, Return, Slots
from tokviz.app.shields.fairness.visitors import FairQueue, QueueFull, Visitor, serving, spent, visitor_of

MAX_SHORT, MAX_MIDDLE = 50_000, 256_000
"""Maximum bytes of a text in the lane for short texts, and in that for middle ones."""

_MAX_WAITING = 200
_MAX_WAITING_EACH = 40

T = TypeVar("T")


class Busy(Exception):
    """The queue has no room for this task."""


class _Task(NamedTuple):
    work: Callable[[], Any]
    future: "Future[Any]"


class Lane:
    """A small thread pool with a fair queue. One address uses at most `each` of the threads at a time.

    The queue holds 200 tasks, and 40 per visitor. When it is full, the visitor with the most tasks loses the last one.
    """

    def __init__(self, name: str, threads: int, each: int | None = None) -> None:
        self._name = name
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads + MAX_AWAY, thread_name_prefix=f"tokviz-{name}")
        queue: FairQueue[_Task | Return] = FairQueue(_MAX_WAITING, _MAX_WAITING_EACH, spent.of)
        self._slots = Slots(threads, each, queue, lambda *begun: self._pool.submit(self._work, *begun))

    def __repr__(self) -> str:
        return f"<Lane {self._name}: {self._slots!r}>"

    async def run(self, request: Request, work: Callable[[], T]) -> T:
        """Call `work` in a thread when it is the visitor's turn, and return its result.

        The request's body must have been read. Raises Busy if the queue has no room, and ClientDisconnect as soon as
        the visitor disconnects.
        """
        return await unless_left(request, self.wait(visitor_of(request), work))

    async def wait(self, visitor: Visitor, work: Callable[[], T]) -> T:
        """Call `work` in a thread when it is the visitor's turn, and return its result. Raises Busy."""
        # Cancelling a task that still waits removes it from the queue.
        return await asyncio.wrap_future(self.submit(visitor, work))

    def submit(self, visitor: Visitor, work: Callable[[], T]) -> "Future[T]":
        """Queue `work`. Cancelling the future removes it from the queue. Raises Busy."""
        task = _Task(work, Future())
        try:
            evicted = self._slots.enter(visitor, task)
        except QueueFull:
            raise Busy from None
        if evicted is not None:
            evicted.future.set_exception(Busy())
        task.future.add_done_callback(lambda future: self._slots.remove(task) if future.cancelled() else None)
        return task.future

    def _work(self, visitor: Visitor, task: _Task) -> None:
        with self._slots.holding(visitor):
            if task.future.set_running_or_notify_cancel():
                try:
                    with serving(visitor), spent.work_for(visitor.address):
                        result = task.work()
                except BaseException as error:
                    task.future.set_exception(error)
                else:
                    task.future.set_result(result)
                    del result
            del task  # frees the text


async def unless_left(request: Request, awaited: Awaitable[T]) -> T:
    """Await `awaited` and return its result. If the visitor disconnects first, cancel it and raise ClientDisconnect.

    The request's body must have been read.
    """
    future = asyncio.ensure_future(awaited)
    disconnected = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait((future, disconnected), return_when=asyncio.FIRST_COMPLETED)
        if not future.done():
            raise ClientDisconnect
        return await future
    finally:
        disconnected.cancel()
        future.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Return when the visitor closes the connection."""
    with suppress(RuntimeError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


short_texts = Lane("short", 2)
"""Texts of up to MAX_SHORT bytes, and work that takes no longer."""

middle_texts = Lane("middle", 1)
"""Longer texts of up to MAX_MIDDLE bytes, of which several in a row would delay a key press."""

long_texts = Lane("long", 2, each=1)
"""Longer texts, comparisons and files. Within the size limits of the routes, two at a time take about 0.7 GB."""

guarded = Lane("guarded", 8, each=1)
"""Visitors' tokenizers in guarded processes, which may take seconds for any text."""

replays = Lane("replays", 1)
"""Replays, and the training that the Merge replay page asks for."""

chats = Lane("chats", 2, each=1)
"""Chats, whose templates child processes render."""

charts = Lane("charts", 2)
"""Answers of the Compression page on short texts, counted for each tokenizer. They may look into whole vocabularies."""

long_charts = Lane("long-charts", 2, each=1)
"""Answers of the Compression page on longer texts."""

finding = Lane("finding", 1)
"""Vocabulary searches."""

opening = Lane("opening", 2, each=1)
"""Tokenizer files, which child processes read."""

opening_small = Lane("opening-small", 1)
"""Small tokenizer files, which child processes read for two seconds at most."""

checking = Lane("checking", 1)
"""Solutions that readers want checked, each in a child process."""

fetching = Lane("fetching", 2, each=1)
"""Models that are fetched from the Hugging Face hub, which may not answer for a minute."""

links = Lane("links", 2, each=1)
"""Recipes from links, whose split patterns child processes compile."""

drawing = Lane("drawing", 1)
"""QR codes and pictures."""

writing = Lane("writing", 1)
"""The class pack, and the chunks of exports that are generated while they are sent."""


def for_text(size: int) -> Lane:
    """Return the lane for a text of `size` bytes."""
    if size <= MAX_SHORT:
        return short_texts
    return middle_texts if size <= MAX_MIDDLE else long_texts
