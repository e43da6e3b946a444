"""Hypothesis strategies for texts, shared by the tests of the algorithm.

Every test that uses them is reproducible: `examples` fixes the random seed, and no database is kept.
Texts use few different letters, so that there is something to merge; the rest of Unicode comes in
pieces that have broken tokenizers before.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import regex
import tiktoken
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

_reproducible = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def examples(count: int, *case: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that runs a `given` test on `count` examples, always the same ones.

    A parametrized test gets the same examples for each of its cases. For different examples per case,
    pass the case and put the decorated function inside the test.
    """

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        limited: Callable[..., Any] = settings(_reproducible, max_examples=count)(test)
        return seed(zlib.crc32(repr(case).encode()))(limited) if case else limited

    return decorate


SPECIALS = ("<s>", "<s>>", "<|end|>")  # one is a prefix of another: the longest must match

TWO_LETTERS = ["a", "b", "ab", "ba", "aab"]
WORDS = ["ab", "abc", "bc", "low", "lower", "lowest", "'s", "I'll", "12", "2024", "!", "...", " ", "  ", "\n"]
BLANKS = [" ", "  ", "\t", "\n", "\r", "\r\n", "\n\n", "\v"]
BLANKS += ["\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\u200b"]  # the first and the last are not white space
EMOJI = ["😀", "🌍", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇷", "🇯🇵", "🇫", "\u200d", "\ufe0f"]
SCRIPTS = ["é", "e\u0301", "\u0301", "ß", "ſ", "İ", "Ǆ", "ª", "你好", "日本", "한국", "٣", "½"]
SCRIPTS += ["שלום", "مرحبا", "हिन्दी", "\u202e"]
ODDITIES = ["\0", "\ufeff", "\ufffd", "\uffff", "\U0010ffff", "\u0378", "\ue000"]
ODDITIES += ["\ud83d", "\ude00", "\ud83d\ude00"]  # lone surrogates, and two that make a pair


def every_character() -> list[str]:
    """Every code point but surrogates, of the planes that have characters: the others have none in any Unicode."""
    planes = [*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xF0000), *range(0x10FF00, 0x110000)]
    return [chr(point) for point in planes]


@cache
def disputed() -> frozenset[str]:
    """Return the characters that tiktoken's regex engine and Python's `regex` classify differently.

    The two use different versions of Unicode. The meaning of a pattern for these characters depends on
    the engine, so texts that compare the package with either engine leave them out.
    """
    everything = "".join(every_character())
    ranks = {bytes([byte]): byte for byte in range(256)}
    found: set[str] = set()
    for pattern in (r"\p{L}", r"\p{N}", r"\p{M}", r"\p{Ll}", r"\p{Lu}|\p{Lt}", r"\p{Cn}", r"\s", r"\w"):
        # tiktoken drops what a pattern does not match.
        engine = tiktoken.Encoding("class", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        in_tiktoken = set(bytes(engine.encode_ordinary(everything)).decode())
        found |= in_tiktoken ^ set(regex.findall(pattern, everything))
    return frozenset(found)


def glued(pieces: list[str], min_size: int = 0, max_size: int = 24) -> SearchStrategy[str]:
    """Texts concatenated from the given pieces."""
    return st.lists(st.sampled_from(pieces), min_size=min_size, max_size=max_size).map("".join)


def unicode_texts(max_size: int = 12) -> SearchStrategy[str]:
    """Texts of any code points, including unassigned ones and lone surrogates, but no disputed ones."""
    anything = st.characters(exclude_categories=()).filter(lambda character: character not in disputed())
    return st.text(anything, max_size=max_size)


def texts(max_size: int = 24) -> SearchStrategy[str]:
    """Texts of all kinds, short and repetitive, possibly empty."""
    kinds = [
        st.sampled_from(["a", "ab", "😀", " "]).flatmap(lambda a: st.integers(0, 40).map(lambda n: a * n)),
        glued(TWO_LETTERS, max_size=max_size),
        glued([*TWO_LETTERS, " ", "\n", "é"], max_size=max_size),
        glued(WORDS, max_size=max_size),
        glued([*TWO_LETTERS, *BLANKS], max_size=max_size),
        glued([*EMOJI, "a", " "], max_size=max_size),
        glued([*SCRIPTS, *EMOJI, *WORDS], max_size=max_size),
        glued([*ODDITIES, *BLANKS, "a", "b", "é", "'LL"], max_size=max_size),
        unicode_texts(max_size // 2),
    ]
    return st.one_of(kinds)


def texts_of_words() -> SearchStrategy[str]:
    """Texts for end-of-word marks: words with the same ending, separated by all kinds of white space."""
    return st.one_of(glued(["a", "b", "ab", "a ", "b ", "ab ", " ", "\n", "\x1c", "\u3000"]), glued(WORDS), texts())


def texts_with_specials(max_size: int = 16) -> SearchStrategy[str]:
    """Texts that mix special tokens, and prefixes of them, with ordinary letters."""
    return glued([*SPECIALS, "<", "s>", ">", "<|", "a", "b", "ab", "aab", " ", "😀"], max_size=max_size)


def corpora(kind: SearchStrategy[str] | None = None) -> SearchStrategy[list[str]]:
    """One to three training texts, at least one of which contains more than special tokens."""
    some = st.one_of(texts() if kind is None else kind, texts_with_specials())
    return st.lists(some, min_size=1, max_size=3).filter(lambda corpus: any(map(has_ordinary, corpus)))


def has_ordinary(text: str) -> bool:
    """Return whether a text contains more than special tokens."""
    return regex.sub(r"<s>>?|<\|end\|>", "", text) != ""


def sizes() -> SearchStrategy[int | None]:
    """Numbers of merges to learn; often None, for as many as possible."""
    return st.one_of(st.none(), st.integers(0, 12))
