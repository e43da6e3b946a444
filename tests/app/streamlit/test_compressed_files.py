"""Compression of Streamlit's assets: each is compressed once and cached; other responses are unchanged."""

import gzip
from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from tokviz.app.streamlit.files import StreamlitFiles, _wants_compressed

SCRIPT = "/static/js/index.Dormv.js"
BODY = "export const answer = 42;\n" * 1000

Asked = Callable[[], int]


@pytest.fixture
def served() -> tuple[TestClient, Asked]:
    """Return a client, and the requests that reached the app behind the middleware."""
    asked = []

    async def anything(request: Request) -> Response:
        asked.append(request.url.path)
        if "missing" in request.url.path:
            return PlainTextResponse("not here", 404)
        if "invented" in request.url.path:
            return HTMLResponse("the page")  # as Streamlit responds
        return Response(BODY, media_type="text/javascript", headers={"cache-control": "immutable", "etag": '"x"'})

    app = Starlette(routes=[Route("/{path:path}", anything)], middleware=[Middleware(StreamlitFiles)])
    return TestClient(app, headers={"accept-encoding": "gzip"}), lambda: len(asked)


def test_a_script_is_compressed_once(served: tuple[TestClient, Asked]) -> None:
    client, asked = served
    for path in (SCRIPT, SCRIPT):
        answer = client.get(path)
        assert answer.text == BODY
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) == len(gzip.compress(BODY.encode(), mtime=0))
        assert answer.headers["cache-control"] == "immutable"
        assert answer.headers["vary"] == "Accept-Encoding"
    assert asked() == 1
    assert client.get("/my/base" + SCRIPT).headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/static/media/font.woff2", {}),
        ("/_stcore/health", {}),
        (SCRIPT, {"accept-encoding": "identity"}),
        (SCRIPT, {"range": "bytes=0-9"}),
        (SCRIPT, {"if-none-match": '"x"'}),
    ],
)
def test_everything_else_is_left_alone(served: tuple[TestClient, Asked], path: str, headers: dict[str, str]) -> None:
    client, asked = served
    for number in (1, 2):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.text) == (200, BODY)
        assert "content-encoding" not in answer.headers
        assert asked() == number


def test_an_incomplete_copy_is_not_cached() -> None:
    async def breaks_off(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-length", b"100"), (b"content-type", b"text/javascript")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"half"})

    middleware = StreamlitFiles(breaks_off)
    TestClient(middleware, headers={"accept-encoding": "gzip"}).get(SCRIPT)
    assert not middleware._kept


def test_a_missing_file_is_not_cached(served: tuple[TestClient, Asked]) -> None:
    client, asked = served
    for number in (1, 2):
        answer = client.get("/static/js/missing.js")
        assert (answer.status_code, answer.text) == (404, "not here")
        assert asked() == number


@pytest.mark.parametrize("path", ["/static/js/invented.js", "/invented/static/css/index.css"])
def test_a_page_sent_instead_of_a_script_is_not_cached(served: tuple[TestClient, Asked], path: str) -> None:
    client, asked = served
    for number in (1, 2):
        answer = client.get(path)
        assert (answer.text, answer.headers["content-type"]) == ("the page", "text/html; charset=utf-8")
        assert "content-encoding" not in answer.headers
        assert asked() == number


@pytest.mark.parametrize("path", [f"/.{SCRIPT}", f"/x/..{SCRIPT}", f"/x/{SCRIPT}"])
def test_a_script_is_not_cached_under_a_second_path(path: str) -> None:
    headers = [(b"accept-encoding", b"gzip")]
    assert _wants_compressed({"type": "http", "method": "GET", "path": SCRIPT, "headers": headers})
    assert not _wants_compressed({"type": "http", "method": "GET", "path": path, "headers": headers})
