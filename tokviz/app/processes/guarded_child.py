"""The process in which a visitor's tokenizer runs (see `guarded_workers`).

It runs this module with `python -m`. It receives calls: first of a function that opens the tokenizer, then of functions
that take it first. It answers with columns and JSON.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, Any

from tokviz.app.processes.answering import PROBLEM, RESULT, TOO_LARGE, answer_all, problem
from tokviz.app.processes.exchange import unpack_call
from tokviz.app.processes.lifetime import begin
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import wire

Answer = tuple[wire.Columns, dict[str, Any]]
"""Columns, and what else there is to say, as JSON."""


def _work(requests: IO[bytes], answers: IO[bytes], memory: int) -> None:
    begin(memory, niceness=5)
    opened: list[Tokenizer] = []

    def open_it(open_tokenizer: Callable[[], Tokenizer]) -> Answer:
        opened.append(open_tokenizer())
        return {}, {}

    def respond(message: bytes) -> tuple[bytes, bytes]:
        called = unpack_call(message)
        # The server ends this process if there is no tokenizer after its first request.
        return _outcome(partial(called.func, opened[0], *called.args) if opened else partial(open_it, called))

    answer_all(requests, answers, respond)


def _outcome(work: Callable[[], Answer]) -> tuple[bytes, bytes]:
    """Return the kind of the answer and its data."""
    try:
        return RESULT, wire.pack(*work())
    except MemoryError:
        return TOO_LARGE, b""
    except ValueError as error:
        return problem(error)
    except BaseException as error:  # panics of engines written in Rust are no Exception
        return PROBLEM, f"its engine failed ({type(error).__name__})".encode()


def _private_stdout() -> IO[bytes]:
    """Return the stream of answers, to which nothing that native code prints is added."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        _work(sys.stdin.buffer, _private_stdout(), int(sys.argv[1]))
