"""The tokenizers that a visitor trained or opened.

They stand in the registry under ids that can't be guessed. The session keeps the ids, and so does a cookie: a session
that begins anew, after a reload or when a phone has slept, finds them again.
"""

import re
import weakref
from collections.abc import Iterable
from dataclasses import replace
from itertools import count

import streamlit as st

from tokviz.app.fairness.visitors import Visitor, visitor_at
from tokviz.app.processes.sizes import check_size
from tokviz.app.visitors.registry import Description, registry
from tokviz.app.visitors.registry import descriptions as everyones
from tokviz.tokenizers.bpe import BPETokenizer

MOST = 8
"""So many tokenizers of a visitor are kept; the oldest goes first."""

COOKIE = "tokviz_own"

_KEPT = "tokviz own"
_HERE = "127.0.0.1"
_ID = re.compile(r"[\w-]{20,40}")

# The cookie is the browser's, so all its tabs may add to it. It goes when the browser is closed. In another site's
# frame browsers keep it only if it is Partitioned: it is then this app's in frames of that site and nowhere else.
_SCRIPT = """
export default function ({ data: [{ names, gone, cookie, path, most }] }) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "=";
  const others = found.split("=")[1].split(".").filter((name) => name && !gone.includes(name) && !names.includes(name));
  const all = [...others, ...names].slice(-most);
  const isFramed = window.top !== window && location.protocol === "https:";
  const sites = isFramed ? "SameSite=None; Secure; Partitioned" : "SameSite=Strict";
  document.cookie = `${cookie}=${all.join(".")}; path=${path}; ${sites}`;
}
"""


class _Own:
    """The ids of a session. When the session is gone, the registry is told."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.gone: list[str] = []
        weakref.finalize(self, _release, self.names)


def _release(names: list[str]) -> None:
    for name in names:
        registry.release(name)


def _own() -> _Own:
    if _KEPT not in st.session_state:
        names = [name for name in _from_cookie(st.context.cookies.get(COOKIE, "")) if registry.has(name)]
        for name in names:
            registry.hold(name)
        st.session_state[_KEPT] = _Own(names)
    own: _Own = st.session_state[_KEPT]
    return own


def _from_cookie(value: str) -> list[str]:
    return [name for name in value.split(".") if _ID.fullmatch(name)][-MOST:]


def descriptions() -> list[Description]:
    """This visitor's tokenizers, the oldest first. All their labels differ: pages tell tokenizers apart by them.

    One that a link brought may be called as another is already.
    """
    found: list[Description] = []
    for name in _own().names:
        if registry.has(name):
            described = registry.describe(name)
            found.append(replace(described, label=_numbered(described.label, found)))
    return found


def _numbered(label: str, others: Iterable[Description]) -> str:
    """A label, with a number if one of the others, or of those that everyone has, is called the same."""
    taken = {called for each in (*everyones(), *others) for called in (each.label, each.short)}
    labels = (label if number == 1 else f"{label}, {number}" for number in count(1))
    return next(each for each in labels if each not in taken)


def keep(tokenizer: BPETokenizer, label: str, recipe: str = "") -> Description:
    """Add a tokenizer to this visitor's. Its label gets a number if there is one of the same name already.

    `recipe` is how to make it again, as `recipes` writes it. Raises ValueError for one that takes too much memory.
    """
    check_size(tokenizer)
    name = registry.register(tokenizer, _numbered(label, descriptions()), recipe, session_visitor())
    _add(name)
    return registry.describe(name)


def session_visitor() -> Visitor:
    """The visitor whose page this is. On the machine itself Streamlit tells no address."""
    return visitor_at(st.context.ip_address or _HERE, st.context.cookies)


def adopt(name: str) -> None:
    """Add a tokenizer that a link brought. It may be gone already, or be this visitor's."""
    if _ID.fullmatch(name) and registry.has(name) and name not in _own().names:
        registry.hold(name)
        _add(name)


def _add(name: str) -> None:
    names = _own().names
    names.append(name)
    for old in names[:-MOST]:
        drop(old)


def drop(name: str) -> None:
    """Take a tokenizer from this visitor's, and from the server unless others have it, too."""
    own = _own()
    if name in own.names:
        own.names.remove(name)
        own.gone.append(name)
        registry.forget(name)


def remember(path: str) -> None:
    """Have the browser remember which tokenizers are this visitor's. `path` is the app's root."""
    own = _own()
    if not own.names and not own.gone:
        return
    st.components.v2.component("tokviz_own", js=_SCRIPT)(
        key="own",
        # In a list, for the reason that `components` gives.
        data=[{"names": own.names, "gone": own.gone, "cookie": COOKIE, "path": path, "most": MOST}],
    )
