"""Classes of text: white space, numbers, endings like 's, punctuation, emoji, letters by script.

Every token has one class, that of its first character that isn't white space, so the tokens of all classes add up to
the tokens of the text.
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

# The scripts in general use today, as UAX #31 lists them (table 5). Katakana comes first: the mark of its long vowels
# stands with Hiragana, too, but seldom.
_SCRIPTS = (
    "Latin", "Cyrillic", "Greek", "Han", "Katakana", "Hiragana", "Hangul", "Arabic", "Devanagari", "Armenian",
    "Bengali", "Bopomofo", "Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao",
    "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
)  # fmt: skip

# In the order in which they are tried. What a character's neighbors decide comes after, in `_classes_of_characters`.
_PATTERNS = {
    "white space": r"\p{White_Space}",
    "emoji": r"[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}]",
    "numbers": r"\p{N}",
    "punctuation and symbols": r"[\p{P}\p{S}]",
    **{f"{script} letters": rf"[\p{{L}}\p{{M}}&&\p{{Script_Extensions={script}}}]" for script in _SCRIPTS},
    "other letters": r"\p{L}",
    "other": r"(?s:.)",
}

CLASSES: tuple[str, ...] = (
    "white space", "numbers", "endings like 's", "punctuation and symbols", "emoji",
    *(f"{script} letters" for script in _SCRIPTS), "other letters", "other",
)  # fmt: skip
"""The classes, in the order in which `token_classes` and `class_counts` number them."""

_NUMBER = {name: number for number, name in enumerate(CLASSES)}
_WHITE_SPACE, _ENDING, _EMOJI = (_NUMBER[name] for name in ("white space", "endings like 's", "emoji"))

# The endings that OpenAI's patterns know; in running text, so that the quote in 'so' is none.
_ENDINGS = regex.compile(r"['’](?<=\p{L}['’])(?i:[sdmt]|ll|ve|re)(?!\p{L})")
# A character that is text by itself, but asked to be an emoji (UTS #51).
_ASKED_TO_BE_EMOJI = regex.compile(r"\p{Emoji}\ufe0f")
# What belongs to the character before it: accents, vowel signs, joiners, skin tones.
_JOINS_THE_LAST = regex.compile(r"[\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=SpacingMark}\u200d]")


def token_classes(tokenization: Tokenization) -> ClassColumn:
    """The class of each token, as an index into `CLASSES` (uint8, one per token).

    It is the class of the token's first character that isn't white space; a token that begins in the middle of a
    character begins with that character. A token without bytes ends a word, and has the class of the word's last
    character.

    >>> import tokviz
    >>> [CLASSES[number] for number in token_classes(tokviz.load("gpt2").tokenize("It's 7 !"))]
    ['Latin letters', "endings like 's", 'numbers', 'punctuation and symbols']
    """
    by_byte = byte_classes(tokenization.text)
    return classes_of_ranges(by_byte, tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:])


def class_counts(tokenization: Tokenization) -> Int64Array:
    """How many tokens are of each class (one entry for each of `CLASSES`). The sum is the number of tokens."""
    return np.bincount(token_classes(tokenization), minlength=len(CLASSES))


def classes_of_ranges(by_byte: ClassColumn, starts: npt.NDArray[np.int32], ends: npt.NDArray[np.int32]) -> ClassColumn:
    """The classes of ranges of bytes, by the classes of the bytes: what `token_classes` says, for any ranges."""
    size = len(by_byte)
    ink = np.where(by_byte == _WHITE_SPACE, size, np.arange(size, dtype=np.int32))
    next_ink = np.append(np.minimum.accumulate(ink[::-1])[::-1], size)[starts]
    classes = np.full(len(starts), _WHITE_SPACE, np.uint8)
    inked = next_ink < ends
    classes[inked] = by_byte[next_ink[inked]]
    empty = (starts == ends) & (starts > 0)
    classes[empty] = by_byte[starts[empty] - 1]
    return classes


def byte_classes(text: str) -> ClassColumn:
    """The class of the character that each byte of the text's UTF-8 belongs to."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    sizes = 1 + (codes >= 0x80).astype(np.uint8) + (codes >= 0x800) + (codes >= 0x10000)
    by_byte: ClassColumn = np.repeat(_classes_of_characters(text, codes), sizes)
    return by_byte


def _classes_of_characters(text: str, codes: npt.NDArray[np.uint32]) -> ClassColumn:
    present = distinct(text)
    table = np.zeros(max(map(ord, present), default=0) + 1, np.uint8)
    for char in present:
        table[ord(char)] = _class_of(char)
    classes: ClassColumn = table[codes]
    for match in _ENDINGS.finditer(text):
        classes[match.start() : match.end()] = _ENDING
    if "\ufe0f" in present:
        classes[[match.start() for match in _ASKED_TO_BE_EMOJI.finditer(text)]] = _EMOJI
    joining = _JOINS_THE_LAST.findall("".join(present))
    if joining:
        joins = np.isin(codes, np.array(list(map(ord, joining)), np.uint32))
        base = np.maximum.accumulate(np.where(joins, 0, np.arange(len(codes))))
        joins &= classes[base] != _WHITE_SPACE
        classes = np.where(joins, classes[base], classes)
    return classes


@cache
def _class_of(char: str) -> int:
    """The class of a character by itself."""
    return next(_NUMBER[name] for name, pattern in _compiled().items() if pattern.match(char))


@cache
def _compiled() -> "dict[str, regex.Pattern[str]]":
    # V1 has the intersection of sets.
    return {name: regex.compile(pattern, regex.VERSION1) for name, pattern in _PATTERNS.items()}
