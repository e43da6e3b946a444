"""The tokenizers that a visitor trained or opened.

The registry keeps them under unguessable ids. The session stores these ids, and so does a cookie, with which a new
session finds them again after a reload or when a phone has slept.
"""

import re
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

import streamlit as st

from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, registry
from tokviz.app.answers.visitors.shipped_tokenizers import Description
from tokviz.app.shields.fairness.visitors import Visitor, visitor_at

MOST = 8
"""Maximum tokenizers per visitor; the oldest is evicted."""

COOKIE = "tokviz_own"

_KEPT = "tokviz own"
_LOCALHOST = "127.0.0.1"
_ID = re.compile(r"[\w-]{20,40}")


class _SessionIds:
    """The ids of a session's tokenizers, which are released when the session is garbage-collected."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.gone: list[str] = []
        weakref.finalize(self, _release, self.names)


def _release(names: list[str]) -> None:
    for name in names:
        registry.release(name)


def _session_ids() -> _SessionIds:
    if _KEPT not in st.session_state:
        names = [name for name in _from_cookie(st.context.cookies.get(COOKIE, "")) if registry.has(name)]
        for name in names:
            registry.hold(name)
        st.session_state[_KEPT] = _SessionIds(names)
    ids: _SessionIds = st.session_state[_KEPT]
    return ids


def _from_cookie(value: str) -> list[str]:
    return [name for name in value.split(".") if _ID.fullmatch(name)][-MOST:]


def descriptions() -> list[Description]:
    """Return this visitor's tokenizers, oldest first, with unique labels, by which pages distinguish them.

    A tokenizer from a link may have the same label as another; it is then numbered.
    """
    return _distinct(_session_ids().names)


def labels_of(names: Iterable[str], cookies: Mapping[str, str]) -> dict[str, str]:
    """Return short labels of the tokenizers in a request, unique as on the page that sent it, by name."""
    shipped = {each.name: each.short for each in DESCRIPTIONS}
    known = dict.fromkeys((*_from_cookie(cookies.get(COOKIE, "")), *names))
    own = {each.name: each.label for each in _distinct(name for name in known if name not in shipped)}
    return {name: shipped.get(name) or own.get(name) or registry.get(name).name for name in names}


def _distinct(names: Iterable[str]) -> list[Description]:
    """Describe those of these visitors' tokenizers that are kept, with unique labels."""
    found: list[Description] = []
    for described in filter(None, map(registry.described, names)):
        found.append(replace(described, label=_numbered(described.label, found)))
    return found


def _numbered(label: str, others: Iterable[Description]) -> str:
    """Return a label, with a number if one of the others or of the tokenizers available to everyone has it already."""
    taken = {label for each in (*DESCRIPTIONS, *others) for label in (each.label, each.short)}
    labels = (label if number == 1 else f"{label}, {number}" for number in count(1))
    return next(each for each in labels if each not in taken)


def session_visitor() -> Visitor:
    """Return the visitor of the current session. Streamlit gives no address for visitors on the server's machine."""
    return visitor_at(st.context.ip_address or _LOCALHOST, st.context.cookies)


def adopt(name: str) -> None:
    """Add a registered tokenizer, from a link or a file, unless it is gone or already this visitor's."""
    names = _session_ids().names
    if _ID.fullmatch(name) and registry.has(name) and name not in names:
        registry.hold(name)
        names.append(name)
        for old in names[:-MOST]:
            drop(old)


def drop(name: str) -> None:
    """Remove a tokenizer from this visitor's, and from the server unless other sessions hold it."""
    ids = _session_ids()
    if name in ids.names:
        ids.names.remove(name)
        ids.gone.append(name)
        registry.forget(name)


def for_cookie() -> dict[str, Any]:
    """Return the ids of this visitor's tokenizers, as the page puts them into the cookie (`streamlit/component.js`)."""
    ids = _session_ids()
    return {"names": ids.names, "gone": ids.gone, "cookie": COOKIE, "most": MOST}
