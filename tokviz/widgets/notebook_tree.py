"""A merge tree for notebooks: nested tables with inline styles only, which untrusted notebooks keep."""

import html

from tokviz.display import END_OF_WORD, shown
from tokviz.tokenizers.tree import MergeTree
from tokviz.widgets.notebook import INK, TINTS

_MOST_LEAVES = 32  # maximum leaves of a tree that is drawn as boxes; a larger one is text
_TABLE = "display: inline-table; border-collapse: separate; border-spacing: 2px; margin: 0"
_CELL = "padding: 0; text-align: center; vertical-align: top; background: transparent"


def tree_html(tree: MergeTree) -> str:
    """Return the tree: each token as wide as the two beneath it, with its id and the number of its merge."""
    if len(tree.leaves()) > _MOST_LEAVES:
        return f'<pre dir="ltr">{html.escape(str(tree))}</pre>'
    return f'<div dir="ltr" style="font-family: monospace">{_node_html(tree, 0)}</div>'


def _node_html(tree: MergeTree, number: int) -> str:
    """Draw a token above its two parts. Neighbors and parents differ in their tints, which are numbered."""
    merge = "" if tree.rank is None else f", merge {tree.rank:,}"
    label = html.escape(shown(tree.bytes) or END_OF_WORD)
    style = f"background-color: {TINTS[number % len(TINTS)]}; color: {INK}; padding: 2px 6px; text-align: center"
    box = f'<td colspan="2" style="{style}">{label}<br><small>id {tree.id}{merge}</small></td>'
    parts = ""
    if tree.left and tree.right:
        below = _node_html(tree.left, number + 1), _node_html(tree.right, number + 2)
        parts = "".join(f'<td style="{_CELL}">{part}</td>' for part in below)
    return f'<table style="{_TABLE}"><tr>{box}</tr><tr>{parts}</tr></table>'
