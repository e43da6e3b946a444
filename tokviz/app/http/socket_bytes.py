"""Count the bytes that WebSockets hold: messages that arrive, wait to be read by the app, or wait to be sent.

They share the budget of requests, and the largest holder's connection is dropped when it is exceeded.
"""

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, proxy

from tokviz.app.fairness.held_bytes import Holding, LetGo, holdings
from tokviz.app.fairness.visitors import Visitor, network

Protocol = Any
"""uvicorn's protocol of a WebSocket, whose types can't be relied on."""

_OVERHEAD = 500
"""Bytes that a message takes besides its content while it waits."""

_IGNORED = 65_536
"""Bytes up to which a connection doesn't count."""


class _SocketBytes:
    """The bytes held by a connection."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = proxy(protocol)
        self._is_closed = False
        self._reader: asyncio.Task[Any] | None = None
        self._arriving = 0  # in frames of a message that is incomplete
        self._waiting = 0  # in complete messages, until the app asks for the next one
        self._taken = 0  # in the message that the app has
        visitor = Visitor(network(protocol.client[0] if protocol.client else ""))
        self._holding = Holding(holdings, visitor, self._drop)

    def add_frame(self, size: int) -> None:
        """Count a frame of `size` bytes."""
        self._arriving += size

    def complete_message(self) -> None:
        """Count the frames so far as a message that waits for the app."""
        self._waiting += self._arriving + _OVERHEAD
        self._arriving = 0

    def finish_message(self) -> None:
        """Stop counting the message that the app, in the current task, took last."""
        self._reader = asyncio.current_task()
        self._waiting -= self._taken
        self._taken = 0
        self.update()

    def take_message(self, message: Any) -> None:
        """Note the message that the app receives now."""
        if message["type"] == "websocket.receive":
            self._taken = len(message["bytes"]) + _OVERHEAD

    def update(self) -> None:
        """Count what the connection holds now, and drop it if that is too much."""
        if self._is_closed:
            return
        protocol = self._protocol
        size = len(protocol.conn.reader.buffer) + self._arriving + self._waiting
        size += protocol.transport.get_write_buffer_size()
        try:
            self._holding.hold(size if size > _IGNORED else 0)
        except LetGo:
            protocol.transport.abort()

    def close(self) -> None:
        """Stop counting: the connection is gone, and with it long messages that still wait for their turn."""
        self._is_closed = True
        if self._waiting > _IGNORED and self._reader is not None:
            self._reader.cancel()  # it holds a message until it may be read
        self._holding.close()

    def _drop(self) -> None:
        self._protocol.loop.call_soon_threadsafe(self._protocol.transport.abort)


def counting_methods(kind: Any) -> dict[str, Callable[..., Any]]:
    """Return methods to replace those of the same name of uvicorn's protocol for WebSockets, which also count."""
    made, lost, received, begun = kind.connection_made, kind.connection_lost, kind.data_received, kind.handle_bytes
    continued, completed, taken, sent = kind.handle_cont, kind.send_receive_event_to_app, kind.receive, kind.send
    held: WeakKeyDictionary[Protocol, _SocketBytes] = WeakKeyDictionary()

    def connection_made(self: Protocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        held[self] = _SocketBytes(self)

    def connection_lost(self: Protocol, exc: Exception | None) -> None:
        held[self].close()
        lost(self, exc)

    def data_received(self: Protocol, data: bytes) -> None:
        received(self, data)
        held[self].update()

    def handle_bytes(self: Protocol, event: Any) -> None:
        held[self].add_frame(len(event.data))
        begun(self, event)

    def handle_cont(self: Protocol, event: Any) -> None:
        held[self].add_frame(len(event.data))
        continued(self, event)

    def send_receive_event_to_app(self: Protocol) -> None:
        held[self].complete_message()
        completed(self)

    async def receive(self: Protocol) -> Any:
        held[self].finish_message()
        message = await taken(self)
        held[self].take_message(message)
        return message

    async def send(self: Protocol, message: Any) -> None:
        await sent(self, message)
        held[self].update()

    def pause_writing(self: Protocol) -> None:
        """Let the app send on, so that what the client doesn't read is in one place, where it is counted."""

    def resume_writing(self: Protocol) -> None:
        held[self].update()

    methods = (connection_made, connection_lost, data_received, handle_bytes, handle_cont, send_receive_event_to_app)
    others = (receive, send, pause_writing, resume_writing)
    return {method.__name__: method for method in (*methods, *others)}
