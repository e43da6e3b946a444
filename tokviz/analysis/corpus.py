"""What the functions of this package take: texts by the batch, and tokenizers by name."""

from collections.abc import Iterable, Iterator

from tokviz.pretrained import load
from tokviz.text import repair
from tokviz.tokenizers import Tokenizer

Texts = str | Iterable[str]
"""One text, or several that are never joined: a list, or an iterator that is read once, a batch at a time."""

_BATCH = 1_000_000
"""Code points in a batch: enough that what is done once a batch takes no time, and little memory."""


def batches(texts: Texts, size: int = _BATCH) -> Iterator[list[str]]:
    """The texts, repaired, in lists of about `size` code points. A longer text is a list of its own."""
    if isinstance(texts, bytes | bytearray) or not isinstance(texts, Iterable):
        raise TypeError(f"texts must be a str, or several of them, not {type(texts).__name__}")
    batch: list[str] = []
    waiting = 0
    for text in [texts] if isinstance(texts, str) else texts:
        repaired, _ = repair(text)
        if batch and waiting + len(repaired) > size:
            yield batch
            batch, waiting = [], 0
        batch.append(repaired)
        waiting += len(repaired)
    if batch:
        yield batch


def as_tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    """The tokenizer itself, or the shipped one of that name."""
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    return load(tokenizer)
