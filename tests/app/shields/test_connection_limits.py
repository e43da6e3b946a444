"""Limits per connection, as a hostile visitor meets them: heads, pipelined requests and frames, with real uvicorn."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tokviz.app.shields import connection_limits
from tokviz.app.shields.connection_limits import ConnectionLimits, limited
from tokviz.app.shields.fairness.budgets import holdings

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Pair]]

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING, PONG, BINARY, MORE, LAST = 0x89, 0x8A, 0x02, 0x00, 0x80


class App:
    """App that responds with a body's length once it is released, and counts the bytes of WebSocket messages.

    It sends `reply` after each message, and reads none before `may_read` is set.
    """

    def __init__(self) -> None:
        self.reply = self.answer = b""
        self.reads_bodies = True
        self.parts = 1  # of the response, each of them the answer
        self.may_read = asyncio.Event()
        self.may_read.set()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.asked = 0
        self.open = 0  # WebSockets
        self.messages: asyncio.Queue[int | None] = asyncio.Queue()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            self.open += 1
            try:
                await self._listen(receive, send)
            finally:
                self.open -= 1
            return
        self.asked += 1
        size = 0
        while self.reads_bodies and (message := await receive())["type"] == "http.request":
            size += len(message["body"])
            if not message["more_body"]:
                break
        await self.may_answer.wait()
        answer = self.answer or f"{size:9}".encode()
        headers = [(b"content-length", b"%d" % (self.parts * len(answer)))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for left in reversed(range(self.parts)):
            await send({"type": "http.response.body", "body": answer, "more_body": left > 0})

    async def _listen(self, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            if "bytes" in message:
                self.messages.put_nowait(len(message["bytes"]))
                await self.may_read.wait()
                if self.reply:
                    await send({"type": "websocket.send", "bytes": self.reply})
        self.messages.put_nowait(None)


@asynccontextmanager
async def served(app: App, protocol: type[asyncio.Protocol] = HttpToolsProtocol) -> AsyncIterator[Connect]:
    """Run a server with the limits, and yield a function that connects to it."""
    settings: dict[str, Any] = {"http": limited(protocol), "ws": "websockets-sansio", "lifespan": "off"}
    config = uvicorn.Config(ConnectionLimits(app), "127.0.0.1", 0, log_level="critical", **settings)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    port = server.servers[0].sockets[0].getsockname()[1]
    writers = []

    async def connect() -> Pair:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        return reader, writer

    try:
        yield connect
    finally:
        for writer in writers:
            writer.transport.abort()
        app.may_answer.set()
        app.may_read.set()
        server.servers[0].close()
        while server.server_state.connections or server.server_state.tasks:
            await asyncio.sleep(0)
        task.cancel()  # asked to exit, uvicorn would wait for tenths of a second
        with suppress(asyncio.CancelledError):
            await task


def run(test: Callable[[App, Connect], Awaitable[None]], protocol: type[asyncio.Protocol] = HttpToolsProtocol) -> None:
    async def within() -> None:
        app = App()
        async with asyncio.timeout(60), served(app, protocol) as connect:
            await test(app, connect)

    asyncio.run(within())


async def read_until_closed(reader: asyncio.StreamReader) -> bytes:
    """Return everything the server sends before it closes the connection."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def frame(opcode: int, data: bytes = b"") -> bytes:
    size = struct.pack(">BH", 0x80 | 126, len(data)) if len(data) > 125 else bytes([0x80 | len(data)])
    return bytes([opcode]) + size + bytes(4) + data  # masked with zeros


async def socket(connect: Connect, client: str = "") -> Pair:
    """Open a WebSocket, perhaps of a client that a proxy names."""
    reader, writer = await connect()
    writer.write(HANDSHAKE.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: " + client.encode() + b"\r\n\r\n"))
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


# Requests


@pytest.mark.parametrize("protocol", [HttpToolsProtocol, H11Protocol])
def test_a_body_arrives_whole(protocol: type[asyncio.Protocol]) -> None:
    async def test(app: App, connect: Connect) -> None:
        reader, writer = await connect()
        for size in (0, 5, 3_000_000):
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + bytes(size))
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert int(await reader.readexactly(9)) == size

    run(test, protocol)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (HEAD + b"a: b\r\n" * 198 + b"\r\n", b"200"),
        (HEAD + b"a: b\r\n" * 200 + b"\r\n", b"431"),
        (HEAD + b"Cookie: " + b"a" * 50_000 + b"\r\n\r\n", b"200"),
        (HEAD + b"Cookie: " + b"a" * 100_000, b"431"),
        (b"GET /" + b"a" * 100_000, b"431"),
    ],
    ids=["many headers", "too many headers", "a large head", "a head without an end", "an address without an end"],
)
def test_heads_have_limits(head: bytes, status: bytes) -> None:
    async def test(app: App, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(head)
        assert (await reader.readline()).split()[1] == status

    run(test)


@pytest.mark.parametrize("sent", [b"", HEAD, HEAD + b"\r\n" + HEAD], ids=["nothing", "a head", "a second head"])
def test_an_incomplete_head_times_out(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.05)

    async def test(app: App, connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(sent)
        await read_until_closed(reader)

    run(test)


def test_a_response_may_take_longer_than_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.05)

    async def test(app: App, connect: Connect) -> None:
        app.may_answer.clear()
        reader, writer = await connect()
        writer.write(HEAD + b"\r\n")
        other, _ = await connect()
        await read_until_closed(other)  # closed by the timeout
        app.may_answer.set()
        assert b" 200 " in await reader.readline()

    run(test)


def test_pipelined_requests_are_limited() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.may_answer.clear()
        few, many = await connect(), await connect()
        few[1].write((HEAD + b"\r\n") * 50)
        many[1].write((HEAD + b"\r\n") * 20_000)
        await many[1].drain()
        app.may_answer.set()
        assert (await read_until_closed(many[0])).count(b" 200 ") < 1_000
        for _ in range(50):
            assert b" 200 " in await few[0].readuntil(b"\r\n\r\n")
            await few[0].readexactly(9)

    run(test)


def test_a_body_that_is_not_read_is_thrown_away() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.reads_bodies = False
        reader, writer = await connect()
        for _ in range(3):
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n" + bytes(3_000_000))
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(9)
            await writer.drain()

    run(test)


@pytest.mark.parametrize("head_seconds", [0.02, 1000])
def test_the_rest_of_a_refused_body_has_its_time(head_seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", head_seconds)
    monkeypatch.setattr(connection_limits, "REST_SECONDS", 0.1)

    async def test(app: App, connect: Connect) -> None:
        app.reads_bodies = False
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
        closed = asyncio.create_task(read_until_closed(reader))
        while not closed.done():
            with suppress(ConnectionError):
                writer.write(b"x")
                await writer.drain()
            await asyncio.sleep(0.005)

    run(test)


def test_requests_of_a_connection_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MAX_REQUESTS", 3)

    async def test(app: App, connect: Connect) -> None:
        reader, writer = await connect()
        for left in (2, 1, 0):
            writer.write(HEAD + b"\r\n")
            assert (b"connection: close" in await reader.readuntil(b"\r\n\r\n")) == (left == 0)
            await reader.readexactly(9)
        assert await reader.read() == b""

    run(test)


@pytest.mark.parametrize("head", [HEAD, b"GET / HTTP/1.0\r\n"], ids=["kept alive", "to be closed"])
def test_an_answer_that_nobody_reads_is_dropped(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    """However it was sent, and though uvicorn has ended the request, and waits for nothing."""
    monkeypatch.setattr(connection_limits, "MAX_SILENCE", 0.05)

    async def test(app: App, connect: Connect) -> None:
        app.answer = bytes(20_000_000)
        reader, writer = await connect()
        writer.write(head + b"\r\n")
        await reader.readexactly(1)  # then no more than the buffers of the client take
        with pytest.raises(ConnectionError):
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.01)

    run(test)


@pytest.mark.parametrize("parts", [1, 200], ids=["at once", "in parts that follow as it reads"])
def test_a_client_that_reads_slowly_is_not_dropped(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    monkeypatch.setattr(connection_limits, "MAX_SILENCE", 0.05)

    async def test(app: App, connect: Connect) -> None:
        app.answer, app.parts = bytes(12_000_000 // parts), parts
        reader, writer = await connect()
        writer.write(HEAD + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        for _ in range(12):
            assert await reader.readexactly(1_000_000) == bytes(1_000_000)
            await asyncio.sleep(0.01)

    run(test)


# WebSockets


def test_fragmented_messages_arrive_in_order() -> None:
    async def test(app: App, connect: Connect) -> None:
        _, writer = await socket(connect)
        writer.write(frame(BINARY, bytes(60_000)) + frame(MORE, bytes(7)) + frame(MORE) * 1_000 + frame(LAST, b"a"))
        writer.write(frame(BINARY | LAST, b"b") * 3_000)
        assert [await app.messages.get() for _ in range(3_001)] == [60_008] + [1] * 3_000

    run(test)


def test_frames_per_message_are_limited() -> None:
    async def test(app: App, connect: Connect) -> None:
        reader, writer = await socket(connect)
        writer.write(frame(BINARY) + frame(MORE) * 10_000)
        await read_until_closed(reader)
        assert await app.messages.get() is None

    run(test)


def test_a_client_that_does_not_read_pongs_is_dropped() -> None:
    async def test(app: App, connect: Connect) -> None:
        _, writer = await socket(connect)
        with pytest.raises(ConnectionError):
            while True:  # until the buffers of the server and the system are full
                writer.write(frame(PING, bytes(125)) * 1_000)
                await writer.drain()

    run(test)


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdings, "_limit", 1_000_000)


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("end", [b"", frame(LAST)], ids=["incomplete messages", "messages that wait"])
def test_bytes_of_messages_share_a_budget(end: bytes) -> None:
    async def test(app: App, connect: Connect) -> None:
        app.may_read.clear()
        sockets = [await socket(connect) for _ in range(3)]
        for (_, writer), size in zip(sockets, (4, 9, 8), strict=True):
            writer.write(frame(BINARY) + frame(MORE, bytes(50_000)) * size + end)
            await writer.drain()
        reads = [asyncio.create_task(read_until_closed(reader)) for reader, _ in sockets]
        (dropped,), others = await asyncio.wait(reads, return_when=asyncio.FIRST_COMPLETED)
        assert dropped is not reads[0]  # the largest, when the last one came
        while holdings._total < 600_000:  # all of the others
            await asyncio.sleep(0.001)
        assert holdings._total <= 1_000_000
        app.may_read.set()
        for read, (reader, writer) in zip(reads, sockets, strict=True):
            if read in others:
                read.cancel()
                await asyncio.wait([read])
                writer.write(frame(PING))
                assert await reader.readexactly(2) == bytes([PONG, 0])

    run(test)
    assert holdings._total == 0


@pytest.mark.usefixtures("small_budget")
def test_bytes_of_messages_count_for_the_client_that_a_proxy_names() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.may_read.clear()
        sockets = [await socket(connect, client) for client in ("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2")]
        for (_, writer), size in zip(sockets, (4, 4, 4, 9), strict=True):
            writer.write(frame(BINARY) + frame(MORE, bytes(50_000)) * size)
            await writer.drain()
        reads = [asyncio.create_task(read_until_closed(reader)) for reader, _ in sockets]
        (dropped,), _ = await asyncio.wait(reads, return_when=asyncio.FIRST_COMPLETED)
        assert dropped is not reads[3]  # the largest message, but not of the client that holds most

    run(test)


@pytest.mark.usefixtures("small_budget")
def test_a_message_is_counted_until_the_app_asks_for_the_next() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.may_read.clear()
        _, writer = await socket(connect)
        writer.write(frame(BINARY, bytes(60_000)) + frame(MORE, bytes(60_000)) * 5 + frame(LAST, bytes(60_000)))
        assert await app.messages.get() == 420_000
        assert holdings._total >= 420_000
        app.may_read.set()
        while holdings._total:
            await asyncio.sleep(0.001)

    run(test)


def test_long_messages_of_a_client_that_has_left_are_dropped() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.may_read.clear()
        for size in (20_000, 60_000):
            _, writer = await socket(connect)
            writer.write(frame(BINARY, bytes(size)) + frame(LAST, bytes(30_000)))
            await app.messages.get()
            writer.close()
        async with asyncio.timeout(10):
            while app.open > 1:  # the app still has the short one
                await asyncio.sleep(0.001)
        app.may_read.set()
        assert await app.messages.get() is None

    run(test)


@pytest.mark.usefixtures("small_budget")
def test_messages_that_nobody_reads_share_the_budget() -> None:
    async def test(app: App, connect: Connect) -> None:
        app.reply = bytes(400_000)
        reading, silent = await socket(connect), await socket(connect)
        for _ in range(20):
            reading[1].write(frame(BINARY | LAST, b"a"))
            await reading[0].readexactly(400_000)
        with pytest.raises(ConnectionError):
            while True:
                silent[1].write(frame(BINARY | LAST, b"a"))
                await silent[1].drain()
                await asyncio.sleep(0.01)
        reading[1].write(frame(BINARY | LAST, b"a"))
        await reading[0].readexactly(400_000)

    run(test)
    assert holdings._total == 0


def test_connections_take_turns_between_frames() -> None:
    async def test(app: App, connect: Connect) -> None:
        sent = frame(PING) * 30_000
        sockets = [await socket(connect) for _ in range(4)]
        reader, writer = await connect()
        for _, its_writer in sockets:
            its_writer.write(sent)
        pongs = [asyncio.create_task(each.readexactly(2 * 30_000)) for each, _ in sockets]
        while not any(each._buffer for each, _ in sockets):  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        writer.write(HEAD + b"\r\n")
        assert b" 200 " in await reader.readline()
        assert not all(each.done() for each in pongs)
        await asyncio.gather(*pongs)

    run(test)
