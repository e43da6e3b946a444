"""Room for connections: the number of files that the process may have open, of which each connection is one."""

from contextlib import suppress

WANTED = 16_384
"""Open files that are enough: a page takes about four, its connection and what Streamlit opens for it."""


def allow_open_files() -> None:
    """Raise the soft limit of open files, often 1,024, as far as the system lets a process do so itself."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
