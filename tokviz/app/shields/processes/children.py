"""Start, bound and end the server's child processes. They end with it: see `lifetime`.

Linux ends a child when the *thread* that started it has ended. Most threads of a server are short-lived, so one that
lives as long as the server starts all of them.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen
from typing import Any
from weakref import WeakSet

from tokviz.app.shields.processes.lifetime import SERVER

ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "MALLOC_ARENA_MAX": "2",
}
"""Environment of processes with native libraries, whose threads would take most of the allowed address space."""

_PACKAGES = Path(__file__).parents[4]

_starter = ThreadPoolExecutor(1, thread_name_prefix="tokviz-children")
_started: WeakSet["subprocess.Popen[bytes]"] = WeakSet()


def start(
    module: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    stdin: int = subprocess.PIPE,
    stderr: int | None = None,
) -> "subprocess.Popen[bytes]":
    """Run a module of this folder, such as `limited_child`, in a child process, with pipes to it and from it.

    `environment` replaces this process's.
    """
    command = [sys.executable, "-m", f"tokviz.app.shields.processes.{module}", *arguments]
    given = {**(os.environ if environment is None else environment), **ONE_THREAD, SERVER: str(os.getpid())}
    child = _starter.submit(
        lambda: subprocess.Popen(command, cwd=_PACKAGES, env=given, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
    ).result()
    _started.add(child)
    return child


class Refused(ValueError):
    """A child process did not do what it was asked. The message says why."""


class Failed(Refused):
    """A child process ended before it had answered, or takes more than it may: time, memory, or bytes of its answer."""


class Overdue(Failed):
    """A child process took too long."""


@contextmanager
def within(
    child: "subprocess.Popen[bytes]", seconds: float, stop: Callable[["subprocess.Popen[bytes]"], object] = Popen.kill
) -> Iterator[None]:
    """Exchange data with a child process within the block, and `stop` it after `seconds`. Raises Overdue, or Failed.

    A child that was stopped is overdue even if its answer arrived at that moment, and none is stopped after the block:
    it would be in the middle of its next answer.
    """
    started = time.monotonic()
    ending = threading.Lock()
    is_over = is_stopped = False

    def stop_it() -> None:
        nonlocal is_stopped
        with ending:
            if not is_over:
                is_stopped = True
                stop(child)

    overdue = threading.Timer(seconds, stop_it)
    overdue.daemon = True
    overdue.start()
    try:
        yield
    except (OSError, EOFError):
        # It may also have ended by itself, because of the same limit.
        is_overdue = is_stopped or time.monotonic() - started >= seconds
        raise (Overdue if is_overdue else Failed)("a child process ended before it had answered") from None
    finally:
        overdue.cancel()
        with ending:
            is_over = True
    if is_stopped:
        raise Overdue("a child process took too long")


def end(
    child: "subprocess.Popen[bytes] | None", stop: Callable[["subprocess.Popen[bytes]"], object] = Popen.kill
) -> None:
    """End a child process with `stop`, and close its pipes. Do nothing without one."""
    if child is not None:
        stop(child)
        with suppress(OSError), child:  # closes the pipes and waits
            pass


@contextmanager
def running(
    module: str, *arguments: str, stop: Callable[["subprocess.Popen[bytes]"], object] = Popen.kill, **options: Any
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a module as `start` does, and end it with `stop` after the block, whatever happens there."""
    child = start(module, *arguments, **options)
    try:
        yield child
    finally:
        end(child, stop)


@contextmanager
def ended_at_the_end() -> Iterator[None]:
    """End all children when the block ends, so that no thread of the server waits for one while it stops."""
    try:
        yield
    finally:
        for child in list(_started):
            if child.poll() is None:
                child.terminate()  # unlike kill(), it lets one that fetches files remove its folder
