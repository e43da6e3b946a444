"""What the pages share within a session: the text, the tokenizer, and how tokens are shown.

It is kept under keys of its own, for Streamlit drops what belongs to a widget when the page changes.
"""

from typing import Any

import streamlit as st

_TEXT = "tokviz text"
_VIEW = "tokviz view"
_PRESENTING = "tokviz presenting"

_IN_A_VIEW = ("tokenizer", "special", "marks", "colorBy")


def shared() -> dict[str, Any] | None:
    """Text and view as the widgets take them; None as long as nobody has typed or chosen in this session.

    What a session was never told is left out: a tab may remember it from before a reload.
    """
    known = {"text": st.session_state[_TEXT]} if _TEXT in st.session_state else {}
    return known | st.session_state.get(_VIEW, {}) or None


def keep_text(text: str | None) -> None:
    """Share a text with all pages. None, a widget's word for "nothing new", changes nothing."""
    if text is not None:
        st.session_state[_TEXT] = text


def keep_view(view: dict[str, Any] | None) -> None:
    """Share the tokenizer and how tokens are shown. None changes nothing."""
    if view is not None:
        st.session_state[_VIEW] = {name: view[name] for name in _IN_A_VIEW if name in view}


def use_tokenizer(name: str) -> None:
    """Have all pages show this tokenizer."""
    st.session_state[_VIEW] = st.session_state.get(_VIEW, {}) | {"tokenizer": name}


def presenting() -> bool:
    """Whether charts are to be drawn for a projector."""
    return bool(st.session_state.get(_PRESENTING, False))


def keep_presenting(view: dict[str, Any] | None) -> None:
    """Remember what a page without a widget of its own said of presenter mode. None changes nothing."""
    if view is not None:
        st.session_state[_PRESENTING] = bool(view["presenting"])
