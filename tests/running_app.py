"""The app in a process of its own, for browser tests and benchmarks: a port, and when it answers."""

import random
import socket
import subprocess
import time
import urllib.request
from contextlib import suppress


def free_port() -> int:
    """Return an unused port, below those of outgoing connections, of which one might take it meanwhile."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("", port))
            return port


def wait_until_listening(port: int, seconds: float = 60) -> None:
    """Return when a server of this machine accepts connections."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing listens at port {port} after {seconds} seconds")


def wait_until_healthy(address: str, app: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Return when the app at an address, which ends in a slash, answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert app.poll() is None, "the app ended before it was up: perhaps another process took its port"
        try:
            with urllib.request.urlopen(f"{address}_stcore/health", timeout=5):
                return
        except OSError:  # connection refused, or timed out
            time.sleep(0.02)
    raise AssertionError(f"the app did not answer at {address} within {seconds} seconds")
