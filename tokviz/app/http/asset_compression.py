"""Streamlit's own scripts and stylesheets, compressed.

Streamlit sends them as they are, 2.3 MB for a first visit, since compressing them anew for everybody would cost more
than it saves and most servers stand behind a proxy that does it. A laptop that serves a class over Wi-Fi doesn't. The
names of these files hold a hash of their content, so each is compressed once and kept, about 7 MB if all are asked for.
"""

import asyncio
import gzip
import re
from posixpath import normpath

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ASSET = re.compile(r"/static/(?:js|css)/[^/]+\.(?:js|css)$")
_TYPES = ("text/javascript", "application/javascript", "text/css")


class CompressedAssets:
    """ASGI middleware that answers requests for Streamlit's scripts and stylesheets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a compressed copy where there can be one, and leave everything else to the app."""
        if not _wants_compressed(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path not in self._kept:
            answer = await self._ask(scope, receive)
            if not (_is_asset(answer) and _is_whole(answer)):
                await answer(scope, receive, send)
                return
            self._kept[path] = await asyncio.to_thread(_compress, answer)
        await self._kept[path](scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive) -> Response:
        """What the app itself answers, whole."""
        answer = Response()
        parts: list[bytes] = []

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.status_code = message["status"]
                answer.raw_headers = list(message["headers"])
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self._app(scope, receive, collect)
        answer.body = b"".join(parts)
        return answer


def _wants_compressed(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET" or not _ASSET.search(scope["path"]):
        return False
    if normpath(scope["path"]) != scope["path"]:  # /./static/js/… is the same file once more, and kept once more
        return False
    headers = Headers(scope=scope)
    conditional = {"range", "if-none-match", "if-modified-since"} & set(headers)
    return "gzip" in headers.get("accept-encoding", "") and not conditional


def _is_asset(answer: Response) -> bool:
    """Whether there is such a file. Where there is none, Streamlit sends the page itself, as if all were well."""
    return answer.status_code == 200 and answer.headers.get("content-type", "").split(";")[0] in _TYPES


def _is_whole(answer: Response) -> bool:
    """Whether all came that was announced. It may not, if the browser gave up meanwhile."""
    return answer.headers.get("content-length") == str(len(answer.body))


def _compress(answer: Response) -> Response:
    answer.body = gzip.compress(answer.body, mtime=0)
    headers = MutableHeaders(raw=answer.raw_headers)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(answer.body))
    headers.add_vary_header("Accept-Encoding")
    return answer
