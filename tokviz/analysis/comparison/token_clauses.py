"""Sentences about tokens that one tokenizer has at a place and the other lacks there, or cuts through."""

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise

from tokviz.analysis.availability import Place, known_elsewhere, lacks, text_bytes, where_in_word
from tokviz.analysis.comparison.cuts import Cut, listed, spell

_MAX_PARTS = 4
"""Maximum parts named of a token that the other tokenizer cuts through."""

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WHITE_SPACE = {b" ": "spaces", b"\t": "tabs", b"\n": "line ends"}


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
