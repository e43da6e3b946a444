"""Early loading of a widget's modules: the page that Streamlit sends lists them, so that they arrive while it starts.

Without the list, a browser learns of 80 modules only when the page's script has run in the server, and of each only
from those that import it, one wave after the other.
"""

import html
from functools import cache

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz.app.http.asset_compression import accepts_compressed, compress, whole_response
from tokviz.widgets.html import module_paths

HOST_MODULES = ("shared/net/madetokenizers.js", "shared/net/kept_texts.js", "shared/page/session.js")
"""Modules that the host of each widget imports beside the widget's own."""

WIDGETS = {
    "": "tokens",
    "compare": "compare",
    "replay": "replay",
    "compression": "compression",
    "train": "train",
    "chat": "chat",
    "course": "course",
    "lesson": "frame",
}
"""Page's path -> the folder of its widget."""

_END_OF_HEAD = b"</head>"


class ModulePreloads:
    """ASGI middleware that adds the modules of a page's widget to Streamlit's page, as `<link rel="modulepreload">`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests, and add the links to a whole page."""
        name = scope["path"].rpartition("/")[2] if scope["type"] == "http" and scope["method"] == "GET" else None
        if name not in WIDGETS:
            await self._app(scope, receive, send)
            return
        is_packed = accepts_compressed(Headers(scope=scope))
        # Streamlit compresses some pages, so it is asked for the page as it is.
        scope = {**scope, "headers": [(key, value) for key, value in scope["headers"] if key != b"accept-encoding"]}
        answer = await whole_response(self._app, scope, receive)
        if _is_page(answer):
            answer.body = bytes(answer.body).replace(_END_OF_HEAD, links(name) + _END_OF_HEAD, 1)
            answer.headers["content-length"] = str(len(answer.body))
            for validator in ("etag", "last-modified"):  # of the page without the links
                if validator in answer.headers:
                    del answer.headers[validator]
            answer = compress(answer) if is_packed else answer
        await answer(scope, receive, send)


@cache
def links(name: str) -> bytes:
    """Return the links for the page of this name. What the page itself needs is loaded first: their priority is low."""
    paths = module_paths((f"{WIDGETS[name]}/widget.js", *HOST_MODULES))
    # Relative, as the page's own links are.
    tags = (
        f'<link rel="modulepreload" fetchpriority="low" href="./_tokviz/static/{html.escape(path)}">\n'
        for path in paths
    )
    return "".join(tags).encode()


def _is_page(answer: Response) -> bool:
    is_html = answer.headers.get("content-type", "").startswith("text/html")
    return answer.status_code == 200 and is_html and "content-encoding" not in answer.headers
