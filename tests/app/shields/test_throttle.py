"""Requests of an address that asks too much wait, whatever they are for; those of others don't."""

import asyncio
from typing import Any

import pytest

from tokviz.app.shields import admission
from tokviz.app.shields.admission import BODY_SECONDS, REQUEST_SECONDS, SOCKET_SECONDS, Admission
from tokviz.app.shields.fairness.visitors import Shares


class Server:
    """An app behind the middleware, in which time passes only while requests wait, and the seconds they waited."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, credit: float) -> None:
        self._now = 0.0
        self.shares = Shares(share=0.5, credit=credit, clock=lambda: self._now)
        monkeypatch.setattr(admission, "shares", self.shares)
        monkeypatch.setattr("tokviz.app.shields.fairness.visitors.asyncio.sleep", self._sleep)
        self.waited: list[float] = []
        self.passed = 0
        self.refused: list[Any] = []
        self.shares.wait("10.0.0.9")  # others have to be there for an address to wait for

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self._now += seconds

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.passed += 1

    async def _send(self, message: Any) -> None:
        self.refused.append(message.get("status", message["type"]))

    def ask(self, address: str, times: int, kind: str = "http", path: str = "/_stcore/health") -> None:
        scope = {"type": kind, "path": path, "method": "GET", "client": (address, 1), "headers": []}

        admitted = Admission(self._app)

        async def all_of_them() -> None:
            for _ in range(times):
                await admitted(scope, asyncio.Queue().get, self._send)

        asyncio.run(all_of_them())


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/static/js/a.js", "/nothing", "/_tokviz/nothing"])
def test_requests_of_an_address_wait_for_its_share(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    server = Server(monkeypatch, credit=10 * REQUEST_SECONDS)
    server.ask("10.0.0.1", 14, path=path)
    assert server.passed == 14
    assert server.waited == pytest.approx([2 * REQUEST_SECONDS] * 3)
    server.ask("10.0.0.2", 10, path=path)
    assert len(server.waited) == 3


def test_opening_sockets_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch, credit=2 * SOCKET_SECONDS)
    server.ask("10.0.0.1", 4, "websocket")
    assert server.waited == pytest.approx([2 * SOCKET_SECONDS])


@pytest.mark.parametrize(("kind", "refusal"), [("http", 503), ("websocket", "websocket.close")])
def test_what_would_wait_too_long_is_refused(monkeypatch: pytest.MonkeyPatch, kind: str, refusal: Any) -> None:
    server = Server(monkeypatch, credit=0.0)
    server.shares.charge("10.0.0.1", BODY_SECONDS)
    server.ask("10.0.0.1", 1, kind)
    assert server.passed == 0
    assert server.refused[0] == refusal
