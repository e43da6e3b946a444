"""Tokens that stand for text that no token spells, such as BERT's [UNK]: a count with many of them says little."""

from dataclasses import dataclass

import numpy as np

from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer


@dataclass(frozen=True)
class Unknown:
    """The unknown token in a tokenization: its id and text, and how many of the tokens it is."""

    id: int
    text: str
    count: int


def unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the id of a tokenizer's unknown token; None if it has none."""
    if isinstance(tokenizer, WordTokenizer):
        return tokenizer.special_tokens[WordTokenizer.UNKNOWN]
    return tokenizer.unknown


def unknown_places(tokenizer: Tokenizer, tokenization: Tokenization) -> list[int]:
    """Return which tokens of a tokenization are unknown, by index. The unknown token's own text is known."""
    number = unknown_id(tokenizer)
    if number is None:
        return []
    places = np.flatnonzero(tokenization.ids == number).tolist()
    offsets, own = tokenization.byte_offsets, tokenizer.vocab[number]
    return [place for place in places if tokenization.data[offsets[place] : offsets[place + 1]].strip() != own]


def unknown_in(tokenizer: Tokenizer, tokenization: Tokenization) -> Unknown | None:
    """Return the unknown token of a tokenization; None if no token is one. Its own text in the text does not count."""
    return unknown_of(tokenizer, len(unknown_places(tokenizer, tokenization)))


def unknown_of(tokenizer: Tokenizer, count: int) -> Unknown | None:
    """Return the unknown token of a tokenizer that came about so many times; None for no times."""
    number = unknown_id(tokenizer)
    if number is None or not count:
        return None
    return Unknown(number, tokenizer.vocab[number].decode("utf-8", "replace"), count)


def unknown_sentence(name: str, unknown: Unknown, tokens: int) -> str:
    """Say how many of a tokenizer's tokens are unknown; `name` is its display name."""
    are = "is" if unknown.count == 1 else "are"
    return f"{unknown.count:,} of {name}'s {tokens:,} tokens {are} {unknown.text}, which says nothing of the text."
