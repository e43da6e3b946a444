"""Memory limits of child processes, where the operating system supports them, and what keeps within them."""

from contextlib import suppress
from pathlib import Path

_KILLED_FIRST = "1000"  # the maximum of oom_score_adj


def limit_memory(most: int) -> bool:
    """Limit this process to `most` bytes of address space. Returns False if the system (Windows) has no such limits.

    If a container or machine runs out of memory all the same, Linux kills this process rather than the server.
    """
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_KILLED_FIRST)  # Linux; raising it needs no privileges
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dumps
        return True
    return False
