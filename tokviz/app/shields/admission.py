"""What every request and WebSocket passes before the app: whether it is let in, when, and the headers of its response.

Share of the event loop: addresses take turns, whatever they request: pages, files, and what doesn't exist. The routes
of this app also charge the time of their own work: see `requests.refusing`.

DNS rebinding: a site can point its own name at the address of a visitor's laptop, or of a server in the visitor's
network. The browser then treats this server as part of that site, and lets the site's scripts read its responses. Such
requests carry the site's name in the Host header, so host names have to be listed. IP addresses can't be rebound and
are always allowed.

Cross-site requests: a page of another site can also post to this server directly. It can't read the response, but it
can keep the server busy. Browsers send headers that say where such a request comes from. The same goes for WebSockets:
Streamlit refuses those of other sites, too, but first asks another host for this machine's public address, and answers
nobody meanwhile.

Cookies with backslashes are removed: Python before 3.11.10, 3.12.6 and 3.13 takes quadratic time to read them in quotes
(CVE-2024-7592), so that 60 KB keep the server busy for seconds. Only another app on the same host may set any.
"""

import base64
import hashlib
import ipaddress
import os
import re
import socket
from collections.abc import Iterable, MutableMapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir
from streamlit.web.server.server_util import allow_all_cross_origin_requests, is_allowed_origin

from tokviz.app.shields.fairness.visitors import network, shares
from tokviz.app.shields.refusals import BUSY, refused
from tokviz.app.shields.sockets import SocketLimits

HOSTS = "TOKVIZ_HOSTS"
"""Environment variable with the host names that the server answers to, separated by commas.

`*.example.org` stands for all names with this ending; `*` stands for any name, without protection against rebinding.
"""

# Apps on Streamlit Community Cloud can't set environment variables, and nobody else can rebind its names.
_ALWAYS = ("localhost", "*.localhost", "*.streamlit.app")
_NAME = re.compile(r"[a-z0-9._-]{1,253}")
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-real-ip"})
_CROSS_SITE = (
    "Only pages of this server, or of sites in Streamlit's server.corsAllowedOrigins, may send this request.\n"
)
_LENGTH_REQUIRED = "Say how long the body is, in a Content-Length header.\n"
_REMEMBERED = 64
"""Host headers that are parsed once, and addresses: few, since a stranger may send long ones."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_LOCAL_ONLY = re.compile(r"/_stcore/metrics/?$")

REQUEST_SECONDS = 0.0005
"""Seconds of the event loop that a request takes."""

BODY_SECONDS = 30.0
"""Maximum seconds for a body to arrive, and for a request to wait."""

SOCKET_SECONDS = 0.012
"""Seconds of the event loop that a WebSocket takes to open, with the session behind it."""


class Admission:
    """ASGI middleware that lets in requests and WebSockets in turn, and refuses some.

    Refused are host names not listed, posts and WebSockets from other sites, bodies of unknown length, and Streamlit's
    metrics, except on the server's own machine. WebSockets that are let in meet `SocketLimits`. Every response gets
    security headers, unless it sets them itself.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] | None = None, frame_ancestors: str | None = None) -> None:
        self._app = app
        self._sockets = SocketLimits(app)
        self._names = frozenset(_listed() if names is None else names)
        framing = os.environ.get(FRAME_ANCESTORS, "") if frame_ancestors is None else frame_ancestors
        self._is_framed = bool(framing.split())
        self._headers = security_headers(framing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on allowed requests in time, and refuse the others."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_socket = scope["type"] == "websocket"
        scope = {**scope, "headers": [(name, _plain(name, value)) for name, value in scope["headers"]]}
        if not is_socket:
            send = self._with_headers(scope, send)
        address = network(scope["client"][0] if scope.get("client") else "")
        try:
            await shares.turn(address, SOCKET_SECONDS if is_socket else REQUEST_SECONDS, within=BODY_SECONDS)
        except TimeoutError:
            if is_socket:
                await send({"type": "websocket.close", "code": 1013, "reason": ""})
            else:
                await refused(BUSY, 503)(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await (self._sockets if is_socket else self._app)(scope, receive, send)
        elif is_socket:
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Return the refusal of a request, or None if it is allowed."""
        headers = Headers(scope=scope)
        host = hostname(headers.get("host"))
        if host is None or not is_allowed(host, self._names):
            return PlainTextResponse(_wrong_host(host), 421)
        if scope.get("method") not in _SAFE_METHODS and is_from_another_site(headers):
            return PlainTextResponse(_CROSS_SITE, 403)
        if "transfer-encoding" in headers:
            # Browsers and proxies don't send this, and a body in chunks of one byte keeps the server busy for seconds.
            # Its rest is not read.
            return PlainTextResponse(_LENGTH_REQUIRED, 411, {"connection": "close"})
        if _LOCAL_ONLY.search(scope["path"]) and not is_from_this_machine(scope):
            return PlainTextResponse("Only for the machine that the server runs on.\n", 403)
        return None

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        """Return a function that sends a response with the security headers that it does not set."""
        is_across_sites = self._is_framed and is_secure(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", []))
                names = {name.lower() for name, _ in own}
                own += [header for header in self._headers if header[0] not in names]
                if is_across_sites:
                    own = [(name, across_sites(name, value)) for name, value in own]
                message = {**message, "headers": own}
            await send(message)

        return send_with_headers


def _plain(name: bytes, value: bytes) -> bytes:
    """Return a header's value; that of a Cookie header without the cookies that contain a backslash."""
    if name.lower() != b"cookie":
        return value
    return b";".join(each for each in value.split(b";") if b"\\" not in each)


@lru_cache(_REMEMBERED)
def hostname(header: str | None) -> str | None:
    """Return the host in a Host header, without its port; "" if there is no header, None if it is malformed.

    Browsers always send the header; a load balancer's health check may not.
    """
    if not header:
        return ""
    try:
        parts = urlsplit(f"//{header}")
        host, _ = parts.hostname, parts.port  # `port` raises ValueError unless it is a number
    except ValueError:
        return None
    is_plain = parts.netloc == header and parts.username is None
    return host.lower().rstrip(".") if host and is_plain else None


def is_allowed(host: str, names: Iterable[str]) -> bool:
    """Return whether the server answers to this host: an address, this machine's name, or one of the listed names."""
    allowed = (*_ALWAYS, *_machine_names(), *names)
    return not host or _address(host) is not None or any(_matches(host, name) for name in allowed)


def is_from_another_site(headers: Headers) -> bool:
    """Return whether a page of another site sends this request; False for clients other than browsers.

    Streamlit's CORS settings apply. Old browsers, and all browsers on plain http, don't send Sec-Fetch-Site; then the
    Origin header decides.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None or allow_all_cross_origin_requests() or is_allowed_origin(origin):
        return False
    if site is not None:
        return site not in ("same-origin", "none")
    return urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def is_from_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from the machine that the server runs on, and not through a proxy."""
    if not _FORWARDED.isdisjoint(Headers(scope=scope)):
        return False
    client, server = (_address(scope[end][0]) if scope.get(end) else None for end in ("client", "server"))
    return client is not None and (client.is_loopback or client == server)


@lru_cache(_REMEMBERED)
def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse `host` as an IP address; return None if it is a name. IPv4-mapped IPv6 addresses are returned as IPv4."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _matches(host: str, pattern: str) -> bool:
    return pattern == "*" or host == pattern or (pattern.startswith("*.") and host.endswith(pattern[1:]))


def _listed() -> list[str]:
    names = (name.strip().lower().rstrip(".") for name in os.environ.get(HOSTS, "").split(","))
    return [name for name in names if name]


@cache
def _machine_names() -> tuple[str, ...]:
    """Return the names of this machine in its network."""
    name = socket.gethostname().lower()
    return name, f"{name.split('.')[0]}.local"


def _wrong_host(host: str | None) -> str:
    if host is None or not _NAME.fullmatch(host):
        return "The Host header of this request is not a host name.\n"
    return (
        f"tokviz does not answer to the name {host} here. If this server is yours, start it with the environment "
        f"variable {HOSTS}={host}\n"
    )


# Headers of responses

FRAME_ANCESTORS = "TOKVIZ_FRAME_ANCESTORS"
"""Environment variable with the sites that may show the app in a frame, as in CSP: `https://example.org https://...`.

The app itself always may; other sites only if listed here.
"""

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STREAMLITS_COOKIE = b"_streamlit_xsrf="


def security_headers(frame_ancestors: str) -> list[tuple[bytes, bytes]]:
    """Return the security headers of every response. `frame_ancestors` lists sites that may frame the app."""
    return [
        (b"x-content-type-options", b"nosniff"),
        # Pages have settings in their query, which other sites should not learn.
        (b"referrer-policy", b"same-origin"),
        (b"content-security-policy", content_security_policy(frame_ancestors).encode()),
    ]


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


def across_sites(name: bytes, value: bytes) -> bytes:
    """Make Streamlit's cookie, by which visitors are told apart, work in another site's frame.

    It is Partitioned: browsers that block cookies of framed sites keep this one, separately for each framing site.
    """
    if name.lower() != b"set-cookie" or not value.startswith(_STREAMLITS_COOKIE):
        return value
    pair = value.split(b";")[0]
    return pair + b"; Path=/; SameSite=None; Secure; Partitioned"
