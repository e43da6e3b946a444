"""Admission of requests: host names, addresses, pages of other sites, and paths for the local machine only."""

import socket
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tokviz.app.shields import admission
from tokviz.app.shields.admission import HOSTS, Admission

ADDRESSES = [
    "127.0.0.1",
    "127.0.0.1:8501",
    "192.168.1.5:8501",
    "[::1]:8501",
    "[fe80::1]",
    "localhost",
    "LOCALHOST:8501",
]
SITE = {"host": "example.org", "origin": "https://example.org"}


async def taken(request: Request) -> PlainTextResponse:
    return PlainTextResponse("taken")


async def accepted(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("taken")
    await websocket.close()


def served(*names: str, client: tuple[str, int] = ("192.0.2.7", 50000)) -> TestClient:
    routes = [WebSocketRoute("/_stcore/stream", accepted), Route("/{path:path}", taken, methods=["GET", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Admission, names=names)]), client=client)


def websocket_is_accepted(client: TestClient, host: str, **headers: str) -> bool:
    try:
        with client.websocket_connect("/_stcore/stream", headers={"host": host, **headers}) as socket:
            return socket.receive_text() == "taken"
    except WebSocketDisconnect as refused:
        assert refused.code == 1008
        return False


# Names


@pytest.mark.parametrize("names", [(), ("example.org",)])
@pytest.mark.parametrize("host", ADDRESSES)
def test_addresses_and_localhost_are_always_answered(host: str, names: tuple[str, ...]) -> None:
    assert served(*names).get("/", headers={"host": host}).status_code == 200
    assert websocket_is_accepted(served(*names), host)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:8501", "evil.example.", "1.2.3"],
)
def test_a_name_that_is_not_listed_is_refused(host: str) -> None:
    answer = served("example.org").get("/", headers={"host": host})
    assert answer.status_code == 421
    assert HOSTS in answer.text
    assert not websocket_is_accepted(served("example.org"), host)


@pytest.mark.parametrize("host", ["user@127.0.0.1", "127.0.0.1/evil.example", "127.0.0.1:x", "a b", "127.0.0.1:80:80"])
def test_a_malformed_host_is_refused(host: str) -> None:
    assert served("example.org").get("/", headers={"host": host}).status_code == 421
    assert not websocket_is_accepted(served("example.org"), host)


@pytest.mark.parametrize(
    ("pattern", "host", "is_taken"),
    [
        ("example.org", "example.org", True),
        ("example.org", "EXAMPLE.org.:443", True),
        ("example.org", "www.example.org", False),
        ("*.example.org", "www.example.org:8501", True),
        ("*.example.org", "example.org", False),
        ("*.example.org", "evilexample.org", False),
        ("*", "anything.example", True),
    ],
)
def test_listed_names(pattern: str, host: str, is_taken: bool) -> None:
    assert (served(pattern).get("/", headers={"host": host}).status_code == 200) is is_taken
    assert websocket_is_accepted(served(pattern), host) is is_taken


def test_names_are_listed_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOSTS, " Example.org ,, *.school.example")
    app = Starlette(routes=[Route("/", taken)], middleware=[Middleware(Admission)])
    for host, status in [("example.org", 200), ("a.school.example", 200), ("evil.example", 421)]:
        assert TestClient(app).get("/", headers={"host": host}).status_code == status


def test_this_machine_s_own_name_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Teachers-Laptop.lan")
    admission._machine_names.cache_clear()
    try:
        for host in ("teachers-laptop.lan", "teachers-laptop.local:8501"):
            assert served().get("/", headers={"host": host}).status_code == 200
    finally:
        admission._machine_names.cache_clear()


# Other sites


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "10.0.0.5:8501"}, 200),  # no browser
        ({"host": "10.0.0.5:8501", "origin": "http://10.0.0.5:8501"}, 200),
        ({"host": "10.0.0.5:8501", "origin": "http://10.0.0.5:9000"}, 403),
        ({"host": "10.0.0.5:8501", "origin": "https://evil.example"}, 403),
        ({"host": "10.0.0.5:8501", "origin": "null"}, 403),
        ({**SITE, "sec-fetch-site": "same-origin"}, 200),
        ({**SITE, "sec-fetch-site": "cross-site", "origin": "https://evil.example"}, 403),
        ({**SITE, "sec-fetch-site": "same-site", "origin": "https://other.example.org"}, 403),
    ],
)
def test_pages_of_other_sites_may_not_post(headers: dict[str, str], status: int) -> None:
    assert served("example.org").post("/_tokviz/made", headers=headers).status_code == status


def test_pages_of_other_sites_may_not_open_a_websocket() -> None:
    assert websocket_is_accepted(served(), "10.0.0.5:8501", origin="http://10.0.0.5:8501")
    assert not websocket_is_accepted(served(), "10.0.0.5:8501", origin="https://evil.example")


def test_pages_of_other_sites_may_link_here() -> None:
    headers = {"host": "10.0.0.5:8501", "sec-fetch-site": "cross-site", "origin": "https://other.example"}
    assert served().get("/", headers=headers).status_code == 200


# The local machine


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("192.0.2.7", {}, 403),
        ("::ffff:192.0.2.7", {}, 403),
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, 403),
        ("127.0.0.1", {"forwarded": "for=192.0.2.7"}, 403),
        ("127.0.0.1", {"x-real-ip": "192.0.2.7"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/folder/_stcore/metrics"])
def test_metrics_are_for_the_local_machine(client: str, headers: dict[str, str], status: int, path: str) -> None:
    assert served(client=(client, 50000)).get(path, headers={"host": "localhost"} | headers).status_code == status


def test_a_machine_calling_its_own_address_is_local() -> None:
    scope = {"type": "http", "headers": [], "client": ("192.168.1.5", 50000), "server": ("::ffff:192.168.1.5", 8501)}
    assert admission.is_from_this_machine(scope)
    assert not admission.is_from_this_machine({**scope, "client": ("192.168.1.6", 50000)})


# Bodies of unknown length


def test_a_body_of_unknown_length_is_refused_unread() -> None:
    def body() -> Iterator[bytes]:
        yield b"a"

    answer = served().post("/", headers={"host": "127.0.0.1"}, content=body())
    assert answer.request.headers["transfer-encoding"] == "chunked"
    assert answer.status_code == 411
    assert answer.headers["connection"] == "close"
    assert "Content-Length" in answer.text
