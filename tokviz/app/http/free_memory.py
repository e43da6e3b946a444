"""Memory that the server has freed, returned to the system where the C library can (glibc)."""

import ctypes
from contextlib import suppress

LARGE_BLOCK = 4_000_000
"""Size in bytes from which freed blocks of memory return to the system at once."""

_M_MMAP_THRESHOLD = -3  # in glibc's malloc.h


def set_large_blocks_apart() -> None:
    """Allocate large blocks separately: freed among others, they leave gaps that large blocks don't fit into later."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)


def give_back_memory() -> None:
    """Return free memory to the system."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
