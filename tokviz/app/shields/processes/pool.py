"""Child processes that work on what strangers send, while nobody who types waits for them.

A pool has two lanes, in which visitors take turns. The *quick* one is for short texts of a kind that was answered at
once before, and gives each request little time. All else goes to the *slow* one. A request that fails in the quick lane
begins again in the slow one, and its kind does not come back for a while.
"""

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import Condition, Lock, RLock
from typing import NamedTuple

from tokviz.app.shields.fairness.turns import Turns, away
from tokviz.app.shields.fairness.visitors import Visitor, served
from tokviz.app.shields.processes.children import Failed, Refused
from tokviz.app.shields.processes.kept_child import KeptChild, Task

SLOW_SECONDS = 60.0
"""Seconds for which nothing of a kind is quick that is half as large as what was not, though it was thought to be."""

_MAX_REMEMBERED = 1_000  # kinds of requests


class Limits(NamedTuple):
    """Limits of child processes: `memory` in bytes of address space, and seconds for an answer.

    In a lane, so many are at work `at_a_time`, `each` for one address, on texts of `size` bytes at most.
    """

    memory: int
    seconds: float
    at_a_time: int = 1
    each: int = 1
    size: float = math.inf


@dataclass
class Lane:
    """A lane of a pool, with a child of its own."""

    limits: Limits
    child: KeptChild
    turns: Turns


class Pool:
    """Children that answer with a module, at most `most` of them alive. Thread-safe.

    A request waits at most `wait` seconds for its turn; messages then blame others' `things`. For `grace`, see
    `KeptChild`.
    """

    def __init__(
        self, module: str, quick: Limits, slow: Limits, *, things: str, wait: float, most: int = 2, grace: float = 0.0
    ) -> None:
        self._module = module
        self._busy = f"other people's {things} keep this server busy; try again in a minute"
        self._most = max(most, slow.at_a_time)
        self.wait = wait
        self.quick, self.slow = (
            Lane(
                limits,
                KeptChild(module, limits.memory, niceness=niceness, grace=grace),
                Turns(limits.at_a_time, limits.each),
            )
            for limits, niceness in ((quick, 0), (slow, 5))
        )
        self._past = _Past()
        self._alive: list[KeptChild] = []
        # Reentrant, since what needs a child may be garbage-collected at any moment, which ends it.
        self._lock = RLock()
        self._is_idle = Condition(self._lock)

    def __len__(self) -> int:
        """Return the number of children alive."""
        return len(self._alive)

    def child(self, opening: Callable[[], Task]) -> KeptChild:
        """Return a child for what only one may work with, which it opens first: see `KeptChild`."""
        return KeptChild(self._module, self.slow.limits.memory, opening=opening)

    def ask(
        self, task: Task, kind: Hashable, size: float, *, is_trusted: bool = False, child: KeptChild | None = None
    ) -> bytes:
        """Return a child's answer to a task of a kind, about a text of `size` bytes, for the visitor who is served.

        It is one of the lanes' own children, if none is given. A trusted kind is thought to be quick as long as nothing
        else is known. Raises Refused with a sentence.
        """
        try:
            with away(), _locked(child.lock, self.wait) if child else nullcontext():
                if self._is_quick(kind, size, is_trusted) and (child is None or child.is_open):
                    try:
                        with self._turn(self.quick, child) as used:
                            if used.is_open:  # to open what it works with takes a while
                                used.start(task.what)
                                return used.ask(task, self.quick.limits.seconds)
                    except Failed:
                        self._past.was_slow(kind, size)
                with self._turn(self.slow, child) as used:
                    used.start(task.what)
                    before = task.budget.left
                    data = used.ask(task)
        except TimeoutError:
            raise Refused(self._busy) from None
        if before - task.budget.left <= self.quick.limits.seconds / 2:
            self._past.was_quick(kind)
        return data

    def _is_quick(self, kind: Hashable, size: float, is_trusted: bool) -> bool:
        return size <= self.quick.limits.size and self._past.expects_quick(kind, size, is_trusted)

    @contextmanager
    def _turn(self, lane: Lane, given: KeptChild | None) -> Iterator[KeptChild]:
        """Hold a turn in a lane within the block, and use a child that nobody else uses or ends meanwhile."""
        child = given or lane.child
        with lane.turns.turn(served(), self.wait):
            with self._lock:
                if child not in self._alive:
                    while len(self._alive) >= self._most and not self._end_one(served()):
                        if not self._is_idle.wait(self.wait):
                            raise TimeoutError
                    self._alive.append(child)
                child.is_busy, child.visitor = True, served()
            try:
                yield child
            finally:
                with self._lock:
                    child.is_busy, child.used = False, time.monotonic()
                    if not child.is_alive and child in self._alive:
                        self._alive.remove(child)
                    self._is_idle.notify_all()

    def _end_one(self, starter: Visitor) -> bool:
        """End the idle child that the largest holder used least recently, to make room for the starter's.

        Return False if all idle ones are of addresses that hold fewer than the starter's will.
        """
        held = Counter([starter.address, *(each.visitor.address for each in self._alive)])
        idle = [each for each in self._alive if not each.is_busy]
        ended = min(idle, key=lambda each: (-held[each.visitor.address], each.used), default=None)
        if ended is None or held[ended.visitor.address] < held[starter.address]:
            return False
        self.end(ended)
        return True

    def end(self, child: KeptChild) -> None:
        """End a child, because nobody needs it any more."""
        with self._lock:
            if child in self._alive:
                self._alive.remove(child)
            child.end()
            self._is_idle.notify_all()

    def end_idle(self, seconds: float) -> None:
        """End the children that nobody has used for so long."""
        with self._lock:
            now = time.monotonic()
            for child in [each for each in self._alive if not each.is_busy and now - each.used >= seconds]:
                self.end(child)

    def close(self) -> None:
        """End all children."""
        for child in list(self._alive):
            self.end(child)


class _Past:
    """A record of which kinds of requests were answered quickly, and which slowly. Thread-safe."""

    def __init__(self) -> None:
        # By kind, most recently used last: the size from which on half as large ones are slow, and until when.
        self._slow_from: OrderedDict[int, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def expects_quick(self, kind: Hashable, size: float, is_trusted: bool) -> bool:
        """Return whether a request about a text of `size` bytes is expected to be answered at once."""
        with self._lock:
            known = self._slow_from.get(hash(kind))
            if known and known[1] > time.monotonic():
                self._slow_from.move_to_end(hash(kind))
                return size < known[0] / 2
        return is_trusted

    def was_quick(self, kind: Hashable) -> None:
        """Expect requests of this kind to be quick, unless they were slow a short time ago."""
        self._remember(kind, math.inf, math.inf)

    def was_slow(self, kind: Hashable, size: float) -> None:
        """Expect no request of this kind to be quick for a while if it is half as large, or larger."""
        self._remember(kind, size, time.monotonic() + SLOW_SECONDS)

    def _remember(self, kind: Hashable, size: float, until: float) -> None:
        with self._lock:
            _, known_until = self._slow_from.get(hash(kind), (0.0, 0.0))
            if kind is None or (size == math.inf and known_until > time.monotonic()):
                return
            self._slow_from[hash(kind)] = size, until
            self._slow_from.move_to_end(hash(kind))
            if len(self._slow_from) > _MAX_REMEMBERED:
                self._slow_from.popitem(last=False)


@contextmanager
def _locked(lock: Lock, seconds: float) -> Iterator[None]:
    """Hold a lock within the block. Raises TimeoutError if others keep it too long."""
    if not lock.acquire(timeout=seconds):
        raise TimeoutError
    try:
        yield
    finally:
        lock.release()
