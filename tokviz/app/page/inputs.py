"""Inputs made of Streamlit's elements: files; and the text that the Compression page begins with."""

from collections.abc import Iterable
from functools import cache

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app.page import state
from tokviz.app.page.components import Example
from tokviz.app.visitors import uploads
from tokviz.app.visitors.text_files import decode
from tokviz.samples import sample, samples

MAX_FILE_MB = 10
"""Maximum megabytes of a text file, as on the Tokens page."""


@cache
def first_example() -> Example:
    """Return a text of prose and code, long enough for tokens to repeat."""
    texts = [sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")]
    return Example("prose-and-code", "English prose, and programs", "\n\n".join(texts))


def uploaded_texts(label: str) -> dict[str, str]:
    """Draw an uploader for text files and return their texts by name.

    Raises ValueError for a file that is not text, and for two files with the same name.
    """
    uploaded = st.file_uploader(label, "txt", accept_multiple_files=True, max_upload_size=MAX_FILE_MB)
    uploads.note(uploaded)
    files = by_name(uploaded)
    return {name.removesuffix(".txt"): _decode(name, data) for name, data in files.items()}


def _decode(name: str, data: bytes) -> str:
    """Decode a text file. Raises ValueError if it is too long, or not text."""
    text = decode(name, data)
    if not state.fits(text):
        raise ValueError(f"{name} is too long: {MAX_FILE_MB} MB is the most that fits")
    return text


def by_name(files: Iterable[UploadedFile]) -> dict[str, bytes]:
    """Return the contents of files by name. Raises ValueError for two files with the same name."""
    contents: dict[str, bytes] = {}
    for file in files:
        if file.name in contents:
            raise ValueError(f"two of these files are called {file.name}: remove one, or give it another name")
        contents[file.name] = file.getvalue()
    return contents
