"""Limits per connection that uvicorn lacks: request heads, pipelined requests, and WebSocket frames.

uvicorn gives its parsers all data that has arrived, about 256 KB at a time. That can be tens of thousands of headers
of five bytes or frames of six, and nobody else is answered meanwhile. Request heads have no size limit, and neither
have pipelined requests, the frames of a message, or the pings whose replies nobody reads.

Here a parser gets a few kilobytes at a time. When parsing takes longer than a moment, the rest waits for its turn,
address by address. uvicorn has no settings for this, so methods of its protocols are replaced while the server runs;
`tests/app/http/test_connections.py` checks that the installed uvicorn still works this way.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tokviz.app.fairness.visitors import network
from tokviz.app.http.socket_bytes import counting_methods

MAX_HEAD = 65_536
"""Maximum bytes of a request's first line and headers."""

MAX_HEADERS = 200
"""Maximum headers of a request."""

HEAD_SECONDS = 20.0
"""Maximum seconds for a head to arrive, counted from the start of the connection or the head's first byte."""

MAX_AHEAD = 100
"""Maximum pipelined requests: those sent before an earlier one is answered. Browsers and proxies send none."""

MAX_PIECES = 4_096
"""Maximum frames of a WebSocket message. Browsers send one, or one for each 128 KB."""

MAX_WAITING = 2_000_000
"""Maximum bytes of a connection that wait for the parser."""

MAX_UNREAD = 65_536
"""Maximum bytes that wait to be sent on a WebSocket when a ping is answered."""

_CHUNK = 4_096  # bytes given to a parser at a time
_MOMENT = 0.002  # seconds

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"  # RFC 6585
)

Protocol = Any
"""One of uvicorn's protocols, whose types can't be relied on."""


class _Arrivals:
    """Received data that waits for the connections' parsers, which take turns by address."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Protocol]] = OrderedDict()
        self._data: WeakKeyDictionary[Protocol, bytearray] = WeakKeyDictionary()

    def add(self, protocol: Protocol, data: bytes, feed: Callable[[bytes], None]) -> None:
        """Feed data to a parser: for a moment at once if no other connection waits, and the rest in turns."""
        waiting = self._data.get(protocol)
        if waiting is not None:
            waiting += data
            if len(waiting) > MAX_WAITING:
                self._data.pop(protocol)
                protocol.transport.abort()
            else:
                protocol.transport.pause_reading()
            return
        rest = bytearray(data)
        if self._waiting or not _fed_for_a_moment(protocol, rest, feed):
            self._data[protocol] = rest
            protocol.transport.pause_reading()
            self._enqueue(protocol, feed)

    def _enqueue(self, protocol: Protocol, feed: Callable[[bytes], None]) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._feed_next)
        address = network(protocol.client[0] if protocol.client else "")
        self._waiting.setdefault(address, deque()).append((protocol, feed))

    def _feed_next(self) -> None:
        """Feed a parser of the next address."""
        address, protocols = self._waiting.popitem(last=False)
        protocol, feed = protocols.popleft()
        if protocols:
            self._waiting[address] = protocols
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._feed_next)
        rest = self._data.get(protocol)
        if rest is None or protocol.transport.is_closing():
            self._data.pop(protocol, None)
        elif _fed_for_a_moment(protocol, rest, feed):
            del self._data[protocol]
            if not _is_paused(protocol) and not protocol.transport.is_closing():
                protocol.transport.resume_reading()
        else:
            self._enqueue(protocol, feed)


def _fed_for_a_moment(protocol: Protocol, rest: bytearray, feed: Callable[[bytes], None]) -> bool:
    """Feed a parser for a moment. Returns True if no data is left or the connection is closing."""
    end = time.perf_counter() + _MOMENT
    while rest and not protocol.transport.is_closing():
        chunk = bytes(rest[:_CHUNK])
        del rest[:_CHUNK]
        feed(chunk)
        if time.perf_counter() > end:
            break
    return not rest or protocol.transport.is_closing()


def _is_paused(protocol: Protocol) -> bool:
    """Return whether uvicorn has paused reading."""
    return bool(protocol.read_paused if isinstance(protocol, WebSocketsSansIOProtocol) else protocol.flow.read_paused)


# Requests


class _Heads:
    """The request heads that are arriving: their sizes in bytes, and their timeouts."""

    def __init__(self) -> None:
        self._sizes: WeakKeyDictionary[Protocol, int] = WeakKeyDictionary()
        self._timers: WeakKeyDictionary[Protocol, asyncio.TimerHandle] = WeakKeyDictionary()

    def begin(self, protocol: Protocol) -> None:
        """Start counting a head's bytes and seconds."""
        self.end(protocol)
        self._sizes[protocol] = 0
        self._timers[protocol] = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._time_out, protocol)

    def end(self, protocol: Protocol) -> None:
        """Stop counting: the head is complete, or the connection has ended."""
        self._sizes.pop(protocol, None)
        timer = self._timers.pop(protocol, None)
        if timer is not None:
            timer.cancel()

    def grow(self, protocol: Protocol, size: int) -> None:
        """Count bytes that have arrived, and refuse the request if its head is too large."""
        if protocol in self._sizes:
            self._sizes[protocol] += size
            if self._sizes[protocol] > MAX_HEAD:
                protocol.transport.write(_TOO_LARGE)
                protocol.transport.close()

    def _time_out(self, protocol: Protocol) -> None:
        self.end(protocol)
        if not protocol.transport.is_closing():
            protocol.transport.close()


@contextmanager
def limited_connections() -> Iterator[None]:
    """Apply the limits to the connections of this process's uvicorn within the block."""
    arrivals = _Arrivals()
    replaced = _limit_sockets(WebSocketsSansIOProtocol, arrivals)
    with suppress(ImportError):  # without httptools, uvicorn uses h11, which has its own limits
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

        replaced += _limit_requests(HttpToolsProtocol, arrivals)
    try:
        yield
    finally:
        for protocol, name, method in reversed(replaced):
            setattr(protocol, name, method)


_Replaced = list[tuple[type, str, Any]]


def _replace(protocol: type, methods: dict[str, Callable[..., Any]]) -> _Replaced:
    """Replace methods of a protocol. Returns the original ones."""
    before = [(protocol, name, getattr(protocol, name)) for name in methods]
    for name, method in methods.items():
        setattr(protocol, name, method)
    return before


def _limit_requests(kind: Any, arrivals: _Arrivals) -> _Replaced:
    heads = _Heads()
    made, lost, received = kind.connection_made, kind.connection_lost, kind.data_received
    begun, url, header, complete = kind.on_message_begin, kind.on_url, kind.on_header, kind.on_headers_complete
    ignored: WeakSet[Protocol] = WeakSet()  # connections that have sent too many requests

    def connection_made(self: Protocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        heads.begin(self)

    def connection_lost(self: Protocol, exc: Exception | None) -> None:
        heads.end(self)
        lost(self, exc)

    def data_received(self: Protocol, data: bytes) -> None:
        def feed(chunk: bytes) -> None:
            if self in ignored or self.transport.get_protocol() is not self:
                return  # in the latter case it is a WebSocket now, and a client must not send before it is told so
            received(self, chunk)
            heads.grow(self, len(chunk))
            if len(self.pipeline) > MAX_AHEAD:
                ignored.add(self)
                self.cycle.keep_alive = False  # closes the connection after the response to the last request

        arrivals.add(self, data, feed)

    def on_message_begin(self: Protocol) -> None:
        begun(self)
        heads.begin(self)

    def on_url(self: Protocol, part: bytes) -> None:
        url(self, part)
        if len(self.url) > MAX_HEAD:
            raise ValueError("the address is too long")  # uvicorn responds with status 400

    def on_header(self: Protocol, name: bytes, value: bytes) -> None:
        header(self, name, value)
        if len(self.headers) > MAX_HEADERS:
            raise ValueError("there are too many headers")

    def on_headers_complete(self: Protocol) -> None:
        heads.end(self)
        complete(self)

    methods = (connection_made, connection_lost, data_received, on_message_begin, on_url, on_header)
    return _replace(kind, {method.__name__: method for method in (*methods, on_headers_complete)})


# WebSockets


def _limit_sockets(kind: Any, arrivals: _Arrivals) -> _Replaced:
    replaced = _replace(kind, counting_methods(kind))
    received, continued, pinged, expired = (
        kind.data_received,
        kind.handle_cont,
        kind.handle_ping,
        kind.keepalive_timeout,
    )

    def data_received(self: Protocol, data: bytes) -> None:
        arrivals.add(self, data, lambda chunk: received(self, chunk))

    def handle_text(self: Protocol, event: Any) -> None:
        self.transport.abort()  # no page sends text

    def handle_cont(self: Protocol, event: Any) -> None:
        if len(self.frames) >= MAX_PIECES:
            self.transport.abort()
        else:
            continued(self, event)

    def handle_ping(self: Protocol) -> None:
        if self.transport.get_write_buffer_size() <= MAX_UNREAD:
            pinged(self)
        else:  # the client doesn't read the pongs
            self.transport.abort()

    def keepalive_timeout(self: Protocol) -> None:
        expired(self)
        self.transport.abort()  # a client that is gone never reads what is left

    methods = (data_received, handle_text, handle_cont, handle_ping, keepalive_timeout)
    return replaced + _replace(kind, {method.__name__: method for method in methods})
