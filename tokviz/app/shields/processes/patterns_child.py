"""Compiling and matching untrusted split patterns, in a process of its own (see `patterns`).

It imports little, so that it starts fast: no numpy.
"""

import time
from array import array
from collections.abc import Sequence

from tokviz.app.shields.processes.exchange import unpack
from tokviz.app.shields.processes.lifetime import is_memory_limited
from tokviz.display import quote
from tokviz.pretokens.pattern_size import is_recursive
from tokviz.pretokens.splitting import TimeBudget, TooSlow, compile_pattern, match_here


def answer(message: bytes, seconds: float) -> bytes:
    """Return the spans of a pattern in texts: their count of numbers for each text, followed by the numbers."""
    pattern, texts = unpack(message)
    if is_recursive(pattern) and not is_memory_limited():
        raise ValueError(f"the split pattern {quote(pattern)} calls itself, which this server doesn't allow")
    try:
        try:
            return _match(pattern, texts, seconds)
        except MemoryError:
            compile_pattern.cache_clear()  # earlier patterns may fill the memory
        return _match(pattern, texts, seconds)
    except TooSlow:
        raise TimeoutError from None


def _match(pattern: str, texts: Sequence[str], seconds: float) -> bytes:
    started = time.monotonic()
    compile_pattern(pattern)
    left = seconds - (time.monotonic() - started)
    spans = match_here(pattern, texts, TimeBudget(seconds, left))
    return b"".join([array("i", map(len, spans)), *(array("i", each) for each in spans)])
