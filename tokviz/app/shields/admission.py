"""Refuse requests made by pages of other sites.

DNS rebinding: a site can point its own name at the address of a visitor's laptop, or of a server in the visitor's
network. The browser then treats this server as part of that site, and lets the site's scripts read its responses. Such
requests carry the site's name in the Host header, so host names have to be listed. IP addresses can't be rebound and
are always allowed.

Cross-site requests: a page of another site can also post to this server directly. It can't read the response, but it
can keep the server busy. Browsers send headers that say where such a request comes from. The same goes for WebSockets:
Streamlit refuses those of other sites, too, but first asks another host for this machine's public address, and answers
nobody meanwhile.
"""

import ipaddress
import os
import re
import socket
from collections.abc import Iterable
from functools import cache, lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.web.server.server_util import allow_all_cross_origin_requests, is_allowed_origin

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


class Admission:
    """ASGI middleware that refuses requests for host names not listed, and posts and WebSockets from other sites.

    It also refuses bodies of unknown length, and serves Streamlit's metrics only to the server's own machine.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] | None = None) -> None:
        self._app = app
        self._names = frozenset(_listed() if names is None else names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on allowed requests and refuse the others."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = hostname(headers.get("host"))
        if host is None or not is_allowed(host, self._names):
            await _refuse(_wrong_host(host), 421, scope, receive, send)
        elif scope.get("method") not in _SAFE_METHODS and is_from_another_site(headers):
            await _refuse(_CROSS_SITE, 403, scope, receive, send)
        elif "transfer-encoding" in headers:
            # Browsers and proxies don't send this, and a body in chunks of one byte keeps the server busy for seconds.
            await _refuse(_LENGTH_REQUIRED, 411, scope, receive, send)
        elif _LOCAL_ONLY.search(scope["path"]) and not is_from_this_machine(scope):
            await _refuse("Only for the machine that the server runs on.\n", 403, scope, receive, send)
        else:
            await self._app(scope, receive, send)


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


async def _refuse(sentence: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
    else:
        # The rest of a body of unknown length is not read.
        headers = {"connection": "close"} if status == 411 else None
        await PlainTextResponse(sentence, status, headers)(scope, receive, send)
