"""Explanations: the reasons of a segment in words, as a sentence that quotes the actual pieces."""

from collections.abc import Sequence
from dataclasses import dataclass

from tokviz.analysis.comparison.cuts import MAX_TOKENS, Crossing, Cut, joined, listed, quoted, spell
from tokviz.analysis.comparison.exchanges import Exchange
from tokviz.analysis.comparison.reasons import (
    Effect,
    Reason,
    effects_alone,
    same_algorithm,
    units_of,
)
from tokviz.analysis.comparison.stage_clauses import algorithm_clause, is_normalized, normalization_clauses
from tokviz.analysis.comparison.token_clauses import plain_split, plain_vocabulary, split_clauses, vocabulary_clauses
from tokviz.analysis.known_patterns import patterns_of
from tokviz.display import shown, visible


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
