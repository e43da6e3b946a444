"""Garbage collection in tests of objects that must be freed."""

import gc
import os
import time
from collections.abc import Callable


def collect_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Collect garbage until `condition` holds. The thread that ran a page keeps its session alive until it ends."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        gc.collect()
        os.sched_yield()
