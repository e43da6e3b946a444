"""Files that pages offer for download, under unguessable ids, until their session ends."""

from collections.abc import Callable
from dataclasses import dataclass

from tokviz.app.fairness.budgets import Budget, Kept

LIMIT = 2_000
"""Maximum files offered to all visitors at a time; the oldest file of the address with the most is evicted."""

MAX_KEPT = 60_000_000
"""Approximate maximum bytes kept to create these files; the largest of the address with the most are evicted."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file on offer: name, media type, the function that creates its content on request, and the bytes that keeps."""

    name: str
    media_type: str
    make: Callable[[], bytes]
    size: int = 0


downloads: Kept[str, Download] = Kept(Budget(MAX_KEPT, LIMIT))
"""The files offered by this process, by their ids, under which the route looks them up."""
