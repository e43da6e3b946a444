"""The reasons of a segment in words: one sentence that holds the actual pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tokviz.analysis.reasons import Effect, Reason, added_ids, effects_alone, ends_word, has_marks, lacks, units_of
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

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

    `ids` are those of its tokens, `pieces` the bytes that they cover, `shown` what to call them, and `special` says
    which are special tokens.
    `pretokens` is what its split patterns leave of the segment, `swapped` the pieces with those of the other tokenizer;
    both are empty where the split patterns are no cause.
    """

    tokenizer: Tokenizer
    name: str
    split_patterns: tuple[str, ...]
    ids: tuple[int, ...]
    pieces: tuple[bytes, ...]
    shown: tuple[bytes, ...]
    special: tuple[bool, ...]
    pretokens: tuple[bytes, ...]
    swapped: tuple[bytes, ...]

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

    Where `Reason.ORDER` is among the reasons, `crossings` is the first merge of each tokenizer that crosses a cut of
    the other, None for one that has none; otherwise it is None twice. `split_effects` is what giving each of the two
    the other's split pattern does.
    """

    reasons: Reason
    sentence: str
    crossings: tuple[Crossing | None, Crossing | None]
    split_effects: tuple[Effect, Effect]

    @property
    def alone(self) -> dict[Reason, Effect]:
        """For each of the reasons, what exchanging that alone does (see `effects_alone`)."""
        return {
            reason: effect for reason, effect in effects_alone(self.split_effects).items() if reason in self.reasons
        }


def explain(first: Cut, second: Cut, reasons: Reason, split_effects: tuple[Effect, Effect]) -> Explanation:
    """Put the reasons for which two cuts of a segment differ into words.

    `split_effects` is what giving each of the two the other's split pattern does.
    """
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
    sentence = f"{_cuts(first)}, {_cuts(second)}: {'; '.join(clauses)}."
    if first.split_patterns != second.split_patterns:
        sentence = f"{sentence} {_exchanged((first, second), reasons, split_effects)}"
    return Explanation(reasons, sentence, crossings, split_effects)


_EFFECTS = {
    Effect.NOTHING: "changes nothing here",
    Effect.CHANGES: "changes the cut, but they still differ",
    Effect.AGREES: "makes them agree here",
}


def _exchanged(cuts: tuple[Cut, Cut], reasons: Reason, split_effects: tuple[Effect, Effect]) -> str:
    """What exchanging one thing alone does, in a sentence; if that is not enough, with the cuts that it leads to."""
    effects = effects_alone(split_effects)
    split, rest = effects[Reason.SPLIT], effects[Reason.VOCABULARY]
    rewrites_alike = cuts[0].tokenizer.rewriting == cuts[1].tokenizer.rewriting
    if split is rest:
        the_rest = "the other's tokens alone" if rewrites_alike else "all else of the other"
        said = f"Giving one the other's split pattern alone, or {the_rest}, {_EFFECTS[split]}"
    else:
        the_rest = "only the tokens" if rewrites_alike else "all the rest"
        said = f"Giving one the other's split pattern alone {_EFFECTS[split]}; giving it {the_rest} {_EFFECTS[rest]}"
    if split is not Effect.CHANGES or Reason.SPLIT not in reasons:
        return f"{said}."
    first, second = cuts
    swapped = [
        f"with {other.name}'s pattern, {one.name} would cut “{_shown(one.swapped)}”"
        for one, other in ((first, second), (second, first))
    ]
    return f"{said}. Both act together: {'; '.join(swapped)}."


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
    return f"{cut.name} {'cuts' if len(cut.pieces) > 1 else 'keeps'} “{_shown(cut.shown)}”"


def _alphabet(one: Cut, other: Cut) -> list[str]:
    """What is to say of the alphabet of one of the two."""
    units, others = units_of(one.tokenizer), units_of(other.tokenizer)
    clauses = []
    if units == "words" != others:
        clauses.append(f"{one.name} knows whole words only, {other.name} begins with {others}")
    specials = [token for token, special in enumerate(one.special) if special]
    if specials and units != "words":
        clauses.append(f"{one.name} finds {_cut_out(one, 'special token', specials)} here")
    ids = added_ids(one.tokenizer)
    added = [number for number, token in enumerate(one.ids) if token in ids]
    if added:
        clauses.append(f"{one.name} cuts out {_cut_out(one, 'added token', added)} before anything is merged")
    if units == "bytes" and others == "characters" and (char := _cut_character(one)):
        clauses.append(
            f"{one.name} begins with bytes and cuts the character “{_visible_char(char)}”, which {other.name} can't"
        )
    if one.tokenizer.rewriting != other.tokenizer.rewriting and _is_rewritten(one):
        clauses.append(f"{one.name} first {' and '.join(one.tokenizer.rewriting)}")
    if has_marks(one.tokenizer) and not has_marks(other.tokenizer) and _ends_a_word(one):
        clauses.append(f"{one.name} ends every word with a mark, a symbol that {other.name} doesn't have")
    return clauses


def _cut_out(cut: Cut, noun: str, tokens: Sequence[int]) -> str:
    """Those of a cut's tokens that are cut out, by number, with the white space that they take in."""
    covered, own = ([of[token] for token in tokens] for of in (cut.pieces, _own_bytes(cut)))
    names = [its_own if its_own in piece else piece for piece, its_own in zip(covered, own, strict=True)]
    return f"the {_listed(noun, names)}{' and the white space beside it' if names != covered else ''}"


def _own_bytes(cut: Cut) -> list[bytes]:
    return [cut.tokenizer.vocab[token] for token in cut.ids]


def _split(first: Cut, second: Cut) -> str:
    one, other = (
        f"cuts it into “{_shown(cut.pretokens)}”" if len(cut.pretokens) > 1 else "leaves it whole"
        for cut in (first, second)
    )
    return f"before any merge, {first.name}'s split pattern {one} and {second.name}'s {other}"


def _vocabulary(one: Cut, other: Cut) -> list[str]:
    """What `one` uses and `other` lacks, in the order of the text."""
    added = added_ids(one.tokenizer)
    lacking = [
        one.tokenizer.vocab[token]
        for token, special in zip(one.ids, one.special, strict=True)
        if not special and token not in added and lacks(other.tokenizer, one.tokenizer, token)
    ]
    return [f"{one.name} has the {_listed('token', lacking)}, and {other.name} hasn't"] if lacking else []


def _order(cuts: tuple[Cut, Cut], crossings: tuple[Crossing | None, Crossing | None]) -> str:
    wholes = [f"{cut.name} takes {', '.join(taken)} whole" for cut in cuts if (taken := _taken_whole(cut))]
    merges = []
    for cut, other, crossing in zip(cuts, cuts[::-1], crossings, strict=True):
        if crossing is not None and isinstance(cut.tokenizer, BPETokenizer):
            joined = f"{_visible(crossing.left)} + {_visible(crossing.right)}"
            place = f"merge {crossing.rank + 1:,} of {cut.tokenizer.num_merges:,}"
            merges.append(f"{cut.name}'s first merge over a cut of {other.name} is “{joined}” ({place})")
    never = [f"no merge of {one.name} makes {', '.join(made)}" for one, made in _never_made(cuts) if made]
    if wholes:
        return "; ".join([f"both have all these tokens, but {' and '.join(wholes)}, which no merge makes", *merges])
    if never:
        return "; ".join([f"both have all these tokens, but {' and '.join(never)}", *merges])
    return "; ".join(["both have all these tokens but join them in another order", *merges])


def _never_made(cuts: tuple[Cut, Cut]) -> list[tuple[Cut, list[str]]]:
    """For each of two, what the other uses and it has itself, though none of its merges makes it."""
    found = []
    for cut, other in zip(cuts, cuts[::-1], strict=True):
        its = cut.tokenizer
        used = dict.fromkeys(other.tokenizer.vocab[token] for token in other.ids)
        never = [data for data in used if data and isinstance(its, BPETokenizer) and not its.merges_to(data)]
        found.append((cut, [f"“{_visible(data)}”" for data in never[:_MOST_TOKENS]]))
    return found


def _taken_whole(cut: Cut) -> list[str]:
    """The tokens that a tokenizer takes whole, since its merges would make something else of their bytes."""
    tokenizer = cut.tokenizer
    if not isinstance(tokenizer, BPETokenizer) or not tokenizer.ignore_merges:
        return []
    wholes = [token for token in cut.ids if tokenizer.merge_alone(token) != (token,)]
    return [f"“{_visible(tokenizer.vocab[token])}”" for token in dict.fromkeys(wholes)]


def _is_rewritten(cut: Cut) -> bool:
    """Whether some of its tokens have other bytes than those that they cover, and were not just cut out."""
    added = added_ids(cut.tokenizer)
    tokens = zip(cut.ids, cut.pieces, cut.special, strict=True)
    return any(
        cut.tokenizer.vocab[token] != piece and not special and token not in added for token, piece, special in tokens
    )


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
_MARKED = {ord(mark): f"[{mark}]" for mark in _MARKS.values()}


def _visible(piece: bytes) -> str:
    """Bytes as people can read them: white space drawn, what is no whole character or can't be seen as escapes."""
    chars = [_visible_char(char) for char in piece.decode("utf-8", "backslashreplace")]
    return "".join(chars[:_MOST_CHARACTERS]) + ("…" if len(chars) > _MOST_CHARACTERS else "")


def _visible_char(char: str) -> str:
    """A character as one can read it: a sign stands for one thing only, and `\\xa0` is a byte, not U+00A0."""
    if char in _MARKS:
        return _MARKS[char]
    if not char.isprintable():
        return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"
    return char.translate(_MARKED)
