"""Limits of Streamlit's WebSockets, as a hostile visitor meets them: messages, sizes, pace and connections."""

import asyncio
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


def test_what_is_typed_in_a_field_is_limited_but_not_the_text() -> None:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="1-search", string_value="[" * 100_001)
    assert received([message.SerializeToString(), state("[" * 100_001)]) == [state("[" * 100_001)]


def test_long_messages_of_other_kinds_are_dropped() -> None:
    short = BackMsg(app_heartbeat=True).SerializeToString()
    unknown = b"\xa2\x06" + b"\xa0\x8d\x06" + bytes(100_000)  # a field of number 100, and its length
    BackMsg.FromString(short + unknown)
    assert received([short + unknown, short]) == [short]


def test_states_of_many_widgets_are_dropped() -> None:
    assert received([state(*["x"] * 1_001), state(*["x"] * 1_000)]) == [state(*["x"] * 1_000)]


# State held by pages


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in [("MAX_STATE_EACH", 600_000), ("MAX_STATE", 1_000_000), ("SESSION_SECONDS", 0.01)]:
        monkeypatch.setattr(sockets, name, value)


@pytest.mark.usefixtures("small_limits")
def test_state_held_by_pages_is_limited() -> None:
    page = Page()
    long, short = "a" * 140_000, "b" * 100

    async def attack() -> None:
        attackers = [Visit(page, "10.0.0.1") for _ in range(5)]
        for visitor in attackers:
            await visitor.send(state(long, short, page="train"))
        # There was room for two; of the others, Streamlit gets the small states.
        assert page.received == [state(long, short, page="train")] * 2 + [_only_short(short)] * 3
        page.received.clear()
        other = Visit(page, "10.0.0.2")
        await other.send(state(long))
        await other.send(state(long + "a"))  # replaces the previous state
        assert page.received == [state(long), state(long + "a")]
        third = Visit(page, "10.0.0.3")
        await third.send(state(long), state(short))
        assert [BackMsg.FromString(each) for each in page.received[2:]] == [
            _no_state(),
            BackMsg.FromString(state(short)),
        ]
        for visitor in (*attackers, other, third):
            await visitor.leave()

    asyncio.run(attack())


def _no_state() -> BackMsg:
    message = BackMsg()
    message.rerun_script.widget_states.SetInParent()
    return message


def _only_short(short: str) -> bytes:
    message = BackMsg()
    message.rerun_script.page_name = "train"
    message.rerun_script.widget_states.widgets.add(id="1-text", string_value=short)
    return bytes(message.SerializeToString())


@pytest.mark.usefixtures("small_limits")
def test_a_pages_state_counts_until_its_session_ends() -> None:
    page = Page()
    long = state("a" * 200_000)

    async def attack() -> None:
        first, second = Visit(page, "10.0.0.1"), Visit(page, "10.0.0.1")
        await first.send(long)
        await first.leave()
        await second.send(long)
        assert page.received.count(long) == 1
        async with asyncio.timeout(20):
            while page.received.count(long) < 2:
                await second.send(long)
                await asyncio.sleep(0.001)
        await second.leave()

    asyncio.run(attack())


@pytest.mark.usefixtures("small_limits")
def test_a_page_counts_with_its_largest_message() -> None:
    """Streamlit keeps the state of widgets that a later message doesn't mention."""
    page = Page()
    long = state("a" * 200_000)

    async def attack() -> None:
        first, second = Visit(page, "10.0.0.1"), Visit(page, "10.0.0.1")
        await first.send(long, state("short"))
        await second.send(long)
        assert page.received.count(long) == 1
        await first.send(long)
        assert page.received.count(long) == 2
        for visitor in (first, second):
            await visitor.leave()

    asyncio.run(attack())


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


def test_long_messages_of_several_pages_are_read_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = Shares(share=1e-6, credit=0.02)
    monkeypatch.setattr(sockets, "shares", shares)
    page = Page()

    async def attack() -> None:
        visitors = [Visit(page, "10.0.0.1") for _ in range(10)]
        for visitor in visitors:
            await visitor.opened()
        shares.wait("10.0.0.2")  # somebody else is there
        await asyncio.gather(*(visitor.send(state("a" * 5_000_000)) for visitor in visitors))
        assert len(page.received) == 1
        for visitor in visitors:
            visitor.drop()

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


def test_long_messages_count_as_several(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    received([state("a" * 20_000_000)] * 3)
    assert clock.waited == pytest.approx([0.1, 4.2, 8.3])


def test_long_messages_to_a_page_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_large_messages_besides_state_are_dropped() -> None:
    message = BackMsg()
    message.rerun_script.cached_message_hashes.extend(["x"] * 40_000)
    assert received([message.SerializeToString(), state("x")]) == [state("x")]
