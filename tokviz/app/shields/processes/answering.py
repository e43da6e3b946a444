"""The process that answers requests one after the other, while strangers wait: the other end of `kept_child`.

It runs with `python -m`. A module of this folder has the function `answer`, which takes a message and the seconds that
it may take, and returns the data of the answer. TimeoutError, MemoryError and ValueError say why there is none.
"""

import os
import struct
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO

from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.lifetime import begin, exit_after

READY = b"r"
"""The first byte that a child process sends: it has started."""

LIMITS = struct.Struct("<dQ")
"""The head of a request: its time limit in seconds, and the maximum bytes of its answer."""

HEAD = struct.Struct("<cd")
"""The head of an answer: its kind, and the seconds taken."""

RESULT, PROBLEM, FAILED, TOO_SLOW, TOO_LARGE, TOO_LONG = b"r", b"p", b"f", b"s", b"m", b"l"
"""Kinds of answers: a result, a sentence, the name of an unexpected error, and too much time, memory, or bytes."""

MAX_PROBLEM = 1_000
"""Maximum characters of a sentence."""

LEAST = 4 * MAX_PROBLEM
"""Bytes that an answer may have in any case: those of a sentence."""

_GRACE = 2.0  # seconds past its time limit after which the process ends by itself

Answer = Callable[[bytes, float], bytes]


def answer_all(requests: IO[bytes], answers: IO[bytes], answer: Answer) -> None:
    """Answer each request. Returns when the server has ended."""
    answers.write(READY)
    answers.flush()
    with suppress(EOFError, BrokenPipeError):
        while True:
            seconds, most = LIMITS.unpack(exchange.read_bytes(requests, LIMITS.size))
            message = exchange.read(requests)
            started = time.monotonic()
            exit_after(seconds + _GRACE)
            kind, data = outcome(answer, message, seconds)
            exit_after(0)
            if len(data) > (most if kind == RESULT else LEAST):
                kind, data = TOO_LONG, b""
            answers.write(HEAD.pack(kind, time.monotonic() - started))
            exchange.write(answers, data)


def outcome(answer: Answer, message: bytes, seconds: float) -> tuple[bytes, bytes]:
    """Return the kind of the answer to a message, and its data."""
    try:
        return RESULT, answer(message, seconds)
    except (TimeoutError, KeyboardInterrupt):
        return TOO_SLOW, b""
    except MemoryError:
        return TOO_LARGE, b""
    except ValueError as error:
        return PROBLEM, str(error)[:MAX_PROBLEM].encode("utf-8", "replace")
    except BaseException as error:  # panics of engines written in Rust are no Exception
        traceback.print_exc()
        return FAILED, type(error).__name__.encode()[:MAX_PROBLEM]


def _private_stdout() -> IO[bytes]:
    """Return the stream of answers, to which nothing that native code prints is added."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


if __name__ == "__main__":
    module, memory, niceness = sys.argv[1:]
    found = import_module(f"tokviz.app.shields.processes.{module}").answer
    begin(int(memory), niceness=int(niceness))
    answer_all(sys.stdin.buffer, _private_stdout(), found)
