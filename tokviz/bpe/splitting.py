"""Split patterns: the regular expression that cuts a text into pre-tokens before any merge.

A pre-token is a non-empty match of the pattern, or a stretch between two matches: nothing is ever lost. (tiktoken
drops what its pattern does not match; the named patterns match everything, so there the two agree.)

Patterns mean what Python's `regex` says, with one exception: the named ones mean what tiktoken says, because they
stand for tokenizers that exist. Where the two libraries carry different editions of the Unicode tables, the
`unicode_tables` module makes up for it.
"""

import re
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import regex

from tokviz.bpe import naming, unicode_tables
from tokviz.bpe.pattern_size import expanded_length
from tokviz.display import quote, shorten

# The branches of each named pattern, in the order in which they are tried. They are tiktoken's own spellings, so that
# a pattern read from a tokenizer can be recognised by its text. A name holds for all that its branch can match, so it
# is "numbers" for \p{N}, where ½ and Ⅷ are no digits, and not "contraction" for what cuts the 's off 'so, too.
BRANCHES: dict[str, tuple[tuple[str, str], ...]] = {
    "gpt2": (
        ("'s, 't, 're and such", r"'(?:[sdmt]|ll|ve|re)"),
        ("letters", r" ?\p{L}++"),
        ("numbers", r" ?\p{N}++"),
        ("other signs", r" ?[^\s\p{L}\p{N}]++"),
        ("white space at the end", r"\s++$"),
        ("white space but the last", r"\s+(?!\S)"),
        ("white space", r"\s"),
    ),
    "cl100k": (
        ("'s, 't, 're and such", r"'(?i:[sdmt]|ll|ve|re)"),
        ("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
        ("numbers", r"\p{N}{1,3}+"),
        ("other signs", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
        ("white space at the end", r"\s++$"),
        ("line break", r"\s*[\r\n]"),
        ("white space but the last", r"\s+(?!\S)"),
        ("white space", r"\s"),
    ),
    "o200k": (
        (
            "letters, capitals before small ones",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        ),
        (
            "capital letters",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        ),
        ("numbers", r"\p{N}{1,3}"),
        ("other signs", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
        ("line break", r"\s*[\r\n]+"),
        ("white space but the last", r"\s+(?!\S)"),
        ("white space", r"\s+"),
    ),
    "words": (("letters, digits, _ and such", r"(?s)\w+"), ("anything else", r".")),
}

PATTERNS: dict[str, str] = {name: "|".join(branch for _, branch in branches) for name, branches in BRANCHES.items()}
"""Name -> pattern text. `"words"` is the beginner's idea of a cut: runs of letters, digits
and underscores, and every other sign."""

NAMED = frozenset(PATTERNS.values())
"""The texts of the named patterns, which are known to compile and to be quick on every text."""

_trusted = set(NAMED)


def trust(patterns: Iterable[str]) -> None:
    """Match these patterns (their texts) in this process, as the named ones are.

    For those of open models, which are known to compile and to be quick on every text as well.
    """
    _trusted.update(patterns)


TIKTOKEN_PATTERNS = frozenset(PATTERNS[name] for name in ("gpt2", "cl100k", "o200k"))
"""The patterns of OpenAI's tokenizers. They match every text whole, and no empty stretch."""


SplitPattern = str | re.Pattern[str] | regex.Pattern[str] | None
"""What may be given as a split pattern: a name, a regular expression, the same compiled, or None for no cut."""

CUT_AT_SPACES = frozenset(PATTERNS.values())
"""Patterns of which no match goes on from a character that is not white space to a space or a tab, or looks back.

So a text can be cut there and split part by part.
"""

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
    check_pattern(text)
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
            f"there is no split pattern called {quote(pattern)}.{naming.nearest(pattern, *PATTERNS)} The names are "
            f"{', '.join(PATTERNS)}, and those that tokviz.load takes; to match just this text, write "
            f"{quote(literal(pattern))}, or give it compiled"
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


MAX_EXPANDED = 100_000
"""Characters of a pattern with its repetitions written out, which takes `regex` at most about 50 MB to compile."""


@lru_cache(maxsize=64)
def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """`pattern` compiled. Raises ValueError with the place of the mistake if it is no regular expression."""
    if expanded_length(pattern) > MAX_EXPANDED:
        raise ValueError(
            f"split pattern {quote(pattern)} asks for too many repetitions: with all that is repeated written out, it "
            f"may have {MAX_EXPANDED:,} characters"
        )
    try:
        return regex.compile(pattern, cache_pattern=False)
    except (regex.error, RecursionError, ValueError) as error:
        names, said = ", ".join(PATTERNS), shorten(str(error))
        raise ValueError(
            f"split pattern {quote(pattern)} does not compile: {said}. Give a regular expression, or one of: {names}"
        ) from error


_SHORTEST = 0.001
"""Seconds that a cut gets when no time is left."""


class TooSlow(ValueError):
    """A stranger's split pattern takes longer than the time limit."""

    def __init__(self, pattern: str, seconds: float, doing: str = "cut this text") -> None:
        super().__init__(f"the split pattern {quote(pattern)} takes longer than {seconds:g} s to {doing}")

    @classmethod
    def after(cls, pattern: str, seconds: float, took: float) -> "TooSlow":
        """The error where the last text took so much of the time, and others before it the rest."""
        return cls(pattern, seconds, "cut this text" if 2 * took >= seconds else "cut all the texts asked about")


@dataclass
class Budget:
    """The seconds that were given, and those that are left."""

    given: float
    left: float


_budget: ContextVar[Budget | None] = ContextVar("time limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within it, cutting texts by patterns that aren't trusted may take no longer, all of them together.

    For patterns from strangers, some of which take ages: what cuts then raises TooSlow, a ValueError. Other threads run
    meanwhile.
    """
    before = _budget.set(Budget(seconds, seconds))
    try:
        yield
    finally:
        _budget.reset(before)


Spans = Sequence[int]
"""The non-empty matches of a pattern in a text, in order: where each begins and ends, in code points, end to end."""

Matcher = Callable[[str, Sequence[str], Budget | None], list[Spans]]
"""Finds the spans of a pattern in each of some texts, within the budget if there is one. Raises ValueError."""


def match_here(pattern: str, texts: Sequence[str], budget: Budget | None) -> list[Spans]:
    """The matcher that runs in this process."""
    compiled = compile_pattern(pattern)
    return [_spans(compiled, text, budget) for text in texts]


_matcher: Matcher = match_here


def set_matcher(matcher: Matcher) -> Matcher:
    """Have all patterns but the trusted ones compiled and matched by `matcher`. Returns the one before.

    For servers: a pattern that a stranger wrote may crash the process that compiles it, so a server lets another
    process do it. It holds for all threads.
    """
    global _matcher
    before, _matcher = _matcher, matcher
    return before


def match_spans(texts: Sequence[str], pattern: str) -> list[Spans]:
    """The spans of a pattern (its text) in each of some texts.

    This is the one place that compiles and matches patterns which aren't trusted. Raises ValueError if the pattern
    doesn't compile, goes backwards, or takes longer than the time limit.
    """
    return match_here(pattern, texts, None) if pattern in _trusted else _matcher(pattern, texts, _budget.get())


def check_pattern(pattern: str) -> None:
    """Raise ValueError if a pattern (its text) does not compile."""
    match_spans((), pattern)


def split(text: str, pattern: str | None) -> list[str]:
    """Cut `text` into its pre-tokens. Joined again, they are the text.

    `pattern` is a pattern's text (see `resolve` for names); None leaves the text in one piece.

    >>> split("I'll go", PATTERNS["gpt2"])
    ['I', "'ll", ' go']
    """
    return split_all([text], pattern)[0]


def split_all(texts: Sequence[str], pattern: str | None) -> list[list[str]]:
    """Cut each of some texts as `split` does."""
    if pattern is None:
        return [[text] if text else [] for text in texts]
    if pattern in TIKTOKEN_PATTERNS:
        compiled = compile_pattern(pattern)
        return [_split_like_tiktoken(text, compiled) for text in texts]
    return [_pieces(text, spans) for text, spans in zip(texts, match_spans(texts, pattern), strict=True)]


def _spans(compiled: "regex.Pattern[str]", text: str, budget: Budget | None) -> Spans:
    spans = array("i")
    end = 0
    for match in _matches(compiled, text, budget):
        start, stop = match.span()
        if start == stop:
            continue
        if stop < start or start < end:
            raise ValueError(
                f"the split pattern {quote(compiled.pattern)} goes backwards in the text: it can't have (?r), or \\K "
                "in a lookahead"
            )
        spans.append(start)
        spans.append(stop)
        end = stop
    return spans


def _matches(compiled: "regex.Pattern[str]", text: str, budget: Budget | None) -> "Iterator[regex.Match[str]]":
    if budget is None:
        yield from compiled.finditer(text)
        return
    begun = time.monotonic()
    try:
        yield from compiled.finditer(text, timeout=max(budget.left, _SHORTEST), concurrent=True)
    except TimeoutError:
        raise TooSlow.after(compiled.pattern, budget.given, time.monotonic() - begun) from None
    finally:
        budget.left -= time.monotonic() - begun


def _pieces(text: str, spans: Spans) -> list[str]:
    """The matches and the stretches between them."""
    return [text[start:end] for start, end in pairwise([0, *spans, len(text)]) if start < end]


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
