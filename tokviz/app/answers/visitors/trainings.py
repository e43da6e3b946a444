"""Trainings that pages wait for: started by a request, looked at again and again, and registered when they are done.

A page asks how far its training is; one that nobody asks about for a while is ended. All who open one link share one
training, whoever they are; what a visitor trains without a link is never shared, or else anybody could find out whether
somebody here trained on a certain text.
"""

import hashlib
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from tokviz.analysis.training.glimpse import Glimpse
from tokviz.analysis.training.report import Report
from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.kept_tokenizers import NotKept, registry
from tokviz.app.answers.visitors.share_codes import Origin
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.processes.engine_training import EngineReport
from tokviz.app.shields.processes.sizes import check_size
from tokviz.app.shields.processes.training_queue import ABANDONED_SECONDS, Job, Jobs, jobs
from tokviz.display import as_sentence
from tokviz.tokenizers.base import Tokenizer

FORGOTTEN_SECONDS = 600.0
"""Seconds after which an ended training that nobody asks about is forgotten; its tokenizer stays registered."""

_UNKNOWN = "This training is not known here any more. Start it again."


class Trained(NamedTuple):
    """Facts about a tokenizer from its training: how well it compresses, what it was measured on, and the picture.

    `measured_on` is "lines" (set aside before training), "sample", "" (nothing), or "itself": its text was too short to
    set lines aside.
    """

    report: Report | EngineReport
    measured_on: str
    glimpse: Glimpse | None


@dataclass(eq=False)
class VisitorTraining:
    """A training that pages wait for. It keeps no text. `name` is that of the registered tokenizer, once there is one.

    `asked_for` identifies what a shared one trains and measures. `asked` is the last time that a page asked about it.
    """

    label: str
    visitor: Visitor
    measured_on: str
    code: str
    is_shared: bool = False
    asked_for: str = ""
    job: Job | None = None
    name: str = ""
    problem: str = ""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    asked: float = field(default_factory=time.monotonic)

    @property
    def has_ended(self) -> bool:
        """True if there is a tokenizer, or the reason why there is none."""
        return bool(self.name or self.problem)


class Trainings:
    """The trainings that pages wait for. Thread-safe."""

    def __init__(self, queue: Jobs) -> None:
        self._queue = queue
        self._by_id: dict[str, VisitorTraining] = {}
        self._lock = Lock()
        self._trained: WeakKeyDictionary[Tokenizer, Trained] = WeakKeyDictionary()

    def start(
        self, visitor: Visitor, origin: Origin, texts: list[str], measured: Sequence[str], how: str, *, shared: bool
    ) -> VisitorTraining:
        """Start a training, or join the one that others started from the same link. Raises QueueFull.

        `measured` are the texts to measure it on, `how` is as `measured_on` of `Trained`. `shared` says that it is a
        link's.
        """
        code = share_codes.write(origin)
        with self._lock:
            asked_for = _digest([code, how, *measured]) if shared and code else ""
            training = self._shared(asked_for) if asked_for else None
            if training is None:
                training = VisitorTraining(origin.label, visitor, how, code, shared, asked_for)
                training.job = self._queue.start(visitor, texts, origin.recipe, measured)
                self._by_id[training.id] = training
        training.asked = time.monotonic()
        return training

    def _shared(self, asked_for: str) -> VisitorTraining | None:
        for training in self._by_id.values():
            if training.asked_for == asked_for and not training.problem:
                job = training.job
                is_good = registry.has(training.name) if training.name else job is not None and not job.problem
                if is_good and not (job and job.state == "cancelled"):
                    return training
        return None

    def get(self, id: str) -> VisitorTraining:
        """Return a training that a page asks about. Raises NotKept."""
        training = self._by_id.get(id)
        if training is None:
            raise NotKept(_UNKNOWN)
        training.asked = time.monotonic()
        return training

    def place(self, training: VisitorTraining) -> int:
        """Return a training's position in the queue, from 1; 0 if it isn't waiting."""
        return self._queue.place(training.job) if training.job else 0

    def finish(self, training: VisitorTraining) -> None:
        """Register the tokenizer of a training whose job has ended. Do nothing if that was done, or is too early."""
        with self._lock:
            job = training.job
            if training.has_ended or job is None or not job.ended:
                return
            training.job = None  # so that the result counts as fetched
            tokenizer, report = job.tokenizer, job.report  # which may be dropped at any moment
            if tokenizer is None or report is None:
                training.problem = "Cancelled. Nothing was kept." if job.state == "cancelled" else job.problem
                return
            try:
                check_size(tokenizer)
            except ValueError as error:
                training.problem = as_sentence(str(error))
                return
            label, is_shared = training.label, training.is_shared
            name = registry.register(tokenizer, label, training.code, training.visitor, from_link=is_shared)
            registry.release(name)  # the sessions that adopt it will hold it
            self._trained[tokenizer] = Trained(report, training.measured_on, job.glimpse)
            training.name = name

    def trained(self, tokenizer: Tokenizer) -> Trained | None:
        """Return what is known of a tokenizer from its training, if it was trained here and by a page."""
        return self._trained.get(tokenizer)

    def cancel(self, training: VisitorTraining) -> None:
        """Cancel a training, unless others may wait for it as well: then it ends when nobody asks any more."""
        if training.job and not training.is_shared:
            self._queue.cancel(training.job)

    def end_abandoned(self, now: float) -> None:
        """End the trainings that nobody has asked about for ABANDONED_SECONDS by `now`, and forget old ones."""
        with self._lock:
            known = list(self._by_id.values())
            self._by_id = {each.id: each for each in known if now - each.asked < FORGOTTEN_SECONDS}
        for training in known:
            if training.job and now - training.asked >= ABANDONED_SECONDS:
                self._queue.abandon(training.job)


def _digest(texts: Iterable[str]) -> str:
    lengths_and_texts = "".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(lengths_and_texts.encode("utf-8", "surrogatepass")).hexdigest()


trainings = Trainings(jobs)
"""The trainings of this server's pages."""
