"""Files that pages offer for download, under unguessable ids, until their session ends."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import RLock

from tokviz.app.fairness.visitors import NOBODY, Visitor, largest_holder

LIMIT = 2_000
"""Maximum files offered to all visitors at a time; the oldest file of the address with the most is evicted."""

MAX_KEPT = 60_000_000
"""Approximate maximum bytes kept to create these files; the oldest of the address with the most are evicted."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file on offer: name, media type, the function that creates its content on request, and the bytes that keeps."""

    name: str
    media_type: str
    make: Callable[[], bytes]
    size: int = 0


class Downloads:
    """Unguessable ids -> files on offer. Thread-safe."""

    def __init__(self, limit: int = LIMIT, size: int = MAX_KEPT) -> None:
        self._limit = limit
        self._size = size
        self._offered: OrderedDict[str, tuple[Download, Visitor]] = OrderedDict()
        # Reentrant, since a session may be garbage-collected at any moment, which withdraws its files.
        self._lock = RLock()

    def offer(self, id: str, download: Download, visitor: Visitor = NOBODY) -> None:
        """Offer a visitor a file under an id, replacing any previous one with this id."""
        with self._lock:
            self._offered[id] = download, visitor
            self._offered.move_to_end(id)
            while len(self._offered) > self._limit:
                self._evict(lambda _: 1)
            while sum(each.size for each, _ in self._offered.values()) > self._size:
                self._evict(lambda each: each.size)

    def _evict(self, amount: Callable[[Download], int]) -> None:
        """Remove the oldest file with a nonzero amount from the address with the largest total."""
        held = [(visitor, amount(file)) for file, visitor in self._offered.values()]
        largest = largest_holder(held).address
        ids = (id for id, (file, visitor) in self._offered.items() if visitor.address == largest and amount(file))
        del self._offered[next(ids)]

    def get(self, id: str) -> Download | None:
        """Return the file offered under an id."""
        found = self._offered.get(id)
        return found and found[0]

    def withdraw(self, ids: Iterable[str]) -> None:
        """Remove the files of a session that has ended."""
        with self._lock:
            for id in ids:
                self._offered.pop(id, None)


downloads = Downloads()
"""The files offered by this process, which the route looks up."""
