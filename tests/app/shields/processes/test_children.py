"""Children of a server end with it, whatever they do, and leave no folder behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

from tokviz.app.shields.processes import children

TESTS = Path(__file__).parents[3]

# The thread that asks for the child ends at once, as most threads of a server do.
BUSY = """
import sys, threading, time
import hostile_tokenizers
from tokviz.app.shields.processes import answering, children, exchange

def begin():
    child = children.start("answering", "guarded_child", str(10**9), "5")
    child.stdin.write(answering.LIMITS.pack(600.0, 0))
    exchange.write(child.stdin, exchange.pack_call(hostile_tokenizers.holds_the_lock, sys.argv[1]))
    print(child.pid, flush=True)
    kept.append(child)

kept = []
thread = threading.Thread(target=begin)
thread.start()
thread.join()
time.sleep(600)
"""

FETCHING = """
from tokviz.app.shields.processes import fetching
fetching.fetch_files("hf:owner/name")
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a child of its parent")


def is_running(pid: int) -> bool:
    """Return whether a process runs. One that has ended may stay listed until its parent asks about it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def running(script: str, *arguments: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    given = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])} | environment
    command = [sys.executable, "-c", script, *arguments]
    with subprocess.Popen(command, env=given, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.kill()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_child_that_holds_the_lock_ends_with_its_server(tmp_path: Path, how: signal.Signals) -> None:
    begun = tmp_path / "begun"
    with running(BUSY, str(begun)) as server:
        assert server.stdout
        child = int(server.stdout.readline())
        wait_until(begun.exists)
        assert is_running(child)
        server.send_signal(how)
        server.wait()
        wait_until(lambda: not is_running(child), 1.0)


def test_no_folder_of_the_hub_is_left_when_the_server_is_killed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts connections and never answers
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        old = tmp_path / "tokviz-hub-old"
        old.mkdir()
        os.utime(old, (0, 0))
        with running(FETCHING, TMPDIR=str(tmp_path), TOKVIZ_HUB="1", HF_ENDPOINT=endpoint) as server:
            connection, _ = silent.accept()
            with connection:
                assert [folder for folder in tmp_path.iterdir() if folder != old]
                assert not old.exists()  # a process that was killed itself left it
                server.kill()
                server.wait()
                wait_until(lambda: not list(tmp_path.iterdir()))


STOPPING = """
import os, tempfile, threading, time
from tokviz.app.shields.processes import children, fetching
with children.ended_at_the_end():
    threading.Thread(target=fetching.fetch_files, args=("hf:owner/name",), daemon=True).start()
    while not os.listdir(tempfile.gettempdir()):
        time.sleep(0.01)
os._exit(0)
"""


def test_no_folder_of_the_hub_is_left_when_the_server_stops(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with running(STOPPING, TMPDIR=str(tmp_path), TOKVIZ_HUB="1", HF_ENDPOINT=endpoint) as server:
            server.wait()
            wait_until(lambda: not list(tmp_path.iterdir()))


# Time limits


class Child:
    """A process that is only stopped."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def stop(self, _: object) -> None:
        self.stopped.set()


def test_an_answer_at_the_moment_when_the_child_is_stopped_is_overdue() -> None:
    """Else the next request would go to a child that is about to end."""
    child: Any = Child()
    with pytest.raises(children.Overdue), children.within(child, 0, child.stop):
        assert child.stopped.wait(10)


def test_a_child_is_not_stopped_after_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[Callable[[], None]] = []

    class LateTimer(threading.Timer):
        def start(self) -> None:
            timers.append(self.function)

    monkeypatch.setattr(threading, "Timer", LateTimer)
    child: Any = Child()
    with children.within(child, 60, child.stop):
        pass
    timers[0]()
    assert not child.stopped.is_set()


@pytest.mark.parametrize(("seconds", "expected"), [(0, children.Overdue), (60, children.Failed)])
def test_a_child_that_ends_by_itself_after_its_time_limit_is_overdue(
    seconds: float, expected: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading.Timer, "start", lambda _: None)
    child: Any = Child()
    with pytest.raises(children.Failed) as raised, children.within(child, seconds, child.stop):
        raise EOFError
    assert raised.type is expected
