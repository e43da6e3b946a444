"""Limits for Streamlit's WebSockets: connections, and the kinds, size and pace of messages.

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
from streamlit.proto.ClientState_pb2 import ClientState

from tokviz.app.shields.fairness.visitors import AllTaken, Pace, Places, network, shares
from tokviz.app.shields.json_bodies import parsed

MAX_SOCKETS_EACH = 200
"""Maximum WebSockets of one address; a page has one."""

MAX_SOCKETS = 1_000
"""Maximum WebSockets of all addresses together."""

MAX_MESSAGE = 20_000
"""Maximum bytes of a message: which page is wanted, and the ids of tokenizers. Texts are sent to routes."""

MAX_VALUES = 200
"""Maximum values in a message's JSON, each of which takes up to 35 times its bytes in memory."""

MESSAGES = 10.0
"""Messages accepted from a page per second, after a burst of BURST."""

BURST = 40.0

MESSAGES_EACH = 30.0
"""Messages accepted per second from all pages of one address, after a burst of BURST_EACH."""

BURST_EACH = 200.0

ANOTHER = 500_000
"""Bytes that a page is sent which count as another message."""

_MESSAGE_SECONDS = 0.0015  # of the event loop

_ALLOWED = frozenset({"rerun_script", "app_heartbeat", "stop_script"})

_JSON = frozenset({"json_value", "json_trigger_value"})
_VALUES = _JSON | {"string_value", None}
"""Kinds of values of widgets that Streamlit takes for a widget of ours; None has none. Others are errors in its log."""
_MAX_WIDGETS = 20

_TRY_AGAIN_LATER = {"type": "websocket.close", "code": 1013, "reason": ""}

_logger = logging.getLogger(__name__)


@dataclass(eq=False)
class _Socket:
    """A connection, and its pace."""

    address: str
    pace_each: Pace
    is_gone: bool = False
    is_ended: bool = False
    pace: Pace = field(default_factory=lambda: Pace(MESSAGES, BURST))

    def wait(self) -> float:
        """Count a message, and return the seconds until it may be read."""
        return self._take(1)

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

    def _receiving(self, receive: Receive, socket: _Socket) -> Receive:
        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                data = message.get("bytes") or b""  # no page sends text
                # Sleeping for 0 seconds still lets other connections run between two messages.
                await asyncio.sleep(socket.wait())
                await shares.turn(socket.address, _MESSAGE_SECONDS)
                with shares.work_for(socket.address):
                    is_accepted = _is_accepted(data)
                if is_accepted:
                    return {**message, "bytes": data}

        return receive_allowed


def _sending(send: Send, socket: _Socket) -> Send:
    async def send_counted(message: Message) -> None:
        socket.count_sent(len(message.get("bytes") or b""))
        try:
            await send(message)
        except OSError:
            socket.is_gone = True
            raise

    return send_counted


def _is_accepted(data: bytes) -> bool:
    """Return whether a page may have sent a message, which Streamlit then reads without an error."""
    if len(data) > MAX_MESSAGE:
        return False
    try:
        message = BackMsg.FromString(data)
        return message.WhichOneof("type") in _ALLOWED and _is_readable(message.rerun_script)
    except Exception:  # Protobuf raises its own types
        return False


def _is_readable(run: ClientState) -> bool:
    """Return whether Streamlit can read what a page's widgets say. Raises ValueError or Refusal for what is no JSON."""
    widgets = run.widget_states.widgets
    if run.fragment_id:  # no page has fragments, and Streamlit writes their ids into its log
        return False
    for state in widgets:
        if (kind := state.WhichOneof("value")) in _JSON:
            parsed(getattr(state, kind), MAX_VALUES)
    return len(widgets) <= _MAX_WIDGETS and all(state.WhichOneof("value") in _VALUES for state in widgets)
