"""Waiting for other threads and processes, in tests."""

import time
from collections.abc import Callable


def wait_until(is_so: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is so, and fail if it never is."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
