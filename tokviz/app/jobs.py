"""Training in processes of its own: nobody else's typing slows down, and cancelling frees the memory at once.

A server trains a few tokenizers at a time, and one of a visitor; who comes later waits in line and is told the place. A
visitor has one in the line; where that is full, the address with the most in it loses the last one.

The child is this very module (`python -m tokviz.app.jobs`). It reads what to train from its standard input and writes
what happens to its standard output, both as pickles, which only these two processes exchange.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from tokviz.analysis.trained import Report, report
from tokviz.app.fairness import FairQueue, QueueFull, Visitor
from tokviz.app.limits import limit_memory
from tokviz.bpe.splitting import time_limit
from tokviz.bpe.training import TieBreak
from tokviz.bpe_tokenizer import BPETokenizer
from tokviz.trainer import AlphabetName, train

AT_A_TIME = 2
"""Trainings that run at a time on this server."""

MOST_WAITING = 50
MOST_WAITING_EACH = 1

MAX_SHORT = 1_000_000
"""Code points of the texts of a short training, which takes seconds. Of longer ones, an address has one at a time."""

MAX_WAITING_BYTES = 150_000_000
"""Bytes of the texts that wait to be trained on, all together."""

ABANDONED_SECONDS = 30.0
"""A training ends this long after the last page that waits for it is gone."""

MAX_MEMORY = 1280 * 1024**2
"""Bytes of address space that a training may take, where the system has such limits. Of these Python takes 0.1 GB."""

MEMORY_IN_WORDS = f"{MAX_MEMORY / 1024**3:g} GB"

FITS_CUT, FITS_UNCUT = 20_000_000, 12_000_000
"""Bytes of text that a training with `MAX_MEMORY` can take, with cl100k's split pattern and without any.

Measured on Python code of many projects with some emoji in it, which makes a code point take four bytes: 20 MB took
1.06 GB with the pattern, 25 MB too much; without a pattern, 15 MB took 1.19 GB. Repetitive text takes less.
"""

_REPORT_EVERY = 0.1  # seconds
_SLOWEST = 1_000_000
"""Code points a second that a split pattern cuts, at least. The named ones cut more than ten times as many."""

_GAVE_WAY = "Too many trainings are waiting. Try again in a few minutes."
_TOO_LARGE = (
    f"This training takes more than the {MEMORY_IN_WORDS} of memory that it may take on this server. Choose a shorter "
    "text, or a split pattern that cuts it into shorter pieces."
)
_ENDED = f"Training was ended from outside: perhaps it took more than the {MEMORY_IN_WORDS} of memory that it may take."

_PACKAGES = Path(__file__).parents[2]

State = Literal["waiting", "running", "done", "cancelled", "failed"]


@dataclass(frozen=True)
class Recipe:
    """What to train: `tokviz.train`'s arguments, besides the texts."""

    vocab_size: int
    split_pattern: str | None = "cl100k"
    alphabet: AlphabetName = "bytes"
    end_of_word: str | None = None
    tie_break: TieBreak = "first-seen"
    special_tokens: tuple[str, ...] = ()


@dataclass(eq=False)
class Job:
    """A tokenizer in the making. Everything about it may change until it has `ended`.

    `learned` of `wanted` merges are found; `wanted` is 0 as long as the text is being split. When all are found, the
    tokenizer is being measured. `problem` says, in a sentence, why it failed. `size` are the bytes of its texts, about.
    """

    state: State = "waiting"
    learned: int = 0
    wanted: int = 0
    tokenizer: BPETokenizer | None = None
    report: Report | None = None
    problem: str = ""
    size: int = 0
    process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.state not in ("waiting", "running")


class TooManyJobs(Exception):
    """There is no room in the line, or none for another of this visitor. The message says which."""


class Jobs:
    """The trainings of a server. Its methods may be called from several threads."""

    def __init__(self, at_a_time: int = AT_A_TIME, memory: int = MAX_MEMORY) -> None:
        self._at_a_time = at_a_time
        self._memory = memory
        self._lock = threading.RLock()
        self._waiting: FairQueue[Job] = FairQueue(MOST_WAITING, MOST_WAITING_EACH)
        self._orders: dict[Job, bytes] = {}
        self._running: dict[Job, Visitor] = {}

    def start(self, visitor: Visitor, texts: list[str], recipe: Recipe, measured: Sequence[str] = ()) -> Job:
        """Train a tokenizer, now or when it is its turn, and measure it on its texts and on the `measured` ones.

        Raises TooManyJobs.
        """
        job = Job(size=sum(map(len, texts)))
        with self._lock:
            try:
                evicted = self._waiting.push(visitor, job)
            except QueueFull:
                raise TooManyJobs(self._why_full(visitor)) from None
            if evicted is not None:
                self._end(evicted, "failed", _GAVE_WAY)
            self._orders[job] = pickle.dumps((texts, asdict(recipe), measured), pickle.HIGHEST_PROTOCOL)
            self._fill()
            self._make_room()
        if job.ended:
            raise TooManyJobs("Too many long texts are waiting to be trained on. Try again in a few minutes.")
        return job

    def _make_room(self) -> None:
        sizes = {job: len(self._orders[job]) for job in self._waiting.in_turn()}
        while sum(sizes.values()) > MAX_WAITING_BYTES:
            evicted = self._waiting.evict(sizes.__getitem__)
            del sizes[evicted]
            self._end(evicted, "failed", _GAVE_WAY)

    def _why_full(self, visitor: Visitor) -> str:
        if visitor in self._running.values():
            return "One of your trainings is running and another is waiting. Try again when the first has ended."
        return f"{len(self._waiting)} trainings are waiting already. Try again in a few minutes."

    def place(self, job: Job) -> int:
        """A waiting job's place in line, from 1; 0 for one that doesn't wait."""
        with self._lock:
            return next((place for place, each in enumerate(self._waiting.in_turn(), 1) if each is job), 0)

    def cancel(self, job: Job) -> None:
        """End a job, wherever it is. Nothing happens if it has ended already."""
        self._end(job, "cancelled")

    def abandon(self, job: Job) -> None:
        """End a job that nobody waits for any more. Nothing happens if it has ended already."""
        self._end(job, "failed", "Training was ended because its page was closed. Start it again.")

    def _end(self, job: Job, state: State, problem: str = "") -> None:
        with self._lock:
            if job.ended:
                return
            job.state, job.problem = state, problem
            self._waiting.remove(job)
            self._orders.pop(job, None)
            if job.process:
                job.process.kill()

    def _fill(self) -> None:
        while len(self._running) < self._at_a_time:
            found = self._waiting.pop(self._may_run)
            if found is None:
                return
            visitor, job = found
            job.state = "running"
            self._running[job] = visitor
            threading.Thread(target=self._run, args=(job,), name="tokviz-training", daemon=True).start()

    def _may_run(self, visitor: Visitor, job: Job) -> bool:
        """Whether a job may start now. A visitor runs one training at a time, an address one long one."""
        has_long = any(each.size > MAX_SHORT for each, its in self._running.items() if its.address == visitor.address)
        return visitor not in self._running.values() and not (has_long and job.size > MAX_SHORT)

    def _run(self, job: Job) -> None:
        try:
            with _child(self._memory) as child:
                self._begin(job, child)
                # A child that is gone is found out about below.
                with suppress(OSError, EOFError, KeyError, pickle.UnpicklingError):
                    self._follow(job, child)
                child.kill()
        finally:
            with self._lock:
                job.process = None
                if not job.ended:
                    job.state, job.problem = "failed", _ENDED
                self._orders.pop(job, None)
                del self._running[job]
                self._fill()

    def _begin(self, job: Job, child: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            job.process = child
            if job.ended:  # cancelled before there was a process to end
                child.kill()

    def _follow(self, job: Job, child: "subprocess.Popen[bytes]") -> None:
        assert child.stdin and child.stdout
        with child.stdin:
            child.stdin.write(self._orders.pop(job))
        for what, value in _messages(child.stdout):
            with self._lock:
                if job.ended:
                    return
                if what == "progress":
                    job.learned, job.wanted = value
                elif what == "done":
                    job.tokenizer, job.report = value
                    job.state = "done"
                else:
                    job.problem, job.state = value, "failed"


jobs = Jobs()
"""The trainings of this server."""


def _child(memory: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tokviz.app.jobs", str(memory)]
    return subprocess.Popen(command, cwd=_PACKAGES, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _messages(stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """What a child has to say, until its result."""
    what = "progress"
    while what == "progress":
        what, value = pickle.load(stream)
        yield what, value


# What the child does


def _work(memory: int, orders: IO[bytes], answers: IO[bytes]) -> None:
    _step_back()
    limit_memory(memory)
    say = _Reporter(answers)
    try:
        texts, recipe, measured = pickle.load(orders)
        seconds = round(1 + sum(map(len, texts)) / _SLOWEST, 1)
        with time_limit(seconds):
            tokenizer = train(texts, progress=say.progress, **recipe)
        with time_limit(2 * seconds):
            found = report(tokenizer, texts, measured)
    except ValueError as error:
        said = str(error).replace("vocab_size", "the vocabulary size", 1)  # as the form calls it
        say.say("failed", f"{said[:1].upper()}{said[1:]}.")
    except MemoryError:
        say.say("failed", _TOO_LARGE)
    else:
        say.say("done", (tokenizer, found))


def _step_back() -> None:
    """Leave most of the processor to those who type, but not all: a busy machine trains, too."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)


class _Reporter:
    """Tells the server what happens, of progress only now and then."""

    def __init__(self, answers: IO[bytes]) -> None:
        self._answers = answers
        self._due = 0.0

    def progress(self, learned: int, wanted: int) -> None:
        """For `train`."""
        if time.monotonic() >= self._due:
            self.say("progress", (learned, wanted))
            self._due = time.monotonic() + _REPORT_EVERY

    def say(self, what: str, value: Any) -> None:
        """One message."""
        pickle.dump((what, value), self._answers, pickle.HIGHEST_PROTOCOL)
        self._answers.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the server is gone
        _work(int(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
