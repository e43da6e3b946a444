"""Inputs made of Streamlit's elements: the text shared by all pages, tokenizers, and files."""

from collections.abc import Collection, Iterable, Mapping

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app.http.requests import sentence
from tokviz.app.page import state
from tokviz.app.page.cached_analyses import Choice
from tokviz.app.page.components import chosen_by_link, frame_widget
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.visitors import uploads, visitor_tokenizers
from tokviz.app.visitors.kept_tokenizers import WORDS, descriptions, registry
from tokviz.app.visitors.text_files import decode
from tokviz.display import shorten
from tokviz.samples import sample, samples

_BOX = "text"
_CHOSEN = "tokenizers"
_LINK = "tokviz choice of a link"
_MISSING = "tokviz tokenizers that a link names in vain"
_READ = "tokviz tokenizers of the last link that was read"
_OPENED = "tokviz text files opened"
_MAX_SHOWN = 20_000  # code points
MAX_FILE_MB = 10
"""Maximum megabytes of a text file, as on the Tokens page."""
_FIRST_CHOSEN = ["gpt2", "cl100k_base", "o200k_base"]


def text_box(file_query: dict[str, str] | None = None, chosen: Iterable[Choice] | None = None) -> str:
    """Draw a folded box to edit the text shared by all pages, and return the text.

    `file_query` is as for `frame_widget`; without it, the box also has a file uploader. `chosen` are the page's
    tokenizers, which its links include; None on a page without a choice.
    """
    shared = state.text()
    known = _start() if shared is None else shared
    names, offered = (
        [choice.name for choice in chosen or ()],
        None if chosen is None else list(_pill_labels(_offered()).values()),
    )
    text = frame_widget(known, file_query, names, offered)
    if _BOX not in st.session_state or text != known:
        st.session_state[_BOX] = text[:_MAX_SHOWN]
    with st.expander(_box_title(text), key="text unfolded", icon=":material/edit:"):
        st.text_area("Text", height=200, key=_BOX, label_visibility="collapsed", on_change=_keep_typed)
        if len(text) > _MAX_SHOWN:
            st.text(
                f"These are the first {_MAX_SHOWN:,} of {len(text):,} code points. The charts are of the whole text; "
                "what you change here takes its place."
            )
        if not state.fits(st.session_state[_BOX]):
            st.error(f"This text is too long: {MAX_FILE_MB} MB is the most that fits.")
        if file_query is None:
            _file_box()
    return text


def _file_box() -> None:
    """Draw an uploader for a text file, whose text replaces the one shared by all pages."""
    key = f"text-file {st.session_state.get(_OPENED, 0)}"  # a new key empties the uploader after each opened file
    file = st.file_uploader(
        "Or open a text file in its place", max_upload_size=MAX_FILE_MB, key=key, on_change=_keep_opened, args=(key,)
    )
    uploads.note([file] if file else [])
    if file:  # a file stays in the uploader only if it can't be read
        try:
            _decode(file.name, file.getvalue())
        except ValueError as error:
            st.error(escape_markdown(sentence(error)))


def _keep_opened(key: str) -> None:
    """Share the text of a file, as a callback, so that the box shows it when the page is drawn."""
    file = st.session_state[key]
    if file is None:
        return
    try:
        text = _decode(file.name, file.getvalue())
    except ValueError:
        return
    state.keep_text(text)
    st.session_state[_BOX] = text[:_MAX_SHOWN]
    st.session_state[_OPENED] = st.session_state.get(_OPENED, 0) + 1


def _keep_typed() -> None:
    """Share the typed text, as a callback, since a change of page may end the run before it reaches the box."""
    state.keep_text(st.session_state[_BOX])


def _box_title(text: str) -> str:
    """Return the title of the box. The text may also be an example from another page, or come from a link."""
    if text == _start():
        return "Your text (prose and programs, until you type one)"
    example = next((each.title for each in samples() if each.text == text), None)
    return "The text" if example is None else f"An example: {escape_markdown(example)}"


def _start() -> str:
    """Return the initial text of the box: prose and code, long enough for tokens to repeat."""
    return "\n\n".join([sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")])


def tokenizers_box() -> list[Choice]:
    """Draw the choice of tokenizers and return the chosen ones."""
    labels = _offered()
    name_of = {label: name for name, label in _pill_labels(labels).items()}
    by_link, addressed = chosen_by_link(), set(st.query_params.get_all(_CHOSEN)) - {""}
    unknown = addressed - name_of.keys()
    if by_link is None and not unknown <= set(st.session_state.get(_READ, ())):
        # Streamlit would remove unknown tokenizers from the address, and with them the text after its `#`, before the
        # frame's widget has read it. So the widget removes them itself, and then reports what the address chose.
        chosen = [name for label, name in name_of.items() if label in addressed] or _FIRST_CHOSEN
        st.pills(
            "Tokenizers",
            labels,
            selection_mode="multi",
            default=chosen,
            format_func=_pill_labels(labels).__getitem__,
            disabled=True,
            key="tokenizers of the address",
        )
        return [Choice(name, labels[name]) for name in chosen]
    if by_link is not None:
        st.session_state[_READ] = by_link
    is_set = _apply_link_choice(labels, by_link and [name_of.get(each, each) for each in by_link])
    chosen = st.pills(
        "Tokenizers",
        labels,
        selection_mode="multi",
        default=None if is_set else _FIRST_CHOSEN,
        format_func=_pill_labels(labels).__getitem__,
        key=_CHOSEN,
        bind="query-params",
        on_change=_forget_missing,
    )
    if _MISSING in st.session_state:
        st.warning(escape_markdown(_missing_message(st.session_state[_MISSING])))
    surrounded = [
        labels[each.name] for each in visitor_tokenizers.descriptions() if each.name in chosen and any(each.surrounding)
    ]
    if surrounded:
        st.text(
            f"For a model, special tokens are put around a text by the file of: {', '.join(surrounded)}. "
            "They are not counted here."
        )
    return [Choice(name, labels[name]) for name in labels if name in chosen]


def _offered() -> dict[str, str]:
    """Return the labels of the tokenizers that can be chosen, by name."""
    return {
        each.name: each.short for each in (*descriptions(), *visitor_tokenizers.descriptions()) if each.name != WORDS
    }


def _pill_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels as Streamlit shows them, also in the address, by name."""
    return {name: escape_markdown(label) if registry.has(name) else label for name, label in labels.items()}


def _apply_link_choice(names: Collection[str], by_link: list[str] | None) -> bool:
    """Set the choice that an opened link makes among these tokenizers. Returns False if there was none to set."""
    current = set(st.session_state.get(_CHOSEN, _FIRST_CHOSEN))
    if by_link is not None:
        if missing := [name for name in by_link if name not in names]:
            st.session_state[_MISSING] = missing
        if found := [name for name in names if name in by_link]:
            st.session_state[_LINK] = found, current
    if _LINK not in st.session_state:
        return False
    chosen, before = st.session_state[_LINK]
    # A message that the browser sent before it received the choice still has the previous one, and would undo it.
    if current != before:
        del st.session_state[_LINK]
        return False
    st.session_state[_CHOSEN] = chosen
    return True


def _forget_missing() -> None:
    """Remove the warning about a link's missing tokenizers once the visitor makes a choice."""
    st.session_state.pop(_MISSING, None)


def _missing_message(names: list[str]) -> str:
    """Return the warning about tokenizers that a link names but that don't exist here."""
    called = ", ".join(f"“{shorten(name)}”" for name in names)
    which = f"a tokenizer that isn't here: {called}" if len(names) == 1 else f"tokenizers that aren't here: {called}"
    return (
        f"This link names {which}. The others and the text are as in the link. A tokenizer that somebody trained or "
        "opened is kept only for a while: make it again, or open it from its file on the Train page."
    )


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
