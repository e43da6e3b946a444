"""How a child process that stays alive answers requests, one after the other: the other end of `kept_child`."""

import pickle
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from tokviz.app.processes.lifetime import exit_after

READY = b"r"
"""The first byte that a child process sends: it has started."""

HEAD = struct.Struct("<cdQ")
"""Head of an answer: its kind, the seconds taken, and how many bytes follow."""

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


def answer_all(requests: IO[bytes], answers: IO[bytes], work: Callable[..., tuple[bytes, bytes]]) -> None:
    """Answer each request, a pickle of its time limit and of what `work` takes, with the kind and the data it returns.

    Returns when the server has ended.
    """
    answers.write(READY)
    answers.flush()
    with suppress(EOFError):
        while True:
            seconds, *asked = pickle.load(requests)
            started = time.monotonic()
            exit_after(seconds + _GRACE)
            kind, data = work(*asked)
            exit_after(0)
            answers.write(HEAD.pack(kind, time.monotonic() - started, len(data)))
            answers.write(data)
            answers.flush()
