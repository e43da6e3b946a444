"""State shared by the pages of a session: the text, the tokenizer, and display settings.

It is stored under separate keys, since Streamlit drops the state of a page's widgets when the page changes.
"""

from typing import Any

import streamlit as st

_TEXT = "tokviz text"
_VIEW = "tokviz view"
_PRESENTING = "tokviz presenting"

_VIEW_FIELDS = ("tokenizer", "special", "marks", "colorBy")


def shared() -> dict[str, Any] | None:
    """Return the text and view in the form that widgets take; None if nothing was typed or chosen in this session.

    Fields that the session hasn't received are left out: the browser's tab may remember them from before a reload.
    """
    known = {"text": st.session_state[_TEXT]} if _TEXT in st.session_state else {}
    return known | st.session_state.get(_VIEW, {}) or None


def keep_text(text: str | None) -> None:
    """Share a text with all pages. None, which a widget reports if nothing is new, changes nothing."""
    if text is not None:
        st.session_state[_TEXT] = text


def keep_view(view: dict[str, Any] | None) -> None:
    """Share the tokenizer and display settings with all pages. None changes nothing."""
    if view is not None:
        st.session_state[_VIEW] = {name: view[name] for name in _VIEW_FIELDS if name in view}


def use_tokenizer(name: str) -> None:
    """Select a tokenizer on all pages."""
    st.session_state[_VIEW] = st.session_state.get(_VIEW, {}) | {"tokenizer": name}


def presenting() -> bool:
    """Return whether presenter mode is on, so that charts are drawn for a projector."""
    return bool(st.session_state.get(_PRESENTING, False))


def keep_presenting(view: dict[str, Any] | None) -> None:
    """Store presenter mode as reported by a page without its own widget. None changes nothing."""
    if view is not None:
        st.session_state[_PRESENTING] = bool(view["presenting"])
