"""Compress Streamlit's scripts and stylesheets, and let the stylesheet load the icons' font late.

Streamlit sends them uncompressed, 2.3 MB for a first visit: compressing them for each request would cost more than it
saves, and most servers are behind a proxy that compresses. A laptop that serves a class over Wi-Fi is not. The files'
names contain a hash of their content, so each is compressed once and cached, about 7 MB for all of them.
"""

import asyncio
import re
from functools import cache
from pathlib import Path
from posixpath import normpath

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.app.answers.delivery import accepts_compressed, compress

_ASSET = re.compile(r"/static/(?:js|css)/[^/]+\.(?:js|css)$")

_FONT = b"@font-face{font-family:Material Symbols Rounded;"
_NO_SPACE = b"unicode-range:U+21-10FFFF;"

_TYPES = ("text/javascript", "application/javascript", "text/css")


class CompressedAssets:
    """ASGI middleware that serves compressed copies of Streamlit's scripts and stylesheets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a compressed copy where possible, and pass all other requests on to the app."""
        if not _wants_compressed(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self._kept:
            answer = await whole_response(self._app, scope, receive)
            if not (_is_asset(answer) and _is_whole(answer)):
                await answer(scope, receive, send)
                return
            answer.body = load_icons_late(bytes(answer.body))
            self._kept[path] = await asyncio.to_thread(compress, answer)
        await self._kept[path](scope, receive, send)


async def whole_response(app: ASGIApp, scope: Scope, receive: Receive) -> Response:
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
    if scope["type"] != "http" or scope["method"] != "GET" or not _ASSET.search(scope["path"]):
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
