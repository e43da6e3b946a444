"""A tokenized text as a notebook shows it: HTML with inline styles, and nothing that a notebook would take away.

A notebook that is not trusted drops scripts and stylesheets, and keeps simple inline styles: colors, `white-space`,
`font-family`, `line-height`. Some code hosts drop every style; so every other token stands in a <mark>, which is seen
even then. A color is given together with the color of the text on it, for the page around may be light or dark.
"""

import html
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise

from tokviz.positions import grapheme_offsets
from tokviz.tokenization import Tokenization

MOST_TOKENS = 1_000
"""So many tokens are shown; of the others it is said how many there are."""

# Of one token: a list of words can have one of a megabyte, and a character can have as many marks.
_MOST_CHARACTERS = 200
_MOST_BYTES = 20

# The four tints of shared/palette.css on a light page, and its ink.
_TINTS = ("#c4c1f2", "#cbffcd", "#f4b1cb", "#f5e4a3")
_INK = "#1b1f24"
_TEXT_STYLE = "white-space: pre-wrap; line-height: 1.9; font-family: monospace"

# How far beyond the tokens that are shown the text is searched for the end of a character.
_LOOK_AHEAD = 50

_SIGNS = {"\n": "↵\n", "\t": "→\t"}
# Control, format and other separating characters, by their Unicode category. Joiners are left to do their work.
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")


def notebook_html(tokenization: Tokenization) -> str:
    """The colored text, at most `MOST_TOKENS` tokens of it, under a line that counts them.

    A character that tokens cut stands in parentheses behind its bytes, which are small and in the tokens' colors.
    What is invisible stands in brackets, such as [U+200B]; a line end is marked by ↵.
    """
    count, size = len(tokenization), len(tokenization.data)
    shown = min(count, MOST_TOKENS)
    summary = f"<b>{count:,}</b> token{'s' * (count != 1)}, {size:,} byte{'s' * (size != 1)}"
    tokens = "".join(_tokens(tokenization, shown))
    parts = [f"<div>{summary}</div>", f'<pre dir="auto" style="{_TEXT_STYLE}">{tokens}</pre>']
    if shown < count:
        parts.append(f"<div>… and {count - shown:,} more tokens, which are not shown.</div>")
    return "".join(parts)


def _tokens(tokenization: Tokenization, shown: int) -> Iterator[str]:
    data = tokenization.data
    offsets = tokenization.byte_offsets[: shown + 1].tolist()
    borders = _character_borders(data, offsets[-1])
    for i, (start, end) in enumerate(pairwise(offsets)):
        # The token's bytes: the end of a character that is cut, whole characters, the beginning of one that is cut.
        first = min(borders[bisect_left(borders, start)], end)
        last = max(borders[bisect_right(borders, end) - 1], first)
        text = "[end]" if start == end else _visible(data[first:last].decode())
        tag = ("span", "mark")[i % 2]
        style = f"background-color: {_TINTS[i % len(_TINTS)]}; color: {_INK}"
        opened = f'<{tag} title="id {tokenization.ids[i]}" style="{style}">'
        if first > start:
            yield f"{opened}{_small(data[start:first])}</{tag}>"
        if start < first == borders[bisect_left(borders, first)]:
            cut = data[borders[bisect_left(borders, start) - 1] : first].decode()
            yield f'<span dir="ltr">({_visible(cut)})</span>'
        if text or last < end:
            yield f"{opened}{text}{_small(data[last:end])}</{tag}>"


def _character_borders(data: bytes, end: int) -> list[int]:
    """Where characters, as readers count them, begin in the text's bytes up to `end` or a little further, and end."""
    text = data[: end + _LOOK_AHEAD].decode("utf-8", "ignore")
    lengths = [len(character.encode()) for character in text]
    code_points = [0, *accumulate(lengths)]
    borders = [code_points[offset] for offset in grapheme_offsets(text)]
    # A line end in two characters is no glyph that could be cut.
    return sorted({*borders, *(found.end() for found in re.finditer(rb"\r(?=\n)", data[:end]))})


def _small(part: bytes) -> str:
    """The bytes of a part of a character."""
    more = "…" if len(part) > _MOST_BYTES else ""
    return f'<small dir="ltr">{part[:_MOST_BYTES].hex(" ")}{more}</small>' if part else ""


def _visible(text: str) -> str:
    """The text as HTML, with what is invisible in signs."""
    more = "…" if len(text) > _MOST_CHARACTERS else ""
    return "".join(map(_sign, text[:_MOST_CHARACTERS])) + more


def _sign(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character in " \u200c\u200d" or unicodedata.category(character) not in _INVISIBLE:
        return html.escape(character)
    return f"[U+{ord(character):04X}]"
