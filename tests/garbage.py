"""What Python throws away when nobody holds it any more."""

import gc
import os
import time
from collections.abc import Callable


def collect_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Collect garbage until it is so: a thread that made a page holds its session until it ends."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        gc.collect()
        os.sched_yield()
