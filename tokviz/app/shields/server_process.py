"""The server's process: files that it may open, memory that it frees, and its end if the event loop hangs."""

import asyncio
import ctypes
import faulthandler
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

WANTED = 16_384
"""Open files that are enough: a page takes about four, its connection and what Streamlit opens for it."""

LARGE_BLOCK = 4_000_000
"""Size in bytes from which freed blocks of memory return to the system at once."""

ARENAS = 2
"""Parts of the heap that threads share. Each keeps what is freed in it; by default there are eight for a processor."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # in glibc's malloc.h

STUCK_SECONDS = "TOKVIZ_STUCK_SECONDS"
"""Environment variable with the maximum seconds that the event loop may hang. Without it, there is no watchdog.

On a laptop, where nothing restarts the server, ending it would be worse than a pause.
"""


def allow_open_files() -> None:
    """Raise the soft limit of open files, often 1,024, as far as the system lets a process do so itself."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def set_large_blocks_apart() -> None:
    """Allocate large blocks separately, and few heaps.

    Freed among others, large blocks leave gaps that large blocks don't fit into later.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, ARENAS)


def give_back_memory() -> None:
    """Return free memory to the system."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def freeze_loaded() -> None:
    """Exclude everything that is in memory now from garbage collection.

    Collecting garbage stops all threads. Without modules and vocabularies to scan, that takes 4 ms instead of 70.
    """
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """Watch the running event loop within the block, if the environment variable is set."""
    seconds = float(os.environ.get(STUCK_SECONDS) or 0)
    if not seconds:
        yield
        return
    watch = asyncio.create_task(_postpone_exit(seconds))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        faulthandler.cancel_dump_traceback_later()


async def _postpone_exit(seconds: float) -> None:
    """Schedule the end of the process in `seconds`, and postpone it again and again.

    The timer runs in a thread of faulthandler, without Python, so it fires even if a call into C never returns. It
    writes a traceback to standard error, which contains no visitor's text.
    """
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True)
        await asyncio.sleep(seconds / 10)
