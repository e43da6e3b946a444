"""Keep what was worked out of texts, so that neither another question nor another setting works it out again."""

import hashlib
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

MAX_KEPT = 50_000_000
"""Maximum bytes of pickled results; the least recently used are evicted."""

KEPT_SECONDS = 120.0
"""Seconds for which a result is kept after its last use, like the session of a page that is gone."""


class Results:
    """Pickled results by key. Thread-safe."""

    def __init__(self, limit: int = MAX_KEPT, seconds: float = KEPT_SECONDS) -> None:
        self._limit = limit
        self._seconds = seconds
        self._size = 0
        self._kept: OrderedDict[bytes, tuple[bytes, float]] = OrderedDict()  # with the time of its last use
        self._lock = Lock()

    def get(self, key: bytes) -> bytes | None:
        """Return a result, or None if it is not kept."""
        with self._lock:
            if key not in self._kept:
                return None
            result, _ = self._kept.pop(key)
            self._kept[key] = result, time.monotonic()
            return result

    def put(self, key: bytes, result: bytes) -> None:
        """Keep a result, unless it exceeds the limit alone."""
        if len(result) > self._limit:
            return
        with self._lock:
            self._size += len(result) - len(self._kept.pop(key, (b"", 0))[0])
            self._kept[key] = result, time.monotonic()
            while self._size > self._limit:
                self._evict()

    def tidy(self) -> None:
        """Drop the results that were not used for a while."""
        with self._lock:
            while self._kept and time.monotonic() - next(iter(self._kept.values()))[1] > self._seconds:
                self._evict()

    def _evict(self) -> None:
        """Drop the least recently used result."""
        _, (result, _) = self._kept.popitem(last=False)
        self._size -= len(result)


results = Results()
"""The results kept by this server. The key is a digest of the whole text: only who sends it again gets its results."""


def kept(work: Callable[P, T]) -> Callable[P, T]:
    """Keep a function's results by its arguments."""

    @wraps(work)
    def find(*args: P.args, **kwargs: P.kwargs) -> T:
        key = hashlib.sha256(pickle.dumps((work.__qualname__, args, kwargs))).digest()
        known = results.get(key)
        if known is not None:
            found: T = pickle.loads(known)
            return found
        found = work(*args, **kwargs)
        results.put(key, pickle.dumps(found))
        return found

    return find
