r"""One version of the Unicode tables for the named split patterns, although two regex engines are in use.

Whether a character is a letter, a digit or a mark depends on the version of Unicode. tiktoken and Python's `regex` are
built with different ones: a letter that Unicode added last year is `\p{L}` for one of them and unassigned for the
other, so a text that contains it would be split in two ways. tiktoken is the reference for OpenAI's patterns, so before
`regex` applies one, each character on which the two disagree is replaced by a stand-in of the class that tiktoken
assigns.

tiktoken does not expose its tables, but they can be observed: text that its pattern doesn't match is missing from the
encoding.
"""

from functools import lru_cache

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


def as_tiktoken_sees(text: str) -> str:
    """Replace each character of `text` that `regex` and tiktoken classify differently by a stand-in.

    Code points keep their places. If there is nothing to replace, returns `text` itself (the same object).
    """
    if text.isascii() or _stand_ins().keys().isdisjoint(set(map(ord, distinct(text)))):
        return text
    return text.translate(_stand_ins())


@lru_cache(maxsize=1)
def _stand_ins() -> dict[int, str]:
    """Return code point -> stand-in for every character on which the two disagree. Takes about 0.2 s, once."""
    # Planes 0 to 3 hold all characters that are assigned or planned for; 4 to 13 are empty, 14 to 16 settled.
    candidates = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x40000)]))
    found: dict[int, str] = {}
    for class_pattern, stand_in in _STAND_INS.items():
        ours = set(regex.findall(class_pattern, candidates))
        theirs = set(_matched_by_tiktoken(class_pattern, candidates))
        found |= {ord(char): stand_in for char in theirs - ours}
        for char in ours - theirs:
            found.setdefault(ord(char), _NO_CLASS)
    return found


def _matched_by_tiktoken(class_pattern: str, text: str) -> str:
    encoding = tiktoken.Encoding(
        "class", pat_str=f"{class_pattern}+", mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={}
    )
    return bytes(encoding.encode_ordinary(text)).decode()
