"""Notebook display of a tokenized text: HTML with inline styles only, which notebooks do not strip.

Untrusted notebooks drop scripts and stylesheets, but keep simple inline styles: colors, `white-space`, `font-family`,
`line-height`. Some code hosts drop every style, so every other token is a <mark>, which stays visible even then.
Each background color comes with a text color, because the surrounding page may be light or dark.
"""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, cycle, pairwise

from tokviz.display import END_OF_WORD, hex_bytes, name_invisible, shown
from tokviz.positions import grapheme_offsets
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.tree import MergeTree

MOST_TOKENS = 1_000
"""Maximum tokens shown; the rest are only counted."""

# Limits per token: a word tokenizer can produce a one-megabyte token, and so can a character with many combining marks.
_MAX_CHARACTERS = 200
_MAX_BYTES = 20

# The four token tints and the text color of the light theme in shared/dom/palette.css.
TINTS = ("#c4c1f2", "#cbffcd", "#f4b1cb", "#f5e4a3")
INK = "#1b1f24"
_TAGS = ("span", "mark")
_TEXT_STYLE = "white-space: pre-wrap; line-height: 1.9; font-family: monospace"

# Bytes decoded beyond the last token shown, to find where its last character ends.
_LOOK_AHEAD = 50

_SIGNS = str.maketrans({"\n": "↵\n", "\t": "→\t"})


def notebook_html(tokenization: Tokenization) -> str:
    """Return the colored text, at most `MOST_TOKENS` tokens of it, under a line with the counts.

    A character cut across tokens appears in parentheses after its bytes, which are small and in the tokens' colors.
    Invisible characters appear in brackets, such as [ZWSP]; a line end is marked with ↵.
    """
    count, size = len(tokenization), len(tokenization.data)
    most = min(count, MOST_TOKENS)
    summary = f"<b>{count:,}</b> token{'s' * (count != 1)}, {size:,} byte{'s' * (size != 1)}"
    tokens = "".join(_token_html(tokenization, most))
    parts = [f"<div>{summary}</div>", f'<pre dir="auto" style="{_TEXT_STYLE}">{tokens}</pre>']
    if most < count:
        parts.append(f"<div>… and {count - most:,} more tokens, which are not shown.</div>")
    return "".join(parts)


def colored_html(tokens: Sequence[bytes]) -> str:
    """Return tokens in color, spelled as `display.shown` does, with spaces and line ends as marks."""
    return "".join(
        f'<{tag} style="background-color: {TINTS[i % len(TINTS)]}; color: {INK}">{html.escape(text)}</{tag}>'
        for i, (tag, text) in enumerate(zip(cycle(_TAGS), map(_spelled, tokens), strict=False))
    )


def _spelled(token: bytes) -> str:
    return shown(token, _MAX_CHARACTERS) or END_OF_WORD


def _token_html(tokenization: Tokenization, most: int) -> Iterator[str]:
    data = tokenization.data
    offsets = tokenization.byte_offsets[: most + 1].tolist()
    boundaries, spelled = _grapheme_boundaries(data, offsets[-1]), tokenization.spelled_bytes(most)
    for i, (start, end) in enumerate(pairwise(offsets)):
        # A token's bytes are the end of a cut character, whole characters, and the start of another cut character.
        first = min(boundaries[bisect_left(boundaries, start)], end)
        last = max(boundaries[bisect_right(boundaries, end) - 1], first)
        text = _visible(data[first:last].decode()) if start < end else html.escape(_spelled(spelled[i]))
        tag = _TAGS[i % 2]
        style = f"background-color: {TINTS[i % len(TINTS)]}; color: {INK}"
        opened = f'<{tag} title="id {tokenization.ids[i]}" style="{style}">'
        if first > start:
            yield f"{opened}{_partial_character(data[start:first])}</{tag}>"
        if start < first == boundaries[bisect_left(boundaries, first)]:
            cut = data[boundaries[bisect_left(boundaries, start) - 1] : first].decode()
            yield f'<span dir="ltr">({_visible(cut)})</span>'
        if text or last < end:
            yield f"{opened}{text}{_partial_character(data[last:end])}</{tag}>"


def _grapheme_boundaries(data: bytes, end: int) -> list[int]:
    """Byte offsets of the grapheme boundaries up to `end`, or a little further."""
    text = data[: end + _LOOK_AHEAD].decode("utf-8", "ignore")
    lengths = [len(character.encode()) for character in text]
    code_point_offsets = [0, *accumulate(lengths)]
    boundaries = [code_point_offsets[offset] for offset in grapheme_offsets(text)]
    # \r\n is one grapheme but no glyph, so a cut inside it is not drawn as a cut character.
    return sorted({*boundaries, *(match.end() for match in re.finditer(rb"\r(?=\n)", data[:end]))})


def _partial_character(part: bytes) -> str:
    """Format the bytes of a partial character as small hex."""
    more = "…" if len(part) > _MAX_BYTES else ""
    return f'<small dir="ltr">{hex_bytes(part[:_MAX_BYTES])}{more}</small>' if part else ""


def _visible(text: str) -> str:
    """Escape the text as HTML, with invisible characters replaced by signs or labels."""
    more = "…" if len(text) > _MAX_CHARACTERS else ""
    return html.escape(name_invisible(text[:_MAX_CHARACTERS])).translate(_SIGNS) + more


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
