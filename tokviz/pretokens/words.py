"""Words, as end-of-word marks require: pre-tokens cut further, at white space or at some of it."""

from collections.abc import Iterable
from functools import lru_cache

import regex

ANY_SPACE = r"\s"
"""All white space, as the inside of a class of a regular expression."""

SPACES_AND_LINES = r" \r\n"
"""Separators of words for subword-nmt: tabs, no-break spaces and all others are parts of words."""


def apart_from_space(pretokens: Iterable[str], space: str = ANY_SPACE) -> list[str]:
    """Split pre-tokens further, so that each consists of `space` or contains none of it."""
    word_or_space, _ = _patterns(space)
    return [part for pretoken in pretokens for part in word_or_space.findall(pretoken)]


def last_cut_at_word(text: str, space: str = ANY_SPACE) -> int:
    """Return the last place at which a word or a run of `space` ends; 0 if there is none."""
    _, other_kind = _patterns(space)
    match = other_kind.search(text)
    return match.end() if match else 0


@lru_cache(maxsize=64)
def _patterns(space: str) -> "tuple[regex.Pattern[str], regex.Pattern[str]]":
    between = f"(?<=[{space}])(?=[^{space}])|(?<=[^{space}])(?=[{space}])"
    return regex.compile(f"[{space}]+|[^{space}]+"), regex.compile(f"(?r){between}")
