"""Memory that is freed, returned to the system where the C library can (glibc), and memory that is kept for long."""

import ctypes
import gc
from contextlib import suppress

LARGE_BLOCK = 4_000_000
"""Size in bytes from which freed blocks of memory return to the system at once."""

ARENAS = 2
"""Parts of the heap that threads share. Each keeps what is freed in it; by default there are eight for a processor."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # in glibc's malloc.h


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
