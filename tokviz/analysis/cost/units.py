"""Length of a text in characters as people see them, and in words."""

import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from tokviz.arrays import BoolArray, Int64Array
from tokviz.positions import grapheme_offsets
from tokviz.texts import distinct, each_text, in_pieces, repair

# Characters that can share a grapheme cluster with a neighbor (UAX #29). Between any two others there is always a
# cluster boundary, except between CR and LF.
_JOINERS = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=Regional_Indicator}"
    r"\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
)


def character_count(text: str) -> int:
    r"""Count the characters a reader sees: grapheme clusters.

    Equals `len(grapheme_offsets(text)) - 1`, which examines every character; this function segments only the stretches
    around joining characters, which are few in most texts.

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
    # A line feed joins nothing, so all stretches can be counted as one text, separated by line feeds.
    in_stretches = len(grapheme_offsets("\n".join(stretches))) - len(stretches)
    return len(text) - sum(map(len, stretches)) + in_stretches


def _stretches_around(joiners: list[str], text: str) -> list[str]:
    """Stretches of `text` that hold joiners with their neighbors; stretches that touch are one."""
    is_joiner = np.zeros(sys.maxunicode + 1, bool)
    is_joiner[list(map(ord, joiners))] = True
    near = np.zeros(len(text) + 2, bool)  # with a place before the text and one after it
    start = 1
    for piece in in_pieces(text):
        end = start + len(piece)
        joins = is_joiner[np.frombuffer(piece.encode("utf-32-le"), np.uint32)]
        for shift in (-1, 0, 1):
            near[start + shift : end + shift] |= joins
        start = end
    near[[0, -1]] = False
    bounds = np.flatnonzero(near[1:] != near[:-1]).tolist()
    return [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]


# Words

_Flags = npt.NDArray[np.uint16]

# What a character is to the rules: values of its property Word_Break, and others below.
_LETTER, _HEBREW, _NUMERIC, _KATAKANA, _CONNECTOR = 1, 2, 4, 8, 16
_BETWEEN_LETTERS, _BETWEEN_DIGITS, _SINGLE_QUOTE, _DOUBLE_QUOTE = 32, 64, 128, 256
_LINE_END, _IGNORED, _ZWJ, _PICTOGRAPH = 512, 1024, 2048, 4096
_MAKES_WORD, _IS_LETTER, _UNSPACED = 8192, 16384, 32768

# Scripts without spaces between words.
_UNSPACED_SCRIPTS = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}\p{Javanese}\p{Balinese}"
)
_CLASSES = {
    _LETTER: r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]",
    _HEBREW: r"\p{WB=Hebrew_Letter}",
    _NUMERIC: r"\p{WB=Numeric}",
    _KATAKANA: r"\p{WB=Katakana}",
    _CONNECTOR: r"\p{WB=ExtendNumLet}",
    _BETWEEN_LETTERS: r"[\p{WB=MidLetter}\p{WB=MidNumLet}\p{WB=Single_Quote}]",
    _BETWEEN_DIGITS: r"[\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}]",
    _SINGLE_QUOTE: r"\p{WB=Single_Quote}",
    _DOUBLE_QUOTE: r"\p{WB=Double_Quote}",
    _LINE_END: r"[\p{WB=CR}\p{WB=LF}\p{WB=Newline}]",
    _IGNORED: r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]",
    _ZWJ: r"\p{WB=ZWJ}",
    _PICTOGRAPH: r"\p{Extended_Pictographic}",
    _MAKES_WORD: r"[\p{L}\p{Nl}\p{Nd}]",
    _IS_LETTER: r"\p{L}",
    _UNSPACED: rf"(?V1)[[{_UNSPACED_SCRIPTS}]&&\p{{L}}]",
}

# Code points whose flags are found together: 2 to this power.
_BLOCK_BITS = 10


class Words(NamedTuple):
    """The words of a text: the code points at which each starts and ends, and what the text's letters are.

    `unspaced` of the `letters` belong to scripts that put no spaces between words.
    """

    starts: Int64Array
    ends: Int64Array
    letters: int
    unspaced: int


def words_of(text: str) -> Words:
    """Find the words of `text`, which must have no surrogates.

    >>> [text[start:end] for text in ["I don't owe $1,234.56"] for start, end in zip(*words_of(text)[:2])]
    ['I', "don't", 'owe', '1,234.56']
    """
    flags = _flags_of(text)
    starts = _segment_starts(flags)
    ends = np.append(starts, len(flags))[1:]
    if len(starts):
        is_word = np.bitwise_or.reduceat(flags & _MAKES_WORD, starts).astype(bool)
        starts, ends = starts[is_word], ends[is_word]
    return Words(starts, ends, _count(flags, _IS_LETTER), _count(flags, _UNSPACED))


def word_count(text: str) -> int | None:
    """Count the words of a text; None if most of its letters are of scripts that put no spaces between words.

    >>> word_count("I'm sure it's John's e-mail"), word_count("世界")
    (6, None)
    """
    text, _ = repair(text)
    if not text.isascii():
        letters = unspaced = 0
        for piece in in_pieces(text):
            flags = _flags_of(piece)
            letters += _count(flags, _IS_LETTER)
            unspaced += _count(flags, _UNSPACED)
        if not puts_spaces(letters, unspaced):
            return None
    return sum(len(words_of(part).starts) for part in each_text(text, cut_at_spaces=True))


def puts_spaces(letters: int, unspaced: int) -> bool:
    """Whether words can be counted in a text with so many letters, `unspaced` of them of scripts without spaces."""
    return 2 * unspaced <= letters


def _count(flags: _Flags, flag: int) -> int:
    return int(np.count_nonzero(flags & flag))


def _segment_starts(flags: _Flags) -> Int64Array:
    """Return where segments with letters or digits start; others, such as flags and spaces, may be cut further.

    The numbers are those of the rules in UAX #29.
    """
    attached = (flags & _IGNORED) != 0
    if not attached.any():
        return np.flatnonzero(~_joined(flags))
    # WB4: marks belong to the character before them, but for those at the start of the text or of a line.
    attached[:1] = False
    attached[1:] &= (flags[:-1] & _LINE_END) == 0
    places = np.flatnonzero(~attached)
    joined = _joined(flags[places])
    # WB3c: a zero-width joiner right before a pictograph.
    joined |= ((flags[places] & _PICTOGRAPH) != 0) & ((flags[places - 1] & _ZWJ) != 0)
    joined[:1] = False
    starts: Int64Array = places[~joined]
    return starts


def _joined(seen: _Flags) -> BoolArray:
    """For each character, whether it belongs to the one before it."""
    joined = np.zeros(len(seen), bool)
    occurring = int(np.bitwise_or.reduce(seen))
    for left, right in (
        (_LETTER | _NUMERIC, _LETTER | _NUMERIC),  # WB5, WB8, WB9, WB10
        (_HEBREW, _SINGLE_QUOTE),  # WB7a
        (_KATAKANA, _KATAKANA),  # WB13
        (_LETTER | _NUMERIC | _KATAKANA | _CONNECTOR, _CONNECTOR),  # WB13a
        (_CONNECTOR, _LETTER | _NUMERIC | _KATAKANA),  # WB13b
    ):
        if occurring & left and occurring & right:
            joined[1:] |= ((seen[:-1] & left) != 0) & ((seen[1:] & right) != 0)
    middle = _middles(seen)
    joined[middle] = joined[middle + 1] = True
    return joined


def _middles(seen: _Flags) -> Int64Array:
    """Places of the characters that join the one before and the one after: the apostrophe of `don't`."""
    inner = seen[1:-1]
    middle = np.flatnonzero(inner & (_BETWEEN_LETTERS | _BETWEEN_DIGITS | _DOUBLE_QUOTE)) + 1
    here, around = seen[middle], seen[middle - 1] & seen[middle + 1]
    joins = (
        (((here & _BETWEEN_LETTERS) != 0) & ((around & _LETTER) != 0))  # WB6, WB7
        | (((here & _DOUBLE_QUOTE) != 0) & ((around & _HEBREW) != 0))  # WB7b, WB7c
        | (((here & _BETWEEN_DIGITS) != 0) & ((around & _NUMERIC) != 0))  # WB11, WB12
    )
    found: Int64Array = middle[joins]
    return found


class FlagTable:
    """Flags by code point, found for 1,024 code points at a time, when one of them is first looked up.

    All together take 0.1 s, in which a key press would wait; those of a text in English take 2 ms.
    """

    def __init__(self) -> None:
        self._flags = np.zeros(sys.maxunicode + 1, np.uint16)
        self.is_known = np.zeros((sys.maxunicode + 1) >> _BLOCK_BITS, bool)
        # Planes 0 to 3 hold all characters that are assigned or planned for, 14 format characters; others no flags.
        for start, end in ((0x40000, 0xE0000), (0xE1000, sys.maxunicode + 1)):
            self.is_known[start >> _BLOCK_BITS : end >> _BLOCK_BITS] = True

    def look_up(self, code_points: npt.NDArray[np.uint32]) -> _Flags:
        """Return the flags of each code point."""
        is_wanted = np.zeros_like(self.is_known)
        is_wanted[code_points >> _BLOCK_BITS] = True
        for block in np.flatnonzero(is_wanted & ~self.is_known).tolist():
            self._find(block)
        return self._flags[code_points]

    def _find(self, block: int) -> None:
        start = block << _BLOCK_BITS
        characters = "".join(map(chr, range(start, start + (1 << _BLOCK_BITS))))
        for flag, pattern in _CLASSES.items():
            for match in regex.finditer(f"{pattern}+", characters):
                self._flags[start + match.start() : start + match.end()] |= flag
        self.is_known[block] = True


_TABLE = FlagTable()


def _flags_of(text: str) -> _Flags:
    """Flags of each code point, looked up in pieces, since NumPy makes eight bytes of each number to look up."""
    found = np.empty(len(text), np.uint16)
    start = 0
    for piece in in_pieces(text):
        code_points = np.frombuffer(piece.encode("utf-32-le"), np.uint32)
        found[start : start + len(piece)] = _TABLE.look_up(code_points)
        start += len(piece)
    return found
