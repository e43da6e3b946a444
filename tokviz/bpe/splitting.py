"""Split patterns: the regular expression that cuts a text into pre-tokens before any merge.

A pre-token is a non-empty match of the pattern, or a stretch between two matches: nothing is ever lost. (tiktoken
drops what its pattern does not match; the named patterns match everything, so there the two agree.)

Patterns mean what Python's `regex` says, with one exception: the named ones mean what tiktoken says, because they
stand for tokenizers that exist. Where the two libraries carry different editions of the Unicode tables, the
`unicode_tables` module makes up for it.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from tokviz.bpe import naming, unicode_tables

# The branches of each named pattern, in the order in which they are tried. They are tiktoken's own spellings, so that
# a pattern read from a tokenizer can be recognised by its text.
BRANCHES: dict[str, tuple[tuple[str, str], ...]] = {
    "gpt2": (
        ("contraction", r"'(?:[sdmt]|ll|ve|re)"),
        ("letters", r" ?\p{L}++"),
        ("digits", r" ?\p{N}++"),
        ("punctuation", r" ?[^\s\p{L}\p{N}]++"),
        ("white space at the end", r"\s++$"),
        ("white space before a word", r"\s+(?!\S)"),
        ("white space", r"\s"),
    ),
    "cl100k": (
        ("contraction", r"'(?i:[sdmt]|ll|ve|re)"),
        ("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
        ("digits", r"\p{N}{1,3}+"),
        ("punctuation", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
        ("white space at the end", r"\s++$"),
        ("line break", r"\s*[\r\n]"),
        ("white space before a word", r"\s+(?!\S)"),
        ("white space", r"\s"),
    ),
    "o200k": (
        (
            "letters ending in lower case",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        ),
        (
            "letters beginning in upper case",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        ),
        ("digits", r"\p{N}{1,3}"),
        ("punctuation", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
        ("line break", r"\s*[\r\n]+"),
        ("white space before a word", r"\s+(?!\S)"),
        ("white space", r"\s+"),
    ),
    "words": (("word", r"(?s)\w+"), ("anything else", r".")),
}

PATTERNS: dict[str, str] = {name: "|".join(branch for _, branch in branches) for name, branches in BRANCHES.items()}
"""Name -> pattern text. `"words"` is the beginner's idea of a cut: runs of letters and digits, and every other sign."""

TIKTOKEN_PATTERNS = frozenset(PATTERNS[name] for name in ("gpt2", "cl100k", "o200k"))
"""The patterns of OpenAI's tokenizers. They match every text whole, and no empty stretch."""


SplitPattern = str | re.Pattern[str] | regex.Pattern[str] | None
"""What may be given as a split pattern: a name, a regular expression, the same compiled, or None for no cut."""

# A pattern's flags as `regex` writes them within it.
_FLAGS_OF_RE = {"a": re.A, "i": re.I, "m": re.M, "s": re.S, "x": re.X}
_FLAGS_OF_REGEX = {
    "a": regex.A, "b": regex.B, "e": regex.E, "f": regex.F, "i": regex.I, "m": regex.M, "p": regex.P, "r": regex.R,
    "s": regex.S, "w": regex.W, "x": regex.X,
}  # fmt: skip


def resolve(pattern: SplitPattern) -> str | None:
    """The text of a split pattern; None (no cut at all) stays None.

    `pattern` is a name (one of `PATTERNS`, or a tokenizer or model that `tokviz.load` knows, for the pattern of that
    tokenizer), a regular expression, or a compiled one, of `re` or `regex`, which is never taken for a name.

    Raises ValueError for a plain word that is no name, since a misspelled name would match nothing but itself, and for
    what does not compile as a regular expression of `regex`.
    """
    if pattern is None:
        return None
    if isinstance(pattern, str):
        text = _named(pattern)
    elif isinstance(pattern, re.Pattern | regex.Pattern) and isinstance(pattern.pattern, str):
        text = literal(_with_flags(pattern))
    else:
        raise TypeError(f"split_pattern must be None, a name or a regular expression, not {type(pattern).__name__}")
    compile_pattern(text)
    return text


def literal(text: str) -> str:
    """The text of a regular expression, written so that `resolve` takes it for one even if it is a plain word.

    >>> literal("gpt2"), literal("a+")
    ('(?:gpt2)', 'a+')
    """
    return f"(?:{text})" if naming.is_plain_word(text) else text


def _named(pattern: str) -> str:
    if pattern in PATTERNS:
        return PATTERNS[pattern]
    if not naming.is_plain_word(pattern):
        return pattern
    tokenizer = naming.tokenizer_named(pattern)
    if tokenizer is None:
        raise ValueError(
            f"there is no split pattern called {pattern!r}.{naming.nearest(pattern, *PATTERNS)} The names are "
            f"{', '.join(PATTERNS)}, and those that tokviz.load takes; to match just this text, write "
            f"{literal(pattern)!r}, or give it compiled"
        )
    return PATTERNS[naming.PATTERN_OF[tokenizer]]


def _with_flags(compiled: Any) -> str:
    """The text of a compiled pattern, beginning with the flags that it was given besides."""
    text: str = compiled.pattern
    known, compile_again = (
        (_FLAGS_OF_RE, re.compile) if isinstance(compiled, re.Pattern) else (_FLAGS_OF_REGEX, regex.compile)
    )
    try:
        said = int(compile_again(text).flags)
    except (re.error, regex.error):
        said = 0
    letters = "".join(letter for letter, flag in known.items() if compiled.flags & flag & ~said)
    text = f"(?{letters}){text}" if letters else text
    is_newer = known is _FLAGS_OF_REGEX and compiled.flags & regex.V1 & ~said
    return f"(?V1){text}" if is_newer else text


def as_patterns(pattern: SplitPattern) -> tuple[str, ...]:
    """The list of split patterns that has just one, given as in `resolve`, or none at all."""
    text = resolve(pattern)
    return () if text is None else (text,)


_REPEATED = regex.compile(r"\{(\d++)(?:,\d*+)?\}")
_MOST_REPEATED = 10_000


@lru_cache(maxsize=64)
def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """`pattern` compiled. Raises ValueError with the place of the mistake if it is no regular expression."""
    # `regex` writes out what is to be there n times: a few letters could take minutes and all memory.
    if math.prod(max(int(count[:6]), 1) for count in _REPEATED.findall(pattern)) > _MOST_REPEATED:
        raise ValueError(
            f"split pattern {pattern[:100]!r} asks for too many repetitions: the numbers in {{}} may come to "
            f"{_MOST_REPEATED:,} in all, one times the other"
        )
    try:
        return regex.compile(pattern, cache_pattern=False)
    except (regex.error, RecursionError, ValueError) as error:
        names = ", ".join(PATTERNS)
        raise ValueError(
            f"split pattern {pattern!r} does not compile: {error}. Give a regular expression, or one of: {names}"
        ) from error


_SHORTEST = 0.001
"""Seconds that a cut gets when no time is left."""


class TooSlow(ValueError):
    """A stranger's split pattern takes longer than the time limit."""


@dataclass
class _Budget:
    """The seconds that were given, and those that are left."""

    given: float
    left: float


_budget: ContextVar[_Budget | None] = ContextVar("time limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within it, cutting texts by patterns that aren't named ones may take no longer, all of them together.

    For patterns from strangers, some of which take ages: what cuts then raises TooSlow, a ValueError. Other threads run
    meanwhile.
    """
    before = _budget.set(_Budget(seconds, seconds))
    try:
        yield
    finally:
        _budget.reset(before)


def split(text: str, pattern: str | None) -> list[str]:
    """Cut `text` into its pre-tokens. Joined again, they are the text.

    `pattern` is a pattern's text (see `resolve` for names); None leaves the text in one piece.

    >>> split("I'll go", PATTERNS["gpt2"])
    ['I', "'ll", ' go']
    """
    if pattern is None:
        return [text] if text else []
    compiled = compile_pattern(pattern)
    if pattern in TIKTOKEN_PATTERNS:
        return _split_like_tiktoken(text, compiled)
    return list(_pieces(text, compiled))


def matches(pattern: "regex.Pattern[str]", text: str) -> "Iterator[regex.Match[str]]":
    """All matches of a compiled pattern, within the time limit if there is one and the pattern isn't a named one."""
    budget = None if pattern.pattern in PATTERNS.values() else _budget.get()
    if budget is None:
        yield from pattern.finditer(text)
        return
    begun = time.monotonic()
    try:
        yield from pattern.finditer(text, timeout=max(budget.left, _SHORTEST), concurrent=True)
    except TimeoutError:
        raise TooSlow(
            f"the split pattern {pattern.pattern!r} takes longer than {budget.given:g} s to cut this text"
        ) from None
    finally:
        budget.left -= time.monotonic() - begun


def _pieces(text: str, compiled: "regex.Pattern[str]") -> Iterator[str]:
    end = 0
    for match in matches(compiled, text):
        start, stop = match.span()
        if start == stop:
            continue
        if stop < start or start < end:
            raise ValueError(
                f"the split pattern {compiled.pattern!r} goes backwards in the text: it can't have (?r), or \\K in a "
                "lookahead"
            )
        if end < start:
            yield text[end:start]
        yield text[start:stop]
        end = stop
    if end < len(text):
        yield text[end:]


def _split_like_tiktoken(text: str, compiled: "regex.Pattern[str]") -> list[str]:
    stand_in = unicode_tables.as_tiktoken_sees(text)
    pieces: list[str] = compiled.findall(stand_in)
    if stand_in is text:
        return pieces
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    return [text[start:end] for start, end in zip(ends, ends[1:], strict=False)]


_WORD_OR_SPACE = regex.compile(r"\s+|\S+")


def apart_from_space(pretokens: Iterable[str]) -> list[str]:
    """Cut pre-tokens further, so that each is white space or holds none, as end-of-word marks ask for."""
    return [part for pretoken in pretokens for part in _WORD_OR_SPACE.findall(pretoken)]
