"""The reasons of a segment in words: one sentence that holds the actual pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tokviz.analysis.reasons import Reason, ends_word, has_marks, lacks, units_of
from tokviz.bpe_tokenizer import BPETokenizer
from tokviz.tokenizers import Tokenizer

# More than this is cut short in a sentence.
_MOST_PIECES = 12
_MOST_CHARACTERS = 40
_MOST_TOKENS = 3


class Crossing(NamedTuple):
    """A merge that joined `left` and `right` over a cut of the other tokenizer."""

    rank: int
    left: bytes
    right: bytes


@dataclass(frozen=True)
class Cut:
    """How a tokenizer, called `name`, cuts a segment.

    `ids` are those of its tokens, `pieces` the bytes that they cover, and `special` says which are special tokens.
    `pretokens` is what its split pattern leaves of the segment.
    """

    tokenizer: Tokenizer
    name: str
    ids: tuple[int, ...]
    pieces: tuple[bytes, ...]
    special: tuple[bool, ...]
    pretokens: tuple[bytes, ...]

    @cached_property
    def offsets(self) -> list[int]:
        """Where its tokens begin, in bytes from the segment's beginning, and where the last one ends."""
        return [0, *accumulate(map(len, self.pieces))]

    def first_crossing(self, other: "Cut") -> Crossing | None:
        """Its merge of lowest rank that removed a boundary which the other cut keeps, if there is one."""
        if not isinstance(self.tokenizer, BPETokenizer):
            return None
        cuts = other.offsets[1:-1]
        found = []
        for token, start, end in zip(self.ids, self.offsets, self.offsets[1:], strict=False):
            crossed = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
            if crossed:
                found += _crossings(self.tokenizer, token, start, frozenset(crossed))
        return min(found, default=None)


@dataclass(frozen=True)
class Explanation:
    """Why two tokenizers cut a segment differently, in a sentence.

    Where the reason is `Reason.ORDER`, `crossings` is the first merge of each tokenizer that crosses a cut of the
    other, None for one that has none; otherwise it is None twice.
    """

    reasons: Reason
    sentence: str
    crossings: tuple[Crossing | None, Crossing | None]


def explain(first: Cut, second: Cut, reasons: Reason) -> Explanation:
    """Put the reasons for which two cuts of a segment differ into a sentence."""
    crossings: tuple[Crossing | None, Crossing | None] = (None, None)
    pairs = ((first, second), (second, first))
    clauses = []
    if Reason.ALPHABET in reasons:
        clauses += [clause for pair in pairs for clause in _alphabet(*pair)]
    if Reason.SPLIT in reasons:
        clauses.append(_split(first, second))
    if Reason.VOCABULARY in reasons:
        clauses += [clause for pair in pairs for clause in _vocabulary(*pair)]
    if Reason.ORDER in reasons:
        crossings = first.first_crossing(second), second.first_crossing(first)
        clauses.append(_order((first, second), crossings))
    return Explanation(reasons, f"{_cuts(first)}, {_cuts(second)}: {'; '.join(clauses)}.", crossings)


def _crossings(tokenizer: BPETokenizer, token: int, start: int, cuts: frozenset[int]) -> list[Crossing]:
    """The merges within a token, which begins at `start`, that removed one of the boundaries `cuts`."""
    found = []
    waiting = [(tokenizer.tree(token), start)]
    while waiting:
        node, begin = waiting.pop()
        if node.rank is None or node.left is None or node.right is None:
            continue
        middle = begin + len(node.left.bytes)
        if middle in cuts:
            found.append(Crossing(node.rank, node.left.bytes, node.right.bytes))
        waiting += ((node.left, begin), (node.right, middle))
    return found


def _cuts(cut: Cut) -> str:
    return f"{cut.name} {'cuts' if len(cut.pieces) > 1 else 'keeps'} “{_shown(cut.pieces)}”"


def _alphabet(one: Cut, other: Cut) -> list[str]:
    """What is to say of the alphabet of one of the two."""
    units, others = units_of(one.tokenizer), units_of(other.tokenizer)
    clauses = []
    if units == "words" != others:
        clauses.append(f"{one.name} knows whole words only, {other.name} begins with {others}")
    specials = [piece for piece, special in zip(one.pieces, one.special, strict=True) if special]
    if specials and units != "words":
        clauses.append(f"{one.name} finds {_listed('special token', specials)} here")
    if units == "bytes" and others == "characters" and (char := _cut_character(one)):
        clauses.append(f"{one.name} begins with bytes and cuts the character “{char}”, which {other.name} can't")
    if one.tokenizer.rewriting != other.tokenizer.rewriting and _is_rewritten(one):
        clauses.append(f"{one.name} first {' and '.join(one.tokenizer.rewriting)}")
    if has_marks(one.tokenizer) and not has_marks(other.tokenizer) and _ends_a_word(one):
        clauses.append(f"{one.name} ends every word with a mark, a symbol that {other.name} doesn't have")
    return clauses


def _split(first: Cut, second: Cut) -> str:
    one, other = (
        f"cuts it into “{_shown(cut.pretokens)}”" if len(cut.pretokens) > 1 else "leaves it whole"
        for cut in (first, second)
    )
    stages = f"before any merge, {first.name}'s split pattern {one} and {second.name}'s {other}"
    return f"{stages}; if one had the other's pattern, they would agree here"


def _vocabulary(one: Cut, other: Cut) -> list[str]:
    """What `one` uses and `other` lacks, in the order of the text."""
    lacking = [
        one.tokenizer.vocab[token]
        for token, special in zip(one.ids, one.special, strict=True)
        if not special and lacks(other.tokenizer, one.tokenizer, token)
    ]
    return [f"{one.name} has the {_listed('token', lacking)}, and {other.name} hasn't"] if lacking else []


def _order(cuts: tuple[Cut, Cut], crossings: tuple[Crossing | None, Crossing | None]) -> str:
    merges = []
    for cut, other, crossing in zip(cuts, cuts[::-1], crossings, strict=True):
        if crossing is not None and isinstance(cut.tokenizer, BPETokenizer):
            joined = f"{_visible(crossing.left)} + {_visible(crossing.right)}"
            place = f"merge {crossing.rank + 1:,} of {cut.tokenizer.num_merges:,}"
            merges.append(f"{cut.name}'s first merge over a cut of {other.name} is “{joined}” ({place})")
    return "; ".join(["both have all these tokens but join them in another order", *merges])


def _is_rewritten(cut: Cut) -> bool:
    """Whether some of its tokens have other bytes than those that they cover."""
    return any(cut.tokenizer.vocab[token] != piece for token, piece in zip(cut.ids, cut.pieces, strict=True))


def _ends_a_word(cut: Cut) -> bool:
    return any(ends_word(cut.tokenizer, token) for token in cut.ids)


def _cut_character(cut: Cut) -> str:
    """The first character that the cut goes through; empty if there is none."""
    data = b"".join(cut.pieces)
    place = next((offset for offset in cut.offsets[1:-1] if _continues(data[offset : offset + 1])), None)
    if place is None:
        return ""
    while _continues(data[place : place + 1]):
        place -= 1
    return data[place : place + 4].decode("utf-8", "ignore")[:1]


def _continues(byte: bytes) -> bool:
    """Whether a byte of UTF-8 continues a character. The text's end, where there is none, doesn't."""
    return b"\x80" <= byte <= b"\xbf"


def _listed(noun: str, tokens: Sequence[bytes]) -> str:
    """The tokens with their noun, each once and not too many."""
    names = [f"“{_visible(token)}”" for token in dict.fromkeys(tokens)]
    more = len(names) - _MOST_TOKENS
    listed = ", ".join(names[:_MOST_TOKENS]) + (f" and {more:,} more" if more > 0 else "")
    return f"{noun}{'s' if len(names) > 1 else ''} {listed}"


def _shown(pieces: Sequence[bytes]) -> str:
    """The pieces with `|` between them; only the first of many."""
    return "|".join([*map(_visible, pieces[:_MOST_PIECES]), *(["…"] if len(pieces) > _MOST_PIECES else [])])


_MARKS = {" ": "·", "\n": "↵", "\t": "→"}


def _visible(piece: bytes) -> str:
    """Bytes as people can read them: white space drawn, what is no whole character or can't be seen as escapes."""
    chars = [_visible_char(char) for char in piece.decode("utf-8", "backslashreplace")]
    return "".join(chars[:_MOST_CHARACTERS]) + ("…" if len(chars) > _MOST_CHARACTERS else "")


def _visible_char(char: str) -> str:
    return _MARKS.get(char) or (char if char.isprintable() else char.encode("unicode_escape").decode())
