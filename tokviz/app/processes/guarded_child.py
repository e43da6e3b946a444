"""The process in which a visitor's tokenizer runs (see `guarded_workers`).

It runs this module with `python -m`. It receives requests as pickles: first a function that opens the tokenizer, then
functions to call with it. It answers with columns and JSON, which the server never unpickles.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, Any

from tokviz.app.processes.answering import answer_all
from tokviz.app.processes.lifetime import begin
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import wire

Answer = tuple[wire.Columns, dict[str, Any]]
"""Columns, and what else there is to say, as JSON."""

Task = Callable[[Tokenizer], Answer]

RESULT, PROBLEM, TOO_LARGE, TOO_LONG = b"r", b"p", b"l", b"t"

_MAX_PROBLEM = 1_000  # characters


def _work(requests: IO[bytes], answers: IO[bytes], memory: int) -> None:
    begin(memory, niceness=5)
    opened: list[Tokenizer] = []

    def open_it(open_tokenizer: Callable[[], Tokenizer]) -> Answer:
        opened.append(open_tokenizer())
        return {}, {}

    def respond(most: int, task: Callable[..., Any]) -> tuple[bytes, bytes]:
        # The server ends this process if there is no tokenizer after its first request.
        kind, data = _outcome(partial(task, opened[0]) if opened else partial(open_it, task))
        return (TOO_LONG, b"") if len(data) > most else (kind, data)

    answer_all(requests, answers, respond)


def _outcome(work: Callable[[], Answer]) -> tuple[bytes, bytes]:
    """Return the kind of the answer and its data."""
    try:
        return RESULT, wire.pack(*work())
    except MemoryError:
        return TOO_LARGE, b""
    except ValueError as error:
        return PROBLEM, str(error)[:_MAX_PROBLEM].encode("utf-8", "replace")
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
