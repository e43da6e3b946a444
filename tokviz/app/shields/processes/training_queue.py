"""Training queue and child processes: training does not slow down typing, and cancelling frees memory at once.

A server runs a few trainings at a time, one per visitor. Later ones wait in a queue, and pages show their position. A
visitor can have one training in the queue; when it is full, the address with the most in it loses the last one. An
address runs a second one only while no other address waits: or else that one goes back into the queue, and begins anew.
A quick one, on a small text, has a place of its own while the others are taken, for some seconds: one that takes more
goes back into the queue, too.

A child process runs `training_child`. A tokenizer of another library never encodes in the server, since these
libraries are native code: it runs in a guarded process (see `guarded`).
"""

import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import IO, Any, Literal
from weakref import ReferenceType, finalize, ref

from tokviz import formats
from tokviz.analysis.training.glimpse import Glimpse
from tokviz.analysis.training.report import Report, peer_compression
from tokviz.app.shields.fairness.budgets import Budget, Holding, LetGo
from tokviz.app.shields.fairness.visitors import FairQueue, QueueFull, Visitor, serving
from tokviz.app.shields.processes import children, exchange
from tokviz.app.shields.processes.children import Failed, Overdue, Refused
from tokviz.app.shields.processes.engine_training import EngineReport
from tokviz.app.shields.processes.guarded import GuardedTokenizer, memory_with_files
from tokviz.app.shields.processes.pool import Limits
from tokviz.app.shields.processes.sent_tokenizers import MAX_SENT, tokenizer_of
from tokviz.app.shields.processes.training_recipes import AnyRecipe, algorithm_of
from tokviz.app.shields.processes.typed import typed
from tokviz.display import as_sentence
from tokviz.tokenizers.bpe import BPETokenizer

MOST_WAITING = 50
MOST_WAITING_EACH = 1

LONG = Limits(1280 * 1024**2, seconds=30 * 60.0, at_a_time=2)
"""Limits of a training. Python itself takes 0.1 GB, and any far less time unless the server is very busy."""

SHORT = LONG._replace(seconds=3 * 60.0, size=1_000_000)
"""Limits of a short one, which takes seconds, in code points. An address runs at most one longer one at a time."""

QUICK = Limits(512 * 1024**2, seconds=5.0, size=100_000)
"""Limits of a quick one, with the texts that it is measured on, in code points. SentencePiece takes 0.44 GB."""

MAX_MEASURED_HERE = 20_000
"""Maximum code points that the server itself encodes with the tokenizers to compare with, which takes milliseconds.

It has them loaded; a child process takes 0.3 s to load them, much longer than a training on so short a text takes.
"""

MAX_WAITING_BYTES = 100_000_000
"""Maximum bytes of all queued texts together."""

ABANDONED_SECONDS = 30.0
"""Seconds after which a training is ended once the last page waiting for it is gone."""

MAX_UNCLAIMED = 200_000_000
"""Maximum bytes of memory of all results that no page has fetched, as estimated by `memory_with_files`."""

MEMORY_IN_WORDS = f"{LONG.memory / 1024**3:g} GB"

FITS_CUT, FITS_UNCUT = 20_000_000, 12_000_000
"""Bytes of text that fit into the memory of a training: with cl100k's split pattern, and without a pattern.

Measured on Python code of many projects with some emoji, which make every code point take four bytes in memory: with
the pattern, 20 MB took 1.06 GB and 25 MB too much; without a pattern, 15 MB took 1.19 GB. Repetitive text takes less.
"""

_EVICTED = "Too many trainings are waiting. Try again in a few minutes."
_TOO_LARGE = (
    f"This training takes more than the {MEMORY_IN_WORDS} of memory that it may take on this server. Choose a shorter "
    "text, or a split pattern that cuts it into shorter pieces."
)
_ENDED = f"Training was ended from outside: perhaps it took more than the {MEMORY_IN_WORDS} of memory that it may take."

_BROKEN = "The process that trained gave an impossible result. Start the training again."
_TOO_SLOW = "Training took longer than {:g} minutes. Choose a shorter text, or a smaller vocabulary."
_UNCLAIMED = "The result was dropped: its page was away, and many results were waiting. Start the training again."

_GRACE = 1.0  # seconds past its time limit after which a process ends by itself

State = Literal["waiting", "running", "done", "cancelled", "failed"]


@dataclass(eq=False)
class Job:
    """A training, queued, running or ended. All its attributes may change until it has `ended`.

    A result that nobody fetches may be dropped: the state then changes from "done" to "failed".

    `phase` is what is being done (one of `train`'s phases, or "training" by another library, then "measuring" and
    "comparing"), `done` of `total` how much of it; `total` may be None. `glimpse` is what is seen of the training so
    far. `problem` is a sentence that says why it failed.
    `size` is the number of code points in its texts. `is_quick` is true if it is thought to take seconds only.
    """

    state: State = "waiting"
    phase: str = ""
    done: int = 0
    total: int | None = None
    glimpse: Glimpse | None = None
    tokenizer: BPETokenizer | GuardedTokenizer | None = None
    report: Report | EngineReport | None = None
    problem: str = ""
    size: int = 0
    is_quick: bool = False
    process: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)
    finished: "Future[None]" = field(default_factory=Future, repr=False)
    """Completed when the job has ended."""

    @property
    def ended(self) -> bool:
        """True if nothing about the job will change any more."""
        return self.state not in ("waiting", "running")


@dataclass(eq=False)
class _Run:
    """A job's time in a child process, for its visitor. A job that was put back has another one later.

    `is_quick` is true in the place for quick trainings. `may_be_put_back` is true if the job may need another run.
    """

    visitor: Visitor
    is_quick: bool
    may_be_put_back: bool
    process: "subprocess.Popen[bytes] | None" = None


class Jobs:
    """The training queue of a server. Thread-safe."""

    def __init__(
        self,
        at_a_time: int = LONG.at_a_time,
        memory: int = LONG.memory,
        quick_at_a_time: int = QUICK.at_a_time,
    ) -> None:
        self._at_a_time = at_a_time
        self._quick_at_a_time = quick_at_a_time
        self._memory = memory
        self._lock = threading.RLock()
        self._waiting: FairQueue[Job] = FairQueue(MOST_WAITING, MOST_WAITING_EACH)
        self._requests: dict[Job, bytes] = {}
        self._running: dict[Job, _Run] = {}
        self._unclaimed = Budget(MAX_UNCLAIMED, oldest_first=True)

    def start(self, visitor: Visitor, texts: list[str], recipe: AnyRecipe, measured: Sequence[str] = ()) -> Job:
        """Queue a training, to start at once or in turn, and to be measured on its texts and on the `measured` ones.

        Raises QueueFull.
        """
        size = sum(map(len, texts))
        together = size + sum(map(len, measured))
        job = Job(size=size, is_quick=together <= QUICK.size)
        peers = peer_compression(texts, measured) if together <= MAX_MEASURED_HERE else None
        with self._lock:
            try:
                evicted = self._waiting.push(visitor, job)
            except QueueFull:
                raise QueueFull(self._why_full(visitor)) from None
            if evicted is not None:
                self._end(evicted, "failed", _EVICTED)
            self._requests[job] = exchange.pack(texts, algorithm_of(recipe), asdict(recipe), list(measured), peers)
            self._fill()
            self._make_room()
        if job.ended:
            raise QueueFull("Too many long texts are waiting to be trained on. Try again in a few minutes.")
        return job

    def _make_room(self) -> None:
        while len(self._waiting) and sum(map(len, self._requests.values())) > MAX_WAITING_BYTES:
            self._end(self._waiting.evict(lambda job: len(self._requests[job])), "failed", _EVICTED)

    def _why_full(self, visitor: Visitor) -> str:
        if any(run.visitor == visitor for run in self._running.values()):
            return "One of your trainings is running and another is waiting. Try again when the first has ended."
        return f"{len(self._waiting)} trainings are waiting already. Try again in a few minutes."

    def place(self, job: Job) -> int:
        """Return a waiting job's position in the queue, from 1; 0 if it isn't waiting."""
        with self._lock:
            return next((position for position, each in enumerate(self._waiting.in_turn(), 1) if each is job), 0)

    def cancel(self, job: Job) -> None:
        """Cancel a waiting or running job. Do nothing if it has ended already."""
        self._end(job, "cancelled")

    def abandon(self, job: Job) -> None:
        """End a job that nobody waits for any more. Do nothing if it has ended already."""
        self._end(job, "failed", "Training was ended because its page was closed. Start it again.")

    def _end(self, job: Job, state: State, problem: str = "") -> None:
        with self._lock:
            if job.ended:
                return
            _conclude(job, state, problem)
            self._waiting.remove(job)
            self._requests.pop(job, None)
            if job.process:
                job.process.kill()

    def _fill(self) -> None:
        while len(self._usual) < self._at_a_time and (next_job := self._waiting.pop(self._may_run)):
            self._launch(*next_job)
        addresses = [run.visitor.address for run in self._usual.values()]
        seconds = (job for job, run in reversed(self._usual.items()) if addresses.count(run.visitor.address) > 1)
        second = next(seconds, None)
        if second and (next_job := self._waiting.pop(lambda visitor, _: visitor.address not in addresses)):
            self._put_back(second)
            self._launch(*next_job)
        while len(self._running) - len(self._usual) < self._quick_at_a_time and (
            next_job := self._waiting.pop(lambda visitor, job: job.is_quick and self._may_run(visitor, job))
        ):
            self._launch(*next_job, quickly=True)

    @property
    def _usual(self) -> dict[Job, _Run]:
        """The trainings that run elsewhere than in the place for quick ones."""
        return {job: run for job, run in self._running.items() if not run.is_quick}

    def _may_run(self, visitor: Visitor, job: Job) -> bool:
        """Return whether a job may start now. A visitor runs one training at a time, an address one long one."""
        its = {each: run.visitor for each, run in self._running.items() if run.visitor.address == visitor.address}
        runs_long = any(each.size > SHORT.size for each in its)
        return visitor not in its.values() and not (runs_long and job.size > SHORT.size)

    def _launch(self, visitor: Visitor, job: Job, *, quickly: bool = False) -> None:
        job.state = "running"
        is_second = any(run.visitor.address == visitor.address for run in self._usual.values())
        run = self._running[job] = _Run(visitor, quickly, quickly or is_second)
        threading.Thread(target=self._run, args=(job, run), name="tokviz-training", daemon=True).start()

    def _put_back(self, job: Job) -> None:
        """End a job's process, and let it wait for another, in front of the others of its visitor."""
        run = self._running.pop(job)
        job.state, job.phase, job.done, job.total, job.glimpse, job.process = "waiting", "", 0, None, None, None
        self._waiting.put_back(run.visitor, job)
        if run.process:
            run.process.kill()

    def _run(self, job: Job, run: _Run) -> None:
        problem = _ENDED
        limits = QUICK if run.is_quick else SHORT if job.size <= SHORT.size else LONG
        memory, seconds = min(self._memory, limits.memory), limits.seconds
        try:
            with children.running("training_child", str(memory), str(seconds + _GRACE)) as child:
                with self._lock:
                    run.process = child
                    if self._running.get(job) is run:
                        job.process = child
                    if job.process is not child or job.ended:  # put back or cancelled before there was a process
                        child.kill()
                try:
                    with suppress(KeyError), children.within(child, seconds):
                        self._follow(job, run)
                except Failed as failed:
                    problem = _TOO_SLOW.format(seconds / 60) if isinstance(failed, Overdue) else _ENDED
                except (LookupError, ValueError):
                    problem = _BROKEN
        finally:
            with self._lock:
                if self._running.get(job) is run and run.is_quick and not job.ended:  # it is not quick
                    job.is_quick = False
                    self._put_back(job)
                elif self._running.get(job) is run:
                    del self._running[job]
                    job.process = None
                    self._requests.pop(job, None)
                    if not job.ended:
                        _conclude(job, "failed", problem)
                self._fill()

    def _follow(self, job: Job, run: _Run) -> None:
        child = run.process
        assert child and child.stdin and child.stdout
        exchange.write(child.stdin, self._requests[job] if run.may_be_put_back else self._requests.pop(job))
        for kind, values in _messages(child.stdout):
            tokenizer: BPETokenizer | GuardedTokenizer | None = None
            report: Report | EngineReport | None = None
            if kind == "done":
                tokenizer, report = tokenizer_of(values[1:]), typed(Report, values[0])
            elif kind == "learned":
                files, report = typed(tuple[dict[str, bytes], EngineReport], values)
                try:
                    tokenizer = _engine_of(files, run.visitor)
                except Refused as refusal:
                    kind, values = "failed", [str(refusal)]
            with self._lock:
                if job.ended or self._running.get(job) is not run:
                    return
                if kind == "progress":
                    job.phase, job.done, job.total = typed(tuple[str, int, int | None], values)
                elif kind == "glimpse":
                    (job.glimpse,) = typed(tuple[Glimpse], values)
                elif tokenizer is not None and report is not None:
                    job.tokenizer, job.report = tokenizer, report
                    _conclude(job, "done")
                    self._hold_unclaimed(job, run.visitor)
                elif kind == "failed":
                    _conclude(job, "failed", as_sentence(*typed(tuple[str], values)))
                elif not run.is_quick:  # it is too large
                    _conclude(job, "failed", _TOO_LARGE)

    def _hold_unclaimed(self, job: Job, visitor: Visitor) -> None:
        """Count a result until it is fetched, which is when nothing refers to its job any more."""
        holding = Holding(self._unclaimed, visitor, partial(_drop_unclaimed, ref(job)))
        finalize(job, holding.close)
        try:
            assert job.tokenizer
            holding.hold(memory_with_files(job.tokenizer))
        except LetGo:
            _drop_unclaimed(ref(job))


def _drop_unclaimed(reference: "ReferenceType[Job]") -> None:
    job = reference()
    if job is not None:
        _conclude(job, "failed", _UNCLAIMED)
        job.tokenizer = job.report = None


def _conclude(job: Job, state: State, problem: str = "") -> None:
    job.state, job.problem = state, problem
    if not job.finished.done():
        job.finished.set_result(None)


def _engine_of(files: dict[str, bytes], visitor: Visitor) -> GuardedTokenizer:
    """Return what another library trained, which runs in a guarded process. Raises Refused if it can't be used."""
    with serving(visitor):
        return GuardedTokenizer(partial(formats.read_any, files), files)


jobs = Jobs()
"""The training queue of this server."""


def _messages(stream: IO[bytes]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the messages of a child process, up to its result."""
    kind = "progress"
    while kind in ("progress", "glimpse"):
        kind, *values = exchange.unpack(exchange.read(stream, MAX_SENT))
        yield kind, values
