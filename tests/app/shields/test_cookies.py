"""Cookies that are slow to parse don't reach the app; the others do."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket

from tokviz.app import server
from tokviz.app.shields.admission import Admission


async def cookies(request: Request) -> JSONResponse:
    return JSONResponse(request.cookies)


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_json(websocket.cookies)
    await websocket.close()


routes = [Route("/", cookies), WebSocketRoute("/socket", socket)]
app = Starlette(routes=routes, middleware=[Middleware(Admission, names="*")])


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("_streamlit_xsrf=2|a|b|1; tokviz_own=abc.def", {"_streamlit_xsrf": "2|a|b|1", "tokviz_own": "abc.def"}),
        ('a=1; slow="' + r"\"" * 30_000 + '"; b="2"', {"a": "1", "b": "2"}),
        ('slow="' + r"\101" * 15_000 + '"', {}),
    ],
)
def test_cookies_with_backslashes_are_removed(header: str, found: dict[str, str]) -> None:
    client = TestClient(app, headers={"cookie": header})
    assert client.get("/").json() == found
    with client.websocket_connect("/socket") as websocket:
        assert websocket.receive_json() == found


def test_no_part_of_the_app_that_reads_cookies_comes_before() -> None:
    assert [str(each) for each in server.middleware[:2]] == ["Middleware(ConnectionLimits)", "Middleware(Admission)"]
