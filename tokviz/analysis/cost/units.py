"""Length of a text in characters as people see them."""

import sys

import numpy as np
import regex

from tokviz.positions import grapheme_offsets
from tokviz.texts import distinct, in_pieces

# Characters that can share a grapheme cluster with a neighbor (UAX #29). Between any two others there is always a
# cluster boundary, except between CR and LF.
_JOINERS = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
)


def character_count(text: str) -> int:
    r"""Count the characters a reader sees: grapheme clusters.

    Equals `len(grapheme_offsets(text)) - 1`, which examines every character; this function segments only the stretches
    around joining characters, which are few in most texts.

    >>> character_count("e\u0301\r\n🇪🇺")
    3
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return len(text)
    joiners = _JOINERS.findall("".join(distinct(text)))
    if not joiners:
        return len(text)
    stretches = _stretches_around(joiners, text)
    # A line feed joins nothing, so all stretches can be counted as one text, separated by line feeds.
    in_stretches = len(grapheme_offsets("\n".join(stretches))) - len(stretches)
    return len(text) - sum(map(len, stretches)) + in_stretches


def _stretches_around(joiners: list[str], text: str) -> list[str]:
    """Stretches of `text` that hold joiners with their neighbors; stretches that touch are one."""
    is_joiner = np.zeros(sys.maxunicode + 1, bool)
    is_joiner[list(map(ord, joiners))] = True
    near = np.zeros(len(text) + 2, bool)  # with a place before the text and one after it
    start = 1
    for piece in in_pieces(text):
        end = start + len(piece)
        joins = is_joiner[np.frombuffer(piece.encode("utf-32-le"), np.uint32)]
        for shift in (-1, 0, 1):
            near[start + shift : end + shift] |= joins
        start = end
    near[[0, -1]] = False
    bounds = np.flatnonzero(near[1:] != near[:-1]).tolist()
    return [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
