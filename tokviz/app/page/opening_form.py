"""The Train page's form that opens a tokenizer from files."""

import asyncio

import streamlit as st

from tokviz import formats
from tokviz.app.fairness import turns
from tokviz.app.fairness.lanes import Busy
from tokviz.app.http.requests import sentence
from tokviz.app.page.inputs import by_name
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.processes.opening import open_in_turn
from tokviz.app.visitors import uploads, visitor_tokenizers
from tokviz.app.visitors.share_codes import LONGEST_PATTERN
from tokviz.formats.tokenizer_names import label
from tokviz.pretokens import splitting
from tokviz.tokenizers.base import Tokenizer

OPENED = "tokviz opened tokenizer"
"""Key of the name of the last tokenizer that was opened from files."""

_TIMES_OPENED = "tokviz opened"
_MAX_SPECIALS = 50_000  # characters
_NO_PATTERN, _OWN_PATTERN = "none", "my own"
_FILES_ASKED_FOR = (
    "One file (tokenizer.json, .model, .tiktoken, vocab.txt, tekken.json or .codes), or two that belong together "
    "(vocab.json and merges.txt, or encoder.json and vocab.bpe)"
)
_PATTERNS = ("cl100k", "o200k", "gpt2", "words", _NO_PATTERN, _OWN_PATTERN)
_PATTERN_HELP = (
    "It cuts the text first; merges never cross its cuts. gpt2, cl100k (GPT-4) and o200k (GPT-4o) are those of the "
    "models; words is every run of letters, digits and underscores, and every other sign."
)


def opening_form() -> None:
    """Draw the form, and say what is wrong with files that can't be read."""
    try:
        _form()
    except ValueError as error:
        st.error(escape_markdown(sentence(error)))


def _form() -> None:
    files = st.file_uploader(
        _FILES_ASKED_FOR,
        accept_multiple_files=True,
        max_upload_size=formats.MAX_FILE // 1_000_000,
        key=f"tokenizer-files {st.session_state.get(_TIMES_OPENED, 0)}",  # a new key empties the uploader
    )
    uploads.note(files)
    contents = by_name(files)
    lacking: formats.LeftOut = {}
    if formats.lacks_split_pattern(contents):
        st.text(
            "Files of this kind don't hold a split pattern. With another one, the same tokens cut a text elsewhere."
        )
        lacking["split_pattern"] = _pattern_box()
        lacking["special_tokens"] = special_ids(
            st.text_area(
                "Special tokens and their ids, one a line",
                placeholder="<|endoftext|> 50256",
                max_chars=_MAX_SPECIALS,
            )
        )
    if contents and st.button("Open it", key="open"):
        with st.spinner("Reading"):
            tokenizer = _read_files(contents, lacking)
        st.session_state[OPENED] = visitor_tokenizers.keep(
            tokenizer, label(sorted(contents), len(tokenizer.vocab))
        ).name
        st.session_state[_TIMES_OPENED] = st.session_state.get(_TIMES_OPENED, 0) + 1
        st.rerun()


def _pattern_box() -> str | None:
    """Draw the choice of a split pattern and return its name or the pattern itself, or None for no pattern.

    Raises ValueError for a pattern that doesn't compile.
    """
    choice = st.selectbox("Split pattern", _PATTERNS, key="file-pattern", help=_PATTERN_HELP)
    if choice != _OWN_PATTERN:
        return None if choice == _NO_PATTERN else choice
    typed = st.text_input(
        "A regular expression, as Python's regex reads it",
        r"\w+|\s+|[^\w\s]+",
        max_chars=LONGEST_PATTERN,
        key="file-pattern-own",
    )
    return splitting.resolve(splitting.literal(typed)) if typed else None


def _read_files(contents: dict[str, bytes], lacking: formats.LeftOut) -> Tokenizer:
    """Read the tokenizer in some files when it is this visitor's turn. Raises ValueError."""
    try:
        with turns.pages.handed_on():
            return asyncio.run(open_in_turn(visitor_tokenizers.session_visitor(), contents, **lacking))
    except Busy:
        raise ValueError("others are opening files; try again in a minute") from None


def special_ids(lines: str) -> dict[str, int]:
    """Parse special tokens with their ids, one a line, such as `<|endoftext|> 50256`. Raises ValueError."""
    found = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        token, _, number = line.rpartition(" ")
        if not token or not number.isdecimal():
            raise ValueError(f"{line!r} should be a special token, a space, and its id")
        found[token.strip()] = int(number)
    return found
