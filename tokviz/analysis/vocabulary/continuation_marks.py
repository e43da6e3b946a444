"""Marks of pieces that continue a word, or end one, in tokenizer files."""

from typing import Literal, NamedTuple

from tokviz.tokenizers.base import Tokenizer


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
