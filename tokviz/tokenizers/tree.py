"""What a token is merged from, as a tree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class MergeTree:
    """A token and the two tokens it is merged from, down to symbols of the alphabet.

    It shows how the token's own symbols are merged, which is how the token comes about in any text. `rank` is the rank
    of the merge that makes it. A leaf has neither rank nor parents: a symbol of the alphabet, a special token, or a
    token that merging never makes (see `BPETokenizer.merge_alone` for what merging makes instead).
    """

    id: int
    bytes: bytes
    rank: int | None = None
    left: "MergeTree | None" = None
    right: "MergeTree | None" = None

    def leaves(self) -> list["MergeTree"]:
        """The leaves from left to right. Their bytes, joined, are the token's."""
        found = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.left is None or node.right is None:
                found.append(node)
            else:
                waiting += (node.right, node.left)
        return found

    def __repr__(self) -> str:
        parents = f" = {self.left.id} + {self.right.id}" if self.left and self.right else ""
        return f"<MergeTree {self.id}{parents}: {self.bytes!r}>"


def grow_tree(
    token: int,
    vocab: Mapping[int, bytes],
    rank: Callable[[int], int | None],
    parents: Callable[[int], tuple[int, ...]],
) -> MergeTree:
    """Return the tree of a token, given the rank and the parents of every token below it."""
    made: dict[int, MergeTree] = {}
    waiting = [token]
    while waiting:
        current = waiting[-1]
        missing = [parent for parent in parents(current) if parent not in made]
        if missing:
            waiting += missing
        else:
            made[current] = MergeTree(
                current, vocab[current], rank(current), *(made[each] for each in parents(current))
            )
            waiting.pop()
    return made[token]
