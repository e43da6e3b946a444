"""A download button that works as long as it is on screen.

Streamlit's own button requests a file under an id that every run of the page replaces: a press during a rerun may use
an expired id, and the download fails. Here a button keeps its id for the whole session.
"""

import secrets
import weakref

import streamlit as st

from tokviz.app.page.components import download_widget
from tokviz.app.visitors.downloads import Download, downloads
from tokviz.app.visitors.visitor_tokenizers import session_visitor

_IDS = "tokviz downloads"


class _Ids:
    """The ids of a session's buttons, by key. Their files are withdrawn when the session is garbage-collected."""

    def __init__(self) -> None:
        self.by_key: dict[str, str] = {}
        weakref.finalize(self, _withdraw, self.by_key)


def _withdraw(by_key: dict[str, str]) -> None:
    for id in by_key.values():
        downloads.drop(id)


def download_button(label: str, download: Download, key: str, *, explained: str = "") -> None:
    """Draw a button that saves a file. `key` identifies it within the session; `explained` is its tooltip."""
    download_widget(key, {"label": label, "id": offer(key, download), "file": download.name, "explained": explained})


def offer(key: str, download: Download) -> str:
    """Offer a file, and return its id, which is the same for the same key within a session."""
    ids: _Ids = st.session_state.setdefault(_IDS, _Ids())
    id = ids.by_key.setdefault(key, secrets.token_urlsafe(16))
    downloads.put(id, download, download.size, session_visitor())
    return id
