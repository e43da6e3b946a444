"""How a child process that stays alive answers requests, one after the other: the other end of `kept_child`."""

import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from tokviz.app.processes import exchange
from tokviz.app.processes.lifetime import exit_after

READY = b"r"
"""The first byte that a child process sends: it has started."""

LIMITS = struct.Struct("<dQ")
"""The head of a request: its time limit in seconds, and the maximum bytes of its answer."""

HEAD = struct.Struct("<cd")
"""The head of an answer: its kind, and the seconds taken."""

RESULT, PROBLEM, TOO_SLOW, TOO_LARGE, TOO_LONG = b"r", b"p", b"s", b"m", b"l"
"""Kinds of answers: a result, a sentence, and why there is none: time, memory, or its bytes."""

MAX_PROBLEM = 1_000
"""Maximum characters of a sentence."""

LEAST = 4 * MAX_PROBLEM
"""Bytes that an answer may have in any case: those of a sentence."""

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


def answer_all(requests: IO[bytes], answers: IO[bytes], work: Callable[[bytes], tuple[bytes, bytes]]) -> None:
    """Answer each request, a message that `work` takes, with the kind and the data it returns.

    Returns when the server has ended.
    """
    answers.write(READY)
    answers.flush()
    with suppress(EOFError):
        while True:
            seconds, most = LIMITS.unpack(exchange.read_bytes(requests, LIMITS.size))
            message = exchange.read(requests)
            started = time.monotonic()
            exit_after(seconds + _GRACE)
            kind, data = work(message)
            exit_after(0)
            if len(data) > max(most, LEAST):
                kind, data = TOO_LONG, b""
            answers.write(HEAD.pack(kind, time.monotonic() - started))
            exchange.write(answers, data)


def problem(error: BaseException) -> tuple[bytes, bytes]:
    """Return the answer that an error's sentence is."""
    return PROBLEM, str(error)[:MAX_PROBLEM].encode("utf-8", "replace")
