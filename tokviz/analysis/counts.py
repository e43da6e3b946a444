"""Length of a text in the units that people think in: characters, context windows."""

import re
from array import array

import regex

from tokviz.positions import grapheme_offsets
from tokviz.texts import distinct

# Characters that can share a grapheme cluster with a neighbor (UAX #29). Between any two others there is always a
# cluster boundary, except between CR and LF.
_JOINERS = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
)

_MAX_MATCH = 100  # groups of joiners, and joiners in a group


def character_count(text: str) -> int:
    """Count the characters a reader sees: grapheme clusters.

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
    """Stretches of `text` that hold joiners with their neighbors; stretches that touch are one.

    Each match is bounded, since `re` lets no other thread run during one.
    """
    joiner_class = "".join(map(re.escape, sorted(joiners)))
    some = f"[{joiner_class}]{{1,{_MAX_MATCH}}}"
    bounds = array("i")
    for match in re.finditer(f"[^{joiner_class}]?(?:{some}[^{joiner_class}]?){{1,{_MAX_MATCH}}}", text):
        if bounds and bounds[-1] == match.start():
            bounds[-1] = match.end()
        else:
            bounds.extend(match.span())
    return [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]


def windows_filled(tokens: int, window: int) -> int:
    """Number of context windows of `window` tokens that `tokens` tokens need, including a partly filled last one.

    >>> windows_filled(671, 50)
    14
    """
    if window < 1:
        raise ValueError(f"a context window holds 1 token or more, not {window}")
    return -(-tokens // window)
