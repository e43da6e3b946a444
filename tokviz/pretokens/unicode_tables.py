r"""One edition of the Unicode tables for every split pattern: tiktoken's, which Hugging Face's library shares.

Whether a character is a letter, a digit or a mark depends on the edition of Unicode, and Python's `regex`, which
matches our patterns, follows Unicode sooner than the libraries whose tokenizers we read and write: a letter of this
year is `\p{L}` to `regex` and unassigned to them. Before a pattern is matched in a text with such a character, its
character classes are rewritten, so that they say of these characters what tiktoken says of them.

tiktoken does not expose its tables, but they can be observed: text that its pattern doesn't match is missing from the
encoding. They are observed near the characters of a text, since all of Unicode takes 0.2 s.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

import regex
import tiktoken

from tokviz.texts import distinct

CATEGORIES = (
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
    "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
)  # fmt: skip
"""Unicode's general categories, but that of surrogates."""

# Planes 0 to 3 hold all characters that are assigned or planned for; 4 to 13 are empty, 14 to 16 settled.
_PLANES_END = 0x40000

_NEW_IN = {
    "\u037f": "7.0", "\u08b3": "8.0", "\u1c80": "9.0", "\u0860": "10.0", "\u0560": "11.0", "\u0c77": "12.0",
    "\u08be": "13.0", "\u0870": "14.0", "\u0cf3": "15.0", "\U0002ebf0": "15.1", "\u1c89": "16.0", "\u088f": "17.0",
    "\u0558": "18.0",
}  # fmt: skip

NEW_IN_EDITIONS = "".join(_NEW_IN)
"""A character that is new in each edition of Unicode, oldest first."""

_BLOCK = 0x400  # code points that are compared at a time, when a text has one of them
_CLASS = r"\\[pP](?:\{[^{}]*+\}|\w)|\\[dDhsSwW]"
_IN_SET = regex.compile(rf"\[:\^?\w++:\]|(?P<class>{_CLASS})|\\.|.", regex.DOTALL)
# What a pattern consists of. A name is no character, and neither is what a comment says.
_ITEM = regex.compile(
    rf"""
    (?P<class>{_CLASS})
    | (?P<set>\[\^?\]?(?:\\.|\[:\^?\w++:\]|[^\]\\])*+\])
    | (?P<edge>\\[bB])
    | (?P<name>\(\?\#[^)]*+\) | \(\?(?:P?<(?![=!])|P[=>]|&|\()[^>)]*+ | \\[gkL]<[^>]*+>)
    | (?P<character>\\(?:N\{{[^{{}}]*+\}}|x[0-9A-Fa-f]{{2}}|u[0-9A-Fa-f]{{4}}|U[0-9A-Fa-f]{{8}}) | [^\x00-\x7f])
    | \\. | .
    """,
    regex.VERBOSE | regex.DOTALL,
)
_FOLDS = regex.compile(r"\(\?[A-Za-z0-9]*i")
# Not rewritten, since their parts mean something else: verbose mode, sets within sets, and fuzzy matches. No file that
# is written holds such a pattern.
_UNREAD = regex.compile(r"\(\?[A-Za-z0-9]*(?:x|V1)|\{[^{}]*[<=:]")


def rewritten(pattern: str, text: str) -> str:
    """Return a pattern with which `regex` matches a text as it would with tiktoken's tables.

    It is `pattern` itself, which must compile, if the text has no character on which the two differ.
    """
    blocks = _disputed_blocks(text)
    return _rewritten(pattern, blocks) if blocks else pattern


def is_disputed(text: str) -> bool:
    """Return whether `regex` and tiktoken differ on a character of a text."""
    return bool(_disputed_blocks(text))


def known_to_tiktoken(text: str) -> str:
    """Return the characters of a text that are assigned in tiktoken's edition."""
    return bytes(_in_tiktoken(r"\P{Cn}+").encode_ordinary(text)).decode()


def edition_of_tiktoken() -> str:
    """Return the number of tiktoken's edition of Unicode."""
    return _NEW_IN[known_to_tiktoken(NEW_IN_EDITIONS)[-1]]


def _disputed_blocks(text: str) -> frozenset[int]:
    """Return the blocks of the characters of a text on which the two differ."""
    if text.isascii():
        return frozenset()
    points: dict[int, set[int]] = {}
    for point in map(ord, distinct(text)):
        if 0x80 <= point < _PLANES_END:
            points.setdefault(point // _BLOCK, set()).add(point)
    return frozenset([block for block, found in points.items() if not _disputed(block).keys().isdisjoint(found)])


@cache
def _disputed(block: int) -> Mapping[int, str]:
    """Return code point -> category in tiktoken, for every character of a block on which the two differ."""
    points = range(block * _BLOCK, (block + 1) * _BLOCK)
    candidates = "".join(chr(point) for point in points if point >= 0x80 and not 0xD800 <= point < 0xE000)
    ours = ["".join(regex.findall(some, candidates)) for some in _HALVES]
    theirs = [bytes(_in_tiktoken(some).encode_ordinary(candidates)).decode() for some in _HALVES]
    disputed = set().union(*(set(some) ^ set(other) for some, other in zip(ours, theirs, strict=True) if some != other))
    numbers = {char: sum((char in some) << bit for bit, some in enumerate(theirs)) for char in disputed}
    return {ord(char): CATEGORIES[number] for char, number in numbers.items()}


# Those whose number has a bit, for each bit: so five questions tell the category.
_HALVES = tuple(
    "[{}]+".format("".join(rf"\p{{{name}}}" for number, name in enumerate(CATEGORIES) if number >> bit & 1))
    for bit in range(len(CATEGORIES).bit_length())
)


@cache
def _in_tiktoken(pattern: str) -> tiktoken.Encoding:
    ranks = {bytes([value]): value for value in range(256)}
    return tiktoken.Encoding("classes", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@lru_cache(maxsize=256)
def _rewritten(pattern: str, blocks: frozenset[int]) -> str:
    if _UNREAD.search(pattern):
        return pattern
    by_category: dict[str, list[int]] = {}
    for point, category in sorted(item for block in blocks for item in _disputed(block).items()):
        by_category.setdefault(category, []).append(point)
    groups = {category: f"[{_ranges(points)}]" for category, points in by_category.items()}
    every = f"[{_ranges(sorted(point for points in by_category.values() for point in points))}]"
    folds = _FOLDS.search(pattern) is not None

    def of_one(item: str) -> str:
        """Rewrite what matches one character."""
        unfold = "(?-i:{})" if folds else "{}"
        theirs = (f"(?={points}){unfold.format(_as_seen(item, category))}" for category, points in groups.items())
        return f"(?:(?!{every}){item}|{'|'.join(theirs)})"

    def of_any(found: "regex.Match[str]") -> str:
        if found["edge"]:
            word = of_one(r"\w")
            after_word, elsewhere = ("=", "!") if found[0] == r"\B" else ("!", "=")
            return f"(?:(?<={word})(?{after_word}{word})|(?<!{word})(?{elsewhere}{word}))"
        return of_one(found[0]) if found["class"] or found["set"] or (found["character"] and folds) else found[0]

    return str(_ITEM.sub(of_any, pattern))


def _as_seen(item: str, category: str) -> str:
    """Write a class, a set or a character for characters of this category alone.

    A class has them all or none: as a set, `\\x00` alone or up to the last code point, which they can't tell apart.
    """

    def settled(found: "regex.Match[str]") -> str:
        is_class = found["class"] or found[0].startswith("[:")
        return _has(found[0], category) if is_class else found[0]

    if not item.startswith("["):
        return f"[{_has(item, category)}]" if regex.fullmatch(_CLASS, item) else item
    return f"[{_IN_SET.sub(settled, item[1:-1])}]"


@lru_cache(maxsize=1_000)
def _has(class_: str, category: str) -> str:
    return r"\x00-\U0010ffff" if regex.match(f"[{class_}]", _example(category)) else r"\x00"


@cache
def _example(category: str) -> str:
    """Return a character of a category that is disputed by nobody. Those from U+0250 on are Latin, if there are any."""
    text = "".join(chr(point) for point in range(0x250, 0xD800))
    found: list[str] = regex.findall(rf"\p{{{category}}}", text)
    return next(each for each in found if not is_disputed(each))


def _ranges(points: list[int]) -> str:
    """Write ascending code points as the inside of a set."""
    ranges: list[list[int]] = []
    for point in points:
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(chr(first) if first == last else f"{chr(first)}-{chr(last)}" for first, last in ranges)
