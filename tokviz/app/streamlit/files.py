"""Streamlit's own files as this app sends them: each page's HTML, and compressed scripts and stylesheets.

Streamlit sends the same HTML for every address, which says "Streamlit": so does a chat that shows where a link leads,
because it runs no scripts. Each page's own has a title, an icon, a card for chats, and the modules of its widget.

It sends scripts and stylesheets uncompressed, 2.3 MB for a first visit: compressing them for each request would cost
more than it saves, and most servers are behind a proxy that compresses. A laptop that serves a class over Wi-Fi is not.
The files' names contain a hash of their content, so each is compressed once and cached, about 7 MB for all of them.
The stylesheet loads the icons' font late.
"""

import asyncio
import re
from difflib import get_close_matches
from functools import cache, partial
from html import escape
from pathlib import Path
from posixpath import normpath
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.config import get_option
from streamlit.file_util import get_static_dir

from tokviz.app.answers.link_cards import card_of, root_address
from tokviz.app.answers.page_list import ICON, PAGES, Page, page_at, tab_title
from tokviz.app.answers.requests import accepts_compressed, compress
from tokviz.widgets.html import module_paths

_OTHER_NAMES = {"tokens": "", "index.html": ""}
"""Addresses that lead to a page's own one."""

HOST_MODULE = "streamlit/component.js"
"""The module that shows each page's widget."""

_NO_SCRIPT = """<noscript>
<h1>{headline}</h1>
<p>{description}</p>
<p>This page needs JavaScript.</p>
</noscript>"""


_ASSET = re.compile(r"/static/(?:js|css)/[^/]+\.(?:js|css)$")

_FONT = b"@font-face{font-family:Material Symbols Rounded;"
_NO_SPACE = b"unicode-range:U+21-10FFFF;"

_TYPES = ("text/javascript", "application/javascript", "text/css")


class StreamlitFiles:
    """ASGI middleware that sends each page's own HTML, and compressed copies of scripts and stylesheets.

    An address that has no page gets one with status 404. All other requests are passed on to the app.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send another response where Streamlit sends its HTML, and a compressed copy where possible."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
        elif not _wants_compressed(scope):
            await self._send_html(scope, receive, send)
        elif (path := scope["path"]) in self._kept:
            await self._kept[path](scope, receive, send)
        else:
            answer = await _whole_response(self._send_html, scope, receive)
            if _is_asset(answer) and _is_whole(answer):
                answer.body = load_icons_late(bytes(answer.body))
                self._kept[path] = await asyncio.to_thread(compress, answer)
            await answer(scope, receive, send)

    async def _send_html(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the app's response, but a page's own HTML instead of Streamlit's."""
        ours: Response | None = None

        async def replacing(message: Message) -> None:
            nonlocal ours
            if message["type"] == "http.response.start":
                ours = _response_instead(scope, message)
                if ours:
                    await ours(scope, receive, send)
            if ours is None:
                await send(message)

        await self._app(scope, receive, replacing)


# Pages


class _Index(NamedTuple):
    """Streamlit's HTML, and the tag by which responses with it are known."""

    html: str
    etag: str


@cache
def _index() -> _Index:
    path = Path(get_static_dir(), "index.html")
    return _Index(path.read_text("utf-8"), FileResponse(path, stat_result=path.stat()).headers["etag"])


def base() -> str:
    """Return the path of the app on its server, with a slash at both ends."""
    path = str(get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}/" if path else "/"


def _response_instead(scope: Scope, start: Message) -> Response | None:
    """Return what is sent instead of a response that starts like this; None if it is sent itself."""
    path, root = scope["path"], base()
    if not path.startswith(root):
        return no_page(scope, root) if start["status"] == 404 else None
    if Headers(raw=start["headers"]).get("etag") != _index().etag:
        return None
    name = path.removeprefix(root)
    page = page_at(name)
    if page:
        answer = HTMLResponse(html_of(page, root_address(scope, root)), headers={"cache-control": "no-cache"})
        return compress(answer) if accepts_compressed(Headers(scope=scope)) else answer
    known = _OTHER_NAMES.get(name.lower(), name.lower())
    if page_at(known):
        query = scope["query_string"].decode("latin-1")
        return RedirectResponse(f"./{known}{query and f'?{query}'}", 308)  # browsers keep what follows #
    return no_page(scope, root)


def html_of(page: Page, root: str) -> str:
    """Return a page's HTML. `root` is as in `card_of`."""
    words = {"headline": escape(page.headline), "description": escape(page.description)}
    card = f'{card_of(page, root)}<link rel="apple-touch-icon" href="./{ICON}">'
    parts = {
        r'(?<=<html lang=)"[^"]*"': f'"{escape(page.language)}"',
        r"<title>.*?</title>": f"<title>{escape(tab_title(page.path))}</title>\n{card}",
        r'(?<=<link rel="shortcut icon" href=)"[^"]*"': f'"./{ICON}"',
        r"<noscript>.*?</noscript>": _NO_SCRIPT.format(**words),
        r"(?=</head>)": _preloads(page.widget or page.name),
    }
    html = _index().html
    for pattern, part in parts.items():
        html = re.sub(pattern, partial(_given, part), html, count=1, flags=re.DOTALL)
    return html


def _given(part: str, _: re.Match[str]) -> str:
    """Return a part as it is: in a replacement, backslashes would mean something."""
    return part


@cache
def _preloads(widget: str) -> str:
    """Return links to a widget's modules, by which they arrive while the page starts.

    Without them, a browser learns of 80 modules only when the page's script has run in the server, and of each only
    from those that import it. Their priority is low: what the page itself needs is loaded first.
    """
    paths = module_paths((f"{widget}/widget.js", HOST_MODULE))
    # Relative, as the page's own links are.
    tags = (
        f'<link rel="modulepreload" fetchpriority="low" href="./_tokviz/static/{escape(path)}">\n' for path in paths
    )
    return "".join(tags)


# Scripts and stylesheets


async def _whole_response(app: ASGIApp, scope: Scope, receive: Receive) -> Response:
    """Collect the app's own response."""
    answer = Response()
    parts: list[bytes] = []

    async def collect(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status_code = message["status"]
            answer.raw_headers = list(message["headers"])
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(scope, receive, collect)
    answer.body = b"".join(parts)
    return answer


def _wants_compressed(scope: Scope) -> bool:
    """Return whether a compressed copy may be sent for a request."""
    if scope["method"] != "GET" or not _ASSET.search(scope["path"]):
        return False
    if normpath(scope["path"]) != scope["path"]:  # /./static/js/… would cache the same file again
        return False
    headers = Headers(scope=scope)
    return accepts_compressed(headers) and not {"if-none-match", "if-modified-since"} & set(headers)


def _is_asset(answer: Response) -> bool:
    """Return whether the file exists. If it doesn't, Streamlit sends its HTML page with status 200."""
    return answer.status_code == 200 and answer.headers.get("content-type", "").split(";")[0] in _TYPES


def _is_whole(answer: Response) -> bool:
    """Return whether the body is complete. It may not be if the browser disconnected meanwhile."""
    return answer.headers.get("content-length") == str(len(answer.body))


def load_icons_late(stylesheet: bytes) -> bytes:
    """Return Streamlit's main stylesheet with an icon font that is loaded on demand; other files unchanged.

    Its 0.4 MB are a quarter of a first visit. Streamlit's script loads it on every page before anything is drawn: it
    calls `document.fonts.load` without a text, and the browser looks for fonts that have a space. A font whose
    `unicode-range` has none is loaded when an icon is drawn. Two arrows are on screen from the start: `arrows.css`.
    """
    if _FONT not in stylesheet:
        return stylesheet
    return stylesheet.replace(_FONT, _FONT + _NO_SPACE) + _arrows()


@cache
def _arrows() -> bytes:
    return Path(__file__).with_name("arrows.css").read_bytes()


# The page for an address that has none

_MAX_ADDRESS = 200
"""Maximum characters of the address that are repeated."""

_NO_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No page here · tokviz</title>
<link rel="icon" href="{root}{icon}">
<link rel="stylesheet" href="{root}_tokviz/static/shared/dom/palette.css">
<style>
:root {{ color-scheme: light dark; color: var(--ink); background: var(--page) }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto 4rem; padding: 0 1rem }}
h1 {{ font-size: 1.5rem; font-weight: 600; margin: 0 0 1rem }}
code {{ font-family: var(--mono); overflow-wrap: anywhere }}
ul {{ list-style: none; margin: 1.5rem 0; padding: 0 }}
a {{ display: block; padding: .625rem 0; color: inherit; text-decoration: none }}
b {{ font-weight: 600; border-bottom: 1.5px solid currentColor }}
a:hover b {{ border-bottom-width: 3px }}
</style>
<h1>There is no page at this address</h1>
<p><code>{address}</code> leads nowhere. {nearest}</p>
<ul>
{ways}
</ul>
</html>
"""
_WAY = '<li><a href="{root}{path}"><b>{title}</b> {headline}</a></li>'


def no_page(scope: Scope, root: str) -> Response:
    """Return a page with ways on, for an address that has none. `root` is the app's path."""
    path = scope["path"]
    near = get_close_matches(path.rpartition("/")[2].lower()[:_MAX_ADDRESS], [page.name for page in PAGES], 1)
    up = _way_up(scope, root)
    shown = [page for page in PAGES if not page.is_hidden]
    way = {page.name: _WAY.format(root=up, path=page.path, title=page.title, headline=page.headline) for page in shown}
    nearest = near[0] if near and near[0] in way else None
    html = _NO_PAGE.format(
        root=up,
        icon=ICON,
        address=escape(path if len(path) <= _MAX_ADDRESS else f"{path[:_MAX_ADDRESS]}…"),
        nearest="Did you mean the first of these pages?" if nearest else "These are the pages:",
        ways="\n".join(way[name] for name in sorted(way, key=lambda name: name != nearest)),
    )
    return HTMLResponse(html, 404, headers={"cache-control": "no-cache"})


def _way_up(scope: Scope, root: str) -> str:
    """Return how a link begins that leads from an address to the app's root.

    It is relative, because a proxy may have taken away the beginning of the path; and it counts the slashes that the
    browser sees, of which some may be written as %2F.
    """
    seen = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0]
    steps = seen.count("/") - root.count("/")
    return "../" * steps or "./" if scope["path"].startswith(root) else root
