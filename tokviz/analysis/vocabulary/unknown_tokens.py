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


def unknown_in(tokenizer: Tokenizer, tokenization: Tokenization) -> Unknown | None:
    """Return the unknown token of a tokenization; None if no token is one. Its own text in the text does not count."""
    is_of_words = isinstance(tokenizer, WordTokenizer)
    number = tokenizer.special_tokens[WordTokenizer.UNKNOWN] if is_of_words else getattr(tokenizer, "unknown", None)
    if number is None:
        return None
    places = np.flatnonzero(tokenization.ids == number).tolist()
    offsets, own = tokenization.byte_offsets, tokenizer.vocab[number]
    count = sum(tokenization.data[offsets[place] : offsets[place + 1]].strip() != own for place in places)
    return Unknown(number, own.decode("utf-8", "replace"), count) if count else None


def unknown_sentence(name: str, unknown: Unknown, tokens: int) -> str:
    """Say how many of a tokenizer's tokens are unknown; `name` is its display name."""
    are = "is" if unknown.count == 1 else "are"
    return f"{unknown.count:,} of {name}'s {tokens:,} tokens {are} {unknown.text}, which says nothing of the text."
