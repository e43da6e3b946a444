"""Share the event loop among addresses, whatever they request: pages, files, and what doesn't exist.

The routes of this app also charge the time of their own work: see `requests.refusing`.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz.app.shields.fairness.visitors import network, shares
from tokviz.app.shields.refusals import BUSY, refused

REQUEST_SECONDS = 0.0005
"""Seconds of the event loop that a request takes."""

BODY_SECONDS = 30.0
"""Maximum seconds for a body to arrive, and for a request to wait."""

SOCKET_SECONDS = 0.012
"""Seconds of the event loop that a WebSocket takes to open, with the session behind it."""


class Throttle:
    """ASGI middleware that lets requests of an address wait when it has used up its share of the event loop."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests and WebSockets in time, or refuse them where that would take too long."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_socket = scope["type"] == "websocket"
        address = network(scope["client"][0] if scope.get("client") else "")
        try:
            await shares.turn(address, SOCKET_SECONDS if is_socket else REQUEST_SECONDS, within=BODY_SECONDS)
        except TimeoutError:
            if is_socket:
                await send({"type": "websocket.close", "code": 1013, "reason": ""})
            else:
                await refused(BUSY, 503)(scope, receive, send)
        else:
            await self._app(scope, receive, send)
