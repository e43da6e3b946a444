"""The widgets' pages without Streamlit: the widgets' own files, the real routes, and a mock session.

Each page is served at the same path as in the app, and starts with the data that the app gives its widget. Streamlit's
parts (header, column, change of page) are imitated as far as a widget can observe them.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import quote

import pytest
import uvicorn
from app_test import open_page
from odd_requests import undeclared
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tokviz import widgets
from tokviz.app import server
from tokviz.app.answers import page_list
from tokviz.app.answers.asked import Asked
from tokviz.app.answers.routes import widget_files
from tokviz.app.shields.refusals import Refusal

ADDRESSES = {page.path: page.name for page in page_list.PAGES}
"""Names of the pages by their path, as in the app."""

HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>tokviz</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark }
  body { margin: 0 }
  .app { position: absolute; inset: 0; display: flex; flex-direction: column; overflow: hidden;
         background: light-dark(#ffffff, #0f1216); color: light-dark(#1b1f24, #f2f4f6) }
  [data-testid=stHeader] { flex: none; height: 3.75rem }
  [data-testid=stMain] { flex: 1; overflow: auto }
  [data-testid=stMainBlockContainer] { padding: 2rem 5rem }
  @media (max-width: 800px) { [data-testid=stMainBlockContainer] { padding: 1rem } }
</style></head>
<body><div class="app">
<header data-testid="stHeader"></header>
<main data-testid="stMain"><div data-testid="stMainBlockContainer">
<div id="widget"></div>
BENEATH
</div></main></div>
<script id="given" type="application/json">GIVEN</script>
<script type="module">
  import start from "./_page/NAME.js?for=READER";

  let given, root, leave, number = 0;
  window.sent = {};
  const widget = () => document.getElementById("widget");
  const empty = widget().cloneNode();
  let awaited = 0;
  const noted = (call) => async function (...given) {
    awaited++;
    try { return await call.apply(this, given); } finally { awaited--; }
  };
  window.fetch = noted(fetch);
  const { prototype } = Response;
  for (const name of ["arrayBuffer", "blob", "json", "text"]) prototype[name] = noted(prototype[name]);
  /** True once the widget has all answers that it asked for, and its figures. */
  window.isAnswered = () => !awaited && !root.querySelector("[aria-busy=true], .live:empty");
  /** Start the widget, as a new page does. */
  window.mount = () => {
    widget().replaceWith(empty.cloneNode());
    root = widget().attachShadow({ mode: "open" });
    given = JSON.parse(document.getElementById("given").textContent);
    rerun({});
  };
  /** Streamlit calls the widget again when its data changes. */
  window.rerun = (changed) => {
    const [, common, shown] = given;
    given = [++number, { ...common, ...changed }, shown];
    const setStateValue = (name, value) => (sent[name] = value);
    return (leave = start({ data: given, parentElement: root, setStateValue }));
  };
  /** Remove the widget. Returns whether the document is then as it was when loaded, and may be mounted again. */
  window.unmount = async () => {
    widget()?.replaceWith(empty.cloneNode());
    root = null;
    leave();
    // A widget that was removed is disposed of a moment later.
    while (document.documentElement.dataset.page) await new Promise((resolve) => setTimeout(resolve));
    for (const name in sent) delete sent[name];
    getSelection().removeAllRanges();
    document.querySelector("main").scrollTo(0, 0);
    document.title = title;
    return isAsLoaded();
  };
  // Streamlit shows another page.
  const { pathname } = location;
  addEventListener("popstate", () => location.pathname === pathname || location.reload());
  const { title } = document;
  const isAsLoaded = rememberDocument();
  mount();

  /** Remember the elements, all globals, and the methods of elements. Returns a function that compares them. */
  function rememberDocument() {
    const classes = [EventTarget, Node, Element, HTMLElement, Document, Navigator, Storage];
    const parts = [window, document, navigator, ...classes.map(({ prototype }) => prototype)];
    const members = (part) => Object.entries(Object.getOwnPropertyDescriptors(part)).flatMap(
      ([name, { value, get, set }]) => [name, value, get, set]);
    const look = () => [
      document.documentElement.outerHTML, location.pathname, location.search, ...parts.flatMap(members)];
    const before = look();
    return () => {
      const now = look();
      return now.length === before.length && now.every((each, k) => Object.is(each, before[k]));
    };
  }
</script></body></html>
"""


class WidgetPage(NamedTuple):
    """The app's output for a page: the script that starts its widget, the widget's data, and the HTML below it."""

    script: str
    given: str
    html: str


@cache
def widget_page(name: str, reader: str = "") -> WidgetPage:
    """Run a page of the app. `reader` is the audience of the lesson."""
    app = open_page(name, {"for": reader} if reader else {})
    found = app.get("bidi_component")[0].proto
    given = json.loads(found.json)
    _, *bodies = (each.proto.body for each in app.get("html"))  # the first is the app's own style
    html = "".join(bodies)
    return WidgetPage(found.js_content, json.dumps(given).replace("<", "\\u003c"), html)


async def _page(name: str, request: Request) -> Response:
    reader = request.query_params.get("for", "")
    page = widget_page(name, reader)
    filled = {"NAME": name, "READER": quote(reader), "GIVEN": page.given, "BENEATH": page.html}
    html = HTML
    for place, content in filled.items():
        html = html.replace(place, content)
    return HTMLResponse(html)


async def _script(request: Request) -> Response:
    page = widget_page(request.path_params["name"], request.query_params.get("for", ""))
    return Response(page.script, media_type="text/javascript")


async def _file(request: Request) -> Response:
    return Response(*_widget_file(request.path_params["path"]))


@cache
def _widget_file(path: str) -> tuple[bytes, int, dict[str, str]]:
    """Response for a widget's file. It is cached here and in the browser, because each page requests forty of them."""
    types = {".js": "text/javascript", ".css": "text/css"}
    headers = {"content-type": types[Path(path).suffix], "cache-control": "max-age=3600, immutable"}
    file, _ = widget_files.WidgetFiles(directory=widgets.FOLDER).lookup_path(path)
    return Path(file).read_bytes(), 200, headers


def application() -> Starlette:
    """Return an application with the pages, the widgets' files, and the app's own routes."""
    pages = [Route(f"/{path}", partial(_page, name)) for path, name in ADDRESSES.items()]
    files = [Route("/_page/{name}.js", _script), Route("/_tokviz/static/{path:path}", _file)]
    return Starlette(routes=[*pages, *files, *server.routes])


@contextmanager
def _undeclared_refused() -> Iterator[None]:
    """Refuse parameters that no field of a route takes. The app ignores them, but pages must not send any."""
    lenient = Asked.of.__func__  # type: ignore[attr-defined]

    def strict(kind: type[Asked], request: Request, body: bytes) -> Asked:
        if odd := undeclared(kind, request.query_params):
            raise Refusal(400, f"{request.url.path} takes no {odd}")
        found: Asked = lenient(kind, request, body)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Asked, "of", classmethod(strict))
        yield


@contextmanager
def served_widgets() -> Iterator[str]:
    """Serve the pages in a thread, and yield their address, which ends in a slash."""
    for name in ADDRESSES.values():
        widget_page(name)
    config = uvicorn.Config(application(), lifespan="off", ws="none", log_level="warning", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    # Early connections wait in the socket's backlog.
    with _undeclared_refused(), socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=running.run, kwargs={"sockets": [listening]}, name="widgets", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            running.should_exit = True
            thread.join()
