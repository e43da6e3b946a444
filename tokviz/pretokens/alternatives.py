r"""The alternatives of a split pattern: what its outermost `|` separate, tried from left to right at each place.

`\p{N}{1,3}|\s+` has two, and a match is one of the first that matches where it begins. So an alternative can be taken
out, and what it was for is seen in a text that is then cut otherwise:

>>> from tokviz.pretokens import splitting
>>> splitting.split("in 2026", r"[a-z]+|\d{1,2}|\s")
['in', ' ', '20', '26']
>>> splitting.split("in 2026", without(r"[a-z]+|\d{1,2}|\s", {1}))
['in', ' ', '2026']

Only the text of a pattern is read; it is never compiled here. Where that text alone doesn't tell what separates what,
or whether the alternatives are tried one by one, the pattern is left whole: it has one alternative.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

MAX_ALTERNATIVES = 50
"""Maximum alternatives of a pattern that is taken apart."""

# Flags in front that hold for every alternative, and change neither where one ends nor which of them is taken.
_FLAGS = re.compile(r"\(\?[aimsuw]+\)")

# What a pattern consists of. Not taken apart: references to groups, since their numbers change; flags in the middle,
# verbose mode, comments and verbs; sets within sets, which have two readings; fuzzy matches; and what moves where a
# match begins or the search goes on.
_ITEM = re.compile(
    r"""
    \\[pPN]\{[^{}|]*+\}                                           # a property, or a character by its name
    | \\[^1-9gGKL]                                                # another escape
    | \[\^?\]?(?:[^\]\[\\]|\\.|\[:\^?\w++:\])*+\]                 # a set, in which brackets and bars mean themselves
    | \((?:\?(?:[:>|=!]|<[=!]|P?<\w+>|[aimsuw]*-?[aimsuw]+:))?+(?![?*])  # the beginning of a group
    | \{[0-9]*,?[0-9]*\}                                          # a count
    | [^\\\[({]                                                   # anything else
    """,
    re.VERBOSE | re.DOTALL,
)


class Alternatives(NamedTuple):
    """The alternatives of a pattern, and the flags in front of them: `flags + "|".join(parts)` is the pattern."""

    flags: str
    parts: tuple[str, ...]


@lru_cache(maxsize=64)
def alternatives(pattern: str) -> Alternatives:
    r"""Take a pattern (given as text) apart.

    >>> alternatives(r"(?s)\w+|[|.]|(a|b)")
    Alternatives(flags='(?s)', parts=('\\w+', '[|.]', '(a|b)'))
    """
    found = _FLAGS.match(pattern)
    flags = found[0] if found else ""
    parts = _parts(pattern[len(flags) :])
    return Alternatives(flags, parts) if 1 < len(parts) <= MAX_ALTERNATIVES else Alternatives("", (pattern,))


def without(pattern: str, off: Collection[int]) -> str | None:
    """Return a pattern without the alternatives of these numbers, which count from 0; None if none is left.

    Numbers that no alternative has are ignored.
    """
    flags, parts = alternatives(pattern)
    left = [part for number, part in enumerate(parts) if number not in off]
    return flags + "|".join(left) if left else None


def _parts(pattern: str) -> tuple[str, ...]:
    """Return what the outermost bars of a pattern without flags separate; () if that isn't certain."""
    parts, place, depth = [""], 0, 0
    while place < len(pattern):
        item = _ITEM.match(pattern, place)
        if item is None:
            return ()
        place = item.end()
        depth += item[0].startswith("(") - (item[0] == ")")
        if depth < 0:
            return ()
        if item[0] == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += item[0]
    return tuple(parts) if depth == 0 and all(parts) else ()
