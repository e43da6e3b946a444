"""Limits for Streamlit's WebSockets: connections, kinds and pace of messages, and the state that pages hold.

Streamlit's protocol has messages that no page of this app sends. One clears the caches of all visitors, another runs
git dozens of times while nobody else is answered. The messages that pages do send may be larger or more frequent than
from any real page: each starts or stops a script, and all that have arrived on a connection are handled in one go.
"""

import asyncio
import logging
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tokviz.app.shields import messages
from tokviz.app.shields.fairness.visitors import AllTaken, Pace, Places, network, shares

MAX_SOCKETS_EACH = 200
"""Maximum WebSockets of one address; a page has one."""

MAX_SOCKETS = 1_000
"""Maximum WebSockets of all addresses together."""

MAX_STATE_EACH = 80_000_000
"""Maximum bytes of memory for the state of one address's pages: what is typed and chosen there.

A page counts with its largest message, since Streamlit keeps what later messages don't mention.
"""

MAX_STATE = 120_000_000
"""Maximum bytes of memory for the state of all pages together."""

MAX_FIELD = 100_000
"""Maximum bytes of what is typed in any field but the text box."""

SESSION_SECONDS = 130.0
"""Seconds that a page's state still counts after its connection is closed; Streamlit keeps the session two minutes."""

MESSAGES = 10.0
"""Messages accepted from a page per second, after a burst of BURST."""

BURST = 40.0

MESSAGES_EACH = 30.0
"""Messages accepted per second from all pages of one address, after a burst of BURST_EACH."""

BURST_EACH = 200.0

ANOTHER = 500_000
"""Bytes that a page sends, or is sent, which count as another message."""

_MESSAGE_SECONDS = 0.0015  # of the event loop
_BYTE_SECONDS = 5e-9

_ALLOWED = frozenset({"rerun_script", "app_heartbeat", "stop_script"})

_VALUES = frozenset({"json_value", "json_trigger_value", "string_value", None})
"""Kinds of values of widgets that Streamlit takes for a widget of ours; None has none. Others are errors in its log."""
_MAX_WIDGETS = 1_000
_MAX_OTHER = 100_000
"""Maximum bytes of a message besides the state of its page's widgets."""

_SMALL = 10_000
"""Maximum bytes of a widget's state that is accepted in any case."""

_TEXT_BOX = "-text"
"""End of the id of the text box, which is its key."""

_TRY_AGAIN_LATER = {"type": "websocket.close", "code": 1013, "reason": ""}

_logger = logging.getLogger(__name__)


@dataclass(eq=False)
class _Socket:
    """A connection, open or recently closed: the bytes of state that its page holds, and its pace."""

    address: str
    pace_each: Pace
    held: int = 0
    is_gone: bool = False
    is_ended: bool = False
    pace: Pace = field(default_factory=lambda: Pace(MESSAGES, BURST))

    def wait(self, size: int) -> float:
        """Count a message of `size` bytes, and return the seconds until it may be read."""
        return self._take(1 + size // ANOTHER)

    def count_sent(self, size: int) -> None:
        """Count a message that the page is sent: making it takes about as long as reading one."""
        self._take(size // ANOTHER)

    def _take(self, units: int) -> float:
        now = time.monotonic()
        return max(self.pace.take(units, now), self.pace_each.take(units, now))


class SocketLimits:
    """ASGI middleware that limits WebSockets and the pace of their messages, and drops messages that no page sends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = Places(MAX_SOCKETS, MAX_SOCKETS_EACH)
        self._holding: set[_Socket] = set()
        self._paces: WeakValueDictionary[str, Pace] = WeakValueDictionary()  # kept while an address has a connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on WebSockets within the limits, and all other requests."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        address = network(scope["client"][0] if scope.get("client") else "")
        socket = _Socket(address, self._paces.setdefault(address, Pace(MESSAGES_EACH, BURST_EACH)))
        task = asyncio.current_task()
        assert task is not None

        def end() -> None:
            socket.is_ended = True
            task.cancel()

        with ExitStack() as stack:
            try:
                stack.enter_context(self._open.hold(address, end))
            except AllTaken:
                await send(_TRY_AGAIN_LATER)
                return
            await self._serve(scope, receive, send, socket)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, socket: _Socket) -> None:
        try:
            await self._app(scope, self._receiving(receive, socket), _sending(send, socket))
        except asyncio.CancelledError:
            if socket.is_ended:
                with suppress(Exception):  # it may be closed already
                    await send(_TRY_AGAIN_LATER)
            else:
                _logger.info("A WebSocket's messages are dropped: its client has left.")  # see `connection_limits`
        except Exception:
            if not socket.is_gone:  # otherwise Streamlit fails to close it, which is not worth a traceback in the log
                raise
        finally:
            if socket.held:
                asyncio.get_running_loop().call_later(SESSION_SECONDS, self._holding.discard, socket)

    def _receiving(self, receive: Receive, socket: _Socket) -> Receive:
        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                data = message.get("bytes") or b""  # no page sends text
                # Sleeping for 0 seconds still lets other connections run between two messages.
                await asyncio.sleep(socket.wait(len(data)))
                # The time of reading it is charged in advance, so that long messages of several pages are read apart.
                await shares.turn(socket.address, _MESSAGE_SECONDS + len(data) * _BYTE_SECONDS)
                with shares.work_for(socket.address):
                    accepted = self._accepted(data, socket)
                if accepted is not None:
                    return {**message, "bytes": accepted}

        return receive_allowed

    def _accepted(self, data: bytes, socket: _Socket) -> bytes | None:
        """Return the part of a message to pass on to Streamlit, or None to drop it."""
        try:
            message, size = messages.parse(data)
        except messages.Rejected:
            return None
        kind = message.WhichOneof("type")
        if kind not in _ALLOWED:
            return None
        if kind != "rerun_script":
            return data if len(data) <= _MAX_OTHER else None
        if message.rerun_script.fragment_id:  # no page has fragments, and Streamlit writes their ids into its log
            return None
        states = message.rerun_script.widget_states
        if len(states.widgets) > _MAX_WIDGETS or len(data) - states.ByteSize() > _MAX_OTHER:
            return None
        if any(state.WhichOneof("value") not in _VALUES or _is_too_long(state) for state in states.widgets):
            return None
        if not self._has_room(socket, size):
            _logger.info("A page's state of %d bytes is left out: pages hold too much already.", size)
            data = _without_large_states(message)
            size = len(data)
            if not self._has_room(socket, size):
                return None
        socket.held = max(socket.held, size)
        self._holding.add(socket)
        return data

    def _has_room(self, socket: _Socket, size: int) -> bool:
        """Return whether a page may hold `size` bytes. Small states always fit, and what is no more than before."""
        if size <= max(_SMALL, socket.held):
            return True
        others = [each for each in self._holding if each is not socket]
        of_address = sum(each.held for each in others if each.address == socket.address)
        return size + of_address <= MAX_STATE_EACH and size + sum(each.held for each in others) <= MAX_STATE


def _sending(send: Send, socket: _Socket) -> Send:
    async def send_counted(message: Message) -> None:
        socket.count_sent(len(message.get("bytes") or b""))
        try:
            await send(message)
        except OSError:
            socket.is_gone = True
            raise

    return send_counted


def _is_too_long(state: WidgetState) -> bool:
    """Return whether a field has more than anyone types there. A table would parse it as JSON, whatever it takes."""
    return len(state.string_value) > MAX_FIELD and not state.id.endswith(_TEXT_BOX)


def _without_large_states(message: BackMsg) -> bytes:
    """Return the message with small widget states only: the page loads, but without the text that was typed in it."""
    widgets = message.rerun_script.widget_states.widgets
    small = [state for state in widgets if state.ByteSize() <= _SMALL]
    del widgets[:]
    widgets.extend(small)
    data: bytes = message.SerializeToString()
    return data
