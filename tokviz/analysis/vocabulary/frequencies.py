"""Token frequencies: which tokens texts use, and how often."""

from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

import numpy as np

from tokviz.analysis.corpus import Texts, as_tokenizer, batches
from tokviz.analysis.tables import RowList
from tokviz.arrays import Int64Array
from tokviz.display import token_text
from tokviz.tokenizers.base import Tokenizer


class TokenFrequency(NamedTuple):
    """A row of `token_frequencies`. `place` counts from 1, the most frequent token; `share` is of all tokens (0 to 1).

    `bytes` is the token's vocabulary entry, and `text` the same as text, None if it is not valid UTF-8 on its own.
    """

    place: int
    id: int
    bytes: bytes
    text: str | None
    frequency: int
    share: float


def token_frequencies(
    texts: Texts, tokenizer: str | Tokenizer, *, progress: Callable[[int], object] | None = None
) -> RowList[TokenFrequency]:
    """Distinct tokens of the texts, the most frequent first; among equals, the lowest id.

    Texts are never joined, and may come from an iterator, which is read once; an open file is one text.
    `progress(done)` is called after each batch with the bytes of text read so far; an exception in it stops the work.

    >>> [(row.bytes, row.frequency) for row in token_frequencies("a b a a", "gpt2")]
    [(b' a', 2), (b'a', 1), (b' b', 1)]
    """
    tokenizer = as_tokenizer(tokenizer)
    _, counts = count_tokens(texts, tokenizer, progress)
    used = np.flatnonzero(counts)
    ids = used[np.argsort(-counts[used], kind="stable")].tolist()
    total = int(counts.sum())
    rows: RowList[TokenFrequency] = RowList()
    for place, (token, times) in enumerate(zip(ids, counts[ids].tolist(), strict=True), start=1):
        data = tokenizer.vocab[token]
        rows.append(TokenFrequency(place, token, data, token_text(data), times, times / total))
    return rows


def count_tokens(
    texts: Texts, tokenizer: Tokenizer, progress: Callable[[int], object] | None = None
) -> tuple[int, Int64Array]:
    """Total bytes of the texts, and the number of times each token occurs in them, by token id."""
    size = 0
    counts = np.zeros(tokenizer.vocab_size, np.int64)
    for batch in batches(texts, [tokenizer]):
        ids = np.fromiter(chain.from_iterable(map(tokenizer.encode, batch)), np.int64)
        counts += np.bincount(ids, minlength=len(counts))
        size += sum(len(text.encode()) for text in batch)
        if progress:
            progress(size)
    return size, counts
