"""How long a child process lives: as long as the server that started it, and within its time limits.

Native libraries may hold Python's lock for minutes, in which no thread of Python runs. So the system itself ends the
process wherever it can.
"""

import ctypes
import os
import signal
import threading
import time
from contextlib import suppress

from tokviz.app.processes.memory import limit_memory

SERVER = "TOKVIZ_SERVER_PROCESS"
"""Environment variable with the process id of the server that started this process."""

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG in Linux's prctl.h
_LOOK_SECONDS = 0.5


def begin(memory: int, seconds: float = 0, *, niceness: int = 0, signal_number: int | None = None) -> bool:
    """Limit this process to a server's life, `memory` bytes, and `seconds` unless 0. Return whether memory is limited.

    `niceness` leaves as much of the processor to the server, but not all: it must go on on a busy machine, too.
    """
    end_with_server(signal_number)
    exit_after(seconds)
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    return limit_memory(memory)


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
