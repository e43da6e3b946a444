"""Cache results computed from a visitor's text, per session and within one memory budget for all sessions."""

import hashlib
import pickle
import secrets
import weakref
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from tokviz.app.fairness.budgets import Budget, Kept

P = ParamSpec("P")
T = TypeVar("T")

MAX_KEPT = 50_000_000
"""Maximum bytes of pickled results of all sessions together; the least recently used are evicted."""

_OWNER = "tokviz cache owner"


results: Kept[tuple[str, str], bytes] = Kept(Budget(MAX_KEPT, oldest_first=True))
"""The pickled results cached by this server, by owner, which is a session, and key."""


def forget(owner: str) -> None:
    """Drop the results of a session that has ended."""
    for name in results:
        if name[0] == owner:
            results.drop(name)


class _Owner:
    """Identity of a session, whose results are dropped when the session is garbage-collected."""

    def __init__(self) -> None:
        self.name = secrets.token_urlsafe(16)
        weakref.finalize(self, forget, self.name)


def kept_for_session(says: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache a function's results by its arguments, per session. The page shows `says` while the function runs."""

    def decorate(work: Callable[P, T]) -> Callable[P, T]:
        @wraps(work)
        def find(*args: P.args, **kwargs: P.kwargs) -> T:
            owner: _Owner = st.session_state.setdefault(_OWNER, _Owner())
            digest = hashlib.sha256(pickle.dumps((args, kwargs))).hexdigest()
            key = f"{work.__module__}.{work.__qualname__} {digest}"
            kept = results.get((owner.name, key))
            if kept is not None:
                found: T = pickle.loads(kept)
                return found
            with st.spinner(says) if says else nullcontext():
                found = work(*args, **kwargs)
            pickled = pickle.dumps(found)
            results.put((owner.name, key), pickled, len(pickled))
            return found

        return find

    return decorate
