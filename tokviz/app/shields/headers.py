"""Security headers of responses, cookies that work inside another site's frame, and none that are slow to parse."""

import base64
import hashlib
import os
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

FRAME_ANCESTORS = "TOKVIZ_FRAME_ANCESTORS"
"""Environment variable with the sites that may show the app in a frame, as in CSP: `https://example.org https://...`.

The app itself always may; other sites only if listed here.
"""

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STREAMLITS_COOKIE = b"_streamlit_xsrf="


class SecurityHeaders:
    """ASGI middleware that adds security headers to every response that does not set them."""

    def __init__(self, app: ASGIApp, frame_ancestors: str | None = None) -> None:
        self._app = app
        others = os.environ.get(FRAME_ANCESTORS, "") if frame_ancestors is None else frame_ancestors
        self._framed = bool(others.split())
        self._headers = [
            (b"x-content-type-options", b"nosniff"),
            # Pages have settings in their query, which other sites should not learn.
            (b"referrer-policy", b"same-origin"),
            (b"content-security-policy", content_security_policy(others).encode()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests, and add the headers to the responses."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        across_sites = self._framed and is_secure(scope)

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", []))
                names = {name.lower() for name, _ in own}
                own += [header for header in self._headers if header[0] not in names]
                if across_sites:
                    own = [(name, _across_sites(name, value)) for name, value in own]
                message = {**message, "headers": own}
            await send(message)

        await self._app(scope, receive, add)


def content_security_policy(frame_ancestors: str = "") -> str:
    """Return the policy of all pages: everything is loaded from this server, and only listed sites may frame it.

    Streamlit needs four exceptions. It generates styles at run time, so `style-src` has 'unsafe-inline'. It imports a
    component's JavaScript, which arrives in a message, from a `blob:` URL. It uses WebAssembly for 64-bit numbers. And
    its page has one inline script, which is allowed by its hash.
    """
    scripts = " ".join(f"'sha256-{digest}'" for digest in _inline_script_digests())
    directives = {
        "default-src": "'self'",
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {scripts}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(["'self'", *frame_ancestors.split()]),
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def _inline_script_digests() -> list[str]:
    page = Path(get_static_dir(), "index.html").read_text("utf-8")
    return [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in _INLINE_SCRIPT.findall(page)
    ]


def is_secure(scope: MutableMapping[str, Any]) -> bool:
    """Return whether the browser uses https, perhaps to a proxy in front, and so accepts Secure cookies.

    A proxy may not forward that, but browsers send Sec-Fetch-Site only over connections that they trust.
    """
    headers = Headers(scope=scope)
    return scope["scheme"] == "https" or headers.get("x-forwarded-proto") == "https" or "sec-fetch-site" in headers


def _across_sites(name: bytes, value: bytes) -> bytes:
    """Make Streamlit's cookie, by which visitors are told apart, work in another site's frame.

    It is Partitioned: browsers that block cookies of framed sites keep this one, separately for each framing site.
    """
    if name.lower() != b"set-cookie" or not value.startswith(_STREAMLITS_COOKIE):
        return value
    pair = value.split(b";")[0]
    return pair + b"; Path=/; SameSite=None; Secure; Partitioned"


class PlainCookies:
    """ASGI middleware that removes cookies with backslashes from requests, and keeps the others.

    Python before 3.11.10, 3.12.6 and 3.13 takes quadratic time to read them in quotes (CVE-2024-7592): 60 KB keep the
    server busy for seconds. Only another app on the same host may set any.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on all requests."""
        if scope["type"] in ("http", "websocket"):
            headers = [
                (name, _plain(value) if name.lower() == b"cookie" else value) for name, value in scope["headers"]
            ]
            scope = {**scope, "headers": headers}
        await self._app(scope, receive, send)


def _plain(cookies: bytes) -> bytes:
    """Return the value of a Cookie header without the cookies that contain a backslash."""
    return b";".join(each for each in cookies.split(b";") if b"\\" not in each)
