"""Split patterns: regular expressions that split a text into pre-tokens before any merge.

A pre-token is a non-empty match of the pattern, or the text between two matches: nothing is ever lost. (tiktoken drops
text that its pattern doesn't match; the named patterns match everything, so there the two agree.)

Patterns mean what they mean in Python's `regex`, except that what is a letter, a digit or a mark is what it is in
tiktoken and in Hugging Face's library, whose edition of Unicode is older: see the `unicode_tables` module.
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

from tokviz.display import quote, shorten
from tokviz.pretokens import pattern_names as naming
from tokviz.pretokens import unicode_tables
from tokviz.pretokens.pattern_size import expanded_length

# The branches of each named pattern, in the order in which they are tried, spelled as in tiktoken, so that a pattern
# read from a tokenizer can be recognized by its text. A label has to be right for everything its branch can match: so
# it is "numbers" for \p{N}, since ½ and Ⅷ are not digits, and not "contraction", since that branch also cuts the 's off
# 'so.
BRANCHES: dict[str, tuple[tuple[str, str], ...]] = {
    "gpt2": (
        ("'s, 't, 're and such", r"'(?:[sdmt]|ll|ve|re)"),
        ("letters", r" ?\p{L}++"),
        ("numbers", r" ?\p{N}++"),
        ("neither letters nor numbers", r" ?[^\s\p{L}\p{N}]++"),
        ("white space at the end", r"\s++$"),
        ("white space, all but the last", r"\s+(?!\S)"),
        ("white space", r"\s"),
    ),
    "cl100k": (
        ("'s, 't, 're and such", r"'(?i:[sdmt]|ll|ve|re)"),
        ("letters", r"[^\r\n\p{L}\p{N}]?+\p{L}++"),
        ("numbers", r"\p{N}{1,3}+"),
        ("neither letters nor numbers", r" ?[^\s\p{L}\p{N}]++[\r\n]*+"),
        ("white space at the end", r"\s++$"),
        ("line break", r"\s*[\r\n]"),
        ("white space, all but the last", r"\s+(?!\S)"),
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
        ("neither letters nor numbers", r" ?[^\s\p{L}\p{N}]+[\r\n/]*"),
        ("line break", r"\s*[\r\n]+"),
        ("white space, all but the last", r"\s+(?!\S)"),
        ("white space", r"\s+"),
    ),
    "words": (("letters, digits, _ and such", r"(?s)\w+"), ("anything else", r".")),
}

PATTERNS: dict[str, str] = {name: "|".join(branch for _, branch in branches) for name, branches in BRANCHES.items()}
"""Name -> pattern text. `"words"` is the beginner's idea of splitting: runs of letters, digits
and underscores, and every other character."""

OPEN_PATTERNS = {
    "qwen3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
}
"""Pattern texts of open models' tokenizers, by the name of the tokenizer, for those that cut a text by one pattern."""

NAMED = frozenset(PATTERNS.values())
"""Texts of the named patterns, which are known to compile and to be fast on every text."""

_trusted = {*NAMED, *OPEN_PATTERNS.values()}


def trust(patterns: Iterable[str]) -> None:
    """Match these patterns (given as texts) in this process, like the named ones.

    For the patterns of open models, which are also known to compile and to be fast on every text.
    """
    _trusted.update(patterns)


TIKTOKEN_PATTERNS = frozenset(PATTERNS[name] for name in ("gpt2", "cl100k", "o200k"))
"""Patterns of OpenAI's tokenizers. They match every text completely, and have no empty matches."""

SplitPattern = str | re.Pattern[str] | regex.Pattern[str] | None
"""Accepted as a split pattern: a name, a regular expression, a compiled one, or None for no splitting."""

CUT_AT_SPACES = NAMED
"""Patterns in which no match continues from a character that is not white space to a space or tab, or looks back.

So a text can be cut there and split part by part.
"""

# The flags of `re` and of `regex`, by the letters that set them inside a pattern of `regex`.
_FLAGS_OF_RE = {"a": re.A, "i": re.I, "m": re.M, "s": re.S, "x": re.X}
_FLAGS_OF_REGEX = {
    "a": regex.A, "b": regex.B, "e": regex.E, "f": regex.F, "i": regex.I, "m": regex.M, "p": regex.P, "r": regex.R,
    "s": regex.S, "w": regex.W, "x": regex.X,
}  # fmt: skip


def resolve(pattern: SplitPattern) -> str | None:
    """Return the text of a split pattern; None (no splitting) stays None.

    `pattern` is a name (one of `PATTERNS`, or a tokenizer or model that `tokviz.load` knows, for the pattern of that
    tokenizer, if it has just one), a regular expression, or a compiled one, of `re` or `regex`, which is never taken
    for a name.

    Raises ValueError for a plain word that is not a name, since a misspelled name would match nothing but itself, and
    for a pattern that `regex` can't compile.
    """
    if pattern is None:
        return None
    if isinstance(pattern, str):
        text = _resolve_name(pattern)
    elif isinstance(pattern, re.Pattern | regex.Pattern) and isinstance(pattern.pattern, str):
        text = literal(_with_flags(pattern))
    else:
        raise TypeError(f"split_pattern must be None, a name or a regular expression, not {type(pattern).__name__}")
    check_pattern(text)
    return text


def literal(text: str) -> str:
    """Return the text of a regular expression, written so that `resolve` never takes it for a name.

    >>> literal("gpt2"), literal("a+")
    ('(?:gpt2)', 'a+')
    """
    return f"(?:{text})" if naming.is_plain_word(text) else text


def _resolve_name(pattern: str) -> str:
    if pattern.lower() in PATTERNS:
        return PATTERNS[pattern.lower()]
    if not naming.is_plain_word(pattern):
        return pattern
    tokenizer = naming.tokenizer_named(pattern)
    if tokenizer in OPEN_PATTERNS:
        return OPEN_PATTERNS[tokenizer]
    if tokenizer in naming.OPEN_MODELS:
        raise ValueError(
            f"{tokenizer} does not cut texts by one split pattern: give another name, a regular expression, or None"
        )
    if tokenizer is None:
        raise ValueError(
            f"there is no split pattern called {quote(pattern)}.{naming.nearest(pattern, *PATTERNS)} The names are "
            f"{', '.join((*PATTERNS, *OPEN_PATTERNS))}, and those that tokviz.load takes; to match exactly this text, "
            f"write {quote(literal(pattern))}, or give it compiled"
        )
    return PATTERNS[naming.PATTERN_OF[tokenizer]]


def _with_flags(compiled: Any) -> str:
    """Return the text of a compiled pattern, prefixed with the flags that were passed in addition to it."""
    text: str = compiled.pattern
    flags_by_letter, compile_text = (
        (_FLAGS_OF_RE, re.compile) if isinstance(compiled, re.Pattern) else (_FLAGS_OF_REGEX, regex.compile)
    )
    try:
        own_flags = int(compile_text(text).flags)
    except (re.error, regex.error):
        own_flags = 0
    letters = "".join(letter for letter, flag in flags_by_letter.items() if compiled.flags & flag & ~own_flags)
    text = f"(?{letters}){text}" if letters else text
    is_version_1 = flags_by_letter is _FLAGS_OF_REGEX and compiled.flags & regex.V1 & ~own_flags
    return f"(?V1){text}" if is_version_1 else text


def as_patterns(pattern: SplitPattern) -> tuple[str, ...]:
    """Return a split pattern, given as in `resolve`, as a tuple of one text; empty for no splitting."""
    text = resolve(pattern)
    return () if text is None else (text,)


MAX_EXPANDED = 100_000
"""Maximum characters of a pattern with its repetitions written out; `regex` needs at most about 50 MB to compile it."""


@lru_cache(maxsize=64)
def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile `pattern`. Raises ValueError with the place of the mistake if it is not a regular expression."""
    if expanded_length(pattern) > MAX_EXPANDED:
        raise ValueError(
            f"split pattern {quote(pattern)} asks for too many repetitions: with all that is repeated written out, it "
            f"may have {MAX_EXPANDED:,} characters"
        )
    try:
        return regex.compile(pattern, cache_pattern=False)
    except (regex.error, RecursionError, ValueError) as error:
        names, reason = ", ".join(PATTERNS), shorten(str(error))
        raise ValueError(
            f"split pattern {quote(pattern)} does not compile: {reason}. Give a regular expression, or one of: {names}"
        ) from error


def compile_for(text: str, pattern: str) -> "regex.Pattern[str]":
    """Compile a trusted pattern for matching in `text`, with the classes that its characters have in tiktoken."""
    return compile_pattern(unicode_tables.rewritten(pattern, text))


_MIN_TIMEOUT = 0.001  # timeout in seconds for splitting a text when no time is left


class TooSlow(ValueError):
    """Raised if an untrusted split pattern takes longer than the time limit."""

    def __init__(self, pattern: str, seconds: float, doing: str = "cut this text") -> None:
        super().__init__(pattern, seconds, doing)  # as they are, so that a pickle holds them

    def __str__(self) -> str:
        return "the split pattern {} takes longer than {:g} s to {}".format(quote(self.args[0]), *self.args[1:])

    @classmethod
    def after(cls, pattern: str, seconds: float, took: float) -> "TooSlow":
        """Build the error if the last text took `took` seconds, and other texts before it the rest of the time."""
        return cls(pattern, seconds, "cut this text" if 2 * took >= seconds else "cut all the texts asked about")


@dataclass
class TimeBudget:
    """A time budget: the seconds given, and those left."""

    given: float
    left: float


_budget: ContextVar[TimeBudget | None] = ContextVar("time limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Limit the total time for splitting texts by untrusted patterns within this context.

    For patterns from strangers, some of which take very long: splitting then raises TooSlow, a ValueError. Other
    threads run meanwhile.
    """
    before = _budget.set(TimeBudget(seconds, seconds))
    try:
        yield
    finally:
        _budget.reset(before)


Spans = Sequence[int]
"""Non-empty matches of a pattern in a text, in order: start and end of each, in code points, as one flat sequence."""

Matcher = Callable[[str, Sequence[str], TimeBudget | None], list[Spans]]
"""Finds the spans of a pattern in each of several texts, within the budget if there is one. Raises ValueError."""


def match_here(pattern: str, texts: Sequence[str], budget: TimeBudget | None) -> list[Spans]:
    """Match in this process (a `Matcher`)."""
    compile_pattern(pattern)  # what doesn't compile is not rewritten
    beyond_ascii = "".join(text for text in texts if not text.isascii())
    compiled = compile_pattern(unicode_tables.rewritten(pattern, beyond_ascii))
    return [_find_spans(pattern, compiled, text, budget) for text in texts]


_matcher: Matcher = match_here


def set_matcher(matcher: Matcher) -> Matcher:
    """Make `matcher` compile and match all patterns but the trusted ones. Returns the previous matcher.

    For servers: a pattern that a stranger wrote may crash the process that compiles it, so a server lets another
    process do it. Applies to all threads.
    """
    global _matcher
    before, _matcher = _matcher, matcher
    return before


def match_spans(texts: Sequence[str], pattern: str) -> list[Spans]:
    """Return the spans of a pattern (given as text) in each of several texts.

    This is the only place that compiles and matches untrusted patterns. Raises ValueError if the pattern doesn't
    compile, matches backwards, or takes longer than the time limit.
    """
    return match_here(pattern, texts, None) if pattern in _trusted else _matcher(pattern, texts, _budget.get())


def current_budget() -> TimeBudget | None:
    """Return the budget of the `time_limit` around the caller; None if there is none."""
    return _budget.get()


def check_pattern(pattern: str) -> None:
    """Raise ValueError if a pattern (given as text) does not compile."""
    match_spans((), pattern)


def split(text: str, pattern: str | None) -> list[str]:
    """Split `text` into its pre-tokens. Joined, they equal the text.

    `pattern` is a pattern's text (see `resolve` for names); None leaves the text in one piece.

    >>> split("I'll go", PATTERNS["gpt2"])
    ['I', "'ll", ' go']
    """
    return split_all([text], pattern)[0]


def split_all(texts: Sequence[str], pattern: str | None) -> list[list[str]]:
    """Split each of several texts as `split` does."""
    if pattern is None:
        return [[text] if text else [] for text in texts]
    if pattern in TIKTOKEN_PATTERNS:
        return list(map(tiktoken_splitter(pattern), texts))
    return [_pieces_from_spans(text, spans) for text, spans in zip(texts, match_spans(texts, pattern), strict=True)]


def _find_spans(pattern: str, compiled: "regex.Pattern[str]", text: str, budget: TimeBudget | None) -> Spans:
    """Find the spans of a pattern, compiled for the text. Errors quote it as it was written."""
    spans = array("i")
    end = 0
    for match in _iter_matches(pattern, compiled, text, budget):
        start, stop = match.span()
        if start == stop:
            continue
        if stop < start or start < end:
            raise ValueError(
                f"the split pattern {quote(pattern)} goes backwards in the text: it can't have (?r), or \\K "
                "in a lookahead"
            )
        spans.append(start)
        spans.append(stop)
        end = stop
    return spans


def _iter_matches(
    pattern: str, compiled: "regex.Pattern[str]", text: str, budget: TimeBudget | None
) -> "Iterator[regex.Match[str]]":
    if budget is None:
        yield from compiled.finditer(text)
        return
    started = time.monotonic()
    try:
        yield from compiled.finditer(text, timeout=max(budget.left, _MIN_TIMEOUT), concurrent=True)
    except TimeoutError:
        raise TooSlow.after(pattern, budget.given, time.monotonic() - started) from None
    finally:
        budget.left -= time.monotonic() - started


def _pieces_from_spans(text: str, spans: Spans) -> list[str]:
    """Return the matches and the text between them."""
    return [text[start:end] for start, end in pairwise([0, *spans, len(text)]) if start < end]


@lru_cache
def tiktoken_splitter(pattern: str) -> Callable[[str], list[str]]:
    """Return a function that splits a text by one of `TIKTOKEN_PATTERNS`."""
    find_all_ascii = compile_for_ascii(pattern).findall

    def split(text: str) -> list[str]:
        find_all: Callable[[str], list[str]] = find_all_ascii if text.isascii() else compile_for(text, pattern).findall
        return find_all(text)

    return split


# The characters of ASCII in each class of a named pattern; the other classes there have none.
_CLASSES_IN_ASCII = {"L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9"}


def compile_for_ascii(pattern: str) -> re.Pattern[str]:
    """Compile one of `TIKTOKEN_PATTERNS`, with groups or without, with `re`: twice as fast as `regex`.

    `re` has no classes such as `\\p{L}`, so they are spelled out, for texts in ASCII only.
    """

    def spell_out(found: re.Match[str]) -> str:
        classes = re.sub(r"\\p\{(\w+)\}", lambda name: _CLASSES_IN_ASCII.get(name[1], ""), found[0])
        return classes if found[0].startswith("[") else f"[{classes}]"

    return re.compile(re.sub(r"\[[^]]+\]|\\p\{\w+\}", spell_out, pattern), re.ASCII)
