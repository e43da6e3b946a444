"""A tokenizer's cuts of a segment, and pieces quoted for sentences."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tokviz.analysis.availability import Place
from tokviz.display import BAR, enumerated, shown
from tokviz.tokenizers.base import Tokenizer

# Maximum quoted in a sentence; the rest is elided.
MAX_PIECES = 12
_MAX_CHARACTERS = 40
MAX_TOKENS = 3


class Crossing(NamedTuple):
    """A merge that joined `left` and `right` across a cut of the other tokenizer."""

    rank: int
    left: bytes
    right: bytes


@dataclass(frozen=True)
class Cut:
    """The cuts of a segment by a tokenizer that is displayed as `name`.

    `ids` are its token ids, `pieces` the bytes that the tokens cover, `shown` the bytes to display for them. `special`
    says which are special tokens, `added` which are others that were cut out before anything was merged.
    `pretokens` are the pieces that its split patterns cut the segment into, `swapped` the token pieces with the split
    patterns of the other tokenizer; both are empty if the split patterns are not a cause. `rewriting` describes what
    the tokenizer changed in the text here before it cut it; it is empty if normalization is not a cause. `places` are
    those of its tokens as the other tokenizer reads the text.
    """

    tokenizer: Tokenizer
    name: str
    ids: tuple[int, ...]
    pieces: tuple[bytes, ...]
    shown: tuple[bytes, ...]
    special: tuple[bool, ...]
    added: tuple[bool, ...]
    pretokens: tuple[bytes, ...]
    swapped: tuple[bytes, ...]
    rewriting: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()

    @cached_property
    def offsets(self) -> list[int]:
        """Byte offsets of the tokens from the start of the segment, and the end of the last one."""
        return [0, *accumulate(map(len, self.pieces))]

    def first_crossing(self, other: "Cut") -> Crossing | None:
        """The lowest-ranked merge that removed a boundary which the other cut keeps, if there is one."""
        if not self.tokenizer.merges_here:
            return None
        cuts = other.offsets[1:-1]
        found = []
        for token, start, end in zip(self.ids, self.offsets, self.offsets[1:], strict=False):
            crossed = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
            if crossed:
                found += crossings_within(self.tokenizer, token, start, frozenset(crossed))
        return min(found, default=None)


def crossings_within(tokenizer: Tokenizer, token: int, start: int, cuts: frozenset[int]) -> list[Crossing]:
    """Return the merges within a token that starts at `start` which removed one of the boundaries `cuts`."""
    found = []
    stack = [(tokenizer.tree(token), start)]
    while stack:
        node, begin = stack.pop()
        if node.rank is None or node.left is None or node.right is None:
            continue
        middle = begin + len(node.left.bytes)
        if middle in cuts:
            found.append(Crossing(node.rank, node.left.bytes, node.right.bytes))
        stack += ((node.left, begin), (node.right, middle))
    return found


def listed(noun: str, tokens: Sequence[bytes]) -> str:
    """The tokens after their noun, each once, and at most `MAX_TOKENS` of them."""
    return f"{noun}{'s' if len(dict.fromkeys(tokens)) > 1 else ''} {quoted(tokens)}"


def quoted(tokens: Sequence[bytes]) -> str:
    """The tokens in quotation marks, each once, and at most `MAX_TOKENS` of them."""
    names = [f"“{spell(token)}”" for token in dict.fromkeys(tokens)]
    more = len(names) - MAX_TOKENS
    return enumerated([*names[:MAX_TOKENS], *([f"{more:,} more"] if more > 0 else [])])


def joined(pieces: Sequence[bytes]) -> str:
    """The pieces with bars between them, at most `MAX_PIECES` of them."""
    return barred([*map(spell, pieces[: MAX_PIECES + 1])])


def barred(spelled: Sequence[str], most: int = MAX_PIECES) -> str:
    """Join spelled pieces with bars between them, at most so many."""
    return BAR.join([*spelled[:most], *(["…"] if len(spelled) > most else [])])


def spell(piece: str | bytes) -> str:
    """Spell a piece, with the end of a long one left out."""
    return shown(piece.encode() if isinstance(piece, str) else piece, _MAX_CHARACTERS)
