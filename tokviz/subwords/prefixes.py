"""Finding all pieces of a vocabulary that a text begins with."""

from bisect import bisect_right
from collections.abc import Iterable


class Prefixes:
    """An index of pieces, none of them empty.

    Sorted, the pieces that a text begins with are its last predecessor, or begin that predecessor too. So one binary
    search finds them all, if each piece knows the longest other piece that it begins with.

    >>> Prefixes(["a", "ab", "abd", "b"]).of("abc")
    ['a', 'ab']
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = sorted(pieces)
        self._shorter: list[int] = []
        open_pieces: list[int] = []
        for index, piece in enumerate(self._pieces):
            while open_pieces and not piece.startswith(self._pieces[open_pieces[-1]]):
                open_pieces.pop()
            self._shorter.append(open_pieces[-1] if open_pieces else -1)
            open_pieces.append(index)
        self.longest = max(map(len, self._pieces), default=0)

    def of(self, text: str) -> list[str]:
        """Return the pieces that `text` begins with, from short to long."""
        at = bisect_right(self._pieces, text) - 1
        while at >= 0 and not text.startswith(self._pieces[at]):
            at = self._shorter[at]
        found = []
        while at >= 0:
            found.append(self._pieces[at])
            at = self._shorter[at]
        return found[::-1]
