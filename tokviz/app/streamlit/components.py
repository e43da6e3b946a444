"""The widgets as Streamlit components.

Streamlit gets only a short host script, which loads the widget's own modules and stylesheets from the route. So a
widget is the same here, in a standalone page and in a notebook.
"""

import hashlib
import json
import time
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from tokviz.app.answers.page_list import PAGES
from tokviz.app.answers.routes.replay import MAX_MERGES
from tokviz.app.answers.visitors import visitor_tokenizers
from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS, KEPT_HOURS, LEARNED_FIRST
from tokviz.app.shields.processes import fetching
from tokviz.app.shields.processes.training_queue import FITS_CUT, FITS_UNCUT, MEMORY_IN_WORDS
from tokviz.app.streamlit import state
from tokviz.app.streamlit.files import HOST_MODULES, base
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

# `mounted` outlives the calls: Streamlit calls the exported function again for each change of data or theme, and may
# run the clean-up of a call while the widget is still on the page.
#
# Data may arrive in any order: for each, Streamlit imports this script again, and while the script is still loading,
# Chromium ends such imports in no particular order. So data are numbered, and older ones are ignored.
#
# The state that a widget reports comes back with the next data. By then the person may have typed more, so a mounted
# widget never gets its state again, but only other changes.
_HOST = """
const mounted = new WeakMap();

const others = ({ state, acknowledged, number, ...rest }) => rest;

function stylesheet(href) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
  link.href = href;
  return { link, loaded };
}

function apologize(root, error) {
  console.error(error);
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = "This part of the page could not start. Reload the page to try again.";
  root.append(sentence);
}

async function start(root, place) {
  const files = new URL(`${place.data.base}_tokviz/static/`, document.baseURI).href;
  const module = (path) => import(files + path);
  const sheets = STYLESHEETS.map((path) => stylesheet(files + path));
  const element = document.createElement("div");
  root.append(...sheets.map(({ link }) => link), element);
  try {
    const [{ mount }, { fetchLinked }, { withText }, { createSession }] = await Promise.all([
      ...MODULES.map(module), ...sheets.map(({ loaded }) => loaded)
    ]);
    const adopted = place.data.tokenizers ? await fetchLinked(element, place.data) : [];
    place.withText = withText;
    const data = await newest(place);
    if (!root.isConnected) return;
    const session = createSession((name, value) => place.component.setStateValue(name, value));
    place.session = session;
    if (adopted.length) session.send("adopted", adopted);
    place.widget = mount(element, data, {
      text: (text) => session.send("text", text),
      state: (view) => session.send("view", view),
      adopted: (names) => session.send("adopted", names),
      removed: (names) => session.send("removed", names),
      failed: (error) => apologize(root, error),
    });
  } catch (error) {
    apologize(root, error);
  }
}

// The newest data, with its text.
async function newest(place, change) {
  const { data } = place;
  const whole = await place.withText({ ...data, ...change });
  return data === place.data ? whole : newest(place, change);
}

async function update(place) {
  const whole = await newest(place, { state: null });
  place.widget?.update(whole);
}

export default function (component) {
  const { data: [data], parentElement: root } = component;
  const place = mounted.get(root) ?? { widget: null };
  const before = place.data;
  if (before && data.number < before.number) return leave;
  Object.assign(place, { component, data });
  if (!before) {
    mounted.set(root, place);
    start(root, place);
    return leave;
  }
  place.session?.acknowledge(data.acknowledged);
  if (JSON.stringify(others(data)) !== JSON.stringify(others(before))) {
    if (place.widget) update(place);
  }
  return leave;

  function leave() {
    setTimeout(() => {
      if (root.isConnected || !mounted.has(root)) return;
      mounted.delete(root);
      place.widget?.dispose();
      place.widget = null; // for an update that is under way
      place.session?.dispose();
    });
  }
}
"""


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


def tokens_widget() -> None:
    """Mount the Tokens page's widget: the editor that shows tokens during typing, with all its parts."""
    _sharing_widget("tokens", {"start": _START, "limits": {"bytes": LIMIT}}, *_EDITOR_SHEETS, "seek/seek.css")


def compare_widget(introduction: str) -> None:
    """Mount the Compare page's widget: the editor, and where several tokenizers differ on its text."""
    sheets = (*_EDITOR_SHEETS, "compare/compared.css", "compare/differences.css", "compare/picture.css")
    headline = next(page.headline for page in PAGES if page.name == "compare")
    _sharing_widget("compare", {"headline": headline, "introduction": introduction, "start": _CLASSICS}, *sheets)


def replay_widget() -> None:
    """Mount the player that shows merges step by step: encoding a text, and learning merges from one."""
    limits = {"bytes": LIMIT, "merges": MAX_MERGES}
    views = ("lattice/lattice.css", "matches/matches.css")
    sheets = ("shared/text/invisibles.css", "token_view/view.css", "replay/tower/tower.css", *views)
    _sharing_widget("replay", {"limits": limits}, *sheets)


def train_widget(introduction: str) -> None:
    """Mount the Train page's widget."""
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
    data = {"introduction": introduction, "large": large, "limits": limits, "first": first}
    _sharing_widget("train", data, *sheets)


def chat_widget(introduction: str) -> None:
    """Mount the Chat page's widget: messages, and what a model reads of them."""
    thinking = [name for name in TITLES if shipped(name).thinks]
    templates = {"templates": list(TITLES.items()), "templateOf": TEMPLATE_OF, "thinking": thinking, "thinks": THINKS}
    data = {"introduction": introduction, **templates}
    _sharing_widget("chat", data, *_EDITOR_SHEETS, "compare/compared.css")


def compression_widget(introduction: str, questions: list[dict[str, Any]]) -> None:
    """Mount the Compression page's widget, which answers questions with charts."""
    given = {"name": "prose-and-code", "title": "English prose, and programs", "kind": next(iter(KINDS))}
    listed = [{"name": each.name, "title": each.title, "kind": each.kind} for each in samples()]
    data = {
        "introduction": introduction,
        "start": given["name"],
        "given": given | {"text": first_text()},
        "samples": [given, *listed],
        "sample": next((each.name for each in samples() if each.text == state.text()), ""),
        "questions": questions,
        "limits": {"bytes": LIMIT},
    }
    _sharing_widget("compression", data, *_EDITOR_SHEETS, "seek/seek.css")


def course_widget() -> None:
    """Mount the Course page's widget: the contents, and the chapters, which it fetches."""
    data = {"chapters": contents(), "teachers": TEACHERS}
    _sharing_widget("course", data, "shared/ui/editor.css", *FIGURE_SHEETS, "course/figures.css")


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


def _framed_widget(name: str, data: dict[str, Any], query: dict[str, str], *stylesheets: str) -> None:
    """Mount a widget with Share and Present. Shared is the page's address, with `query` added to its query."""
    _widget(name, {"state": None, "query": query, **data}, *stylesheets, "frame/widget.css")


def _sharing_widget(name: str, data: dict[str, Any], *stylesheets: str) -> None:
    """Mount a widget whose text and view are shared by all pages.

    The terms between asterisks in the `introduction` of its data are explained (`withTerms` in elements.js).
    """
    shown = _widget(name, {"page": next(page.title for page in PAGES if page.name == name), **data}, *stylesheets)
    state.keep_text(shown.text)
    state.keep_view(shown.view)


def _widget(name: str, data: dict[str, Any], *stylesheets: str) -> Any:
    """Mount the widget in the folder `name`, with `data` and the data common to all widgets. Returns its state."""
    all_data = {
        "state": state.shared(),
        "tokenizers": [each.as_data() for each in (*DESCRIPTIONS, *visitor_tokenizers.descriptions())],
        "hub": fetching.is_enabled(),
        "samples": [{"name": each.name, "title": each.title, "kind": each.kind} for each in samples()],
        "kinds": KINDS,
        "presenting": _PRESENTER_STYLE.read_text("utf-8"),
        "base": base(),
        "acknowledged": _last_message(name),
        **data,
    }
    all_data["number"] = _number(name, all_data)
    sheets = ["shared/dom/palette.css", "shared/dom/controls.css", *stylesheets, f"{name}/widget.css"]
    modules = [f"{name}/widget.js", *HOST_MODULES]
    host = _HOST.replace("MODULES", json.dumps(modules)).replace("STYLESHEETS", json.dumps(sheets))
    # Registered at each run, which costs nothing: Streamlit forgets it when its runtime is restarted.
    shown = st.components.v2.component(f"tokviz_{name}", js=host)(
        key=name,
        data=[all_data],  # Streamlit searches a dict for tables, and imports pandas for that, which takes a second
        on_text_change=_no_callback,
        on_view_change=_no_callback,
        on_adopted_change=_no_callback,
        on_removed_change=_no_callback,
    )
    _handle_tokenizer_messages(name, shown.adopted, shown.removed)
    return shown


def _number(key: str, data: dict[str, Any]) -> int:
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


def _last_message(key: str) -> int:
    """Return the number of a widget's last message, as an acknowledgment to it."""
    number = st.session_state.get(key, {}).get("sent")
    return number if isinstance(number, int) else 0
