"""The widgets' files: compressed copies are kept as long as the files stay the same."""

import asyncio
import sys
from pathlib import Path
from types import FrameType

import pytest
from anyio import to_thread
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Message

from tokviz.app import server
from tokviz.app.answers.requests import compress
from tokviz.app.answers.routes import widget_files
from tokviz.app.answers.routes.widget_files import WidgetFiles


@pytest.fixture
def module(tmp_path: Path) -> Path:
    module = tmp_path / "module.js"
    module.write_text("export const a = 1;", "utf-8")
    return module


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(WidgetFiles(directory=tmp_path), headers={"accept-encoding": "gzip"})


def test_an_unchanged_file_is_compressed_once(
    module: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed = []

    def count(answer: Response) -> Response:
        compressed.append(answer)
        return compress(answer)

    monkeypatch.setattr(widget_files, "compress", count)
    for _ in range(3):
        answer = client.get("/module.js")
        assert (answer.text, answer.headers["content-encoding"]) == (module.read_text("utf-8"), "gzip")
    assert len(compressed) == 1


def test_a_changed_file_is_sent_as_it_is_now(module: Path, client: TestClient) -> None:
    before = client.get("/module.js").headers["etag"]
    module.write_text("export const a = 22;", "utf-8")
    answer = client.get("/module.js", headers={"if-none-match": before})
    assert (answer.status_code, answer.text) == (200, "export const a = 22;")
    assert client.get("/module.js", headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_a_file_is_sent_plain_where_compression_is_not_wanted(module: Path, client: TestClient) -> None:
    plain = client.get("/module.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert client.get("/module.js", headers={"range": "bytes=0-5"}).text == "export"
    assert plain.headers["cache-control"] == client.get("/module.js").headers["cache-control"] == "no-cache"


def test_serving_a_module_takes_few_calls_and_no_other_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first visit asks for 80 modules, while the server computes its first page.

    Needed are 230 calls of Python functions, with those of the layers around the routes.
    """
    app = Starlette(routes=server.routes, middleware=server.middleware)
    headers = {"host": "localhost", "accept-encoding": "gzip", "sec-fetch-site": "same-origin"}
    scope = {
        **{"type": "http", "method": "GET", "path": "/_tokviz/static/shared/net/columns.js", "root_path": ""},
        **{"scheme": "http", "query_string": b"", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2)},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Message] = []
    calls = 0

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    async def serve() -> None:
        await app(dict(scope), receive, send)  # builds what is built once
        monkeypatch.delattr(to_thread, "run_sync")
        sys.setprofile(note)
        try:
            await app(dict(scope), receive, send)
        finally:
            sys.setprofile(None)

    asyncio.run(serve())
    assert [message.get("status") for message in sent] == [200, None, 200, None]
    assert calls <= 250
