"""Limits of Streamlit's WebSockets, as a hostile visitor meets them: messages, sizes, pace and connections."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tokviz.app.shields import sockets
from tokviz.app.shields.fairness.visitors import Shares
from tokviz.app.shields.sockets import SocketLimits

OURS = {"rerun_script", "app_heartbeat", "stop_script"}
VALUES = {"json_value", "json_trigger_value", "string_value"}
KINDS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]


class Page:
    """Streamlit's end of all sockets: accepts them, and records the messages received until they are closed."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.reply = b""
        self.limits = SocketLimits(self)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            self.received.append(message["bytes"])
            if self.reply:
                await send({"type": "websocket.send", "bytes": self.reply})


class Visit:
    """A visitor's end of a socket."""

    def __init__(self, page: Page, address: str) -> None:
        self.answers: list[str] = []
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        scope = {"type": "websocket", "path": "/_stcore/stream", "client": (address, 1), "headers": []}
        self._task = asyncio.create_task(page.limits(scope, self._sent.get, self._answer))

    async def _answer(self, message: Any) -> None:
        self.answers.append(message["type"])

    async def opened(self) -> bool:
        await turns()
        return self.answers == ["websocket.accept"]

    async def send(self, *messages: bytes | str) -> None:
        for message in messages:
            self._sent.put_nowait(
                {"type": "websocket.receive", "bytes" if isinstance(message, bytes) else "text": message}
            )
        await turns()

    def drop(self) -> None:
        self._task.cancel()

    async def leave(self) -> None:
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


async def turns() -> None:
    """Let other tasks run."""
    for _ in range(20):
        await asyncio.sleep(0)


def state(*texts: str, page: str = "") -> bytes:
    """Return the message of a page on which texts were typed."""
    message = BackMsg()
    message.rerun_script.page_name = page
    for number, text in enumerate(texts):
        message.rerun_script.widget_states.widgets.add(id=f"{number}-text", string_value=text)
    return bytes(message.SerializeToString())


def received(messages: Iterable[bytes | str]) -> list[bytes]:
    """Return the messages that reach Streamlit."""
    page = Page()

    async def visit() -> None:
        visitor = Visit(page, "10.0.0.1")
        await visitor.send(*messages)
        await visitor.leave()

    asyncio.run(visit())
    return page.received


# Messages


@pytest.mark.parametrize("kind", KINDS)
def test_only_messages_that_pages_send_are_passed_on(kind: str) -> None:
    message = BackMsg()
    if isinstance(getattr(message, kind), bool):
        setattr(message, kind, True)
    else:
        getattr(message, kind).SetInParent()
    data = message.SerializeToString()
    assert received([data, state("x")]) == ([data] if kind in OURS else []) + [state("x")]


def test_text_is_dropped() -> None:
    assert received(["a", state("x")]) == [state("x")]


@pytest.mark.parametrize("kind", [each.name for each in WidgetState.DESCRIPTOR.oneofs_by_name["value"].fields])
def test_values_that_no_widget_sends_are_dropped(kind: str) -> None:
    """Streamlit fails to turn them into what a widget of ours reports, and logs a traceback."""
    message = BackMsg()
    changed = message.rerun_script.widget_states.widgets.add(id="tokens")
    if kind in VALUES:
        setattr(changed, kind, "null")
    elif changed.DESCRIPTOR.fields_by_name[kind].message_type:
        getattr(changed, kind).SetInParent()
    else:
        setattr(changed, kind, b"" if kind == "bytes_value" else 1)
    data = message.SerializeToString()
    assert received([data, state("x")]) == [data] * (kind in VALUES) + [state("x")]


def test_messages_about_fragments_are_dropped() -> None:
    """No page has any. Streamlit would log the id that a stranger gave, with its line ends and escape sequences."""
    message = BackMsg()
    message.rerun_script.fragment_id = "x\nforged: a line of the log\x1b[2J"
    assert received([message.SerializeToString(), state("x")]) == [state("x")]


def with_json(value: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="page", json_value=value)
    return bytes(message.SerializeToString())


def test_what_streamlit_would_fail_to_parse_is_dropped() -> None:
    """It would log a traceback for each message, and for each later one of the page."""
    odd = ("{", "", "x", "[1,]", '{"text":', "[" * 900 + "]" * 900, "[" * 9_000, "[" * 65 + "]" * 65)
    written = [with_json(json.dumps({"adopted": [value]})) for value in odd]
    malformed = [b"\xff", b"\x5a\x05a", b"\x5b\x5c", b"\x80" * 20, b"\x59", b"\x5a\x03\x0a\x01\xff"]
    assert received([*map(with_json, odd), *malformed, *written]) == written


def test_what_holds_more_than_a_page_has_to_say_is_dropped() -> None:
    """Two bytes of a message become up to seventy in memory, which Streamlit keeps."""
    values = [with_json(json.dumps({"adopted": ["id"] * count})) for count in (100, sockets.MAX_VALUES)]
    long = [with_json(json.dumps("a" * count)) for count in (sockets.MAX_MESSAGE - 100, sockets.MAX_MESSAGE)]
    hashes = BackMsg()
    hashes.rerun_script.cached_message_hashes.extend(["x"] * sockets.MAX_MESSAGE)
    assert received([*values, *long, hashes.SerializeToString()]) == [values[0], long[0]]


def test_states_of_many_widgets_are_dropped() -> None:
    assert received([state(*["x"] * 21), state(*["x"] * 20)]) == [state(*["x"] * 20)]


def test_an_error_counts_only_while_the_client_is_there() -> None:
    async def streamlit(scope: Any, receive: Any, send: Any) -> None:
        try:
            await send({"type": "websocket.accept"})
        except OSError:
            raise TypeError from None

    async def gone(message: Any) -> None:
        raise OSError

    async def there(message: Any) -> None:
        raise ValueError

    async def visit(send: Any) -> None:
        await SocketLimits(streamlit)({"type": "websocket", "client": None}, asyncio.Queue().get, send)

    asyncio.run(visit(gone))
    with pytest.raises(ValueError):
        asyncio.run(visit(there))


def test_messages_wait_when_their_address_exceeds_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = Shares(share=1e-6, credit=0)
    monkeypatch.setattr(sockets, "shares", shares)
    page = Page()

    async def attack() -> None:
        greedy, other = Visit(page, "10.0.0.1"), Visit(page, "10.0.0.2")
        shares.wait("10.0.0.2")  # somebody else is there
        await greedy.send(state("first"), state("second"))
        await other.send(state("other"))
        assert page.received == [state("first"), state("other")]
        greedy.drop()
        await other.leave()

    asyncio.run(attack())


# Connections


def test_sockets_per_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MAX_SOCKETS_EACH", 3)
    monkeypatch.setattr(sockets, "MAX_SOCKETS", 5)

    async def attack() -> None:
        page = Page()
        many = [Visit(page, "10.0.0.1") for _ in range(4)]
        assert [await each.opened() for each in many] == [True, True, True, False]
        assert many[3].answers == ["websocket.close"]
        others = [Visit(page, f"10.0.0.{number}") for number in (2, 3)]
        assert all([await each.opened() for each in others])
        await many[0].leave()
        again = Visit(page, "10.0.0.1")
        assert await again.opened()
        for each in (*many[1:3], *others, again):
            await each.leave()

    asyncio.run(attack())


def test_a_socket_of_the_largest_holder_ends_for_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MAX_SOCKETS_EACH", 3)
    monkeypatch.setattr(sockets, "MAX_SOCKETS", 5)

    async def attack() -> None:
        page = Page()
        strangers = [Visit(page, f"10.0.0.{number}") for number in (1, 1, 1, 2, 2)]
        assert all([await each.opened() for each in strangers])
        visitor = Visit(page, "10.0.0.3")
        assert await visitor.opened()
        ended = strangers.pop(2)
        assert ended.answers == ["websocket.accept", "websocket.close"]
        assert all([await each.opened() for each in strangers])
        for address in ("10.0.0.1", "10.0.0.2"):
            again = Visit(page, address)
            await again.opened()
            assert again.answers == ["websocket.close"]
        for each in (*strangers, visitor):
            await each.leave()

    asyncio.run(attack())


# Pace


class Clock:
    """Fake clock that advances only by sleeping, and records the sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waited: list[float] = []
        self._sleep = asyncio.sleep
        monkeypatch.setattr(sockets, "shares", Shares(credit=1_000))
        monkeypatch.setattr("tokviz.app.shields.sockets.time.monotonic", lambda: 1_000.0)
        monkeypatch.setattr("tokviz.app.shields.sockets.asyncio.sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        if seconds > 1e-6:
            self.waited.append(seconds)
        await self._sleep(0)


def test_messages_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    many = [state(str(number)) for number in range(60)]
    assert received(many) == many
    assert clock.waited == pytest.approx([number / 10 for number in range(1, 21)])


def test_long_messages_to_a_page_count_as_several(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def visit() -> None:
        page = Page()
        page.reply = bytes(10_000_000)
        visitor = Visit(page, "10.0.0.1")
        await visitor.send(*[state("x")] * 4)
        await visitor.leave()

    asyncio.run(visit())
    assert clock.waited == pytest.approx([0.3, 2.4])


def test_an_address_gains_nothing_by_many_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    async def attack() -> None:
        page = Page()
        many = [Visit(page, "10.0.0.1") for _ in range(100)]
        for visitor in many:
            await visitor.send(*[state("x")] * 4)
        assert len(clock.waited) == 200
        clock.waited.clear()
        other = Visit(page, "10.0.0.2")
        await other.send(*[state("x")] * 4)
        assert not clock.waited
        for visitor in (*many, other):
            await visitor.leave()

    asyncio.run(attack())


def test_others_are_served_between_the_messages_of_one_socket() -> None:
    async def attack() -> None:
        page = Page()
        first, second = Visit(page, "10.0.0.1"), Visit(page, "10.0.0.2")
        assert await first.opened() and await second.opened()
        await asyncio.gather(first.send(*[state("a")] * 8), second.send(*[state("b")] * 8))
        assert page.received[:8] == [state("a"), state("b")] * 4
        for visitor in (first, second):
            await visitor.leave()

    asyncio.run(attack())
