"""The widgets as Streamlit components.

Streamlit is given no more than a few lines of JavaScript, which load the widget's own modules and stylesheets from the
route. So a widget is the same here, in a page of its own and in a notebook.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from tokviz.app.http.routes.replay import MAX_MERGES
from tokviz.app.page import state
from tokviz.app.visitors import visitor_tokenizers
from tokviz.app.visitors.registry import descriptions
from tokviz.samples import KINDS, samples
from tokviz.widgets.replays import LIMIT

PAGE_STYLE = Path(__file__).parent / "page.css"
"""How Streamlit's own parts look on a phone and on paper, for `st.html`."""

_START = "start"
_BROUGHT = "tokviz text brought by a link"
_CHOSEN = "tokviz tokenizers chosen by a link"
_HEARD = "tokviz tokenizers heard of"
_CLASSICS = "differences-classics"

# `mounted` outlives the calls: Streamlit calls the exported function anew for each change of data or theme, and its
# clean-up of a call may come while the widget is still on the page.
#
# What the widget reports comes back in the next data. By then the person may have typed more, so a widget that is
# mounted is never given its state again; it hears of other changes only.
_HOST = """
const mounted = new WeakMap();

const others = ({ state, heard, ...rest }) => rest;

function stylesheet(href) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
  link.href = href;
  return { link, loaded };
}

function apologize(root) {
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
    const modules = [module("MODULE"), module("shared/recipes.js"), module("shared/session.js")];
    const [{ mount }, { bring }, { createSession }] = await Promise.all([
      ...modules, ...sheets.map(({ loaded }) => loaded)
    ]);
    const brought = place.data.tokenizers ? await bring(element, place.data) : [];
    if (!root.isConnected) return;
    const session = createSession((name, value) => place.component.setStateValue(name, value));
    place.session = session;
    if (brought.length) session.tell("brought", brought);
    place.widget = mount(element, place.data, {
      text: (text) => session.tell("text", text),
      state: (view) => session.tell("view", view),
      brought: (names) => session.tell("brought", names),
      chosen: (names) => session.tell("chosen", names),
    });
  } catch (error) {
    console.error(error);
    apologize(root);
  }
}

export default function (component) {
  const { data: [data], parentElement: root } = component;
  const place = mounted.get(root) ?? { widget: null };
  const before = place.data;
  Object.assign(place, { component, data });
  if (!before) {
    mounted.set(root, place);
    start(root, place);
    return leave;
  }
  place.session?.hear(data.heard);
  if (JSON.stringify(others(data)) !== JSON.stringify(others(before))) {
    place.widget?.update({ ...data, state: null });
  }
  return leave;

  function leave() {
    setTimeout(() => {
      if (root.isConnected || !mounted.has(root)) return;
      mounted.delete(root);
      place.widget?.dispose();
      place.session?.dispose();
    });
  }
}
"""


# While presenting, only the widget stands on the page.
_PRESENTING = """
.tokviz-presenting :is([data-testid="stHeader"], .st-key-intro) { display: none !important }
.tokviz-presenting [data-testid="stMainBlockContainer"] { padding: 0.75rem 1.25rem !important }
.tokviz-presenting [data-testid="stMain"] { outline: none !important }
"""


def _nothing() -> None:
    """What the widget reports is in the component's answer; there is nothing to do beforehand."""


def _hear_of_tokenizers(key: str, brought: object, chosen: object) -> None:
    """Take over the tokenizers that a link or a file brought, and those that a link chooses; then run the page anew.

    Not in callbacks: these were seen not to be called where the message came while the page ran for the first time.
    """
    heard = st.session_state.setdefault(_HEARD, {})
    said = brought, chosen
    if heard.get(key, (None, None)) == said:
        return
    heard[key] = said
    if isinstance(brought, list):
        for name in brought:
            visitor_tokenizers.adopt(str(name))
    if isinstance(chosen, list):
        st.session_state[_CHOSEN] = chosen
    if brought or chosen:
        st.rerun()


def chosen_by_link() -> list[str] | None:
    """The names of tokenizers that a link chooses, once; None where there is no such link. They may be made up."""
    chosen = st.session_state.pop(_CHOSEN, None)
    return [str(name) for name in chosen] if isinstance(chosen, list) else None


def base() -> str:
    """Where the app is on its server, with a slash at both ends."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}/" if path else "/"


def tokens_widget() -> None:
    """The editor that shows tokens as one types, with all that belongs to it."""
    _sharing_widget("tokens", {"start": _START}, "shared/editor.css", "shared/marks.css", "tokens/view.css")


def compare_widget() -> None:
    """The editor, and where several tokenizers differ on what stands in it."""
    sheets = ("compare/score.css", "compare/differences.css")
    _sharing_widget(
        "compare", {"start": _CLASSICS}, "shared/editor.css", "shared/marks.css", "tokens/view.css", *sheets
    )


def replay_widget() -> None:
    """The player that shows merges step by step: how a tokenizer reads a text, and how its merges were learned."""
    limits = {"bytes": LIMIT, "merges": MAX_MERGES}
    _sharing_widget("replay", {"limits": limits}, "shared/marks.css", "tokens/view.css")


def frame_widget(
    text: str,
    file_query: dict[str, str] | None = None,
    chosen: Sequence[str] = (),
    offered: Sequence[str] | None = None,
) -> str:
    """Share and present, for a page without a widget of its own. Returns the text, or another that a link brought.

    `file_query` is said besides by the address where a text too long for a link is opened as a file; without it, this
    page has a box for a file beneath the text. `chosen` are the names of the page's tokenizers, `offered` what
    the address may call them; None where nothing is chosen.
    """
    is_new = "text" not in (state.shared() or {})
    known = {"text": text, "isNew": is_new, "isPresenting": state.presenting()}
    shown = _widget(
        "frame", {"state": None, "fileQuery": file_query, "chosen": list(chosen), "offered": offered, **known}
    )
    state.keep_presenting(shown.view)
    brought = shown.text
    if brought is None or brought == st.session_state.get(_BROUGHT):
        return text
    st.session_state[_BROUGHT] = brought
    state.keep_text(brought)
    return str(brought)


def share_widget(
    query: dict[str, str],
    text: str | None = None,
    file_query: dict[str, str] | None = None,
    *,
    keeps_place: bool = False,
) -> None:
    """Share and present, for a page that doesn't show the text of all pages.

    What is shared is the page's address, its query with `query`, and a text of its own if there is one. `file_query` is
    as for `frame_widget`. Where the page `keeps_place`, the browser's Back returns to what was on screen and unfolded.
    """
    shared = {"text": text, "query": query, "fileQuery": file_query, "keepsPlace": keeps_place}
    shown = _widget("frame", {"state": None, "isPresenting": state.presenting(), **shared})
    state.keep_presenting(shown.view)


def _sharing_widget(name: str, data: dict[str, Any], *stylesheets: str) -> None:
    """A widget whose text and view are those of all pages."""
    shown = _widget(name, data, *stylesheets)
    state.keep_text(shown.text)
    state.keep_view(shown.view)


def download_widget(key: str, data: dict[str, Any]) -> None:
    """A button that saves a file, as `downloads.download_button` describes it."""
    _component("download", f"download {key}", data)


def _widget(name: str, data: dict[str, Any], *stylesheets: str) -> Any:
    """The widget in the folder `name`, given what all widgets are given and `data`. Returns what it reports."""
    given = {
        "state": state.shared(),
        "tokenizers": [each.as_data() for each in (*descriptions(), *visitor_tokenizers.descriptions())],
        "samples": [{"name": each.name, "title": each.title, "kind": each.kind} for each in samples()],
        "kinds": KINDS,
        "presenting": _PRESENTING,
        **data,
    }
    return _component(name, name, given, *stylesheets)


def _component(name: str, key: str, data: dict[str, Any], *stylesheets: str) -> Any:
    """The widget in the folder `name` as a component of the page, given `data`. Returns what it reports."""
    sheets = ["shared/palette.css", "shared/controls.css", *stylesheets, f"{name}/widget.css"]
    host = _HOST.replace("MODULE", f"{name}/widget.js").replace("STYLESHEETS", json.dumps(sheets))
    given = {"base": base(), "heard": _told(key), **data}
    # Registered at each run, which costs nothing: Streamlit forgets it when its runtime is started anew.
    shown = st.components.v2.component(f"tokviz_{name}", js=host)(
        key=key,
        data=[given],  # in a dict, Streamlit looks for tables, for which it imports pandas: a second
        on_text_change=_nothing,
        on_view_change=_nothing,
        on_brought_change=_nothing,
        on_chosen_change=_nothing,
        on_told_change=_nothing,
    )
    _hear_of_tokenizers(key, shown.brought, shown.chosen)
    return shown


def _told(key: str) -> int:
    """The number of the last message of a widget, by which it knows that it was heard."""
    told = st.session_state.get(key, {}).get("told")
    return told if isinstance(told, int) else 0
