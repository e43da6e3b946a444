"""Merge trees: what a token is merged from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tokviz import renderers
from tokviz.display import shown


@dataclass(frozen=True, eq=False, repr=False)
class MergeTree:
    """A token and the two tokens it is merged from, down to symbols of the alphabet.

    The tree shows how the token's own symbols are merged, which is how the token is made in any text. `rank` is the
    rank of the merge that makes it. A leaf has neither rank nor parents: it is a symbol of the alphabet, a special
    token, or a token that merging never makes (see `BPETokenizer.merge_alone` for what merging makes instead).
    """

    id: int
    bytes: bytes
    rank: int | None = None
    left: "MergeTree | None" = None
    right: "MergeTree | None" = None

    def leaves(self) -> list["MergeTree"]:
        """Return the leaves from left to right. Their bytes, joined, are the token's."""
        leaves = []
        pending = [self]
        while pending:
            node = pending.pop()
            if node.left is None or node.right is None:
                leaves.append(node)
            else:
                pending += (node.right, node.left)
        return leaves

    def __repr__(self) -> str:
        parents = f" = {self.left.id} + {self.right.id}" if self.left and self.right else ""
        return f"<MergeTree {self.id}{parents}: {self.bytes!r}>"

    def __str__(self) -> str:
        """Draw the tree: a line for each token, its two parts beneath it."""
        lines = []
        pending = [(self, "", "")]
        while pending:
            node, branch, below = pending.pop()
            merge = "" if node.rank is None else f", merge {node.rank:,}"
            lines.append(f"{branch}{shown(node.bytes) or '[end]'}  (id {node.id}{merge})")
            if node.left and node.right:
                pending += [(node.right, f"{below}└─ ", f"{below}   "), (node.left, f"{below}├─ ", f"{below}│  ")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Render the tree for a notebook."""
        return renderers.as_html(self)


def grow_tree(
    token: int,
    vocab: Mapping[int, bytes],
    rank: Callable[[int], int | None],
    parents: Callable[[int], tuple[int, ...]],
) -> MergeTree:
    """Build the tree of a token, given functions for the rank and the parents of every token below it."""
    trees: dict[int, MergeTree] = {}
    pending = [token]
    while pending:
        current = pending[-1]
        missing = [parent for parent in parents(current) if parent not in trees]
        if missing:
            pending += missing
        else:
            trees[current] = MergeTree(
                current, vocab[current], rank(current), *(trees[each] for each in parents(current))
            )
            pending.pop()
    return trees[token]
