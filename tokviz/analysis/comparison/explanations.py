"""Explanations: the reasons of a segment in words, as a sentence that quotes the actual pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tokviz.analysis.availability import (
    Place,
    drops_space,
    has_marked_pieces,
    known_elsewhere,
    lacks,
    text_bytes,
    where_in_word,
)
from tokviz.analysis.comparison.cuts import MAX_TOKENS, Crossing, Cut, joined, listed, quoted, spell
from tokviz.analysis.comparison.exchanges import Exchange
from tokviz.analysis.comparison.reasons import (
    Effect,
    Reason,
    effects_alone,
    is_rewritten,
    same_algorithm,
    units_of,
)
from tokviz.analysis.known_patterns import patterns_of
from tokviz.display import enumerated, shown, visible
from tokviz.tokenizers.engines.stages import DROPS_SPACE

_MAX_PARTS = 4  # maximum parts named of a token that the other tokenizer cuts through
_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WHITE_SPACE = {b" ": "spaces", b"\t": "tabs", b"\n": "line ends"}
_ALGORITHMS = {
    "bpe": "merges pairs of neighbors",
    "unigram": "takes the pieces with the best scores",
    "wordpiece": "takes the longest token that fits, again and again",
}


@dataclass(frozen=True)
class Explanation:
    """Why two tokenizers cut a segment differently, in a sentence.

    `because` is the part of the sentence that names the causes, without the two cuts and the effects of exchanges;
    `plain` says them in plain words, a sentence for each.

    If `Reason.ORDER` is among the reasons, `crossings` holds the first merge of each tokenizer that crosses a cut of
    the other, or None if it has none; otherwise both are None. `split_effects` is the effect of giving each of the two
    the other's split pattern, and `normalization` that of giving one the other's normalization; None if that can't be.
    If `are_tokens_alone`, nothing but tokens and merges is exchanged besides split patterns.
    """

    reasons: Reason
    sentence: str
    because: str
    plain: str
    crossings: tuple[Crossing | None, Crossing | None]
    split_effects: tuple[Effect, Effect]
    exchange: Exchange = Exchange.DONE
    normalization: Effect | None = None
    are_tokens_alone: bool = True

    @property
    def alone(self) -> dict[Reason, Effect]:
        """Effect of exchanging each of the reasons alone (see `effects_alone`), as far as that can be done."""
        effects = {} if self.exchange is Exchange.IMPOSSIBLE else effects_alone(self.split_effects)
        if not self.are_tokens_alone:
            effects = {reason: effect for reason, effect in effects.items() if reason is Reason.SPLIT}
        effects.pop(Reason.NORMALIZATION, None)
        if max(self.split_effects) is Effect.NOTHING:  # a library's rules can't be given to the other
            effects.pop(Reason.SPLIT, None)
        if self.normalization is not None:
            effects[Reason.NORMALIZATION] = self.normalization
        return {reason: effect for reason, effect in effects.items() if reason in self.reasons}


def explain(
    first: Cut,
    second: Cut,
    reasons: Reason,
    split_effects: tuple[Effect, Effect],
    exchange: Exchange = Exchange.DONE,
    normalization: Effect | None = None,
) -> Explanation:
    """Explain in words why two cuts of a segment differ.

    `split_effects` is the effect of giving each of the two the other's split pattern, as far as `exchange` says that
    this was done, and `normalization` that of giving one the other's normalization.
    """
    crossings: tuple[Crossing | None, Crossing | None] = (None, None)
    is_rewriting_cause = normalization is not Effect.NOTHING
    if not (is_rewriting_cause and (is_normalized(first) or is_normalized(second))):
        normalization = None
    clauses = _clauses(first, second, reasons, split_effects, is_rewriting_cause)
    plain = _plain_words(first, second, reasons, split_effects, is_rewriting_cause)
    if Reason.ORDER in reasons:
        crossings = first.first_crossing(second), second.first_crossing(first)
        order = _order_clauses((first, second), crossings)
        clauses += order
        plain.append(_sentence(order[0], first, second))
    causes = "; ".join(clauses)
    sentence = f"{_cut_clause(first)}, {_cut_clause(second)}: {causes}."
    if normalization is not None:
        sentence = f"{sentence} {_normalization_sentence(first, second, normalization)}"
    if exchange is Exchange.DONE:
        sentence = f"{sentence} {_exchange_sentence((first, second), reasons, split_effects)}"
    said = _sentence(causes, first, second), " ".join(plain)
    alone = _are_tokens_alone(first, second)
    return Explanation(reasons, sentence, *said, crossings, split_effects, exchange, normalization, alone)


def _sentence(clause: str, first: Cut, second: Cut) -> str:
    """Make a sentence of a clause; a name at its start stays as it is."""
    return f"{clause if clause.startswith((first.name, second.name)) else clause[:1].upper() + clause[1:]}."


def _plain_words(
    first: Cut, second: Cut, reasons: Reason, split_effects: tuple[Effect, Effect], is_rewriting_cause: bool
) -> list[str]:
    """Give sentences in plain words about all reasons but the order of merges."""
    is_confirmed = Reason.SPLIT in reasons and max(split_effects) is not Effect.NOTHING
    in_plain_words = Reason.VOCABULARY | (Reason.SPLIT if is_confirmed else Reason(0))
    clauses = _clauses(first, second, reasons & ~in_plain_words, split_effects, is_rewriting_cause)
    sentences = [_sentence(clause, first, second) for clause in clauses]
    if is_confirmed:
        sentences.append(plain_split(first, second))
    if Reason.VOCABULARY in reasons:
        sentences.append(plain_vocabulary(first, second))
    return sentences


def _clauses(
    first: Cut, second: Cut, reasons: Reason, split_effects: tuple[Effect, Effect], is_rewriting_cause: bool
) -> list[str]:
    """Clauses about all reasons but the order of merges."""
    pairs = ((first, second), (second, first))
    clauses = []
    if Reason.ALPHABET in reasons:
        clauses += [clause for pair in pairs for clause in _alphabet_clauses(*pair)]
    if Reason.NORMALIZATION in reasons:
        clauses += [clause for pair in pairs for clause in normalization_clauses(*pair, is_rewriting_cause)]
    if Reason.SPLIT in reasons:
        is_confirmed = max(split_effects) is not Effect.NOTHING
        clauses += [_split_clause(first, second)] if is_confirmed else split_clauses(first, second)
    if Reason.VOCABULARY in reasons:
        clauses += [clause for pair in pairs for clause in vocabulary_clauses(*pair)]
    if Reason.ALGORITHM in reasons:
        clauses.append(algorithm_clause(first, second))
    return clauses


def _does(one: Cut, other: Cut, effect: Effect) -> str:
    """Say how `one` cuts after it got something of `other`."""
    return {
        Effect.NOTHING: f"{one.name} cuts as before",
        Effect.CHANGES: f"{one.name} cuts elsewhere, but not as {other.name} does",
        Effect.AGREES: f"{one.name} cuts as {other.name} does",
    }[effect]


def _normalization_sentence(first: Cut, second: Cut, effect: Effect) -> str:
    """Describe the effect of giving the one that takes any text what the other makes of it."""
    giver, taker = (first, second) if first.tokenizer.is_of_library else (second, first)
    return f"Given the text as {giver.name} normalizes it, {_does(taker, giver, effect)}."


def _exchange_sentence(cuts: tuple[Cut, Cut], reasons: Reason, split_effects: tuple[Effect, Effect]) -> str:
    """Describe the effect of exchanging one thing alone; if that is not enough, also the resulting cuts.

    Each of the two with the other's split pattern is the other with everything else of it: where that changes nothing,
    the other agrees, and vice versa (see `effects_alone`).
    """
    effects = effects_alone(split_effects)
    split, rest = effects[Reason.SPLIT], effects[Reason.VOCABULARY]
    pairs = list(zip(cuts, cuts[::-1], split_effects, strict=True))
    takers = [pair for pair in pairs if pair[0].tokenizer.takes_split_patterns]
    are_tokens_alone = _are_tokens_alone(*cuts)
    if split is rest is Effect.CHANGES and Reason.SPLIT in reasons:
        swapped = [
            f"{_with_splits_of(other)}, {one.name} would cut “{joined(one.swapped)}”"
            for one, other, _ in takers
            if one.swapped
        ]
        the_rest = "the tokens" if are_tokens_alone else "all else"
        return f"The split pattern and {the_rest} act together: {'; '.join(swapped)}."
    one, other, _ = max(takers, key=lambda pair: pair[2])
    giver, taker, _ = min(takers, key=lambda pair: pair[2])
    the_rest = f"{giver.name}'s tokens alone" if are_tokens_alone else f"all of {giver.name} except its split pattern"
    with_pattern = f"{_with_splits_of(other)}, {_does(one, other, split)}."
    return f"{with_pattern[0].upper()}{with_pattern[1:]} With {the_rest}, {_does(taker, giver, rest)}."


def _with_splits_of(other: Cut) -> str:
    return f"with {other.name}'s split pattern alone" if patterns_of(other.tokenizer) else "without a split pattern"


def _are_tokens_alone(first: Cut, second: Cut) -> bool:
    """Return whether nothing but tokens and merges would be exchanged besides split patterns."""
    one, other = first.tokenizer, second.tokenizer
    return one.rewriting == other.rewriting and same_algorithm(one, other)


def _cut_clause(cut: Cut) -> str:
    return f"{cut.name} {'cuts' if len(cut.pieces) > 1 else 'keeps'} “{joined(cut.shown)}”"


def _alphabet_clauses(one: Cut, other: Cut) -> list[str]:
    """Clauses about the alphabet of one of the two tokenizers."""
    units, others = units_of(one.tokenizer), units_of(other.tokenizer)
    clauses = []
    if units == "words" != others:
        clauses.append(f"{one.name} knows whole words only, {other.name} begins with {others}")
    unknown = one.tokenizer.unknown
    specials = [place for place, special in enumerate(one.special) if special and one.ids[place] != unknown]
    if unknown is not None and unknown in one.ids:
        lacking = [piece.strip() for token, piece in zip(one.ids, one.pieces, strict=True) if token == unknown]
        each = "each" if len(set(lacking)) > 1 else "it"
        stands_for = f"{shown(one.tokenizer.vocab[unknown])} stands for {each}"
        clauses.append(f"{one.name} has no tokens that spell {quoted(lacking)}, so {stands_for}")
    if specials and units != "words":
        clauses.append(f"{one.name} finds {_cut_out_tokens(one, 'special token', specials)} here")
    added = [number for number, is_added in enumerate(one.added) if is_added]
    if added:
        clauses.append(f"{one.name} cuts out {_cut_out_tokens(one, 'added token', added)} before anything is merged")
    if units == "bytes" and others == "characters" and (char := _cut_character(one)):
        clauses.append(
            f"{one.name} begins with bytes and cuts the character “{visible(char)}”; {other.name} can't cut characters"
        )
    if one.tokenizer.end_of_word is not None and other.tokenizer.end_of_word is None and _ends_a_word(one):
        clauses.append(f"{one.name} ends every word with a mark, which {other.name} doesn't")
    return clauses


def _cut_out_tokens(cut: Cut, noun: str, tokens: Sequence[int]) -> str:
    """Name the tokens with these indices, which were cut out, and the white space that they take in."""
    covered, own = ([of[token] for token in tokens] for of in (cut.pieces, _own_bytes(cut)))
    names = [own_bytes if own_bytes in piece else piece for piece, own_bytes in zip(covered, own, strict=True)]
    return f"the {listed(noun, names)}{' and the white space beside it' if names != covered else ''}"


def _own_bytes(cut: Cut) -> list[bytes]:
    return [cut.tokenizer.vocab[token] for token in cut.ids]


def _split_clause(first: Cut, second: Cut) -> str:
    one, other = (
        f"cuts it into “{joined(cut.pretokens)}”" if len(cut.pretokens) > 1 else "leaves it whole"
        for cut in (first, second)
    )
    merges = all(cut.tokenizer.algorithm == "bpe" for cut in (first, second))
    before = "before any merge" if merges else "before looking for tokens"
    if any(first.added + second.added):  # they cut, too
        return f"{before}, {first.name} {one} and {second.name} {other}"
    return f"{before}, {first.name}'s split pattern {one} and {second.name}'s {other}"


def _order_clauses(cuts: tuple[Cut, Cut], crossings: tuple[Crossing | None, Crossing | None]) -> list[str]:
    wholes = [f"{cut.name} takes {', '.join(taken)} whole" for cut in cuts if (taken := _taken_whole(cut))]
    merges = []
    for cut, other, crossing in zip(cuts, cuts[::-1], crossings, strict=True):
        if crossing is not None:
            pair = f"{spell(crossing.left)} + {spell(crossing.right)}"
            place = f"merge {crossing.rank + 1:,} of {cut.tokenizer.num_merges:,}"
            merges.append(f"{cut.name}'s first merge over a cut of {other.name} is “{pair}” ({place})")
    never = [f"no merge of {one.name} makes {', '.join(made)}" for one, made in _never_made(cuts) if made]
    if wholes:
        return [f"both have all these tokens, but {' and '.join(wholes)}, which no merge makes", *merges]
    if never:
        return [f"both have all these tokens, but {' and '.join(never)}", *merges]
    return ["both have all these tokens but join them in another order", *merges]


def _never_made(cuts: tuple[Cut, Cut]) -> list[tuple[Cut, list[str]]]:
    """For each of two cuts, the tokens that the other uses and its tokenizer has, though no merge of it makes them."""
    found = []
    for cut, other in zip(cuts, cuts[::-1], strict=True):
        used = dict.fromkeys(other.tokenizer.vocab[token] for token in other.ids)
        never = [data for data in used if data and not cut.tokenizer.merges_to(data)]
        found.append((cut, [f"“{spell(data)}”" for data in never[:MAX_TOKENS]]))
    return found


def _taken_whole(cut: Cut) -> list[str]:
    """Tokens that a tokenizer takes whole, although its merges would turn their bytes into something else."""
    tokenizer = cut.tokenizer
    if not tokenizer.merges_here or not tokenizer.ignore_merges:
        return []
    wholes = [token for token in cut.ids if tokenizer.merge_alone(token) != (token,)]
    return [f"“{spell(tokenizer.vocab[token])}”" for token in dict.fromkeys(wholes)]


def _ends_a_word(cut: Cut) -> bool:
    return any(map(cut.tokenizer.ends_word, cut.ids))


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


# Tokens that one has at a place and the other lacks there, or cuts through


def split_clauses(first: Cut, second: Cut) -> list[str]:
    """Clauses about where each of two tokenizers cuts through a token of the other before it looks for tokens."""
    clauses = []
    for one, other in ((first, second), (second, first)):
        parts = _parts_of_cut_token(one, other)
        if parts:
            clauses.append(f"{other.name} cuts this text between {_between(parts)} before it looks for tokens")
    return clauses


def _parts_of_cut_token(one: Cut, other: Cut) -> list[bytes]:
    """Return the parts of the first token of `one` that `other` cuts through; none if there is no such token."""
    ends = list(accumulate(map(len, other.pretokens)))
    data = b"".join(one.pieces)
    for start, end, place, token in zip(one.offsets, one.offsets[1:], one.places, one.ids, strict=False):
        if place.is_cut and token in _ordinary(one):
            inner = [start, *ends[bisect_right(ends, start) : bisect_left(ends, end)], end]
            return [data[begin:stop] for begin, stop in pairwise(inner)]
    return []


def _between(parts: list[bytes]) -> str:
    names = [f"“{spell(part)}”" for part in parts[:_MAX_PARTS]]
    last = f"{len(parts) - _MAX_PARTS:,} more" if len(parts) > _MAX_PARTS else names.pop()
    return f"{', '.join(names)} and {last}"


def vocabulary_clauses(one: Cut, other: Cut) -> list[str]:
    """Clauses about the tokens that `one` uses and `other` lacks, in text order.

    Tokens that `other` cuts through anyway are named apart, as are those that it has for another place in a word.
    """
    ordinary = _ordinary(one)
    lacking: dict[str, list[bytes]] = {}
    for token, place in zip(one.ids, one.places, strict=True):
        if token in ordinary and lacks(other.tokenizer, one.tokenizer, token, place):
            lacking.setdefault(_clause_end(one, other, token, place), []).append(text_bytes(one.tokenizer, token))
    return [
        f"{one.name} has the {listed('token', tokens)}, which {other.name} {end}" for end, tokens in lacking.items()
    ]


def _clause_end(one: Cut, other: Cut, token: int, place: Place) -> str:
    if place.is_cut:
        return "also lacks"
    known = known_elsewhere(other.tokenizer, one.tokenizer, token, place)
    if known is None:
        data = text_bytes(one.tokenizer, token)
        has_it = place.is_after_space and other.tokenizer.knows(data)
        return f"has only without the space (no “{spell(b' ' + data)}”)" if has_it else "lacks"
    where = where_in_word(other.tokenizer, place)
    spelled = f" (“{spell(known)}”)" if known != text_bytes(one.tokenizer, token).strip() else ""
    return f"lacks {where}{spelled}"


def plain_split(first: Cut, second: Cut) -> str:
    """Say without technical terms how split patterns cut a segment differently, which both cut as `pretokens`."""
    one, other = (first, second) if len(first.pretokens) <= len(second.pretokens) else (second, first)
    cuts, wholes = other.pretokens, one.pretokens
    if all(piece.isdigit() for piece in (*cuts, *wholes)) and max(map(len, cuts)) < max(map(len, wholes)):
        size = max(map(len, cuts))
        by = "every digit by itself" if size == 1 else f"at most {_number(size)} digits together"
        return f"{other.name} takes {by}, {one.name} more."
    if len(wholes) == 1 < len(cuts):
        parts = "in two" if len(cuts) == 2 else f"into {_number(len(cuts))} parts"
        return f"{other.name} first cuts {_named(wholes[0])} {parts}, {one.name} does not."
    return f"{first.name} and {second.name} first cut this text in different places."


def plain_vocabulary(first: Cut, second: Cut) -> str:
    """Say without technical terms which token one of two tokenizers lacks: the longest that the shorter cut has."""
    pairs = ((first, second), (second, first))
    for one, other in sorted(pairs, key=lambda pair: len(pair[0].ids)):
        ordinary = _ordinary(one)
        tokens = (token for token in zip(one.ids, one.places, strict=True) if token[0] in ordinary)
        lacking = [token for token in tokens if lacks(other.tokenizer, one.tokenizer, *token)]
        if lacking:
            return _plain_lack(one, other, *max(lacking, key=lambda token: len(text_bytes(one.tokenizer, token[0]))))
    return ""


def _plain_lack(one: Cut, other: Cut, token: int, place: Place) -> str:
    data = text_bytes(one.tokenizer, token)
    if known_elsewhere(other.tokenizer, one.tokenizer, token, place) is not None:
        return f"{other.name} knows {_named(data.strip())}, but not {where_in_word(other.tokenizer, place)}."
    if place.is_after_space and other.tokenizer.knows(data):
        return f"{other.name} knows {_named(data)}, but not with a space before it."
    if other.tokenizer.merges_here or other.tokenizer.is_of_library:
        return f"{other.name} never learned {_named(data)} as one token."
    return f"{other.name} has no token for {_named(data)}."


def _named(data: bytes) -> str:
    """Name a text as one would say it: four spaces, “the”, the bytes e5 a5."""
    if len(data) > 1 and data[:1] * len(data) == data and data[:1] in _WHITE_SPACE:
        return f"{_number(len(data))} {_WHITE_SPACE[data[:1]]}"
    is_text = data.decode("utf-8", "replace").encode() == data
    return f"“{spell(data)}”" if is_text else f"the bytes {spell(data)}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _ordinary(cut: Cut) -> set[int]:
    """Return the ids of its tokens that are neither special, nor cut out, nor stand for what no token spells."""
    tokens = zip(cut.ids, cut.special, cut.added, strict=True)
    merged = {token for token, special, added in tokens if not (special or added)}
    return merged - {cut.tokenizer.unknown}


# Normalization and algorithms


def is_normalized(cut: Cut) -> bool:
    """Return whether some of its tokens, other than cut-out ones, stand for other bytes than they cover."""
    tokens = zip(cut.ids, cut.pieces, cut.special, cut.added, strict=True)
    return any(
        is_rewritten(cut.tokenizer, token, piece) for token, piece, special, added in tokens if not (special or added)
    )


def normalization_clauses(one: Cut, other: Cut, is_cause: bool) -> list[str]:
    """Clauses about what a tokenizer makes of the text before it cuts it, and about white space that it drops.

    What it makes of the text is left out unless it `is_cause`.
    """
    clauses = []
    if is_cause and one.tokenizer.rewriting != other.tokenizer.rewriting and is_normalized(one):
        steps = [step for step in one.rewriting if step != DROPS_SPACE]
        own = b"".join(text_bytes(one.tokenizer, token) for token in one.ids)
        # What the unknown token stands for is not known in its normalized form.
        is_known = one.tokenizer.unknown not in one.ids
        clauses.append(
            f"{one.name} first {enumerated(steps)}{f', so that it reads “{spell(own)}”' if is_known else ''}"
        )
    is_dropped = drops_space(one.tokenizer) and not drops_space(other.tokenizer)
    if is_dropped and any(piece[-1:].isspace() for piece in other.pieces):
        clauses.append(f"{one.name} {DROPS_SPACE}")
    return clauses


def algorithm_clause(first: Cut, second: Cut) -> str:
    """Clause about how the two choose among tokens."""
    one, other = (_ALGORITHMS.get(cut.tokenizer.algorithm or "", "takes whole words") for cut in (first, second))
    return f"both have all these tokens, but {first.name} {one}, and {second.name} {other}{_longest(first, second)}"


def _longest(first: Cut, second: Cut) -> str:
    """Say so where the longest tokens of one that fit are the cut of the other, which is WordPiece."""
    for merging, matching in ((first, second), (second, first)):
        if matching.tokenizer.algorithm != "wordpiece" or any(matching.special):
            continue
        if has_marked_pieces(merging.tokenizer):  # which of its tokens fit depends on more than their bytes
            continue
        data = b"".join(matching.pieces)
        longest: list[bytes] = []
        while data:
            known = (end for end in range(len(data), 0, -1) if merging.tokenizer.knows(data[:end]))
            end = next(known, 1)
            longest.append(data[:end])
            data = data[end:]
        if tuple(longest) == matching.pieces:
            return f": the longest tokens of {merging.name} that fit are “{joined(longest)}”, too"
    return ""
