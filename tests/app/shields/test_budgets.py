"""Limits that protect visitors from each other: time, threads and bytes, tested through the routes."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.app import server
from tokviz.app.answers import requests
from tokviz.app.answers.routes import compare, export
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.budgets import holdings
from tokviz.tokenizers.simple import ByteTokenizer

APP = Starlette(routes=server.routes)
PATIENCE = 20
TOKENIZE = "/_tokviz/tokenize?tokenizer=bytes"


class Caller:
    """An ASGI client: what it sends, piece by piece, and what it receives."""

    def __init__(self, address: str, path: str, *pieces: bytes, is_complete: bool = True) -> None:
        path, _, query = path.partition("?")
        self.scope = {
            **{"type": "http", "method": "POST", "path": path, "query_string": query.encode(), "headers": []},
            **{"root_path": "", "http_version": "1.1", "client": (address, 1)},
        }
        self._pieces = list(pieces) or [b""]
        self._is_complete = is_complete
        self.left = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self.status = 0
        self.body = b""
        self.headers: dict[bytes, bytes] = {}

    async def receive(self) -> dict[str, Any]:
        if self._pieces:
            piece = self._pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces) or not self._is_complete}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        self.body += message.get("body", b"")

    async def call(self) -> "Caller":
        await APP(self.scope, self.receive, self.send)
        return self


class Slow(ByteTokenizer):
    """Tokenizer that blocks until it is released, and records its texts."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.released = threading.Event(), threading.Event()
        self.texts: list[str] = []

    def _encode_ordinary(self, text: str) -> list[int]:
        self.texts.append(text[:1])
        self.started.set()
        assert self.released.wait(PATIENCE)
        return super()._encode_ordinary(text)


@pytest.fixture
def slow() -> Iterator[tuple[Slow, str]]:
    tokenizer = Slow()
    name = registry.register(tokenizer)
    registry.get("bytes")
    yield tokenizer, f"/_tokviz/tokenize?tokenizer={name}"
    tokenizer.released.set()
    registry.forget(name)


async def wait_until_started(tokenizer: Slow) -> None:
    assert await asyncio.to_thread(tokenizer.started.wait, PATIENCE)


async def turns(count: int = 20) -> None:
    """Let other tasks run."""
    for _ in range(count):
        await asyncio.sleep(0)


# Bodies


def test_a_stalled_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.01)
    caller = asyncio.run(Caller("10.0.0.1", TOKENIZE, b"never ends", is_complete=False).call())
    assert caller.status == 408
    assert b"took longer than 0.01 s to arrive" in caller.body
    assert caller.headers[b"connection"] == b"close"  # the server doesn't wait for the rest
    assert holdings._total == 0


def test_stalled_bodies_hold_no_more_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdings, "_limit", 1_000_000)

    async def attack() -> None:
        stalled = [Caller("10.0.0.1", TOKENIZE, b"a" * 300_000, is_complete=False) for _ in range(10)]
        tasks = [asyncio.create_task(caller.call()) for caller in stalled]
        await turns()
        assert holdings._total <= 1_000_000
        other = await Caller("10.0.0.2", TOKENIZE, b"b" * 20_000).call()
        assert other.status == 200
        await turns()
        done = [caller for caller, task in zip(stalled, tasks, strict=True) if task.done()]
        assert len(done) == 8  # there was room for three, then for two beside the other's response
        assert {caller.status for caller in done} == {503}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(attack())
    assert holdings._total == 0


def test_long_bodies_read_at_a_time_per_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "BODIES_AT_A_TIME", 2)
    length = [(b"content-length", b"400000")]

    async def attack() -> None:
        stalled = [Caller("10.0.0.1", TOKENIZE, b"a" * 1000, is_complete=False) for _ in range(5)]
        for caller in stalled:
            caller.scope["headers"] = length
        tasks = [asyncio.create_task(caller.call()) for caller in stalled]
        await turns()
        assert holdings._total == 2000  # two were read, and nothing of the others
        short = await Caller("10.0.0.1", TOKENIZE, b"b" * 2000).call()
        other = Caller("10.0.0.2", TOKENIZE, b"c" * 400_000)
        other.scope["headers"] = length
        assert (short.status, (await other.call()).status) == (200, 200)
        tasks[0].cancel()
        await turns()
        assert holdings._total == 2000  # now the third is read
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await turns()

    asyncio.run(attack())
    assert holdings._total == 0


# Lanes


def test_a_short_text_does_not_wait_behind_long_ones(slow: tuple[Slow, str]) -> None:
    tokenizer, path = slow

    async def attack() -> None:
        long = [Caller(f"10.0.0.{number}", path, b"a" * (lanes.MAX_MIDDLE + 1)) for number in range(8)]
        tasks = [asyncio.create_task(caller.call()) for caller in long]
        await wait_until_started(tokenizer)
        short = await Caller("10.0.1.1", TOKENIZE, b"b" * 100_000).call()
        assert short.status == 200
        assert not any(task.done() for task in tasks)
        tokenizer.released.set()
        await asyncio.gather(*tasks)
        assert {caller.status for caller in long} == {200}

    asyncio.run(attack())


def test_a_second_long_text_of_one_visitor_waits_behind_the_first_of_another(slow: tuple[Slow, str]) -> None:
    tokenizer, path = slow

    async def attack() -> None:
        callers = [Caller("10.0.0.1", path, letter * 300_000) for letter in (b"a", b"b", b"c")]
        tasks = [asyncio.create_task(caller.call()) for caller in callers]
        await wait_until_started(tokenizer)
        await turns()
        assert tokenizer.texts == ["a"]  # a visitor gets one of the two threads
        tasks.append(asyncio.create_task(Caller("10.0.0.2", path, b"x" * 300_000).call()))
        while tokenizer.texts != ["a", "x"]:
            await asyncio.sleep(0.001)
        tokenizer.released.set()
        await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)

    asyncio.run(attack())
    assert tokenizer.texts == ["a", "x", "b", "c"]


def test_work_for_a_disconnected_visitor_is_dropped(slow: tuple[Slow, str]) -> None:
    tokenizer, path = slow

    async def attack() -> None:
        callers = [Caller("10.0.0.1", path, letter * 300_000) for letter in (b"a", b"b", b"c")]
        tasks = [asyncio.create_task(caller.call()) for caller in callers]
        await wait_until_started(tokenizer)
        for caller in callers[1:]:
            caller.left.set()
        await asyncio.wait_for(asyncio.gather(*tasks[1:]), PATIENCE)
        assert holdings._total == 300_000  # their texts are freed, too
        tokenizer.released.set()
        await asyncio.wait_for(tasks[0], PATIENCE)

    asyncio.run(attack())
    assert tokenizer.texts == ["a"]


def test_a_full_lane_is_reported(slow: tuple[Slow, str], monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, path = slow
    monkeypatch.setattr(lanes.long_texts._slots._queue, "_limit", 1)

    async def attack() -> None:
        tasks = [asyncio.create_task(Caller("10.0.0.1", path, b"a" * 300_000).call()) for _ in range(2)]
        await wait_until_started(tokenizer)
        await turns()
        refused = await Caller("10.0.0.1", path, b"a" * 300_000).call()
        assert refused.status == 503
        assert b"too much to do at the moment" in refused.body
        tokenizer.released.set()
        await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)

    asyncio.run(attack())


@pytest.mark.parametrize(
    ("path", "body", "lane"),
    [
        ("/_tokviz/qr", b"http://127.0.0.1/", lanes.drawing),
        ("/_tokviz/replay?tokenizer=gpt2&order=rank", b"hello", lanes.replays),
        ("/_tokviz/export?format=csv&tokenizer=gpt2", b"hello", lanes.writing),
        ("/_tokviz/compare?tokenizers=gpt2,bytes", b"a" * 200_000, lanes.long_texts),
    ],
    ids=lambda value: repr(value) if isinstance(value, lanes.Lane) else "",
)
def test_work_goes_to_its_lane(path: str, body: bytes, lane: lanes.Lane, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[lanes.Lane] = []
    submit = lanes.Lane.submit

    def recorded(self: lanes.Lane, *args: Any) -> Any:
        seen.append(self)
        return submit(self, *args)

    monkeypatch.setattr(lanes.Lane, "submit", recorded)
    caller = asyncio.run(Caller("10.0.0.1", path, body).call())
    assert caller.status == 200
    assert lane in seen


# Responses


def test_responses_that_nobody_reads_are_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdings, "_limit", 3_000_000)

    async def attack() -> None:
        stuck = [Caller("10.0.0.1", TOKENIZE, b"a" * 200_000) for _ in range(5)]  # each response has 1.8 MB
        for caller in stuck:
            caller.reads.clear()
        tasks = [asyncio.create_task(caller.call()) for caller in stuck]
        other = await Caller("10.0.0.2", TOKENIZE, b"b" * 100_000).call()
        assert other.status == 200
        assert len(other.body) > 900_000
        async with asyncio.timeout(PATIENCE):
            while holdings._total > 3_000_000:
                await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(attack())
    assert holdings._total == 0


def test_an_export_counts_as_held_while_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    pieces = export._in_turn

    async def recorded(*args: Any) -> AsyncIterator[bytes]:
        async for piece in pieces(*args):
            held.append(holdings._total)
            yield piece

    monkeypatch.setattr(export, "_in_turn", recorded)
    caller = asyncio.run(Caller("10.0.0.1", "/_tokviz/export?format=csv&tokenizer=bytes", b"a" * 5_000).call())
    assert caller.body.count(b"\r\n") == 5_001
    assert set(held) == {5_000 * export._RELATIVE_MEMORY}
    assert holdings._total == 0


# Sizes


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(APP) as client:
        yield client


@pytest.mark.parametrize(
    ("route", "limit"),
    [
        ("compare", requests.MAX_TOGETHER),
        ("compare/reasons", requests.MAX_TOGETHER),
        ("compare/page", compare.MAX_PAGE),
        ("compare/explain", requests.MAX_TOGETHER),
    ],
)
def test_comparing_is_limited_by_text_times_tokenizers(client: TestClient, route: str, limit: int) -> None:
    path = f"/_tokviz/{route}?segments=0-1&tokenizers="
    assert client.post(f"{path}bytes,code-points", content=b"a" * 10_000).status_code == 200
    refused = client.post(f"{path}bytes,code-points,bytes", content=b"a" * (limit // 3 + 1))
    assert refused.status_code == 413
    fits, sent = f"{limit / 3e6:.1f}", f"{limit / 3e6:.2f}"
    assert f"with 3 tokenizers takes a text of up to {fits} MB; this one has {sent} MB" in refused.json()["error"]


def test_a_web_page_of_tokens_is_limited(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MAX_PAGE", 1_000)
    path = "/_tokviz/export?tokenizer=bytes&format="
    assert client.post(f"{path}html", content=b"a" * 1_000).status_code == 200
    assert client.post(f"{path}csv", content=b"a" * 1_001).status_code == 200
    refused = client.post(f"{path}html", content=b"a" * 1_001)
    assert refused.status_code == 413
    assert "JSON and CSV take longer ones" in refused.json()["error"]
