"""Limits per connection that uvicorn lacks: request heads, pipelined requests, WebSocket frames, and unread answers.

uvicorn gives its parsers all data that has arrived, about 256 KB at a time. These can be tens of thousands of headers
of five bytes or frames of six, and nobody else is answered meanwhile. Request heads have no size limit, and neither
have pipelined requests, the frames of a message, or what a client does not read.

So a `Connection` stands between each socket and uvicorn's protocol for it. It gives the protocol a few kilobytes at a
time, in turns by address, and counts the frames of WebSockets (RFC 6455). `ConnectionLimits`, an ASGI middleware, tells
it where requests begin and end. All it needs of uvicorn is that its protocols are those of asyncio, and ASGI.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.app.shields.fairness.budgets import Holding, LetGo, holdings
from tokviz.app.shields.fairness.visitors import FairQueue, Visitor, network

MAX_HEAD = 65_536
"""Maximum bytes of a request's first line and headers, or of requests sent before an earlier one is answered."""

MAX_HEADERS = 200
"""Maximum headers of a request."""

HEAD_SECONDS = 20.0
"""Maximum seconds for a head to arrive, counted from the start of the connection or the end of the last response."""

REST_SECONDS = 30.0
"""Maximum seconds for the rest of a body to arrive after the response, which is thrown away."""

MAX_REQUESTS = 1_000
"""Maximum requests of a connection. Browsers and proxies then open another."""

MAX_PIECES = 4_096
"""Maximum frames of a WebSocket message. Browsers send one, or one for each 128 KB."""

MAX_UNREAD = 65_536
"""Maximum bytes that wait to be sent on a WebSocket when a ping arrives."""

MAX_SILENCE = 30.0
"""Seconds after which a connection is dropped whose client has read nothing of what waits for it."""

_FIRST, _CHUNK = 16, 4_096  # bytes given to a protocol at a time: the first after it has paused, and at most
_SYSTEM_BUFFER = 131_072  # bytes that the system takes to send; more would hide for long whether a slow client reads
_OVERHEAD = 500  # bytes that a message takes besides its content while it waits
_IGNORED = 65_536  # bytes up to which a WebSocket doesn't count
_LAST_DATA, _PING = 2, 9  # opcodes of frames: the highest of those that are part of a message
_UNLIMITED = 100_000  # connections, of which there are never so many

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"  # RFC 6585
)

_current: ContextVar["Connection | None"] = ContextVar("connection", default=None)


def limited(protocol: Callable[..., asyncio.Protocol]) -> Callable[..., "Connection"]:
    """Return a protocol of connections within the limits, for uvicorn, which makes one for each with keywords."""
    arrivals: FairQueue[Connection] = FairQueue(_UNLIMITED, _UNLIMITED)
    return lambda **given: Connection(arrivals, protocol(**given))


class Connection(asyncio.Protocol):
    """A connection, with the protocol of uvicorn that reads it: for requests, then perhaps for a WebSocket."""

    def __init__(self, arrivals: FairQueue["Connection"], protocol: Any) -> None:
        self.frames: Frames | None = None  # of a WebSocket
        self.rest = bytearray()  # arrived, and not given to the protocol
        self._arrivals = arrivals  # the connections that wait for their turn
        self._protocol = protocol
        self._is_waiting = self._is_paused = False  # for its turn; by the protocol
        self._chunk = _CHUNK
        self._quota = MAX_HEAD  # bytes that may be given to the protocol before the next request begins
        self._requests = 0
        self._rest_ends = 0.0  # time until which the rest of a body is thrown away
        self._head_timer: asyncio.TimerHandle | None = None
        self._silence_timer: asyncio.TimerHandle | None = None
        self._written = 0  # bytes

    def connection_made(self, transport: Any) -> None:
        """Begin. This and the next methods are those of asyncio's protocols."""
        self._loop, self.transport = asyncio.get_running_loop(), transport
        if (opened := transport.get_extra_info("socket")) is not None:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SYSTEM_BUFFER)
        peer = transport.get_extra_info("peername")
        self.visitor = Visitor(network(str(peer[0]) if isinstance(peer, tuple) else ""))
        self._protocol.connection_made(_Transport(self))
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.rest.clear()
        for timer in filter(None, (self._head_timer, self._silence_timer)):
            timer.cancel()
        if self.frames:
            self.frames.close()
        self._protocol.connection_lost(exc)

    def pause_writing(self) -> None:
        """Let a request's app wait. A WebSocket's sends on, so that what nobody reads is where it is counted."""
        if not self.frames:
            self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """Let a request's app send on."""
        self._protocol.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Give data to the protocol: a chunk at once if no other connection waits, and the rest in turns."""
        self.rest += data
        if self._arrivals:
            self._wait()
        else:
            self._feed()

    def _wait(self) -> None:
        """Let the rest wait for its turn, if the protocol takes more at all; or read on, if there is no rest."""
        if self.transport.is_closing() or self._is_waiting:
            return
        may_feed = not self._is_paused and (self.frames or self._quota > 0)
        if may_feed and not self.rest:
            self.transport.resume_reading()
            return
        self.transport.pause_reading()
        if may_feed:
            self._is_waiting = True
            if not self._arrivals:
                self._loop.call_soon(_feed_next, self._arrivals, self._loop)
            self._arrivals.push(self.visitor, self)

    def _feed(self) -> None:
        self._is_waiting = False
        if not self._is_paused and not self.transport.is_closing():
            chunk = bytes(self.rest[: self._chunk])
            del self.rest[: self._chunk]
            self._chunk = min(2 * self._chunk, _CHUNK)
            self._quota -= len(chunk)
            _current.set(self)
            if self.frames:
                self.frames.read(chunk)
            self._protocol.data_received(chunk)
            if self._quota <= 0 and not self.frames and self._is_head_expected:
                self.transport.write(_TOO_LARGE)
                self.transport.close()
        self._wait()

    @property
    def _is_head_expected(self) -> bool:
        return self._head_timer is not None

    # Called by the protocol instead of its transport

    def pause(self) -> None:
        """Give the protocol nothing for now, and then little at first: it may be a request that was sent ahead."""
        self._is_paused, self._chunk = True, _FIRST
        self.transport.pause_reading()

    def resume(self) -> None:
        """Go on giving data to the protocol."""
        self._is_paused = False
        self._wait()

    def switch(self, protocol: Any) -> None:
        """Go on with the protocol of a WebSocket. Its client must not have sent anything before it is told so."""
        self._protocol, self.frames = protocol, Frames(self)

    def write(self, data: bytes) -> None:
        """Write data, and watch whether the client reads."""
        self.transport.write(data)
        self._written += len(data)
        self._watch_reading()

    def _watch_reading(self, before: int | None = None) -> None:
        """Drop the connection when no byte leaves for a while though some wait. `before` had left at the last look."""
        size = self.transport.get_write_buffer_size()
        left = self._written - size
        if before is not None:
            self._silence_timer = None
            if size and left <= before:
                self.transport.abort()
        if size and self._silence_timer is None:
            self._silence_timer = self._loop.call_later(MAX_SILENCE, self._watch_reading, left)

    # Called by the middleware

    def begin_request(self, host: str, size: int) -> bool:
        """Note that a request with a body of `size` bytes has begun. Return whether it is the connection's last one.

        `host` is its client's address, which a proxy may have told.
        """
        self.visitor = Visitor(network(host))
        if self.frames:
            self.frames.hold_for(self.visitor)
        if self._head_timer:
            self._head_timer.cancel()
        self._head_timer = None
        self._quota = MAX_HEAD + size
        self._requests += 1
        return self._requests >= MAX_REQUESTS

    def end_request(self) -> None:
        """Note that a request was answered. The rest of its body is still read, and thrown away."""
        self._quota = max(self._quota, MAX_HEAD)
        self._rest_ends = self._loop.time() + REST_SECONDS
        self._expect_head()
        self._wait()

    def _expect_head(self) -> None:
        seconds = min(HEAD_SECONDS, self._rest_seconds) if self._rest_seconds > 0 else HEAD_SECONDS
        self._head_timer = self._loop.call_later(seconds, self._time_out)

    @property
    def _rest_seconds(self) -> float:
        """The seconds for which a body is still thrown away."""
        return self._rest_ends - self._loop.time() if self._quota > MAX_HEAD else 0.0

    def _time_out(self) -> None:
        if self._rest_seconds > 0:
            self._expect_head()
        else:
            self.transport.close()


def _feed_next(arrivals: FairQueue[Connection], loop: asyncio.AbstractEventLoop) -> None:
    if found := arrivals.pop():
        if len(arrivals):
            loop.call_soon(_feed_next, arrivals, loop)
        found[1]._feed()


class _Transport:
    """A connection's transport for its protocol, with some methods replaced."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.pause_reading, self.resume_reading = connection.pause, connection.resume
        self.set_protocol = connection.switch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection.transport, name)

    def write(self, data: bytes) -> None:
        if not self._connection.transport.is_closing():  # uvloop's takes nothing then, unlike asyncio's
            self._connection.write(data)


class Frames:
    """The bytes that a WebSocket holds: messages that arrive, wait to be read by the app, or wait to be sent.

    They share the budget of requests, and the largest holder's connection is dropped when it is exceeded.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection, self._transport = connection, connection.transport
        self._abort = partial(asyncio.get_running_loop().call_soon_threadsafe, self._transport.abort)
        self._holding = Holding(holdings, connection.visitor, self._abort)
        self._reader: asyncio.Task[Any] | None = None
        self._head = bytearray()  # of the frame that arrives
        self._left = 0  # bytes of its content that have not arrived
        self._is_data = self._is_last = False  # is it part of a message, and its last one
        self._pieces = self._arriving = 0  # frames and bytes of the message that is incomplete
        self._waiting: deque[int] = deque()  # sizes of messages until the app asks for the next one
        self._taken = 0  # size of the message that the app has

    def hold_for(self, visitor: Visitor) -> None:
        """Count what the connection holds as this visitor's."""
        self._holding.close()
        self._holding = Holding(holdings, visitor, self._abort)
        self.update()

    def read(self, data: bytes) -> None:
        """Count the frames in data. Drop the connection if a message has too many."""
        at = 0
        while at < len(data):
            if not self._left:
                self._head.append(data[at])
                at += 1
                if not self._begins():
                    continue
            size = min(self._left, len(data) - at)
            at, self._left = at + size, self._left - size
            self._arriving += size if self._is_data else 0
            if not self._left and self._is_data and self._is_last:
                self._waiting.append(self._arriving + _OVERHEAD)
                self._pieces = self._arriving = 0
        if self._pieces > MAX_PIECES:
            self._transport.abort()
        self.update()

    def _begins(self) -> bool:
        """Return whether the head of a frame is complete, and note what it says."""
        head = self._head
        size = head[1] & 127 if len(head) > 1 else 0
        extended = {126: 2, 127: 8}.get(size, 0)
        if len(head) < 2 + extended + 4:  # with the mask, which all clients send
            return False
        self._left = int.from_bytes(head[2 : 2 + extended]) if extended else size
        self._is_data, self._is_last = head[0] & 15 <= _LAST_DATA, bool(head[0] & 128)
        self._pieces += self._is_data
        if head[0] & 15 == _PING and self._transport.get_write_buffer_size() > MAX_UNREAD:
            self._transport.abort()
        head.clear()
        return True

    def _received(self) -> int:
        return len(self._connection.rest) + self._arriving + self._taken + sum(self._waiting)

    def update(self) -> None:
        """Count what the connection holds now, and drop it if that is too much."""
        size = self._received() + self._transport.get_write_buffer_size()
        try:
            self._holding.hold(size if size > _IGNORED and not self._transport.is_closing() else 0)
        except LetGo:
            self._transport.abort()

    def close(self) -> None:
        """Stop counting: the connection is gone, and with it long messages that still wait for their turn."""
        if self._received() > _IGNORED and self._reader is not None:
            self._reader.cancel()  # it holds a message until it may be read
        self._holding.close()

    async def receive(self, receive: Receive) -> Message:
        """Return the next message for the app, which has done with the one before."""
        self._reader, self._taken = asyncio.current_task(), 0
        self.update()
        message = await receive()
        if message["type"] == "websocket.receive" and self._waiting:
            self._taken = self._waiting.popleft()
        return message

    async def send(self, send: Send, message: Message) -> None:
        """Send a message of the app."""
        await send(message)
        self.update()


class ConnectionLimits:
    """ASGI middleware that tells connections where requests begin and end. It has to be the outermost."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on all requests but those with too many headers."""
        connection = _current.get()
        if connection is None or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        size = Headers(scope=scope).get("content-length", "")
        host = scope["client"][0] if scope.get("client") else ""
        is_last = connection.begin_request(host, int(size[:18]) if size.isdecimal() else 0)
        if connection.frames:
            frames = connection.frames
            await self._app(scope, partial(frames.receive, receive), partial(frames.send, send))
        else:
            app = self._app if len(scope["headers"]) <= MAX_HEADERS else PlainTextResponse("Too many headers.\n", 431)
            await app(scope, receive, _ending(connection, is_last, send))


def _ending(connection: Connection, is_last: bool, send: Send) -> Send:
    async def send_on(message: Message) -> None:
        if is_last and message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), (b"connection", b"close")]}
        await send(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            connection.end_request()

    return send_on
