"""The files that pages offer, by unguessable ids, for as long as their sessions last."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import RLock

from tokviz.app.fairness.visitors import NOBODY, Visitor, largest_holder

LIMIT = 2_000
"""Maximum files offered at a time, to all visitors; the oldest of the address with the most is evicted."""

MAX_KEPT = 200_000_000
"""Bytes that are kept to make these files, about; the oldest of the address with the most go first."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file: its name, its media type, how it is made when somebody wants it, and what is kept for that, in bytes."""

    name: str
    media_type: str
    make: Callable[[], bytes]
    size: int = 0


class Downloads:
    """Unguessable ids -> files on offer. May be used from several threads."""

    def __init__(self, limit: int = LIMIT, size: int = MAX_KEPT) -> None:
        self._limit = limit
        self._size = size
        self._offered: OrderedDict[str, tuple[Download, Visitor]] = OrderedDict()
        # Reentrant, since a session may be collected as garbage at any moment.
        self._lock = RLock()

    def offer(self, id: str, download: Download, visitor: Visitor = NOBODY) -> None:
        """Offer a visitor a file under an id, in place of what was offered under it before."""
        with self._lock:
            self._offered[id] = download, visitor
            self._offered.move_to_end(id)
            while len(self._offered) > self._limit:
                self._evict(lambda _: 1)
            while sum(each.size for each, _ in self._offered.values()) > self._size:
                self._evict(lambda each: each.size)

    def _evict(self, amount: Callable[[Download], int]) -> None:
        """Forget the oldest file that has any amount, of the address with the most."""
        held = [(its, amount(each)) for each, its in self._offered.values()]
        largest = largest_holder(held).address
        found = (id for id, (each, its) in self._offered.items() if its.address == largest and amount(each))
        del self._offered[next(found)]

    def get(self, id: str) -> Download | None:
        """Return the file offered under an id."""
        found = self._offered.get(id)
        return found and found[0]

    def withdraw(self, ids: Iterable[str]) -> None:
        """Forget the files of a session that has ended."""
        with self._lock:
            for id in ids:
                self._offered.pop(id, None)


downloads = Downloads()
"""The files offered by this process, which the route looks up."""
