"""Tests of the deployment: locked versions, the Dockerfile, a Hugging Face Space, and nginx's settings."""

import json
import re
import runpy
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import ClassVar

import httpx2
import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from proxies import nginx
from running_app import free_port
from uvicorn import Config

from tokviz.app.answers.rooms import names
from tokviz.app.answers.visitors import kept_tokenizers
from tokviz.app.shields.fairness import budgets
from tokviz.app.shields.processes import training_queue

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "deploy" / "requirements.lock").read_text("utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def requirements() -> list[Requirement]:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_lock_file_pins_an_allowed_version_of_every_requirement() -> None:
    pins = re.findall(r"^([\w.-]+)==([\w.!+]+)", LOCK, re.MULTILINE)
    versions: dict[str, list[str]] = {}
    for name, version in pins:
        versions.setdefault(name.lower().replace("_", "-"), []).append(version)
    for required in requirements():
        assert versions[required.name], required.name
        assert all(Version(version) in required.specifier for version in versions[required.name]), required.name


def test_every_locked_version_has_hashes() -> None:
    entries = re.split(r"\n(?=\S)", "\n".join(line for line in LOCK.splitlines() if not line.startswith("#")))
    assert len(entries) > 20
    for entry in entries:
        assert re.fullmatch(r"[\w.-]+==[\w.!+]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry


def test_container_installs_only_locked_versions() -> None:
    installs = [line for line in DOCKERFILE.splitlines() if "pip install" in line]
    assert installs == ["RUN pip install --no-cache-dir --require-hashes -r requirements.lock"]


def test_files_copied_into_the_container_exist_and_are_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for source in re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_budgets_of_the_server_are_those_that_are_promised() -> None:
    """What the server takes itself, and for work on texts, is measured: see `full_budgets` in the benchmarks."""
    security = (ROOT / "SECURITY.md").read_text("utf-8")
    server, own, together = (
        re.search(pattern, " ".join(security.split()))
        for pattern in (r"stays under ([\d.]+) GB", r"takes ([\d.]+) GB itself", r"budgets of ([\d.]+) GB together")
    )
    assert server and own and together
    kept = (
        *(budgets.MAX_HELD, kept_tokenizers.MAX_KEPT),
        *(kept_tokenizers.MAX_TABLES, training_queue.MAX_UNCLAIMED),
        training_queue.MAX_WAITING_BYTES,
    )
    assert sum(kept) == float(together[1]) * 1e9
    assert float(own[1]) + float(together[1]) + 0.45 <= float(server[1])


def test_space_uses_the_dockerfile_steps(tmp_path: Path) -> None:
    space = tmp_path / "space"
    runpy.run_path(str(ROOT / "deploy" / "space.py"))["write_space"](space)
    readme = (space / "README.md").read_text("utf-8")
    _, settings, text = readme.split("---\n", 2)
    assert dict(line.split(": ", 1) for line in settings.splitlines())["sdk"] == "docker"
    assert re.findall(r"app_port: (\d+)", settings) == re.findall(r"EXPOSE (\d+)", DOCKERFILE)
    assert text.startswith("\n# tokviz\n")
    assert "![" not in text
    steps = (space / "Dockerfile").read_text("utf-8")
    added = [line for line in steps.splitlines() if line not in DOCKERFILE.splitlines()]
    assert added[:2] == ["ENV TOKVIZ_HOSTS=*.hf.space", "ENV TOKVIZ_FRAME_ANCESTORS=https://huggingface.co"]
    assert [line.split("=")[0] for line in added[2:]] == ["ENV FORWARDED_ALLOW_IPS"]
    for source in re.findall(r"^COPY (\S+) ", steps, re.MULTILINE):
        assert (space / source).exists()


# nginx


class Echo(BaseHTTPRequestHandler):
    """Replica that echoes the request."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        port = self.connection.getsockname()[1]
        said = json.dumps({"port": port, "headers": dict(self.headers), "size": len(body)}).encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_PUT = do_GET

    def log_message(self, *_: object) -> None: ...


class Events(Echo):
    """Replica that sends an event, and another when it may, with the header of a room's events."""

    may_end = Event()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("x-accel-buffering", "no")
        self.end_headers()
        self.wfile.write(b"data: 1\n\n")
        self.may_end.wait(60)
        self.wfile.write(b"data: 2\n")


class Keeping(Echo):
    """Replica that keeps a connection open, as tokviz does, until nobody used it for five seconds."""

    protocol_version = "HTTP/1.1"
    timeout = Config("").timeout_keep_alive
    raw_requestline: bytes
    closed_by_nginx: ClassVar[Queue[bool]] = Queue()

    def handle(self) -> None:
        super().handle()
        self.closed_by_nginx.put(not self.raw_requestline)  # the end instead of a request, before the time was up


class Closing(Keeping):
    """Replica that closes a connection when a request by POST arrives on it, as if the two had crossed."""

    posted: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.posted.append(self.path)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()  # with a reset
        self.close_connection = True


@contextmanager
def in_front_of(replicas: type[Echo], folder: Path) -> Iterator[str]:
    """Address of nginx with our settings, in front of two replicas."""
    settings = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    with ExitStack() as running:
        for number in ("8501", "8502"):
            replica = running.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), replicas))
            Thread(target=replica.serve_forever, args=[0.01], daemon=True).start()  # seconds to notice `shutdown`
            running.callback(replica.shutdown)
            settings = settings.replace(f"127.0.0.1:{number}", f"127.0.0.1:{replica.server_port}")
        port = free_port()
        address = f"127.0.0.1:{port}"
        settings = settings.replace("listen 80;", f"listen {address};")
        running.enter_context(nginx(folder, settings, port))
        yield address


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with in_front_of(Echo, tmp_path_factory.mktemp("nginx")) as address:
        yield address


NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Requests here are not encrypted; loading the system's certificates for each would take longer than the request."""


def request(address: str, path: str, method: str = "GET", size: int = 0, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.request(
        *(method, f"http://{address}{path}"), content=bytes(size), headers=named, timeout=60, verify=NO_CERTIFICATES
    )


def test_a_visitor_stays_on_a_replica(proxied: str) -> None:
    visitors = [request(proxied, "/").headers["set-cookie"].split(";")[0] for _ in range(20)]
    ports = {visitor: {request(proxied, "/", Cookie=visitor).json()["port"] for _ in range(3)} for visitor in visitors}
    assert all(len(each) == 1 for each in ports.values())
    assert len(set.union(*ports.values())) == 2


def test_a_room_is_on_one_replica_whoever_asks(proxied: str) -> None:
    rooms = [f"/folder/_tokviz/room/{names.id_of(names.new_secret())}" for _ in range(20)]
    asked = [("open", "tokviz_replica=one"), ("vote", "tokviz_replica=two"), ("follow", "")]
    ports = [
        {request(proxied, f"{room}/{what}", "POST", Cookie=who).json()["port"] for what, who in asked} for room in rooms
    ]
    assert all(len(each) == 1 for each in ports)
    assert len(set.union(*ports)) == 2


def test_events_of_a_room_pass_at_once(tmp_path: Path) -> None:
    with (
        in_front_of(Events, tmp_path) as address,
        httpx2.stream("GET", f"http://{address}/", timeout=60, verify=NO_CERTIFICATES) as answer,
    ):
        lines = answer.iter_lines()
        assert next(lines) == "data: 1"  # while the replica waits
        Events.may_end.set()
        assert list(lines) == ["", "data: 2"]


def test_nginx_closes_idle_connections_before_a_replica_does(tmp_path: Path) -> None:
    """What is sent on a connection that the replica is just closing would be lost."""
    with in_front_of(Keeping, tmp_path) as address:
        assert request(address, "/").status_code == 200
        assert Keeping.closed_by_nginx.get(timeout=60)


def test_a_visitor_stays_on_a_replica_that_closed_a_connection(tmp_path: Path) -> None:
    with in_front_of(Closing, tmp_path) as address:
        for visitor in ("tokviz_replica=one", "tokviz_replica=two", "tokviz_replica=three"):
            port = request(address, "/", Cookie=visitor).json()["port"]
            Closing.posted.clear()
            assert request(address, "/train", "POST", Cookie=visitor).status_code == 502
            assert Closing.posted == ["/train"]  # never twice
            assert request(address, "/", Cookie=visitor).json()["port"] == port


def test_nginx_forwards_host_and_client_address(proxied: str) -> None:
    headers = request(proxied, "/", Host="tokviz.example.org:8080").json()["headers"]
    assert headers["Host"] == "tokviz.example.org:8080"
    assert headers["X-Forwarded-For"] == "127.0.0.1"
    assert headers["X-Forwarded-Proto"] == "http"


@pytest.mark.parametrize(
    ("path", "megabytes", "status"),
    [
        ("/_tokviz/tokenize", 10, 200),
        ("/_tokviz/tokenize", 12, 413),
        ("/_tokviz/train", 50, 200),
        ("/folder/_tokviz/tokenizer-file", 50, 200),
        ("/_tokviz/train", 54, 413),
        ("/_tokviz/train/try", 12, 413),
    ],
)
def test_nginx_rejects_oversized_requests(proxied: str, path: str, megabytes: int, status: int) -> None:
    try:
        assert request(proxied, path, "PUT", megabytes * 1_000_000).status_code == status
    except httpx2.WriteError:  # nginx closes the connection while the body is still being sent
        assert status == 413


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/folder/_stcore/metrics", "/_tokviz/address"])
def test_nginx_blocks_internal_paths(proxied: str, path: str) -> None:
    assert request(proxied, path).status_code == 403


def test_nginx_limits_requests_per_browser(proxied: str) -> None:
    with httpx2.Client(base_url=f"http://{proxied}", headers={"Cookie": "tokviz_replica=theirs"}) as client:
        statuses = Counter(client.get("/").status_code for _ in range(1000))
    assert set(statuses) == {200, 503}
    assert statuses[200] >= 150
    assert request(proxied, "/", Cookie="tokviz_replica=another's").status_code == 200
