"""Which requests the server takes: its own pages' and its own users', not those of pages of other sites.

A site can point its own name at the address of a visitor's laptop or of a server in the visitor's network (DNS
rebinding). The browser then takes this server for a part of that site, and lets the site's scripts read its answers.
What gives the site away is its name in the Host header. So names have to be listed; addresses, which can't be rebound,
are always allowed.

A page of another site can also post to this server as it is. It can't read the answer, but it can keep the server busy.
Browsers say where such a request comes from. The same goes for WebSockets: Streamlit refuses those of other sites, too,
but before that it asks another host for this machine's public address, and answers nobody meanwhile.
"""

import ipaddress
import os
import re
import socket
from collections.abc import Iterable
from functools import cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.web.server.server_util import allow_all_cross_origin_requests, is_allowed_origin

HOSTS = "TOKVIZ_HOSTS"
"""Environment variable with the host names to answer to, separated by commas.

`*.example.org` stands for all names that end so, and `*` for any name: no protection against rebinding.
"""

# Streamlit's Community Cloud starts apps without a chance to set anything, and nobody else can rebind its names.
_ALWAYS = ("localhost", "*.localhost", "*.streamlit.app")
_NAME = re.compile(r"[a-z0-9._-]{1,253}")
_FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-real-ip"})
_OTHER_SITES = "Only this server's own pages may do that, and sites listed in Streamlit's server.corsAllowedOrigins.\n"
_IN_CHUNKS = "Say how long the body is, in a Content-Length header.\n"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_FOR_THIS_MACHINE = re.compile(r"/_stcore/metrics/?$")


class Admission:
    """ASGI middleware that refuses requests for names that are not listed, and posts and WebSockets of other sites.

    It also refuses bodies of unknown length, and keeps Streamlit's metrics to the machine itself.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] | None = None) -> None:
        self._app = app
        self._names = frozenset(_listed() if names is None else names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is for this server."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = hostname(headers.get("host"))
        if host is None or not is_allowed(host, self._names):
            await _refuse(_wrong_host(host), 421, scope, receive, send)
        elif scope.get("method") not in _READING and is_from_another_site(headers):
            await _refuse(_OTHER_SITES, 403, scope, receive, send)
        elif "transfer-encoding" in headers:
            # Browsers and proxies send none. A body in chunks of one byte each keeps the server busy for seconds.
            await _refuse(_IN_CHUNKS, 411, scope, receive, send)
        elif _FOR_THIS_MACHINE.search(scope["path"]) and not is_from_this_machine(scope):
            await _refuse("Only for the machine that the server runs on.\n", 403, scope, receive, send)
        else:
            await self._app(scope, receive, send)


def hostname(header: str | None) -> str | None:
    """The host of a Host header, without its port. "" if there is no header, None if it is malformed.

    Browsers always send the header; a load balancer that asks whether the server is up may not.
    """
    if not header:
        return ""
    try:
        parts = urlsplit(f"//{header}")
        host, _ = parts.hostname, parts.port  # the port must be a number, too
    except ValueError:
        return None
    is_plain = parts.netloc == header and parts.username is None
    return host.lower().rstrip(".") if host and is_plain else None


def is_allowed(host: str, names: Iterable[str]) -> bool:
    """Whether the server answers to this host: an address, this machine's name, or one of the listed names."""
    return not host or _address(host) is not None or any(_matches(host, name) for name in (*_ALWAYS, *_own(), *names))


def is_from_another_site(headers: Headers) -> bool:
    """Whether a page of another site sends this; False if no browser does. CORS settings of Streamlit's hold here, too.

    Old browsers, and all browsers on plain http, don't send Sec-Fetch-Site; then the origin tells.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None or allow_all_cross_origin_requests() or is_allowed_origin(origin):
        return False
    if site is not None:
        return site not in ("same-origin", "none")
    return urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def is_from_this_machine(scope: Scope) -> bool:
    """Whether a request was made on the machine that the server runs on, and did not come through a proxy."""
    if not _FORWARDED.isdisjoint(Headers(scope=scope)):
        return False
    client, server = (_address(scope[end][0]) if scope.get(end) else None for end in ("client", "server"))
    return client is not None and (client.is_loopback or client == server)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that `host` is; None if it is a name. An IPv4 address in IPv6's clothes is an IPv4 address."""
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
def _own() -> tuple[str, ...]:
    """This machine's name, as others in its network call it."""
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
        # What is still to come of a body of unknown length is not read.
        headers = {"connection": "close"} if status == 411 else None
        await PlainTextResponse(sentence, status, headers)(scope, receive, send)
