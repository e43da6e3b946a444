"""Explanations: the reasons of a segment in words, as a sentence that quotes the actual pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tokviz.analysis.reasons import Effect, Reason, added_ids, effects_alone, ends_word, has_marks, lacks, units_of
from tokviz.display import shown, visible_char
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

# Maximum quoted in a sentence; the rest is elided.
_MAX_PIECES = 12
_MAX_CHARACTERS = 40
_MAX_TOKENS = 3


class Crossing(NamedTuple):
    """A merge that joined `left` and `right` across a cut of the other tokenizer."""

    rank: int
    left: bytes
    right: bytes


@dataclass(frozen=True)
class Cut:
    """How a tokenizer, displayed as `name`, cuts a segment.

    `ids` are its token ids, `pieces` the bytes that the tokens cover, `shown` the bytes to display for them, and
    `special` says which are special tokens.
    `pretokens` are the pieces that its split patterns cut the segment into, `swapped` the token pieces with the split
    patterns of the other tokenizer; both are empty if the split patterns are not a cause.
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
        """Byte offsets of the tokens from the start of the segment, and the end of the last one."""
        return [0, *accumulate(map(len, self.pieces))]

    def first_crossing(self, other: "Cut") -> Crossing | None:
        """The lowest-ranked merge that removed a boundary which the other cut keeps, if there is one."""
        if not isinstance(self.tokenizer, BPETokenizer):
            return None
        cuts = other.offsets[1:-1]
        found = []
        for token, start, end in zip(self.ids, self.offsets, self.offsets[1:], strict=False):
            crossed = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
            if crossed:
                found += crossings_within(self.tokenizer, token, start, frozenset(crossed))
        return min(found, default=None)


@dataclass(frozen=True)
class Explanation:
    """Why two tokenizers cut a segment differently, in a sentence.

    `because` is the part of the sentence that names the causes, without the two cuts and the effects of exchanges.

    If `Reason.ORDER` is among the reasons, `crossings` holds the first merge of each tokenizer that crosses a cut of
    the other, or None if it has none; otherwise both are None. `split_effects` is the effect of giving each of the two
    the other's split pattern.
    """

    reasons: Reason
    sentence: str
    because: str
    crossings: tuple[Crossing | None, Crossing | None]
    split_effects: tuple[Effect, Effect]

    @property
    def alone(self) -> dict[Reason, Effect]:
        """Effect of exchanging each of the reasons alone (see `effects_alone`)."""
        return {
            reason: effect for reason, effect in effects_alone(self.split_effects).items() if reason in self.reasons
        }


def explain(first: Cut, second: Cut, reasons: Reason, split_effects: tuple[Effect, Effect]) -> Explanation:
    """Explain in words why two cuts of a segment differ.

    `split_effects` is the effect of giving each of the two the other's split pattern.
    """
    crossings: tuple[Crossing | None, Crossing | None] = (None, None)
    pairs = ((first, second), (second, first))
    clauses = []
    if Reason.ALPHABET in reasons:
        clauses += [clause for pair in pairs for clause in _alphabet_clauses(*pair)]
    if Reason.SPLIT in reasons:
        clauses.append(_split_clause(first, second))
    if Reason.VOCABULARY in reasons:
        clauses += [clause for pair in pairs for clause in _vocabulary_clauses(*pair)]
    if Reason.ORDER in reasons:
        crossings = first.first_crossing(second), second.first_crossing(first)
        clauses.append(_order_clause((first, second), crossings))
    causes = "; ".join(clauses)
    sentence = f"{_cut_clause(first)}, {_cut_clause(second)}: {causes}."
    if first.split_patterns != second.split_patterns:
        sentence = f"{sentence} {_exchange_sentence((first, second), reasons, split_effects)}"
    because = causes if causes.startswith((first.name, second.name)) else causes[:1].upper() + causes[1:]
    return Explanation(reasons, sentence, f"{because}.", crossings, split_effects)


_EFFECTS = {
    Effect.NOTHING: "changes nothing here",
    Effect.CHANGES: "changes the cut, but they still differ",
    Effect.AGREES: "makes them agree here",
}


def _exchange_sentence(cuts: tuple[Cut, Cut], reasons: Reason, split_effects: tuple[Effect, Effect]) -> str:
    """Describe the effect of exchanging one thing alone; if that is not enough, also the resulting cuts."""
    effects = effects_alone(split_effects)
    split, rest = effects[Reason.SPLIT], effects[Reason.VOCABULARY]
    rewrites_alike = cuts[0].tokenizer.rewriting == cuts[1].tokenizer.rewriting
    if split is rest:
        the_rest = "the other's tokens alone" if rewrites_alike else "all else of the other"
        sentence = f"Giving one the other's split pattern alone, or {the_rest}, {_EFFECTS[split]}"
    else:
        the_rest = "only the tokens" if rewrites_alike else "all the rest"
        sentence = (
            f"Giving one the other's split pattern alone {_EFFECTS[split]}; giving it {the_rest} {_EFFECTS[rest]}"
        )
    if split is not Effect.CHANGES or Reason.SPLIT not in reasons:
        return f"{sentence}."
    first, second = cuts
    swapped = [
        f"with {other.name}'s pattern, {one.name} would cut “{_joined(one.swapped)}”"
        for one, other in ((first, second), (second, first))
    ]
    return f"{sentence}. Both act together: {'; '.join(swapped)}."


def crossings_within(tokenizer: BPETokenizer, token: int, start: int, cuts: frozenset[int]) -> list[Crossing]:
    """Return the merges within a token that starts at `start` which removed one of the boundaries `cuts`."""
    found = []
    stack = [(tokenizer.tree(token), start)]
    while stack:
        node, begin = stack.pop()
        if node.rank is None or node.left is None or node.right is None:
            continue
        middle = begin + len(node.left.bytes)
        if middle in cuts:
            found.append(Crossing(node.rank, node.left.bytes, node.right.bytes))
        stack += ((node.left, begin), (node.right, middle))
    return found


def _cut_clause(cut: Cut) -> str:
    return f"{cut.name} {'cuts' if len(cut.pieces) > 1 else 'keeps'} “{_joined(cut.shown)}”"


def _alphabet_clauses(one: Cut, other: Cut) -> list[str]:
    """Clauses about the alphabet of one of the two tokenizers."""
    units, others = units_of(one.tokenizer), units_of(other.tokenizer)
    clauses = []
    if units == "words" != others:
        clauses.append(f"{one.name} knows whole words only, {other.name} begins with {others}")
    specials = [token for token, special in enumerate(one.special) if special]
    if specials and units != "words":
        clauses.append(f"{one.name} finds {_cut_out_tokens(one, 'special token', specials)} here")
    ids = added_ids(one.tokenizer)
    added = [number for number, token in enumerate(one.ids) if token in ids]
    if added:
        clauses.append(f"{one.name} cuts out {_cut_out_tokens(one, 'added token', added)} before anything is merged")
    if units == "bytes" and others == "characters" and (char := _cut_character(one)):
        clauses.append(
            f"{one.name} begins with bytes and cuts the character “{visible_char(char)}”, which {other.name} can't"
        )
    if one.tokenizer.rewriting != other.tokenizer.rewriting and _is_rewritten(one):
        clauses.append(f"{one.name} first {' and '.join(one.tokenizer.rewriting)}")
    if has_marks(one.tokenizer) and not has_marks(other.tokenizer) and _ends_a_word(one):
        clauses.append(f"{one.name} ends every word with a mark, a symbol that {other.name} doesn't have")
    return clauses


def _cut_out_tokens(cut: Cut, noun: str, tokens: Sequence[int]) -> str:
    """Name the tokens with these indices, which were cut out, and the white space that they take in."""
    covered, own = ([of[token] for token in tokens] for of in (cut.pieces, _own_bytes(cut)))
    names = [own_bytes if own_bytes in piece else piece for piece, own_bytes in zip(covered, own, strict=True)]
    return f"the {_listed(noun, names)}{' and the white space beside it' if names != covered else ''}"


def _own_bytes(cut: Cut) -> list[bytes]:
    return [cut.tokenizer.vocab[token] for token in cut.ids]


def _split_clause(first: Cut, second: Cut) -> str:
    one, other = (
        f"cuts it into “{_joined(cut.pretokens)}”" if len(cut.pretokens) > 1 else "leaves it whole"
        for cut in (first, second)
    )
    return f"before any merge, {first.name}'s split pattern {one} and {second.name}'s {other}"


def _vocabulary_clauses(one: Cut, other: Cut) -> list[str]:
    """Clause about the tokens that `one` uses and `other` lacks, in text order."""
    added = added_ids(one.tokenizer)
    lacking = [
        one.tokenizer.vocab[token]
        for token, special in zip(one.ids, one.special, strict=True)
        if not special and token not in added and lacks(other.tokenizer, one.tokenizer, token)
    ]
    return [f"{one.name} has the {_listed('token', lacking)}, and {other.name} hasn't"] if lacking else []


def _order_clause(cuts: tuple[Cut, Cut], crossings: tuple[Crossing | None, Crossing | None]) -> str:
    wholes = [f"{cut.name} takes {', '.join(taken)} whole" for cut in cuts if (taken := _taken_whole(cut))]
    merges = []
    for cut, other, crossing in zip(cuts, cuts[::-1], crossings, strict=True):
        if crossing is not None and isinstance(cut.tokenizer, BPETokenizer):
            joined = f"{_spell(crossing.left)} + {_spell(crossing.right)}"
            place = f"merge {crossing.rank + 1:,} of {cut.tokenizer.num_merges:,}"
            merges.append(f"{cut.name}'s first merge over a cut of {other.name} is “{joined}” ({place})")
    never = [f"no merge of {one.name} makes {', '.join(made)}" for one, made in _never_made(cuts) if made]
    if wholes:
        return "; ".join([f"both have all these tokens, but {' and '.join(wholes)}, which no merge makes", *merges])
    if never:
        return "; ".join([f"both have all these tokens, but {' and '.join(never)}", *merges])
    return "; ".join(["both have all these tokens but join them in another order", *merges])


def _never_made(cuts: tuple[Cut, Cut]) -> list[tuple[Cut, list[str]]]:
    """For each of two cuts, the tokens that the other uses and its tokenizer has, though no merge of it makes them."""
    found = []
    for cut, other in zip(cuts, cuts[::-1], strict=True):
        bpe = cut.tokenizer
        used = dict.fromkeys(other.tokenizer.vocab[token] for token in other.ids)
        never = [data for data in used if data and isinstance(bpe, BPETokenizer) and not bpe.merges_to(data)]
        found.append((cut, [f"“{_spell(data)}”" for data in never[:_MAX_TOKENS]]))
    return found


def _taken_whole(cut: Cut) -> list[str]:
    """Tokens that a tokenizer takes whole, although its merges would turn their bytes into something else."""
    tokenizer = cut.tokenizer
    if not isinstance(tokenizer, BPETokenizer) or not tokenizer.ignore_merges:
        return []
    wholes = [token for token in cut.ids if tokenizer.merge_alone(token) != (token,)]
    return [f"“{_spell(tokenizer.vocab[token])}”" for token in dict.fromkeys(wholes)]


def _is_rewritten(cut: Cut) -> bool:
    """Return whether some of its tokens, other than cut-out ones, have bytes that differ from those they cover."""
    added = added_ids(cut.tokenizer)
    tokens = zip(cut.ids, cut.pieces, cut.special, strict=True)
    return any(
        cut.tokenizer.vocab[token] != piece and not special and token not in added for token, piece, special in tokens
    )


def _ends_a_word(cut: Cut) -> bool:
    return any(ends_word(cut.tokenizer, token) for token in cut.ids)


def _cut_character(cut: Cut) -> str:
    """The first character that the cut goes through, or an empty text if there is none."""
    data = b"".join(cut.pieces)
    place = next((offset for offset in cut.offsets[1:-1] if _continues(data[offset : offset + 1])), None)
    if place is None:
        return ""
    while _continues(data[place : place + 1]):
        place -= 1
    return data[place : place + 4].decode("utf-8", "ignore")[:1]


def _continues(byte: bytes) -> bool:
    """Return whether a byte continues a UTF-8 character. No byte, at the end of the text, does not."""
    return b"\x80" <= byte <= b"\xbf"


def _listed(noun: str, tokens: Sequence[bytes]) -> str:
    """The tokens after their noun, each once, and at most `_MAX_TOKENS` of them."""
    names = [f"“{_spell(token)}”" for token in dict.fromkeys(tokens)]
    more = len(names) - _MAX_TOKENS
    listed = ", ".join(names[:_MAX_TOKENS]) + (f" and {more:,} more" if more > 0 else "")
    return f"{noun}{'s' if len(names) > 1 else ''} {listed}"


def _joined(pieces: Sequence[bytes]) -> str:
    """The pieces with `|` between them, at most `_MAX_PIECES` of them."""
    more = ["…"] if len(pieces) > _MAX_PIECES else []
    return "|".join([*map(_spell, pieces[:_MAX_PIECES]), *more])


def _spell(piece: bytes) -> str:
    return shown(piece, _MAX_CHARACTERS)
