"""What the functions of this package take: texts by the batch, and tokenizers by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tokviz.pretrained import load
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer

__all__ = ["Texts", "as_tokenizer", "as_tokenizers", "batches", "distinct"]

_BATCH = 1_000_000
"""Code points in a batch: enough that what is done once a batch takes no time, and little memory."""


def batches(texts: Texts, tokenizers: Iterable[Tokenizer], size: int = _BATCH) -> Iterator[list[str]]:
    """The texts, repaired, in lists of about `size` code points. A longer text is a list of its own.

    An open file comes in parts, where the tokenizers encode these as they encode the whole.
    """
    batch: list[str] = []
    waiting = 0
    for text in each_text(texts, cut_at_spaces=all(tokenizer.cuts_at_spaces for tokenizer in tokenizers)):
        if batch and waiting + len(text) > size:
            yield batch
            batch, waiting = [], 0
        batch.append(text)
        waiting += len(text)
    if batch:
        yield batch


def as_tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    """The tokenizer itself, or the shipped one of that name."""
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    return load(tokenizer)


def as_tokenizers(tokenizers: Iterable[str | Tokenizer]) -> list[Tokenizer]:
    """Several tokenizers, given by name or as themselves."""
    if isinstance(tokenizers, str | Tokenizer | Mapping) or not isinstance(tokenizers, Iterable):
        kind = "a single one" if isinstance(tokenizers, str | Tokenizer) else type(tokenizers).__name__
        raise TypeError(f"tokenizers must be a list of names or tokenizers, not {kind}")
    return [as_tokenizer(tokenizer) for tokenizer in tokenizers]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they are, or, where some are alike, with their numbers from 1."""
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} ({number})" for number, name in enumerate(names, start=1))
