"""Finding special tokens in a text: the leftmost, then the longest, whatever characters they consist of.

Most special tokens are like `<|endoftext|>`: the first character of each occurs nowhere else in any of them. Such
tokens are found in one pass, by a pattern that shares common prefixes. Others may take as long as a split pattern,
since they can overlap at every character of the text, so they are treated like one: they are subject to the time limit,
and a server finds them with its matcher for untrusted patterns (see `splitting.set_matcher`). Tens of thousands, which
make no pattern, are looked up in a table by their first character and length.
"""

import re
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, pairwise

import regex

from tokviz.pretokens import splitting
from tokviz.pretokens.splitting import Spans, TooSlow
from tokviz.texts import in_common

# Limits for tokens found in one pass: characters in all, branches after a common prefix, and nested prefixes.
_MAX_LENGTH = 100_000
_MAX_BRANCHES = 64
_MAX_DEPTH = 50

_MAX_LOOKED_UP = 256  # longest token, in code points, of those that are looked up by their lengths
_WINDOW = 100_000  # code points searched at a time


class SpecialsTooSlow(TooSlow):
    """Raised if finding untrusted special tokens takes longer than the time limit."""

    def __init__(self) -> None:
        ValueError.__init__(self)

    def __str__(self) -> str:
        return "looking for these special tokens in this text takes too long"


def cut_out(text: str, special_tokens: Iterable[str]) -> list[str]:
    """Split `text` at special tokens: they are the items of odd index, the text between them those of even index.

    >>> cut_out("a<s><s>>b", ["<s>", "<s>>"])
    ['a', '<s>', '', '<s>>', 'b']
    """
    return [text[start:end] for start, end in pairwise([0, *find(text, special_tokens), len(text)])]


def find(text: str, special_tokens: Iterable[str]) -> Spans:
    """Find the starts and ends of special tokens in `text`, in code points. Raises ValueError if it takes too long."""
    tokens = frozenset(filter(None, special_tokens))
    if not tokens or not text:
        return []
    pattern = _simple_pattern(tokens)
    if pattern is not None:
        return array("i", _spans(pattern, text, max(map(len, tokens))))
    longest = max(map(len, tokens))
    if sum(map(len, tokens)) + len(tokens) > splitting.MAX_EXPANDED and longest <= _MAX_LOOKED_UP:
        return array("i", _looked_up(tokens, text))
    longest_first = sorted(tokens, key=lambda token: (-len(token), token))
    try:
        return splitting.match_spans([text], "|".join(map(re.escape, longest_first)))[0]
    except TooSlow:
        raise SpecialsTooSlow from None
    except ValueError:
        raise ValueError("these special tokens are too many, or too long, to look for them in a text") from None


def _spans(pattern: re.Pattern[str], text: str, longest: int) -> Iterator[int]:
    """Yield the starts and ends of matches, of up to `longest` characters.

    They are searched for in windows, since `re` lets no other thread run during a search.
    """
    place = 0
    while place < len(text):
        match = pattern.search(text, place, place + _WINDOW + longest)
        if match is not None and match.start() < place + _WINDOW:
            yield from match.span()
            place = match.end()
        else:
            place += _WINDOW


def _looked_up(tokens: frozenset[str], text: str) -> Iterator[int]:
    """Yield the starts and ends of tokens, trying all lengths at each place where one may begin."""
    budget = splitting.current_budget()
    deadline = None if budget is None else time.monotonic() + budget.left
    first, lengths = _by_first_character(tokens)
    place = 0
    while found := first.search(text, place, concurrent=True):
        if deadline is not None and time.monotonic() > deadline:
            raise SpecialsTooSlow
        start = found.start()
        fitting = (length for length in lengths[text[start]] if text[start : start + length] in tokens)
        length = next(fitting, 0)
        if length:
            yield from (start, start + length)
        place = start + (length or 1)
    if budget is not None and deadline is not None:
        budget.left = deadline - time.monotonic()


@lru_cache(maxsize=4)
def _by_first_character(tokens: frozenset[str]) -> "tuple[regex.Pattern[str], Mapping[str, list[int]]]":
    """Return a pattern for the first characters of tokens, and the lengths of those that begin with each, falling."""
    lengths: dict[str, set[int]] = {}
    for token in tokens:
        lengths.setdefault(token[0], set()).add(len(token))
    pattern = regex.compile("[" + "".join(map(re.escape, sorted(lengths))) + "]")
    return pattern, {character: sorted(found, reverse=True) for character, found in lengths.items()}


class _NotSimpleError(Exception):
    """Raised for tokens that can't safely be found in one pass."""


@lru_cache(maxsize=32)
def _simple_pattern(tokens: frozenset[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds the longest of some tokens in one pass over a text, or None if there is none."""
    first_chars = {token[0] for token in tokens}
    if sum(map(len, tokens)) > _MAX_LENGTH or any(not first_chars.isdisjoint(token[1:]) for token in tokens):
        return None
    try:
        return re.compile(_prefix_tree_pattern(sorted(tokens)))
    except _NotSimpleError:
        return None


def _prefix_tree_pattern(tokens: list[str], depth: int = 0) -> str:
    """Return a pattern for the longest of some sorted tokens, in which each common prefix occurs once."""
    groups = [list(group) for _, group in groupby(tokens, key=lambda token: token[0])]
    if len(groups) > _MAX_BRANCHES or depth > _MAX_DEPTH:
        raise _NotSimpleError
    branches = []
    for group in groups:
        prefix = group[0][: in_common(group[0], group[-1])]  # of the first and last in alphabetical order
        suffixes = [token[len(prefix) :] for token in group if token != prefix]
        suffix_pattern = f"(?:{_prefix_tree_pattern(suffixes, depth + 1)})" if suffixes else ""
        branches.append(re.escape(prefix) + suffix_pattern + ("?" if suffixes and len(suffixes) < len(group) else ""))
    return "|".join(branches)
