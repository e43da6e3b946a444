"""Cache results computed from a visitor's text, per session and within one memory budget for all sessions."""

import hashlib
import pickle
import secrets
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

import streamlit as st

P = ParamSpec("P")
T = TypeVar("T")

MAX_KEPT = 50_000_000
"""Maximum bytes of pickled results of all sessions together; the least recently used are evicted."""

_OWNER = "tokviz cache owner"


class Results:
    """Pickled results, by owner, which is a session, and key. Thread-safe."""

    def __init__(self, limit: int = MAX_KEPT) -> None:
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        # Reentrant, since a session may be garbage-collected at any moment, which drops its results.
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, owner: str, key: str) -> bytes | None:
        """Return a result, or None if it is not cached."""
        with self._lock:
            if (owner, key) not in self._kept:
                return None
            self._kept.move_to_end((owner, key))
            return self._kept[owner, key]

    def put(self, owner: str, key: str, result: bytes) -> None:
        """Cache a result, unless it exceeds the limit alone."""
        with self._lock:
            self._drop(owner, key)
            if len(result) > self._limit:
                return
            self._kept[owner, key] = result
            self._size += len(result)
            while self._size > self._limit:
                self._drop(*next(iter(self._kept)))

    def forget(self, owner: str) -> None:
        """Drop the results of a session that has ended."""
        with self._lock:
            for each, key in [name for name in self._kept if name[0] == owner]:
                self._drop(each, key)

    def _drop(self, owner: str, key: str) -> None:
        self._size -= len(self._kept.pop((owner, key), b""))


results = Results()
"""The results cached by this server."""


class _Owner:
    """Identity of a session, whose results are dropped when the session is garbage-collected."""

    def __init__(self) -> None:
        self.name = secrets.token_urlsafe(16)
        weakref.finalize(self, results.forget, self.name)


def kept_for_session(says: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function's results by its arguments, per session. The page shows `says` while the function runs."""

    def decorate(work: Callable[P, T]) -> Callable[P, T]:
        @wraps(work)
        def find(*args: P.args, **kwargs: P.kwargs) -> T:
            owner: _Owner = st.session_state.setdefault(_OWNER, _Owner())
            digest = hashlib.sha256(pickle.dumps((args, kwargs))).hexdigest()
            key = f"{work.__module__}.{work.__qualname__} {digest}"
            kept = results.get(owner.name, key)
            if kept is not None:
                found: T = pickle.loads(kept)
                return found
            with st.spinner(says) if says else nullcontext():
                found = work(*args, **kwargs)
            results.put(owner.name, key, pickle.dumps(found))
            return found

        return find

    return decorate
