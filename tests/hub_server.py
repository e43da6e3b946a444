"""A server on this machine that speaks the endpoints of the Hugging Face hub, as far as fetching files needs them."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """The server. `repositories` maps names to files; `sizes` are sizes announced instead of the true ones.

    `fetched` are the files that were sent, `tokens` the tokens that came with requests; `asked` counts the requests.
    """

    def __init__(self, repositories: dict[str, dict[str, bytes]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories = repositories
        self.sizes: dict[str, int | None] = {}
        self.gated: set[str] = set()
        self.fetched: list[str] = []
        self.tokens: list[str] = []
        self.asked = 0
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        self.server.asked += 1
        self.server.tokens += self.headers.get_all("Authorization") or []
        parts = unquote(urlsplit(self.path).path).strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            self._describe("/".join(parts[2:4]), parts[5] if len(parts) > 5 else "main")
        else:
            self._send_file("/".join(parts[:2]), parts[3], "/".join(parts[4:]))

    do_HEAD = do_GET

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def _describe(self, name: str, revision: str) -> None:
        if self._refuse(name, revision):
            return
        files = self.server.repositories[name]
        siblings = [
            {"rfilename": file, "size": self.server.sizes.get(file, len(data)), "blobId": _etag(data)}
            for file, data in files.items()
        ]
        self._send(json.dumps({"id": name, "sha": COMMIT, "siblings": siblings}).encode(), {})

    def _send_file(self, name: str, revision: str, file: str) -> None:
        if self._refuse(name, revision):
            return
        data = self.server.repositories[name][file]
        if self.command == "GET":
            self.server.fetched.append(file)
        self._send(data, {"ETag": f'"{_etag(data)}"', "X-Repo-Commit": COMMIT})

    def _refuse(self, name: str, revision: str) -> bool:
        if name not in self.server.repositories:
            self._send(b"", {"X-Error-Code": "RepoNotFound"}, 404)
        elif name in self.server.gated:
            self._send(b"", {"X-Error-Code": "GatedRepo"}, 403)
        elif revision not in ("main", COMMIT):
            self._send(b"", {"X-Error-Code": "RevisionNotFound"}, 404)
        else:
            return False
        return True

    def _send(self, data: bytes, headers: dict[str, str], status: int = 200) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)


def _etag(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


@contextmanager
def running_hub(repositories: dict[str, dict[str, bytes]]) -> Iterator[Hub]:
    """Run a hub with these repositories within the block."""
    hub = Hub(repositories)
    thread = threading.Thread(target=hub.serve_forever, args=[0.01])  # seconds until `shutdown` is noticed
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
