"""The widgets as Streamlit components.

Streamlit gets only a short host script, which loads the widget's own modules and stylesheets from the route. So a
widget is the same here, in a standalone page and in a notebook.
"""

import hashlib
import json
import time
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tokviz.app.answers.page_list import PAGES
from tokviz.app.answers.routes.replay import MAX_MERGES
from tokviz.app.answers.visitors import visitor_tokenizers
from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, KEPT_HOURS, LEARNED_FIRST
from tokviz.app.shields.processes import fetching
from tokviz.app.shields.processes.training_queue import FITS_CUT, FITS_UNCUT, MEMORY_IN_WORDS
from tokviz.app.streamlit.files import HOST_MODULE, base
from tokviz.chats.templates import TEMPLATE_OF, THINKS, TITLES, shipped
from tokviz.course.chapters import TEACHERS, contents
from tokviz.samples import KINDS, sample, samples
from tokviz.samples.large import large_samples
from tokviz.widgets import FIGURE_SHEETS
from tokviz.widgets.replays import LIMIT

PAGE_STYLE = Path(__file__).parent / "page.css"
"""Stylesheet for Streamlit's own elements on phones and on paper, for `st.html`."""

_PRESENTER_STYLE = Path(__file__).parent / "presenting.css"
_EDITOR_SHEETS = ("shared/ui/editor.css", "shared/text/invisibles.css", "token_view/view.css")
_START = "start"
_MAX_NAMES = 100  # of tokenizers in a message
_MAX_NAME = 200  # characters
_HANDLED = "tokviz tokenizers handled"
_NUMBERS = "tokviz numbers of data"
_CLASSICS = "differences-classics"

# Streamlit imports this script again for each change of data, and Chromium may run these imports in any order.
_SCRIPT = """
const SORRY = "This part of the page could not start. Reload the page to try again.";

export default function ({ data, parentElement, setStateValue }) {
  const module = new URL(`${data[1].base}_tokviz/static/MODULE`, document.baseURI).href;
  const shown = import(module).then(
    ({ show }) => show({ data, parentElement, setStateValue }),
    (error) => { console.error(error); parentElement.append(SORRY); },
  );
  return () => void shown.then((leave) => leave?.());
}
""".replace("MODULE", HOST_MODULE)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a page shows: a widget, by the name of its folder, its data, and its stylesheets."""

    widget: str
    data: dict[str, Any]
    sheets: tuple[str, ...]


_shown: ContextVar[_Shown | None] = ContextVar("shown", default=None)


def run(page: StreamlitPage) -> None:
    """Run a page's script, and show what it names in the component that stays while pages change.

    A script that names nothing shows its own elements.
    """
    _shown.set(None)
    page.run()
    shown = _shown.get()
    if shown:
        _mount("page", page.url_path, shown, {"pages": [each.path for each in PAGES if not each.is_hidden]})


def stop_if_outdated() -> None:
    """End this run of a page if its session has ended or a newer run is wanted."""
    st.session_state.get(_HANDLED)  # Streamlit ends the run here


def _no_callback() -> None:
    """Do nothing: Streamlit requires a callback, but the widget's state is read from the component's return value."""


def _handle_tokenizer_messages(key: str, adopted: object, removed: object) -> None:
    """Adopt the tokenizers from a link, a file or a training, drop others, and rerun.

    This is not done in callbacks, since Streamlit did not call them for messages during a page's first run.
    """
    handled = st.session_state.setdefault(_HANDLED, {})
    message = adopted, removed = _names(adopted), _names(removed)
    before = handled.get(key, (None, None))
    if before == message:
        return
    handled[key] = message
    for name in adopted if adopted and adopted != before[0] else ():
        visitor_tokenizers.adopt(name)
    for name in removed if removed and removed != before[1] else ():
        visitor_tokenizers.drop(name)
    if adopted or removed:
        st.rerun()


def _names(names: object) -> list[str] | None:
    """Return the names of tokenizers in a message, which anybody may have sent; None if it has none."""
    if not isinstance(names, list):
        return None
    return [name[:_MAX_NAME] for name in names[:_MAX_NAMES] if isinstance(name, str)]


def show_tokens(headline: str) -> None:
    """Show the Tokens page's widget: the editor that shows tokens during typing, with all its parts."""
    _show(
        "tokens", {"headline": headline, "start": _START, "limits": {"bytes": LIMIT}}, *_EDITOR_SHEETS, "seek/seek.css"
    )


def show_compare(headline: str, introduction: str) -> None:
    """Show the Compare page's widget: the editor, and where several tokenizers differ on its text."""
    sheets = (*_EDITOR_SHEETS, "compare/compared.css", "compare/differences.css", "compare/picture.css")
    _show("compare", {"before": headline, "introduction": introduction, "start": _CLASSICS}, *sheets)


def show_replay(headline: str) -> None:
    """Show the player that shows merges step by step: encoding a text, and learning merges from one."""
    limits = {"bytes": LIMIT, "merges": MAX_MERGES}
    views = ("lattice/lattice.css", "matches/matches.css")
    sheets = ("shared/text/invisibles.css", "token_view/view.css", "replay/tower/tower.css", *views)
    _show("replay", {"headline": headline, "limits": limits}, *sheets)


def show_train(headline: str, introduction: str) -> None:
    """Show the Train page's widget."""
    large = [each._asdict() for each in large_samples()]
    sheets = ("shared/text/invisibles.css", "token_view/view.css", "replay/widget.css", "replay/tower/tower.css")
    first = {"name": LEARNED_FIRST, "text": sample(LEARNED_FIRST).text}
    limits = {
        "fits": f"A training may take {MEMORY_IN_WORDS} of memory here: about {FITS_CUT // 1_000_000} MB of prose or "
        f"code fit in; without a split, about {FITS_UNCUT // 1_000_000} MB. If words repeat a lot, more fits.",
        "kept": f"You can pick it on every page until {KEPT_HOURS:g} hour after you leave. Only your last "
        f"{visitor_tokenizers.MOST} tokenizers are kept here: save its file to keep it longer. "
        "Nobody else gets it, except by a link from you.",
    }
    data = {"headline": headline, "introduction": introduction, "large": large, "limits": limits, "first": first}
    _show("train", data, *sheets)


def show_chat(headline: str, introduction: str) -> None:
    """Show the Chat page's widget: messages, and what a model reads of them."""
    thinking = [name for name in TITLES if shipped(name).thinks]
    templates = {"templates": list(TITLES.items()), "templateOf": TEMPLATE_OF, "thinking": thinking, "thinks": THINKS}
    data = {"headline": headline, "introduction": introduction, **templates}
    _show("chat", data, *_EDITOR_SHEETS, "compare/compared.css")


def show_compression(headline: str, introduction: str, questions: list[dict[str, Any]]) -> None:
    """Show the Compression page's widget, which answers questions with charts."""
    given = {"name": "prose-and-code", "title": "English prose, and programs", "kind": next(iter(KINDS))}
    listed = [{"name": each.name, "title": each.title, "kind": each.kind} for each in samples()]
    data = {
        "headline": headline,
        "introduction": introduction,
        "start": given["name"],
        "given": given | {"text": first_text()},
        "samples": [given, *listed],
        "questions": questions,
        "limits": {"bytes": LIMIT},
    }
    _show("compression", data, *_EDITOR_SHEETS, "seek/seek.css")


def show_course() -> None:
    """Show the Course page's widget: the contents, and the chapters, which it fetches."""
    data = {"chapters": contents(), "teachers": TEACHERS}
    _show("course", data, "shared/ui/editor.css", *FIGURE_SHEETS, "course/figures.css")


@cache
def first_text() -> str:
    """Return the text that the Compression page begins with: prose and code, long enough for tokens to repeat."""
    texts = [sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")]
    return "\n\n".join(texts)


def lesson_widget(lesson: dict[str, Any], kind: Literal["slides", "notes", "question"] = "slides") -> None:
    """Mount the Lesson page's slides with its tools, the teacher's notes, or a question about another page."""
    data = {"lesson": lesson, "kind": kind, "keepsPlace": kind == "slides"}
    votes = ("room/votes.css",) if kind == "question" else ()  # the slides load it when they are wanted
    sheets = ("slides/notes.css",) if kind == "notes" else (*FIGURE_SHEETS, *votes, "slides/widget.css")
    _framed_widget("frame", data, {"for": "students"}, *sheets)


def exercises_widget(exercises: dict[str, Any]) -> None:
    """Mount the exercises of the Lesson page."""
    _framed_widget("exercises", {**exercises, "keepsPlace": False}, {})


def _framed_widget(name: str, data: dict[str, Any], query: dict[str, str], *sheets: str) -> None:
    """Mount a widget with Share and Present. Shared is the page's address, with `query` added to its query."""
    _mount(name, "lesson", _Shown(name, {"query": query, **data}, (*sheets, "frame/widget.css")), {})


def _show(name: str, data: dict[str, Any], *sheets: str) -> None:
    """Show the widget in the folder `name`, with `data` and the data common to all widgets.

    The terms between asterisks in the `introduction` of its data are explained (`withTerms` in elements.js).
    """
    title = next(page.title for page in PAGES if page.name == name)
    _shown.set(_Shown(name, {"title": title, **data}, sheets))


def _mount(key: str, page: str, shown: _Shown, more: dict[str, Any]) -> None:
    """Mount the component that shows a widget, under Streamlit's `key`. `page` is its address from the app's root."""
    common = {
        "tokenizers": [each.as_data() for each in (*DESCRIPTIONS, *visitor_tokenizers.descriptions())],
        "own": visitor_tokenizers.for_cookie(),
        "hub": fetching.is_enabled(),
        "samples": [{"name": each.name, "title": each.title, "kind": each.kind} for each in samples()],
        "kinds": KINDS,
        "presenting": _PRESENTER_STYLE.read_text("utf-8"),
        "base": base(),
        **more,
    }
    sheets = ["shared/dom/palette.css", "shared/dom/controls.css", *shown.sheets, f"{shown.widget}/widget.css"]
    own = {"page": page, "widget": shown.widget, "sheets": sheets, **shown.data}
    # Registered at each run, which costs nothing: Streamlit forgets it when its runtime is restarted.
    said = st.components.v2.component(f"tokviz_{key}", js=_SCRIPT)(
        key=key,
        data=[_number(key, [common, own]), common, own],  # in a dict, Streamlit would search for tables, with pandas
        on_adopted_change=_no_callback,
        on_removed_change=_no_callback,
    )
    _handle_tokenizer_messages(key, said.adopted, said.removed)


def _number(key: str, data: object) -> int:
    """Return the number of a widget's data, which is larger than those of its earlier data, also in other sessions.

    Data that stay the same keep their number, so that they need not be sent again.
    """
    numbers: dict[str, tuple[int, bytes]] = st.session_state.setdefault(_NUMBERS, {})
    digest = hashlib.sha256(json.dumps(data).encode("utf-8", "surrogatepass")).digest()
    number, before = numbers.get(key, (0, b""))
    if digest != before:
        number = max(number + 1, time.time_ns() // 1_000_000)
        numbers[key] = number, digest
    return number
