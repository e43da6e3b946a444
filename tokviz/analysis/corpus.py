"""Inputs of this package's functions: texts in batches, and tokenizers by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tokviz.loading import load
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer

__all__ = ["Texts", "as_tokenizer", "as_tokenizers", "batches", "distinct"]

_BATCH = 1_000_000
"""Code points per batch: enough to make the work per batch negligible, and few enough to need little memory."""

GROUP = 8_000_000
"""Code points that are counted at a time."""


def batches(texts: Texts, tokenizers: Iterable[Tokenizer], size: int = _BATCH) -> Iterator[list[str]]:
    """Yield the texts, repaired, in lists of about `size` code points. A longer text is a list of its own.

    An open file is read in parts if all tokenizers encode the parts as they encode the whole.
    """
    yield from grouped(each_text(texts, cut_at_spaces=all(tok.cuts_at_spaces for tok in tokenizers)), size)


def grouped(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield texts in lists of up to `size` code points. A longer text is a list of its own."""
    batch: list[str] = []
    batch_size = 0
    for text in texts:
        if batch and batch_size + len(text) > size:
            yield batch
            batch, batch_size = [], 0
        batch.append(text)
        batch_size += len(text)
    if batch:
        yield batch


def as_tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    """Return the tokenizer itself, or the one of that name (see `load`)."""
    return tokenizer if isinstance(tokenizer, Tokenizer) else load(tokenizer)


def as_tokenizers(tokenizers: Iterable[str | Tokenizer]) -> list[Tokenizer]:
    """Resolve several tokenizers, each given by name or as an object."""
    if isinstance(tokenizers, str | Tokenizer | Mapping) or not isinstance(tokenizers, Iterable):
        kind = "a single one" if isinstance(tokenizers, str | Tokenizer) else type(tokenizers).__name__
        raise TypeError(f"tokenizers must be a list of names or tokenizers, not {kind}")
    return [as_tokenizer(tokenizer) for tokenizer in tokenizers]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names unchanged, or all numbered from 1 if any two are the same."""
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} ({number})" for number, name in enumerate(names, start=1))
