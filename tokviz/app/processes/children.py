"""Start the server's child processes. They end with it: see `lifetime`.

Linux ends a child when the *thread* that started it has ended. Most threads of a server are short-lived, so one that
lives as long as the server starts all of them.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from tokviz.app.processes.lifetime import SERVER

ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "MALLOC_ARENA_MAX": "2",
}
"""Environment of processes with native libraries, whose threads would take most of the allowed address space."""

_PACKAGES = Path(__file__).parents[3]

_starter = ThreadPoolExecutor(1, thread_name_prefix="tokviz-children")
_started: WeakSet["subprocess.Popen[bytes]"] = WeakSet()


def start(
    module: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    stdin: int = subprocess.PIPE,
    stderr: int | None = None,
) -> "subprocess.Popen[bytes]":
    """Run a module of this folder, such as `opening_child`, in a child process, with pipes to it and from it.

    `environment` replaces this process's.
    """
    command = [sys.executable, "-m", f"tokviz.app.processes.{module}", *arguments]
    given = {**(os.environ if environment is None else environment), **ONE_THREAD, SERVER: str(os.getpid())}
    child = _starter.submit(
        lambda: subprocess.Popen(command, cwd=_PACKAGES, env=given, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
    ).result()
    _started.add(child)
    return child


@contextmanager
def ended_at_the_end() -> Iterator[None]:
    """End all children when the block ends, so that no thread of the server waits for one while it stops."""
    try:
        yield
    finally:
        for child in list(_started):
            if child.poll() is None:
                child.terminate()  # unlike kill(), it lets one that fetches files remove its folder
