"""What a page asks for that isn't a widget of ours: the text that the pages share, and tokenizers."""

from collections.abc import Iterable

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app import own, state, uploads
from tokviz.app.analyses import Choice
from tokviz.app.components import chosen_by_link, frame_widget
from tokviz.app.registry import WORDS, descriptions, registry
from tokviz.app.textfiles import decode
from tokviz.app.verbatim import verbatim
from tokviz.samples import sample, samples

_BOX = "text"
_CHOSEN = "tokenizers"
_LINK = "tokviz choice of a link"
_SHOWN = 20_000
_FIRST_CHOSEN = ["gpt2", "cl100k_base", "o200k_base"]


def text_box(file_query: dict[str, str] | None = None, chosen: Iterable[Choice] = ()) -> str:
    """The text that the pages share, in a box that is folded away. It can be changed there, for all pages.

    `file_query` is as for `frame_widget`; `chosen` are the page's tokenizers, which a link to it takes along.
    """
    shared = state.shared()
    known: str = _start() if shared is None else shared.get("text", _start())
    text = frame_widget(known, file_query, [choice.name for choice in chosen])
    if _BOX not in st.session_state or text != known:
        st.session_state[_BOX] = text[:_SHOWN]
    with st.expander(_named(text), key="text unfolded", icon=":material/edit:"):
        st.text_area("Text", height=200, key=_BOX, label_visibility="collapsed", on_change=_keep_typed)
        if len(text) > _SHOWN:
            st.text(
                f"These are the first {_SHOWN:,} of {len(text):,} code points. The charts are of the whole text; "
                "what you change here takes its place."
            )
    return text


def _keep_typed() -> None:
    """Share what was typed before the page is drawn: a change of page may end its run before it comes to the box."""
    state.keep_text(st.session_state[_BOX])


def _named(text: str) -> str:
    """What the box is called: the text may be an example that another page left, or have come by a link."""
    if text == _start():
        return "Your text (prose and programs, until you type one)"
    example = next((each.title for each in samples() if each.text == text), None)
    return "The text" if example is None else f"An example: {verbatim(example)}"


def _start() -> str:
    """What is in the box before anybody has typed: prose and code, enough of it for tokens to come back."""
    return "\n\n".join([sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")])


def tokenizers_box() -> list[Choice]:
    """The tokenizers that someone chooses to look at."""
    offered = (*descriptions(), *own.descriptions())
    labels = {each.name: each.short for each in offered if each.name != WORDS}
    is_set = _choose_as_the_link_does(labels)
    chosen = st.pills(
        "Tokenizers",
        labels,
        selection_mode="multi",
        default=None if is_set else _FIRST_CHOSEN,
        format_func=lambda name: verbatim(labels[name]) if registry.has(name) else labels[name],
        key=_CHOSEN,
        bind="query-params",
    )
    surrounded = [labels[each.name] for each in offered if each.name in chosen and any(each.surrounding)]
    if surrounded:
        st.text(
            f"For a model, special tokens are put around a text by the file of: {', '.join(surrounded)}. "
            "They are not counted here."
        )
    return [Choice(name, labels[name]) for name in labels if name in chosen]


def _choose_as_the_link_does(names: Iterable[str]) -> bool:
    """Set what a link that was opened chooses among these tokenizers. Returns whether that was to be done."""
    by_link, now = chosen_by_link(), set(st.session_state.get(_CHOSEN, _FIRST_CHOSEN))
    if by_link is not None:
        st.session_state[_LINK] = [name for name in names if name in by_link], now
    if _LINK not in st.session_state:
        return False
    chosen, before = st.session_state[_LINK]
    # A message that the browser sent before it heard of the choice takes it back: it says what was chosen before.
    if now != before:
        del st.session_state[_LINK]
        return False
    st.session_state[_CHOSEN] = chosen
    return True


def uploaded_texts(label: str) -> dict[str, str]:
    """Text files that someone opens, by name. Raises ValueError for one that is no text, and two of the same name."""
    dropped = st.file_uploader(label, "txt", accept_multiple_files=True, max_upload_size=10)
    uploads.note(dropped)
    files = by_name(dropped)
    return {name.removesuffix(".txt"): decode(name, data) for name, data in files.items()}


def by_name(files: Iterable[UploadedFile]) -> dict[str, bytes]:
    """What is in files, where each needs a name of its own. Raises ValueError for two of the same."""
    contents: dict[str, bytes] = {}
    for file in files:
        if file.name in contents:
            raise ValueError(f"two of these files are called {file.name}: remove one, or give it another name")
        contents[file.name] = file.getvalue()
    return contents
