"""Garbage collection in tests of objects that must be freed."""

import gc
import os
import time
from collections.abc import Callable


def collect_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Collect garbage until the condition is true, because the thread of a page run keeps its session until it ends.

    Fails after `seconds`.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        gc.collect()
        os.sched_yield()
