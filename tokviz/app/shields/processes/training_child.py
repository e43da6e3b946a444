"""The process in which a tokenizer is trained (see `training_queue`).

It runs this module with `python -m`. It reads what to train from standard input and writes progress and the result to
standard output, as messages of `exchange`: the kind of each, and its values.
"""

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import IO, Any

from tokviz.analysis.training.glimpse import glimpse, piece_of
from tokviz.analysis.training.report import Peers, report
from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.answering import MAX_PROBLEM
from tokviz.app.shields.processes.engine_training import learn
from tokviz.app.shields.processes.lifetime import begin
from tokviz.app.shields.processes.sent_tokenizers import values_of
from tokviz.app.shields.processes.sizes import check_token_lengths
from tokviz.app.shields.processes.training_recipes import engine_recipe
from tokviz.app.shields.processes.typed import typed
from tokviz.pretokens.splitting import time_limit
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.train import train

_REPORT_EVERY = 0.1  # seconds
_MAX_LOOKING = 0.05  # part of the time that may go into looking at the tokenizer while it is being trained
_MIN_SPEED = 1_000_000
"""Code points a second that a split pattern must be able to cut. The named patterns are more than ten times as fast."""


def _work(memory: int, seconds: float, requests: IO[bytes], answers: IO[bytes]) -> None:
    begin(memory, seconds, niceness=10)
    reporter = _Reporter(answers)
    try:
        texts, algorithm, given, measured, peers = exchange.unpack(exchange.read(requests))
        known = None if peers is None else typed(Peers, peers)
        if algorithm:
            learned = learn(engine_recipe(algorithm, given), texts, measured, known, reporter.progress)
            message: tuple[object, ...] = "learned", *learned
        else:
            message = "done", *_learn(reporter, texts, given, measured, known)
    except ValueError as error:
        reporter.send("failed", str(error)[:MAX_PROBLEM])
    except MemoryError:
        reporter.send("too large")
    else:
        reporter.send(*message)


def _learn(
    reporter: "_Reporter", texts: list[str], given: Mapping[str, Any], measured: list[str], peers: Peers | None
) -> tuple[object, ...]:
    """Train a tokenizer of tokviz's own; return its report and its values. Raises ValueError."""
    seconds = round(1 + sum(map(len, texts)) / _MIN_SPEED, 1)
    piece = piece_of(texts)
    with time_limit(seconds):
        watch = partial(reporter.look, piece)
        tokenizer = train(texts, progress=reporter.progress, watch=watch, **given)
    check_token_lengths(tokenizer)
    with time_limit(seconds):
        reporter.send("glimpse", glimpse(tokenizer, piece))
    reporter.progress("measuring", 0, None)
    with time_limit(2 * seconds):
        return report(tokenizer, texts, measured, peers), *values_of(tokenizer)


class _Reporter:
    """Sends messages to the server: progress at most every _REPORT_EVERY seconds, and glimpses as time allows."""

    def __init__(self, answers: IO[bytes]) -> None:
        self._answers = answers
        self._phase = ""
        self._due = self._look_due = 0.0

    def progress(self, phase: str, done: int, total: int | None) -> None:
        """Report progress; the callback of `train`. The beginning of a phase is always reported."""
        if phase != self._phase or time.monotonic() >= self._due:
            self.send("progress", phase, done, total)
            self._phase = phase
            self._due = time.monotonic() + _REPORT_EVERY

    def look(self, piece: str, so_far: Callable[[], BPETokenizer]) -> None:
        """Send what is seen of the training; the `watch` of `train`. The more it takes, the rarer it is sent."""
        started = time.monotonic()
        if started >= self._look_due:
            self.send("glimpse", glimpse(so_far(), piece))
            now = time.monotonic()
            self._look_due = now + max(_REPORT_EVERY, (now - started) / _MAX_LOOKING)

    def send(self, *message: object) -> None:
        """Send one message."""
        exchange.write(self._answers, exchange.pack(*message))


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the server has ended
        _work(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
