"""The ways in which pre-tokens can be put together from tokens of a vocabulary, the fewest tokens first."""

from collections.abc import Iterator, Mapping, Sequence

MAX_BYTES = 10_000
"""Longest text, in bytes, whose segmentations are listed."""


def check_length(text: str) -> None:
    """Raise ValueError for a text of which segmentations are not listed."""
    if len(text.encode()) > MAX_BYTES:
        raise ValueError(f"segmentations takes a text of up to {MAX_BYTES:,} bytes")


class FittingTokens:
    """The tokens that fit at each place of a text, given as pre-tokens in bytes.

    `ids` are the tokens by their bytes; a pre-token in `whole`, by its index, is always that one token.
    """

    def __init__(self, pieces: Sequence[bytes], ids: Mapping[bytes, int], whole: Mapping[int, int]) -> None:
        longest = max(map(len, ids), default=0)
        self._edges: list[list[tuple[int, int]]] = []  # (end, id) by place, the longest first
        for index, piece in enumerate(pieces):
            start = len(self._edges)
            if index in whole:
                self._edges += [[(start + len(piece), whole[index])], *([] for _ in piece[1:])]
                continue
            for place in range(len(piece)):
                ends = range(min(len(piece), place + longest), place, -1)
                found = ((start + end, ids.get(piece[place:end])) for end in ends)
                self._edges.append([(end, token) for end, token in found if token is not None])
        # The numbers of tokens in which the rest of the text can be segmented, as bits: bit k stands for k more than
        # the fewest.
        self._fewest: list[int | None] = [None] * len(self._edges) + [0]
        self._possible = [0] * len(self._edges) + [1]
        for place in range(len(self._edges) - 1, -1, -1):
            rests = [(self._fewest[end], self._possible[end]) for end, _ in self._edges[place]]
            known = [(fewest + 1, possible) for fewest, possible in rests if fewest is not None]
            if known:
                self._fewest[place] = least = min(fewest for fewest, _ in known)
                for fewest, possible in known:
                    self._possible[place] |= possible << (fewest - least)

    def segmentations(self) -> Iterator[list[int]]:
        """Yield segmentations: of fewest tokens first; among those, the one whose first token is longer, and so on."""
        fewest = self._fewest[0]
        if fewest is None:
            return
        for extra in range(self._possible[0].bit_length()):
            if self._possible[0] >> extra & 1:
                yield from self._of_length(fewest + extra)

    def _of_length(self, count: int) -> Iterator[list[int]]:
        """Yield the segmentations of `count` tokens, which there are."""
        ids: list[int] = []
        open_edges = [iter(self._edges[0])] if self._edges else []
        if not open_edges:
            yield []
        while open_edges:
            end, token = next(open_edges[-1], (-1, -1))
            if end < 0:
                open_edges.pop()
                if ids:
                    ids.pop()
            elif self._can_take(end, count - len(ids) - 1):
                if end == len(self._edges):
                    yield [*ids, token]
                else:
                    ids.append(token)
                    open_edges.append(iter(self._edges[end]))

    def _can_take(self, place: int, count: int) -> bool:
        """Return whether the text from `place` on can be segmented into `count` tokens."""
        fewest = self._fewest[place]
        return fewest is not None and count >= fewest and bool(self._possible[place] >> (count - fewest) & 1)
