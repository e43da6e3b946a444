"""What visitors may send over Streamlit's WebSocket: how many connections, which messages, and how much they hold.

Streamlit's protocol has messages that no page of this app sends. One empties the caches of all visitors, another runs
git dozens of times while nobody else is answered. Those that pages do send may be larger than any page makes them, or
more: each has a script started or stopped, and all that have arrived on a connection are worked off in one go.
"""

import asyncio
import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from tokviz.app.fairness.visitors import Pace, network, shares

MAX_SOCKETS_EACH = 200
"""WebSockets of one address; a page has one."""

MAX_SOCKETS = 1_000
"""WebSockets of all addresses together."""

MAX_STATE_EACH = 60_000_000
"""Bytes that the pages of one address may hold: what is typed and chosen there, as it was sent last."""

MAX_STATE = 120_000_000
"""Bytes that all pages together may hold."""

SESSION_SECONDS = 130.0
"""How long what a page held counts after its connection is closed: Streamlit keeps its session for two minutes."""

MESSAGES = 10.0
"""Messages of a page that are taken in a second, once it has sent BURST of them; each megabyte counts as one more."""

BURST = 40.0

MESSAGES_EACH = 30.0
"""The same of all pages of one address, once they have sent BURST_EACH."""

BURST_EACH = 200.0

_ALLOWED = frozenset({"rerun_script", "app_heartbeat", "stop_script", "file_urls_request", "backend_operation_request"})
_MAX_WIDGETS = 1_000
_MAX_FILES = 1_000
_MAX_OTHER = 100_000
"""Bytes of a message that are not about the state of a page."""

_SMALL = 10_000
"""Bytes of a widget's state that is let through in any case."""

_logger = logging.getLogger(__name__)


def _pace_each() -> Pace:
    return Pace(MESSAGES_EACH, BURST_EACH)


@dataclass(eq=False)
class _Socket:
    """A connection, or one that was closed a moment ago: the bytes that its page holds, and its pace."""

    address: str
    pace_each: Pace
    held: int = 0
    pace: Pace = field(default_factory=lambda: Pace(MESSAGES, BURST))

    def wait(self, size: int) -> float:
        """The seconds until a message of `size` bytes may be read."""
        units, now = 1 + size // 1_000_000, time.monotonic()
        return max(self.pace.take(units, now), self.pace_each.take(units, now))


class SocketLimits:
    """ASGI middleware that limits WebSockets and the pace of their messages, and drops those that no page sends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[str] = Counter()
        self._holding: set[_Socket] = set()
        self._paces: WeakValueDictionary[str, Pace] = WeakValueDictionary()  # as long as an address has a connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a WebSocket for which there is room, and whatever is none."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = network(scope["client"][0] if scope.get("client") else "")
        socket = _Socket(address, self._paces.setdefault(address, _pace_each()))
        if self._open[socket.address] >= MAX_SOCKETS_EACH or self._open.total() >= MAX_SOCKETS:
            await send({"type": "websocket.close", "code": 1013, "reason": ""})
            return

        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                data = message.get("bytes")
                if message["type"] != "websocket.receive" or data is None:
                    return message
                # Others have their turn between two messages, also where this one need not wait.
                await asyncio.sleep(max(shares.wait(socket.address), socket.wait(len(data))))
                with shares.work_for(socket.address):
                    passed = self._passed(data, socket)
                if passed is not None:
                    return {**message, "bytes": passed}

        self._open[socket.address] += 1
        try:
            await self._app(scope, receive_allowed, send)
        finally:
            self._open[socket.address] -= 1
            self._open += Counter()  # forgets addresses without any
            if socket.held:
                asyncio.get_running_loop().call_later(SESSION_SECONDS, self._holding.discard, socket)

    def _passed(self, data: bytes, socket: _Socket) -> bytes | None:
        """What Streamlit is given of a message; None for nothing."""
        try:
            message = BackMsg.FromString(data)
        except Exception:  # Protobuf's own
            return data  # Streamlit then closes the connection
        kind = message.WhichOneof("type")
        if kind not in _ALLOWED:
            return None
        if kind != "rerun_script":
            is_plain = len(data) <= _MAX_OTHER and len(message.file_urls_request.file_names) <= _MAX_FILES
            return data if is_plain else None
        states = message.rerun_script.widget_states
        if len(states.widgets) > _MAX_WIDGETS or len(data) - states.ByteSize() > _MAX_OTHER:
            return None
        if not self._has_room(socket, len(data)):
            _logger.info("A page's state of %d bytes is left out: pages hold too much already.", len(data))
            data = _without_large_states(message)
            if not self._has_room(socket, len(data)):
                return None
        socket.held = len(data)
        self._holding.add(socket)
        return data

    def _has_room(self, socket: _Socket, size: int) -> bool:
        """Whether a page may hold so many bytes instead of what it holds. A little it always may."""
        if size <= _SMALL:
            return True
        others = [each for each in self._holding if each is not socket]
        of_address = sum(each.held for each in others if each.address == socket.address)
        return size + of_address <= MAX_STATE_EACH and size + sum(each.held for each in others) <= MAX_STATE


def _without_large_states(message: BackMsg) -> bytes:
    """The message with small widget states only: the page comes, but without the text that was typed in it."""
    widgets = message.rerun_script.widget_states.widgets
    small = [state for state in widgets if state.ByteSize() <= _SMALL]
    del widgets[:]
    widgets.extend(small)
    data: bytes = message.SerializeToString()
    return data
