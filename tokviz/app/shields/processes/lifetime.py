"""How long a child process lives: as long as the server that started it, and within its limits of time and memory.

Native libraries may hold Python's lock for minutes, in which no thread of Python runs. So the system itself ends the
process wherever it can.
"""

import ctypes
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

SERVER = "TOKVIZ_SERVER_PROCESS"
"""Environment variable with the process id of the server that started this process."""

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in Linux's prctl.h
_LOOK_SECONDS = 0.5
_KILLED_FIRST = "1000"  # the maximum of oom_score_adj


def begin(memory: int, seconds: float = 0, *, niceness: int = 0, signal_number: int | None = None) -> None:
    """Limit this process to a server's life, `memory` bytes, and `seconds` unless 0.

    `niceness` leaves as much of the processor to the server, but not all: it must go on on a busy machine, too.
    """
    end_with_server(signal_number)
    exit_after(seconds)
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    limit_memory(memory)


def end_with_server(signal_number: int | None = None) -> None:
    """Let this process end as soon as the server has ended, whatever it does then.

    Linux sends it a signal: SIGKILL, or another that it handles. Elsewhere a thread looks whether the server still
    lives, which works as long as no library holds Python's lock; Windows does not say whether a parent lives. Do
    nothing in a process that no server started.
    """
    server = int(os.environ.get(SERVER, 0))
    if not server or os.name == "nt":
        return
    number = signal.SIGKILL if signal_number is None else signal_number
    is_told = False
    with suppress(AttributeError, OSError):
        is_told = ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, number, 0, 0, 0) == 0
    if os.getppid() != server:  # it ended before it could be watched
        os._exit(1)
    if not is_told:
        threading.Thread(target=_watch, args=(server, number), daemon=True).start()


def _watch(server: int, signal_number: int) -> None:
    while os.getppid() == server:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal_number)


def exit_after(seconds: float) -> None:
    """End this process after `seconds`, whatever it does then, since the server may be gone. 0 cancels the timer."""
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_REAL, seconds)


def limit_memory(most: int) -> None:
    """Limit this process to `most` bytes of address space, unless the system (Windows) has no such limits.

    If a container or machine runs out of memory all the same, Linux kills this process rather than the server.
    """
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_KILLED_FIRST)  # Linux; raising it needs no privileges
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dumps


def is_memory_limited() -> bool:
    """Return whether the address space of this process is limited."""
    with suppress(ImportError):
        import resource

        return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    return False
