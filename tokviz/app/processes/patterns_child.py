"""A process that compiles and matches untrusted split patterns (see `patterns`).

It runs this module with `python -m`. It receives texts, and answers with numbers and sentences. It imports little, so
that it starts fast: no numpy.
"""

import sys
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from tokviz.app.processes.answering import PROBLEM, RESULT, TOO_LARGE, TOO_SLOW, answer_all, problem
from tokviz.app.processes.exchange import unpack
from tokviz.app.processes.lifetime import begin
from tokviz.display import quote
from tokviz.pretokens.pattern_size import is_recursive
from tokviz.pretokens.splitting import TimeBudget, TooSlow, compile_pattern, match_here

MAX_MEMORY = 288 * 1024**2
"""Maximum bytes of address space of this process."""


def _work(requests: IO[bytes], answers: IO[bytes], is_polite: bool) -> None:
    is_limited = begin(MAX_MEMORY, niceness=5 if is_polite else 0)
    answer_all(requests, answers, lambda message: _answer(is_limited, *unpack(message)))


def _answer(is_limited: bool, pattern: str, texts: Sequence[str], seconds: float) -> tuple[bytes, bytes]:
    """Return the kind of the answer and its data."""
    if not is_limited and is_recursive(pattern):
        return PROBLEM, f"the split pattern {quote(pattern)} calls itself, which this server doesn't allow".encode()
    try:
        return RESULT, _match(pattern, texts, seconds)
    except TooSlow:
        return TOO_SLOW, b""
    except MemoryError:
        compile_pattern.cache_clear()  # earlier patterns may fill the memory: clear them and try again below
    except Exception as error:
        return problem(error)
    try:
        return RESULT, _match(pattern, texts, seconds)
    except MemoryError:
        return TOO_LARGE, b""


def _match(pattern: str, texts: Sequence[str], seconds: float) -> bytes:
    started = time.monotonic()
    compile_pattern(pattern)
    left = seconds - (time.monotonic() - started)
    spans = match_here(pattern, texts, TimeBudget(seconds, left))
    return b"".join([array("i", map(len, spans)), *(array("i", each) for each in spans)])


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        _work(sys.stdin.buffer, sys.stdout.buffer, "--polite" in sys.argv)
