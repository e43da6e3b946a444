"""How long a text is, in the units that people think in: characters, words, context windows."""

import re
from collections import Counter

import regex

from tokviz.positions import grapheme_offsets
from tokviz.texts import distinct, in_pieces

# What can be in one grapheme cluster with its neighbor (UAX #29). Between two other characters there is always a
# cluster's end, save between CR and LF.
_JOINERS = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
)

_MARKS = r"\p{M}\p{Join_Control}"
WORD = regex.compile(rf"[{_MARKS}]*+(\w+)|[{_MARKS}]++")
r"""What counts as a word, in a group: a match of `\w+`, but not one of marks and joiners alone, as emoji hold them.

These are matched, too, without the group: tried again from each mark, a run of them would take quadratic time.
"""

IN_WORD = regex.compile(r"\w")
MAKES_WORD = regex.compile(rf"[^\W{_MARKS}]")
"""What can stand in a word, and of that what must: each word has at least one character of the second kind."""

# Scripts whose words stand side by side without a space.
UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}\p{Javanese}\p{Balinese}]"
)


def character_count(text: str) -> int:
    """How many characters a reader sees: grapheme clusters.

    The same as `len(grapheme_offsets(text)) - 1`, which looks at every character; this looks closely only at stretches
    that hold something that joins, and most texts have few.

    >>> character_count("e\u0301\r\n🇪🇺")
    3
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return len(text)
    joiners = _JOINERS.findall("".join(distinct(text)))
    if not joiners:
        return len(text)
    stretches = _stretches_around(joiners, text)
    # A line feed joins nothing, so the stretches can be looked at in one row, with line feeds between them.
    in_stretches = len(grapheme_offsets("\n".join(stretches))) - len(stretches)
    return len(text) - sum(map(len, stretches)) + in_stretches


def _stretches_around(joiners: list[str], text: str) -> list[str]:
    """The joiners in `text`, each with its neighbors; where these touch, in one piece."""
    one_of = "".join(map(re.escape, sorted(joiners)))
    return re.findall(f"[^{one_of}]?(?:[{one_of}]+[^{one_of}]?)+", text)


def word_count(text: str) -> int | None:
    """How many words there are, as `WORD` has them; None for a text in scripts that don't space their words.

    >>> word_count("two words"), word_count("世界")
    (2, None)
    """
    return None if _is_mostly_unspaced(text) else sum(match.lastindex is not None for match in WORD.finditer(text))


def _is_mostly_unspaced(text: str) -> bool:
    if text.isascii():
        return False
    characters: Counter[str] = Counter()
    for piece in in_pieces(text):
        characters.update(piece)
    letters = {char: times for char, times in characters.items() if char.isalpha()}
    unspaced = sum(times for char, times in letters.items() if UNSPACED.match(char))
    return 2 * unspaced > sum(letters.values())


def windows_filled(tokens: int, window: int) -> int:
    """How many context windows of `window` tokens a text of `tokens` tokens needs, the last one perhaps in part.

    >>> windows_filled(671, 50)
    14
    """
    if window < 1:
        raise ValueError(f"a context window holds 1 token or more, not {window}")
    return -(-tokens // window)
