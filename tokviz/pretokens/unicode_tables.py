r"""One version of the Unicode tables for the named split patterns, although two regex engines are in use.

Whether a character is a letter, a digit or a mark depends on the version of Unicode. tiktoken and Python's `regex` are
built with different ones: a letter that Unicode added last year is `\p{L}` for one of them and unassigned for the
other, so a text that contains it would be split in two ways. tiktoken is the reference for OpenAI's patterns, so before
`regex` applies one, each character on which the two disagree is replaced by a stand-in of the class that tiktoken
assigns.

tiktoken does not expose its tables, but they can be observed: text that its pattern doesn't match is missing from the
encoding.
"""

from functools import cache

import regex
import tiktoken

from tokviz.texts import distinct

# For each class in a named pattern, a character that every version of Unicode puts there, and that no branch of a named
# pattern mentions by itself (as they do the letters of contractions).
_STAND_INS = {
    r"\p{Lu}": "B",
    r"\p{Ll}": "b",
    r"\p{Lt}": "\N{LATIN CAPITAL LETTER D WITH SMALL LETTER Z}",
    r"\p{Lm}": "\N{MODIFIER LETTER SMALL H}",
    r"\p{Lo}": "\N{HEBREW LETTER ALEF}",
    r"\p{M}": "\N{COMBINING ACUTE ACCENT}",
    r"\p{N}": "0",
    r"\s": "\N{EM SPACE}",
}
_NO_CLASS = "\ue000"  # private use: neither letter, digit, mark nor white space in any version


# Planes 0 to 3 hold all characters that are assigned or planned for; 4 to 13 are empty, 14 to 16 settled.
_PLANES_END = 0x40000

_BLOCK = 0x400
"""Code points that are compared at a time, when a text has one of them: all of them take 0.2 s."""


def as_tiktoken_sees(text: str) -> str:
    """Replace each character of `text` that `regex` and tiktoken classify differently by a stand-in.

    Code points keep their places. If there is nothing to replace, returns `text` itself (the same object).
    """
    if text.isascii():
        return text
    points = set(map(ord, distinct(text)))
    blocks = {point // _BLOCK for point in points if point < _PLANES_END}
    needed: dict[int, str] = {}
    for block in blocks:
        stand_ins = _stand_ins(block)
        if not stand_ins.keys().isdisjoint(points):
            needed |= stand_ins
    return text.translate(needed) if needed else text


@cache
def _stand_ins(block: int) -> dict[int, str]:
    """Return code point -> stand-in for every character of a block on which the two disagree."""
    points = range(block * _BLOCK, (block + 1) * _BLOCK)
    candidates = "".join(chr(point) for point in points if point >= 0x80 and not 0xD800 <= point < 0xE000)
    found: dict[int, str] = {}
    for class_pattern, stand_in in _STAND_INS.items():
        ours = "".join(regex.findall(class_pattern, candidates))
        theirs = bytes(_class_in_tiktoken(class_pattern).encode_ordinary(candidates)).decode()
        if ours != theirs:
            found |= {ord(char): stand_in for char in set(theirs) - set(ours)}
            for char in set(ours) - set(theirs):
                found.setdefault(ord(char), _NO_CLASS)
    return found


@cache
def _class_in_tiktoken(class_pattern: str) -> tiktoken.Encoding:
    ranks = {bytes([value]): value for value in range(256)}
    return tiktoken.Encoding("class", pat_str=f"{class_pattern}+", mergeable_ranks=ranks, special_tokens={})
