"""A child process that answers one request at a time, and what is said if it does not.

It stays alive between requests. Any error ends it, so that a message that was sent or answered in part never gets
into another request.
"""

import math
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from tokviz.app.shields.fairness.visitors import NOBODY, Pace, Visitor, served, spent
from tokviz.app.shields.processes import children, exchange
from tokviz.app.shields.processes.answering import (
    FAILED,
    HEAD,
    LEAST,
    LIMITS,
    PROBLEM,
    READY,
    RESULT,
    TOO_LARGE,
    TOO_LONG,
    TOO_SLOW,
)
from tokviz.app.shields.processes.children import Failed, Overdue, Refused
from tokviz.pretokens.splitting import TimeBudget

START_SECONDS = 30.0
"""Maximum seconds in which a child process starts."""

MAX_FAILURES, FORGIVEN_AFTER = 5, 60.0
"""Failures of a child that opens something after which it is not started, and seconds after which one is forgiven."""

_MIN_SECONDS = 0.001  # shortest time limit given to a child
_MIN_COST = 0.0002  # seconds charged for any request, since asking a child takes time, too
_ENDED, _BROKEN = b"e", b"b"  # kinds besides those of `answering`


@dataclass
class Task:
    """A request to a child process. Messages name it by `what`, such as "this template", and `purpose`: " to open".

    The answer may have `most` bytes, and take what is left of the budget.
    """

    message: bytes
    what: str
    most: int
    budget: TimeBudget
    purpose: str = ""


class KeptChild:
    """A child process that is started when it is needed, also again when it has ended, and answers with `module`.

    It may take `memory` bytes, and has `grace` seconds past a time limit to say itself that it was too slow. With
    `opening`, it is asked what that returns first; and if it fails again and again, it is not started for a while.
    """

    def __init__(
        self,
        module: str,
        memory: int,
        *,
        niceness: int = 5,
        grace: float = 0.0,
        opening: Callable[[], Task] | None = None,
        stderr: int | None = subprocess.DEVNULL,  # messages of native code may quote texts, which are not logged
    ) -> None:
        self._arguments = "answering", module, str(memory), str(niceness)
        self._memory = f"the {_size(memory)} of memory that this server has for it"
        self._grace = grace
        self._opening = opening
        self._failures = Pace(1 / FORGIVEN_AFTER, MAX_FAILURES)
        self._stderr = stderr
        self.process: subprocess.Popen[bytes] | None = None
        self.lock = Lock()
        """Held by the request that uses it, where several visitors may."""
        self.visitor: Visitor = NOBODY
        """The visitor who used it last, at the time `used`."""
        self.used = 0.0
        self.is_busy = False

    @property
    def is_alive(self) -> bool:
        """False if it was ended, or has ended by itself."""
        return self.process is not None and self.process.poll() is None

    @property
    def is_open(self) -> bool:
        """True if it has opened what it works with, or needs not to."""
        return self._opening is None or self.is_alive

    def start(self, what: str) -> None:
        """Start it, unless it is alive. Messages speak of it as `what`. Raises Refused."""
        if self.is_alive:
            return
        self.end()  # it may have been killed from outside
        if self._opening and self._failures.wait(time.monotonic()):
            raise Failed(f"{what} has failed again and again; try it in a few minutes, or open another")
        try:
            self.process = child = children.start(*self._arguments, stderr=self._stderr)
            assert child.stdout
            with children.within(child, START_SECONDS):
                if exchange.read_bytes(child.stdout, 1) != READY:
                    raise EOFError
        except Failed:
            self.end()
            raise Failed("this server is too busy to start a process for this; try again in a minute") from None
        except BaseException:
            self.end()
            raise
        if self._opening:
            try:
                self.ask(self._opening())
            except BaseException:
                self.end()
                raise

    def ask(self, task: Task, seconds: float = math.inf) -> bytes:
        """Return the answer to a task, which has `seconds`, and what is left of its budget, to which it is charged.

        Raises Refused with the child's own sentence, or with one that says what it takes too much of.
        """
        started = time.monotonic()
        try:
            kind, took, data = self._exchange(task, max(_MIN_SECONDS, min(seconds, task.budget.left)))
        except Refused as error:
            kind, took, data = TOO_SLOW if isinstance(error, Overdue) else _ENDED, time.monotonic() - started, b""
        except ValueError:
            kind, took, data = _BROKEN, time.monotonic() - started, b""
        task.budget.left -= max(took, _MIN_COST)
        if kind == RESULT:
            return data
        raise self._refusal(task, kind, data.decode("utf-8", "replace"))

    def _exchange(self, task: Task, seconds: float) -> tuple[bytes, float, bytes]:
        """Return the kind of the answer, the seconds it took, and its data, which is charged to who is served.

        Raises Overdue or Failed if the child had to be ended, or ended by itself, and ValueError if it broke.
        """
        child = self.process
        assert child and child.stdin and child.stdout
        started = time.monotonic()
        try:
            with children.within(child, seconds + self._grace):
                child.stdin.write(LIMITS.pack(seconds, task.most))
                exchange.write(child.stdin, task.message)
                kind, took = HEAD.unpack(exchange.read_bytes(child.stdout, HEAD.size))
                data = exchange.read(child.stdout, max(task.most, LEAST))
        except BaseException:
            self.end()
            raise
        finally:
            spent.charge(served().address, time.monotonic() - started)
        return kind, min(max(0.0, took), time.monotonic() - started), data

    def _refusal(self, task: Task, kind: bytes, said: str) -> Refused:
        """Return what to raise for an answer that is no result."""
        if kind == PROBLEM:
            return Refused(said)
        if kind == FAILED:
            return Refused(f"{task.what} failed in a way that tokviz doesn't expect ({said}): please report it")
        if kind == TOO_LONG:
            return Failed(f"{task.what} gives more than this server sends: {task.most:,} bytes")
        if kind == TOO_SLOW:
            if not self.is_alive:
                self._failures.take(1, time.monotonic())
            return Overdue(f"{task.what} took longer than {task.budget.given:.2g} s{task.purpose}")
        too_much = f"more than {self._memory}"
        if kind == TOO_LARGE:
            return self.fail(f"{task.what} took {too_much}{task.purpose}")
        what_it_did = "ended" if kind == _ENDED else "broke"
        return self.fail(f"{task.what} {what_it_did} the process that ran it{task.purpose}: perhaps it took {too_much}")

    def fail(self, message: str) -> Failed:
        """End the process, count that as a failure, and return the exception to raise."""
        self.end()
        self._failures.take(1, time.monotonic())
        return Failed(message)

    def end(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        children.end(process)


def _size(memory: int) -> str:
    return f"{memory / 1024**3:g} GB" if memory >= 1024**3 else f"{memory // 1024**2} MB"
