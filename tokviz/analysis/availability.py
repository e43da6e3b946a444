"""Availability of one tokenizer's token to another at its place: with the mark, and in the pre-token, of its place.

Files of other libraries spell pieces by their place in a word: BERT's has `67` for the start of a word, and would need
`##67` inside one. And no tokenizer makes a token of text that it cuts apart before it looks for tokens.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from tokviz.arrays import BoolArray, Int32Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.stages import DROPS_BETWEEN, DROPS_SPACE


class Place(NamedTuple):
    """Place of a token in a text as another tokenizer reads it, in its pre-tokens ("words").

    `begins_word` and `ends_word`: the token begins or ends where a word does. `is_cut`: it is in two words or more.
    `is_after_space`: it covers white space before it, which its own tokenizer drops and the other does not cut off.
    """

    begins_word: bool = True
    ends_word: bool = True
    is_cut: bool = False
    is_after_space: bool = False


@dataclass(frozen=True, eq=False)
class Places:
    """The places of all tokens of a text, as columns (see `Place`)."""

    begins_word: BoolArray
    ends_word: BoolArray
    is_cut: BoolArray
    is_after_space: BoolArray

    def __getitem__(self, token_range: slice) -> tuple[Place, ...]:
        columns = (self.begins_word, self.ends_word, self.is_cut, self.is_after_space)
        return tuple(Place(*flags) for flags in zip(*(column[token_range].tolist() for column in columns), strict=True))

    @classmethod
    def of_words(cls, count: int) -> "Places":
        """Return the places of tokens each of which is a word."""
        every, none = np.ones(count, np.bool_), np.zeros(count, np.bool_)
        return cls(every, every, none, none)

    @property
    def codes(self) -> Int32Array:
        """A number from 0 to 7 for each token, equal for those with the same place in a word and before it."""
        codes: Int32Array = self.begins_word + 2 * self.ends_word + 4 * self.is_after_space.astype(np.int32)
        return codes


@dataclass(frozen=True, eq=False)
class Words:
    """The pre-tokens of a tokenization, without the white space beside them if that is dropped, as byte ranges.

    `cuts` is the number of borders up to each word that the tokenizer cut itself, not beside a cut-out token. `tokens`
    are the places at which tokens begin or end.
    """

    starts: Int32Array
    ends: Int32Array
    cuts: Int32Array
    tokens: Int32Array

    @classmethod
    def of(cls, tokenizer: Tokenizer, tokenization: Tokenization, cut_out: BoolArray) -> "Words":
        """Return the words of a tokenization; `cut_out` says which tokens are found before the text is cut."""
        firsts = np.flatnonzero(np.diff(tokenization.pretoken_index, prepend=-1))
        places = tokenization.byte_offsets[np.append(firsts, len(tokenization))]
        starts, ends = places[:-1], places[1:]
        if drops_space(tokenizer):
            starts, ends = _stripped(tokenization.data, starts, ends)
        has_text = starts < ends
        is_ordinary = ~cut_out[firsts[has_text]]
        borders = np.append(False, is_ordinary[1:] & is_ordinary[:-1])[: len(is_ordinary)]
        return cls(starts[has_text], ends[has_text], borders.cumsum(dtype=np.int32), tokenization.byte_offsets)

    def places_of(self, tokenizer: Tokenizer, tokenization: Tokenization) -> Places:
        """Return the places of another tokenizer's tokens of the same text among these words."""
        starts, ends = tokenization.byte_offsets[:-1], tokenization.byte_offsets[1:]
        is_after_space = np.zeros(len(starts), np.bool_)
        if drops_space(tokenizer):
            covered_starts = starts
            starts, ends = _stripped(tokenization.data, starts, ends)
            is_after_space = (starts > covered_starts) & ~np.isin(starts, self.tokens)
        if not len(self.starts):
            return replace(Places.of_words(len(starts)), is_after_space=is_after_space)
        last = len(self.starts) - 1
        first_word = np.minimum(np.searchsorted(self.ends, starts, "right"), last)
        last_word = np.maximum(np.searchsorted(self.starts, ends, "left") - 1, 0)
        is_cut = (last_word > first_word) & (self.cuts[last_word] > self.cuts[first_word])
        return Places(starts <= self.starts[first_word], ends >= self.ends[last_word], is_cut, is_after_space)


def _stripped(data: bytes, starts: Int32Array, ends: Int32Array) -> tuple[Int32Array, Int32Array]:
    """Return byte ranges without the white space at their ends."""
    stripped = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        text = data[start:end].decode("utf-8", "surrogateescape")  # a token may begin inside a character
        begin = end - len(text.lstrip().encode("utf-8", "surrogateescape"))
        stripped.append((begin, begin + len(text.strip().encode("utf-8", "surrogateescape"))))
    columns = np.array(stripped, np.int32).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def drops_space(tokenizer: Tokenizer) -> bool:
    """Return whether white space between words belongs to no token."""
    return DROPS_SPACE in tokenizer.rewriting or DROPS_BETWEEN in tokenizer.rewriting


def text_bytes(tokenizer: Tokenizer, token: int) -> bytes:
    """Return the bytes that a token stands for in a text, without a file's marks of a word's inside and end."""
    data = tokenizer.vocab[token]
    prefix, suffix = _marks(tokenizer)
    return data.removeprefix(prefix).removesuffix(suffix)


def _marks(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    """Return what begins a file's pieces inside a word, and ends those at its end."""
    prefix, suffix = tokenizer.marks
    return prefix.encode(), suffix.encode()


def has_marked_pieces(tokenizer: Tokenizer) -> bool:
    """Return whether a file spells pieces by their place in a word."""
    return any(_marks(tokenizer))


def lacks(other: Tokenizer, tokenizer: Tokenizer, token: int, place: Place) -> bool:
    """Return whether `other` has no token for the bytes that an ordinary token of `tokenizer` stands for at a place.

    If both have end-of-word marks, `low` with the mark and `low` without are two tokens. A mark on its own has no
    bytes and is never lacked. For a tokenizer that drops white space between words, `low` stands for ` low` after a
    space that `other` doesn't cut off.
    """
    spelled = {_spelled(other, data, place) for data in _alternatives(other, tokenizer, token, place)}
    is_end = other.end_of_word is not None and tokenizer.ends_word(token)
    return bool(spelled) and not any(other.knows(each, is_end) for each in spelled)


def _alternatives(other: Tokenizer, tokenizer: Tokenizer, token: int, place: Place) -> set[bytes]:
    """Return the bytes of which `other` needs a token to have what a token stands for; none if it needs nothing."""
    data = text_bytes(tokenizer, token)
    if not data or (data.isspace() and drops_space(other)):
        return set()
    if place.is_after_space:
        data = b" " + data
    return {data, data.lstrip(), data.strip()} if drops_space(other) else {data}


def _spelled(tokenizer: Tokenizer, data: bytes, place: Place) -> bytes:
    prefix, suffix = _marks(tokenizer)
    return (b"" if place.begins_word else prefix) + data + (suffix if place.ends_word else b"")


def known_elsewhere(other: Tokenizer, tokenizer: Tokenizer, token: int, place: Place) -> bytes | None:
    """Return the piece that `other` lacks, as its file would spell it, if it has that piece for other places in a word.

    None if it has it for no place.
    """
    if not has_marked_pieces(other):
        return None
    anywhere = [Place(begins, ends) for begins in (False, True) for ends in (False, True)]
    for data in sorted(_alternatives(other, tokenizer, token, place), key=len):
        if any(other.knows(_spelled(other, data, each)) for each in anywhere):
            return _spelled(other, data, place)
    return None


def where_in_word(tokenizer: Tokenizer, place: Place) -> str:
    """Describe a place in a word, as far as the marks of a tokenizer's pieces tell places apart."""
    prefix, suffix = _marks(tokenizer)
    if suffix and place.ends_word:
        return "at the end of a word" if not (prefix and place.begins_word) else "as a whole word"
    return "at the start of a word" if prefix and place.begins_word else "inside a word"


class Mark(NamedTuple):
    """A piece as its file spells it, the mark in it, such as `##`, and where in a word it says that the piece is."""

    spelled: str
    mark: str
    place: Literal["inside", "end"]


def mark_of(tokenizer: Tokenizer, token: int) -> Mark | None:
    """Return the mark of a token that another library's tokenizer has; None if it has none."""
    if token in tokenizer.special_tokens.values():
        return None
    prefix, suffix = tokenizer.marks
    spelled = tokenizer.vocab[token].decode("utf-8", "replace") if prefix or suffix else ""
    if prefix and spelled.startswith(prefix):
        return Mark(spelled, prefix, "inside")
    return Mark(spelled, suffix, "end") if suffix and spelled.endswith(suffix) else None
