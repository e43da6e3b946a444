"""A server that is told to stop ends soon, and so do its children, whatever its clients do."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from running_app import free_port, wait_until_healthy

ROOT = Path(__file__).parents[2]
TEXT = bytes(97 + n * n % 26 for n in range(900_000))
TRAIN = "/_tokviz/train?size=30000&algorithm=wordpiece&pattern=none&measure="
SECONDS = 3.0
"""One for requests, and what a busy machine needs to end two processes."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are looked up in /proc")


@contextmanager
def running(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    settings = ["--server.headless=true", f"--server.port={port}", "--server.address=127.0.0.1"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *settings]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as app:
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}/", app)
            yield app
        finally:
            app.kill()


def post(port: int, path: str, announced: int, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {announced}\r\n\r\n".encode() + sent
    )
    return connection


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_slow_bodies_and_unread_answers_keep_neither_the_server_nor_a_child() -> None:
    port = free_port()
    with running(port) as app, ExitStack() as clients:
        with post(port, TRAIN, len(TEXT), TEXT) as trained:
            assert trained.recv(20).startswith(b"HTTP/1.1 200")
        while not (started := children(app.pid)):
            assert app.poll() is None
            time.sleep(0.01)
        clients.enter_context(post(port, TRAIN, 40_000_000, b"a" * 1000))
        unread = clients.enter_context(
            post(port, "/_tokviz/export?format=json&tokenizer=o200k_base", 3 * len(TEXT), TEXT * 3)
        )
        unread.recv(1)  # the answer has begun; the rest, many megabytes, stays unread
        told = time.monotonic()
        os.kill(app.pid, signal.SIGTERM)
        app.wait(SECONDS)
        while any(map(is_running, started)):
            assert time.monotonic() - told < SECONDS
            time.sleep(0.01)


def test_ctrl_c_does_not_wait_for_texts_under_way() -> None:
    port, path = free_port(), "/_tokviz/compare?tokenizers=gpt2,cl100k_base,o200k_base"
    with running(port) as app, post(port, path, 3 * len(TEXT), TEXT * 3) as comparing:
        comparing.settimeout(0.5)
        with pytest.raises(TimeoutError):
            comparing.recv(1)  # it is being worked on
        os.kill(app.pid, signal.SIGINT)
        app.wait(SECONDS)
