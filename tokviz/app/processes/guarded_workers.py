"""Child processes that each run one visitor's tokenizer, with limits on memory and time.

The engines of such tokenizers are native libraries, and what a stranger's file can make them do is not known: use up
all memory, never end, or crash. So they run in processes of their own, and the server lives. A process is started when
its tokenizer is first used, and stays alive between requests. When there are as many as there may be, the largest
holder's least recently used one is ended. It starts again, with the tokenizer's file, when it is needed.

Visitors take turns. Short requests of a kind that a tokenizer answered fast before have turns of their own, and half a
second: whoever types waits for nobody's long request. One that takes longer begins again among the others, and so do
this tokenizer's next ones for a while. A tokenizer whose process ends again and again is not started for a while.
"""

import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, RLock
from weakref import finalize

from tokviz.app.fairness.turns import Turns, away
from tokviz.app.fairness.visitors import NOBODY, Pace, Visitor, served
from tokviz.app.processes import children, exchange
from tokviz.app.processes.answering import PROBLEM, RESULT, TOO_LARGE, TOO_LONG
from tokviz.app.processes.guarded_child import Answer
from tokviz.app.processes.kept_child import KeptChild
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import wire

MAX_MEMORY = 1024**3
"""Maximum bytes of address space of each process."""

MAX_PROCESSES = 4
"""Maximum processes alive at a time; further tokenizers wait for one that is idle to end."""

AT_A_TIME = 2
"""Maximum processes working at a time, one for each address."""

OPEN_SECONDS = 30.0
"""Maximum seconds for opening a tokenizer, and again for sending its vocabulary."""

SECONDS, SECONDS_PER_MB = 5.0, 2.0
"""Maximum seconds of a request, and how many more it gets for each MB of its text."""

QUICK_AT_A_TIME = 2
"""Maximum further processes working at a time on quick requests, one for each address."""

QUICK_SECONDS, QUICK_TEXT = 0.5, 20_000
"""Maximum seconds of a quick request, and bytes of its text."""

SLOW_SECONDS = 60.0
"""Seconds for which a tokenizer is not quick after a request that was thought to be."""

MAX_WAIT = 20.0
"""Maximum seconds that a request waits for its turn."""

MAX_FAILURES, FORGIVEN_AFTER = 5, 60.0
"""Failures of a tokenizer's process after which it is not started again, and seconds after which one is forgiven."""

MAX_ANSWER, PER_BYTE = 4_000_000, 40
"""Maximum bytes of an answer, and how many more it gets for each byte of its text."""

MAX_VOCABULARY = 64_000_000
"""Maximum bytes of an answer with a whole vocabulary."""

_TOO_LONG = "this tokenizer's result is too long for this server"
OPENING, _TEXT = "to open", "for this text"  # what a process was used for, in messages

_MEMORY = f"{MAX_MEMORY / 1024**3:g} GB of memory that this server has for it"


class Refused(ValueError):
    """A guarded process did not do what was asked. The message says why."""


class Failed(Refused):
    """The process of a tokenizer ended, or had to be ended. The message says why."""


class Overdue(Failed):
    """The process of a tokenizer was ended because it took too long."""


class Busy(Refused):
    """Other visitors' tokenizers keep the processes busy."""

    def __init__(self) -> None:
        super().__init__("other people's tokenizers keep this server busy; try again in a minute")


class _Process:
    """A tokenizer's process, which may be running or not.

    `lock` is held by the request that uses it. `visitor` used it last, at the time `used`.
    """

    def __init__(self, open_tokenizer: Callable[[], Tokenizer]) -> None:
        self.lock = Lock()
        self.is_busy = False
        self.used = 0.0
        self.visitor: Visitor = NOBODY
        self.failures = Pace(1 / FORGIVEN_AFTER, MAX_FAILURES)
        self._quick: set[object] = set()
        self._slow_until = 0.0
        self._open_tokenizer = open_tokenizer
        # Messages of native code may quote texts, which are not logged.
        self._child = KeptChild("guarded_child", str(MAX_MEMORY), stderr=subprocess.DEVNULL)

    @property
    def is_alive(self) -> bool:
        """False if it was ended, or has ended by itself."""
        return self._child.is_alive

    def is_quick(self, kind: object, size: int) -> bool:
        """Return whether a request of a kind, about a text of `size` bytes, is expected to be answered at once."""
        is_known = kind in self._quick and time.monotonic() >= self._slow_until
        return is_known and size <= QUICK_TEXT and self.is_alive

    def was_not_quick(self) -> None:
        """Treat all requests as slow for a while."""
        self._quick.clear()
        self._slow_until = time.monotonic() + SLOW_SECONDS

    def ask(self, call: bytes, kind: object, seconds: float, most: int, what_for: str) -> Answer:
        """Return the answer to a call, of at most `most` bytes. `what_for` is for messages. Raises ValueError."""
        if not self.is_alive:
            if self.failures.wait(time.monotonic()):
                raise Failed("this tokenizer has failed again and again; try it in a few minutes, or open another")
            try:
                self._child.start()
                self._send(exchange.pack_call(self._open_tokenizer), OPEN_SECONDS, MAX_ANSWER, OPENING)
            except children.Ended:
                raise Busy from None
            except ValueError:
                self.end()
                raise
        started = time.monotonic()
        answer = self._send(call, seconds, most, what_for)
        is_quick = time.monotonic() - started <= QUICK_SECONDS / 2
        (self._quick.add if is_quick else self._quick.discard)(kind)
        return answer

    def end(self) -> None:
        """End the process. The next request starts another one."""
        self._child.end()

    def _send(self, call: bytes, seconds: float, most: int, what_for: str) -> Answer:
        try:
            kind, _, data = self._child.ask(seconds, call, most)
        except exchange.TooLong:
            raise self._failed(_TOO_LONG) from None
        except children.Overdue:
            raise self._failed(f"this tokenizer took longer than {seconds:.2g} s {what_for}", Overdue) from None
        except children.Ended:
            raise self._failed(
                f"this tokenizer ended the process that ran it {what_for}: perhaps it took more than the {_MEMORY}"
            ) from None
        if kind == RESULT:
            return self._unpacked(data)
        if kind == TOO_LONG:
            raise Refused(_TOO_LONG)
        if kind == TOO_LARGE:
            raise self._failed(f"this tokenizer took more than the {_MEMORY} {what_for}")
        if kind == PROBLEM:
            raise Refused(data.decode("utf-8", "replace"))
        raise self._failed("this tokenizer broke the process that ran it")

    def _unpacked(self, data: bytes) -> Answer:
        try:
            columns, said = wire.unpack(data)
            if not isinstance(said, dict):
                raise TypeError
            return columns, said
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._failed("this tokenizer broke the process that ran it") from None

    def _failed(self, message: str, kind: type[Failed] = Failed) -> Failed:
        """End the process, count the failure, and return the exception to raise."""
        self.end()
        self.failures.take(1, time.monotonic())
        return kind(message)


class Workers:
    """The processes of a server's tokenizers, at most `most` alive at a time. Thread-safe."""

    def __init__(self, most: int = MAX_PROCESSES, at_a_time: int = AT_A_TIME) -> None:
        self._most = max(most, at_a_time)
        self._turns = Turns(at_a_time, each=1)
        self._quick_turns = Turns(QUICK_AT_A_TIME, each=1)
        self._alive: list[_Process] = []
        # Reentrant, since a tokenizer may be garbage-collected at any moment, which ends its process.
        self._lock = RLock()
        self._is_idle = Condition(self._lock)

    def __len__(self) -> int:
        """Return the number of processes alive."""
        return len(self._alive)

    def ask(
        self,
        process: _Process,
        call: bytes,
        kind: object,
        size: int,
        seconds: float | None = None,
        most: int = MAX_ANSWER,
        what_for: str = _TEXT,
    ) -> Answer:
        """Return the answer to a call, a request of a kind about a text of `size` bytes.

        It may take `seconds`, or by default what is allowed for such a text. Raises ValueError, also if it takes more.
        """
        seconds = SECONDS + SECONDS_PER_MB * size / 1e6 if seconds is None else seconds
        most += PER_BYTE * size
        try:
            with away(), _locked(process.lock):
                if process.is_quick(kind, size):
                    try:
                        with self._quick_turns.turn(served(), MAX_WAIT), self._in_use(process):
                            if process.is_alive:  # to start one takes a while
                                return process.ask(call, kind, min(seconds, QUICK_SECONDS), most, what_for)
                    except Overdue:
                        process.was_not_quick()
                with self._turns.turn(served(), MAX_WAIT), self._in_use(process):
                    return process.ask(call, kind, seconds, most, what_for)
        except TimeoutError:
            raise Busy from None

    def end(self, process: _Process) -> None:
        """End a process, because nobody needs its tokenizer any more."""
        with self._lock:
            if process in self._alive:
                self._alive.remove(process)
            process.end()
            self._is_idle.notify_all()

    def end_idle(self, seconds: float) -> None:
        """End the processes that nobody has used for so long."""
        with self._lock:
            now = time.monotonic()
            for process in [each for each in self._alive if not each.is_busy and now - each.used >= seconds]:
                self.end(process)

    @contextmanager
    def _in_use(self, process: _Process) -> Iterator[None]:
        with self._lock:
            process.is_busy, process.visitor = True, served()
            if process not in self._alive:
                while len(self._alive) >= self._most and not self._end_one(process.visitor):
                    if not self._is_idle.wait(MAX_WAIT):
                        raise TimeoutError
                self._alive.append(process)
        try:
            yield
        finally:
            with self._lock:
                process.is_busy, process.used = False, time.monotonic()
                if not process.is_alive and process in self._alive:
                    self._alive.remove(process)
                self._is_idle.notify_all()

    def _end_one(self, starter: Visitor) -> bool:
        """End the idle process that the largest holder used least recently, to make room for the starter's.

        Return False if all idle ones are of addresses that hold fewer than the starter's will.
        """
        held = Counter([starter.address, *(each.visitor.address for each in self._alive)])
        idle = [each for each in self._alive if not each.is_busy]
        ended = min(idle, key=lambda each: (-held[each.visitor.address], each.used), default=None)
        if ended is None or held[ended.visitor.address] < held[starter.address]:
            return False
        self.end(ended)
        return True


@contextmanager
def _locked(lock: Lock) -> Iterator[None]:
    """Hold a lock within the block. Raises Busy if others keep it too long."""
    if not lock.acquire(timeout=MAX_WAIT):
        raise Busy
    try:
        yield
    finally:
        lock.release()


workers = Workers()
"""The processes of this server."""


class Guard:
    """A visitor's tokenizer in a process of its own, which ends when nothing refers to this object any more.

    `open_tokenizer` is called in that process, whenever it is started; it is a function of a module, or a `partial` of
    one with what `exchange.pack` takes.
    """

    def __init__(self, open_tokenizer: Callable[[], Tokenizer], among: Workers = workers) -> None:
        self._among = among
        self._process = _Process(open_tokenizer)
        finalize(self, among.end, self._process)

    def run(
        self,
        task: Callable[..., Answer],
        *arguments: object,
        size: int = 0,
        seconds: float | None = None,
        most: int = MAX_ANSWER,
        what_for: str = _TEXT,
    ) -> Answer:
        """Return `task(tokenizer, *arguments)`, for a text of `size` bytes. `task` is a function of a module.

        It may take `seconds`, or by default what is allowed for such a text, and may have `most` bytes, and PER_BYTE
        for each byte of the text. Raises ValueError with a sentence: the tokenizer's own, or why its process failed.
        """
        call = exchange.pack_call(task, *arguments)
        return self._among.ask(self._process, call, task, size, seconds, most, what_for)
