"""State shared by the pages of a session: the text, the tokenizer, and display settings.

It is stored under separate keys, since Streamlit drops the state of a page's widgets when the page changes. Reports of
widgets are checked: anybody may have sent them.
"""

from contextlib import suppress
from typing import Any

import streamlit as st

from tokviz.app.answers.requests import MAX_BODY
from tokviz.app.answers.visitors.kept_texts import KeptText
from tokviz.app.answers.visitors.visitor_tokenizers import session_visitor
from tokviz.app.shields.fairness.budgets import LetGo

MAX_SENT = 100_000
"""Maximum characters of a text that widgets get with their data, which Streamlit sends again at each run of a page."""

_TEXT = "tokviz text"
_VIEW = "tokviz view"

_VIEW_FIELDS = ("tokenizer", "special", "marks", "colorBy")
_MAX_VALUE = 200  # characters of a display setting


def shared() -> dict[str, Any] | None:
    """Return the text and view in the form that widgets take; None if nothing was typed or chosen in this session.

    Fields that the session hasn't received are left out: the browser's tab may remember them from before a reload.
    """
    kept: KeptText | None = st.session_state.get(_TEXT)
    return (_as_sent(kept) if kept else {}) | st.session_state.get(_VIEW, {}) or None


def text() -> str | None:
    """Return the text shared by all pages, or None if this session has none."""
    kept: KeptText | None = st.session_state.get(_TEXT)
    return kept.text if kept else None


def _as_sent(kept: KeptText) -> dict[str, str]:
    """Return the text in the form that widgets take: as it is, or, if it is long, its id to fetch it."""
    text = kept.text
    if text is None:
        return {}
    return {"textId": kept.id} if len(text) > MAX_SENT else {"text": text}


def keep_text(text: object) -> None:
    """Share a text with all pages. None, which a widget reports if nothing is new, changes nothing.

    Neither does anything but a text of the size that pages accept.
    """
    current: KeptText | None = st.session_state.get(_TEXT)
    if not isinstance(text, str) or not fits(text) or (current and current.text == text):
        return
    st.session_state.pop(_TEXT, None)
    with suppress(LetGo):  # others need the room
        st.session_state[_TEXT] = KeptText(text, session_visitor())


def fits(text: str) -> bool:
    """Return whether a text is of a size that pages accept."""
    return len(text) <= MAX_BODY and (text.isascii() or len(text.encode("utf-8", "surrogatepass")) <= MAX_BODY)


def keep_view(view: object) -> None:
    """Share the tokenizer and display settings with all pages. None changes nothing."""
    if isinstance(view, dict):
        st.session_state[_VIEW] = {name: view[name] for name in _VIEW_FIELDS if _is_setting(view.get(name))}


def _is_setting(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and len(value) <= _MAX_VALUE)


def use_tokenizer(name: str) -> None:
    """Select a tokenizer on all pages."""
    keep_view(st.session_state.get(_VIEW, {}) | {"tokenizer": name})


def stop_if_outdated() -> None:
    """End this run of a page if its session has ended or a newer run is wanted."""
    st.session_state.get(_TEXT)  # Streamlit ends the run here
