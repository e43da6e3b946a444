"""Limits of child processes: what they may take of the machine, where the system can say so."""

from contextlib import suppress
from pathlib import Path

_SOONEST = "1000"


def limit_memory(most: int) -> bool:
    """Let this process have `most` bytes of address space. Returns whether it is so: Windows has no such limits.

    Where a container or a machine runs out of memory all the same, this process ends rather than the server.
    """
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_SOONEST)  # Linux; more than before needs no rights
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # who crashes leaves no file
        return True
    return False
