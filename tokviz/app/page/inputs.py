"""What a page asks for that isn't a widget of ours: the text that the pages share, and tokenizers."""

from collections.abc import Collection, Iterable, Mapping

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app.http.requests import sentence
from tokviz.app.page import state
from tokviz.app.page.cached_analyses import Choice
from tokviz.app.page.components import chosen_by_link, frame_widget
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.visitors import uploads, visitor_tokenizers
from tokviz.app.visitors.registry import WORDS, descriptions, registry
from tokviz.app.visitors.text_files import decode
from tokviz.display import shorten
from tokviz.samples import sample, samples

_BOX = "text"
_CHOSEN = "tokenizers"
_LINK = "tokviz choice of a link"
_MISSING = "tokviz tokenizers that a link names in vain"
_READ = "tokviz tokenizers of the last link that was read"
_OPENED = "tokviz text files opened"
_SHOWN = 20_000
MAX_FILE_MB = 10
"""The largest text file that a box takes, as on the Tokens page."""
_FIRST_CHOSEN = ["gpt2", "cl100k_base", "o200k_base"]


def text_box(file_query: dict[str, str] | None = None, chosen: Iterable[Choice] | None = None) -> str:
    """The text that the pages share, in a box that is folded away. It can be changed there, for all pages.

    `file_query` is as for `frame_widget`; a page that gives none takes a file right here. `chosen` are the page's
    tokenizers, which a link to it takes along; None where none are chosen.
    """
    shared = state.shared()
    known: str = _start() if shared is None else shared.get("text", _start())
    names, offered = (
        [choice.name for choice in chosen or ()],
        None if chosen is None else list(_said(_offered()).values()),
    )
    text = frame_widget(known, file_query, names, offered)
    if _BOX not in st.session_state or text != known:
        st.session_state[_BOX] = text[:_SHOWN]
    with st.expander(_named(text), key="text unfolded", icon=":material/edit:"):
        st.text_area("Text", height=200, key=_BOX, label_visibility="collapsed", on_change=_keep_typed)
        if len(text) > _SHOWN:
            st.text(
                f"These are the first {_SHOWN:,} of {len(text):,} code points. The charts are of the whole text; "
                "what you change here takes its place."
            )
        if file_query is None:
            _file_box()
    return text


def _file_box() -> None:
    """A place for a text file, whose text takes the place of the one that the pages share."""
    key = f"text-file {st.session_state.get(_OPENED, 0)}"  # empty again after each that was opened
    file = st.file_uploader(
        "Or open a text file in its place", max_upload_size=MAX_FILE_MB, key=key, on_change=_keep_opened, args=(key,)
    )
    uploads.note([file] if file else [])
    if file:  # it stays where it can't be read
        try:
            decode(file.name, file.getvalue())
        except ValueError as error:
            st.error(escape_markdown(sentence(error)))


def _keep_opened(key: str) -> None:
    """Share the text of a file before the page is drawn, where the box shows it."""
    file = st.session_state[key]
    if file is None:
        return
    try:
        text = decode(file.name, file.getvalue())
    except ValueError:
        return
    state.keep_text(text)
    st.session_state[_BOX] = text[:_SHOWN]
    st.session_state[_OPENED] = st.session_state.get(_OPENED, 0) + 1


def _keep_typed() -> None:
    """Share what was typed before the page is drawn: a change of page may end its run before it comes to the box."""
    state.keep_text(st.session_state[_BOX])


def _named(text: str) -> str:
    """What the box is called: the text may be an example that another page left, or have come by a link."""
    if text == _start():
        return "Your text (prose and programs, until you type one)"
    example = next((each.title for each in samples() if each.text == text), None)
    return "The text" if example is None else f"An example: {escape_markdown(example)}"


def _start() -> str:
    """What is in the box before anybody has typed: prose and code, enough of it for tokens to come back."""
    return "\n\n".join([sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")])


def tokenizers_box() -> list[Choice]:
    """The tokenizers that someone chooses to look at."""
    labels = _offered()
    name_of = {said: name for name, said in _said(labels).items()}
    by_link, addressed = chosen_by_link(), set(st.query_params.get_all(_CHOSEN)) - {""}
    unknown = addressed - name_of.keys()
    if by_link is None and not unknown <= set(st.session_state.get(_READ, ())):
        # Streamlit would take the unknown ones out of the address, and with them the text behind its `#`, before the
        # frame's widget has read that. The widget takes them out itself then, and says what the address chose.
        chosen = [name for said, name in name_of.items() if said in addressed] or _FIRST_CHOSEN
        st.pills(
            "Tokenizers",
            labels,
            selection_mode="multi",
            default=chosen,
            format_func=_said(labels).__getitem__,
            disabled=True,
            key="tokenizers of the address",
        )
        return [Choice(name, labels[name]) for name in chosen]
    if by_link is not None:
        st.session_state[_READ] = by_link
    is_set = _choose_as_the_link_does(labels, by_link and [name_of.get(each, each) for each in by_link])
    chosen = st.pills(
        "Tokenizers",
        labels,
        selection_mode="multi",
        default=None if is_set else _FIRST_CHOSEN,
        format_func=_said(labels).__getitem__,
        key=_CHOSEN,
        bind="query-params",
        on_change=_forget_missing,
    )
    if _MISSING in st.session_state:
        st.warning(escape_markdown(_not_here(st.session_state[_MISSING])))
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
    """The tokenizers that can be chosen, by name, and what people call them."""
    return {
        each.name: each.short for each in (*descriptions(), *visitor_tokenizers.descriptions()) if each.name != WORDS
    }


def _said(labels: Mapping[str, str]) -> dict[str, str]:
    """How Streamlit writes the tokenizers, also in the address, by name."""
    return {name: escape_markdown(label) if registry.has(name) else label for name, label in labels.items()}


def _choose_as_the_link_does(names: Collection[str], by_link: list[str] | None) -> bool:
    """Set what a link that was opened chooses among these tokenizers. Returns whether that was to be done."""
    now = set(st.session_state.get(_CHOSEN, _FIRST_CHOSEN))
    if by_link is not None:
        if missing := [name for name in by_link if name not in names]:
            st.session_state[_MISSING] = missing
        if found := [name for name in names if name in by_link]:
            st.session_state[_LINK] = found, now
    if _LINK not in st.session_state:
        return False
    chosen, before = st.session_state[_LINK]
    # A message that the browser sent before it heard of the choice takes it back: it says what was chosen before.
    if now != before:
        del st.session_state[_LINK]
        return False
    st.session_state[_CHOSEN] = chosen
    return True


def _forget_missing() -> None:
    """What a link asked for no longer matters once somebody has chosen for themselves."""
    st.session_state.pop(_MISSING, None)


def _not_here(names: list[str]) -> str:
    """What to say of tokenizers that a link names and that aren't there."""
    called = ", ".join(f"“{shorten(name)}”" for name in names)
    which = f"a tokenizer that isn't here: {called}" if len(names) == 1 else f"tokenizers that aren't here: {called}"
    return (
        f"This link names {which}. The others and the text are as in the link. A tokenizer that somebody trained or "
        "opened is kept only for a while: make it again, or open it from its file on the Train page."
    )


def uploaded_texts(label: str) -> dict[str, str]:
    """Text files that someone opens, by name. Raises ValueError for one that is no text, and two of the same name."""
    dropped = st.file_uploader(label, "txt", accept_multiple_files=True, max_upload_size=MAX_FILE_MB)
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
