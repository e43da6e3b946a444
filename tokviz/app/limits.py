"""Limits of child processes: what they may take of the machine, where the system can say so."""

from contextlib import suppress


def limit_memory(most: int) -> bool:
    """Let this process have `most` bytes of address space. Returns whether it is so: Windows has no such limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # who crashes leaves no file
        return True
    return False
