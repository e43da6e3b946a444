"""The widgets' files: compressed copies are kept as long as the files stay the same."""

from pathlib import Path

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient

from tokviz.app.http.asset_compression import compress
from tokviz.app.http.routes import widget_files
from tokviz.app.http.routes.widget_files import WidgetFiles


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
