"""Safe cuts of an incomplete text: the parts are split as the whole is, whatever follows.

The named patterns (see `splitting.PATTERNS`) never look back. How far they look ahead from where a match begins is
known: at the characters of the match and three more, for the `'ll` that may follow; at a run of white space to its end,
and one character more; and o200k's at a run of capitals, marks and letters without case, since a small letter after it
would join them all. So a pre-token is decided if all that is on hand. If it doesn't end in white space, the text can be
cut after it: the text before is then split as before, since its end changes only how white space is split.
"""

from collections.abc import Iterator

import regex

from tokviz.pretokens import splitting

SAFE_TO_CUT = splitting.NAMED
"""Patterns (as texts) for which `last_cut` finds a place."""

_LOOKAHEAD = 3  # code points

# Searched backwards: the last character before a space or tab, with which all these patterns begin a new pre-token.
_BEFORE_SPACE = regex.compile(r"(?r)\S(?=[ \t])")
_BEFORE_ANY_SPACE = regex.compile(r"\S(?=[ \t])")
_NO_CAPITAL = r"(?r)[^\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_NO_WORD = r"(?r)\W"
_SPACE = regex.compile(r"\s")


def last_cut(text: str, pattern: str) -> int:
    """Return the last place, in code points, at which `text` is known to be safe to cut; 0 if there is none.

    `pattern` is one of `SAFE_TO_CUT`. Pre-tokens of white space count as one with what follows them.

    >>> last_cut("It's a test", splitting.PATTERNS["gpt2"])
    6
    """
    if pattern == splitting.PATTERNS["words"]:
        return _end(splitting.compile_for(text, _NO_WORD).search(text))
    if at_space := _BEFORE_SPACE.search(text):
        return int(at_space.end())
    decided = len(text) - _LOOKAHEAD
    if pattern == splitting.PATTERNS["o200k"]:
        decided = min(decided, _end(splitting.compile_for(text, _NO_CAPITAL).search(text)) - 1)
    cut = place = 0
    for pretoken in splitting.split(text, pattern):
        place += len(pretoken)
        if place > decided:
            break
        if not _SPACE.match(pretoken[-1]):
            cut = place
    return cut


def all_cuts_at_spaces(text: str) -> Iterator[int]:
    """Yield the places before a space or tab at which each of `SAFE_TO_CUT` but "words" cuts every longer text."""
    return map(regex.Match.end, _BEFORE_ANY_SPACE.finditer(text))


def _end(match: "regex.Match[str] | None") -> int:
    return match.end() if match else 0
