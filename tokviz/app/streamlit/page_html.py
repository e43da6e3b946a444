"""The HTML of each page: Streamlit's, with a title, an icon, a card for chats, and the modules of the page's widget.

Streamlit sends the same HTML for every address, which says "Streamlit": so does a chat that shows where a link leads,
because it runs no scripts.
"""

import re
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.config import get_option
from streamlit.file_util import get_static_dir

from tokviz.app.answers.delivery import accepts_compressed, compress
from tokviz.app.answers.link_cards import card_of, root_address
from tokviz.app.answers.page_list import ICON, Page, page_at, tab_title
from tokviz.app.streamlit.no_page import no_page
from tokviz.widgets.html import module_paths

_OTHER_NAMES = {"tokens": "", "index.html": ""}
"""Addresses that lead to a page's own one."""

HOST_MODULES = ("shared/net/madetokenizers.js", "shared/net/kept_texts.js", "shared/page/session.js")
"""Modules that the host of each widget imports beside the widget's own."""

_NO_SCRIPT = """<noscript>
<h1>{headline}</h1>
<p>{description}</p>
<p>This page needs JavaScript.</p>
</noscript>"""


class PageHtml:
    """ASGI middleware that sends each page's own HTML, and a page with status 404 for an address that has none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests, and send another response where Streamlit sends its HTML."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
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
    paths = module_paths((f"{widget}/widget.js", *HOST_MODULES))
    # Relative, as the page's own links are.
    tags = (
        f'<link rel="modulepreload" fetchpriority="low" href="./_tokviz/static/{escape(path)}">\n' for path in paths
    )
    return "".join(tags)
