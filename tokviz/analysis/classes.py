"""Text classes: white space, numbers, endings like 's, punctuation, emoji, letters by script.

Every token has one class, that of its first non-white-space character, so the token counts of all classes add up to
the number of tokens in the text.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

from tokviz.arrays import Int64Array
from tokviz.texts import distinct
from tokviz.tokenization import Tokenization

ClassColumn = npt.NDArray[np.uint8]
"""Indices into `CLASSES`."""

# The scripts in general use today, as listed in UAX #31 (table 5). Katakana precedes Hiragana because its long vowel
# mark belongs to both scripts but is rare in Hiragana.
SCRIPTS = (
    "Latin", "Cyrillic", "Greek", "Han", "Katakana", "Hiragana", "Hangul", "Arabic", "Devanagari", "Armenian",
    "Bengali", "Bopomofo", "Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao",
    "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
)  # fmt: skip

# Tried in this order. `_classes_of_characters` then applies the rules that depend on a character's neighbors.
_PATTERNS = {
    "white space": r"\p{White_Space}",
    "emoji": r"[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}]",
    "numbers": r"\p{N}",
    "punctuation and symbols": r"[\p{P}\p{S}]",
    **{f"{script} letters": rf"[\p{{L}}\p{{M}}&&\p{{Script_Extensions={script}}}]" for script in SCRIPTS},
    "other letters": r"\p{L}",
    "other": r"(?s:.)",
}

CLASSES: tuple[str, ...] = (
    "white space", "numbers", "endings like 's", "punctuation and symbols", "emoji",
    *(f"{script} letters" for script in SCRIPTS), "other letters", "other",
)  # fmt: skip
"""Class names, in the order in which `token_classes` and `class_counts` number them."""

_NUMBER = {name: number for number, name in enumerate(CLASSES)}
_WHITE_SPACE, _ENDING, _EMOJI = (_NUMBER[name] for name in ("white space", "endings like 's", "emoji"))

# The endings in OpenAI's patterns, but only after a letter and not before one, so the quote in 'so' is not an ending.
_ENDINGS = regex.compile(r"['’](?<=\p{L}['’])(?i:[sdmt]|ll|ve|re)(?!\p{L})")
# A character with text presentation by default, followed by the emoji variation selector (UTS #51).
_EMOJI_STYLE = regex.compile(r"\p{Emoji}\ufe0f")
# Characters that extend the one before: accents, vowel signs, joiners, skin tones.
_EXTENDER = regex.compile(r"[\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=SpacingMark}\u200d]")


def token_classes(tokenization: Tokenization) -> ClassColumn:
    """Class of each token, as an index into `CLASSES` (uint8, one per token).

    A token has the class of its first non-white-space character; a token that begins in the middle of a character
    counts that character as its first. A token without bytes is an end-of-word mark and has the class of the word's
    last character.

    >>> import tokviz
    >>> [CLASSES[number] for number in token_classes(tokviz.load("gpt2").tokenize("It's 7 !"))]
    ['Latin letters', "endings like 's", 'numbers', 'punctuation and symbols']
    """
    by_byte = byte_classes(tokenization.text)
    return classes_of_ranges(by_byte, tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:])


def class_counts(tokenization: Tokenization) -> Int64Array:
    """Number of tokens in each class (one entry per entry of `CLASSES`). The sum is the number of tokens."""
    return np.bincount(token_classes(tokenization), minlength=len(CLASSES))


def classes_of_ranges(by_byte: ClassColumn, starts: npt.NDArray[np.int32], ends: npt.NDArray[np.int32]) -> ClassColumn:
    """Class of each byte range `starts` to `ends`, by the rule of `token_classes`, given each byte's class."""
    size = len(by_byte)
    visible = np.where(by_byte == _WHITE_SPACE, size, np.arange(size, dtype=np.int32))
    next_visible = np.append(np.minimum.accumulate(visible[::-1])[::-1], size)[starts]
    classes = np.full(len(starts), _WHITE_SPACE, np.uint8)
    has_visible = next_visible < ends
    classes[has_visible] = by_byte[next_visible[has_visible]]
    empty = (starts == ends) & (starts > 0)
    classes[empty] = by_byte[starts[empty] - 1]
    return classes


def byte_classes(text: str) -> ClassColumn:
    """Class of each byte of the text's UTF-8: that of the character it belongs to."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    sizes = 1 + (codes >= 0x80).astype(np.uint8) + (codes >= 0x800) + (codes >= 0x10000)
    chars = distinct(text)
    table = np.zeros(max(map(ord, chars), default=0) + 1, np.uint8)
    for char in chars:
        table[ord(char)] = _class_of(char)
    classes: ClassColumn = table[codes]
    for match in _ENDINGS.finditer(text):
        classes[match.start() : match.end()] = _ENDING
    if "\ufe0f" in chars:
        classes[[match.start() for match in _EMOJI_STYLE.finditer(text)]] = _EMOJI
    extenders = _EXTENDER.findall("".join(chars))
    if extenders:
        extends = np.isin(codes, np.array(list(map(ord, extenders)), np.uint32))
        base = np.maximum.accumulate(np.where(extends, 0, np.arange(len(codes))))
        extends &= classes[base] != _WHITE_SPACE
        classes = np.where(extends, classes[base], classes)
    by_byte: ClassColumn = np.repeat(classes, sizes)
    return by_byte


@cache
def _class_of(char: str) -> int:
    """Class of a character without regard to its neighbors."""
    return next(_NUMBER[name] for name, pattern in _compiled().items() if pattern.match(char))


@cache
def _compiled() -> "dict[str, regex.Pattern[str]]":
    # VERSION1 supports set intersection.
    return {name: regex.compile(pattern, regex.VERSION1) for name, pattern in _PATTERNS.items()}
