"""Training report: how well a tokenizer compresses its training text and other text, and what it learned."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int64Array
from tokviz.display import token_text
from tokviz.pretrained import load
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

PEERS = ("gpt2", "cl100k_base")
"""Shipped tokenizers that a trained one is compared with."""


class Packed(NamedTuple):
    """Bytes and tokens of some texts under a tokenizer.

    `spelled` are those of the bytes that the tokens stand for: all of them, unless the tokenizer drops a part of a text
    or makes it unknown. `tokens` is None if it can't encode them, and `problem` says why.
    """

    tokenizer: str
    bytes: int
    spelled: int
    tokens: int | None
    problem: str = ""

    @property
    def bytes_per_token(self) -> float | None:
        """Compression ratio of what is spelled; None if there are no tokens to divide by."""
        return self.spelled / self.tokens if self.tokens else None


class Report(NamedTuple):
    """Compression by a trained tokenizer and by `PEERS`, on its training texts and on other texts, if any.

    `counts` holds, by token id, how often the token occurs in the training texts. The trained tokenizer is the first
    row of each table.
    """

    counts: Int64Array
    learned_from: list[Packed]
    measured: list[Packed]


class TokenRow(NamedTuple):
    """A row of `token_rows`: one token.

    `rank` is that of its merge, from 0, or None for the alphabet and special tokens; `left` and `right` are the ids of
    the tokens it joins. `text` is None if the token's bytes are not valid UTF-8 on their own.
    `times` is how often the token occurs in the training text, None if that isn't known. When the pair was merged, it
    occurred there `pair_count` times, and `tied` other pairs occurred as often.
    """

    id: int
    rank: int | None
    token: bytes
    text: str | None
    length: int
    times: int | None
    left: int | None
    right: int | None
    pair_count: int | None
    tied: int | None


Peers = tuple[list[Packed], list[Packed]]
"""Compression by `PEERS`, on the training texts and on other texts."""


def report(
    tokenizer: BPETokenizer, texts: Sequence[str], others: Sequence[str] = (), peers: Peers | None = None
) -> Report:
    """Measure a trained tokenizer on its training texts and on `others`. Special tokens are encoded as such.

    `peers` is what `peer_compression` returned for these texts, if that is known already.
    """
    on_texts, on_others = peers or peer_compression(texts, others)
    counts = np.zeros(tokenizer.vocab_size, np.int64)
    for text in texts:
        counts += np.bincount(_ids(tokenizer, text), minlength=len(counts))
    measured = [compression(tokenizer, others), *on_others] if any(others) else []
    return Report(counts, [compression(tokenizer, texts, int(counts.sum())), *on_texts], measured)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    return tokenizer.encode(text, "all")


def compression(tokenizer: Tokenizer, texts: Sequence[str], tokens: int | None = None) -> Packed:
    """Count the bytes and tokens of texts under a tokenizer that drops nothing, or take `tokens` as known."""
    size = sum(len(text.encode()) for text in texts)
    try:
        tokens = sum(len(_ids(tokenizer, text)) for text in texts) if tokens is None else tokens
        return Packed(tokenizer.name, size, size, tokens)
    except ValueError as error:  # the alphabet lacks a character
        return Packed(tokenizer.name, size, size, None, str(error))


def peer_compression(texts: Sequence[str], others: Sequence[str] = ()) -> Peers:
    """Count the bytes and tokens of texts under each of `PEERS`, and those of `others`."""
    peers = [load(name) for name in PEERS]
    return [compression(peer, texts) for peer in peers], [compression(peer, others) for peer in peers if any(others)]


def token_rows(tokenizer: BPETokenizer, counts: Int64Array | None) -> list[TokenRow]:
    """One row per token, by id. `counts` is that of a `Report`.

    >>> import tokviz
    >>> tok = tokviz.train("the cat in the hat", num_merges=3)
    >>> row = token_rows(tok, report(tok, ["the cat in the hat"]).counts)[258]
    >>> row.token, row.rank, row.times, row.left, row.pair_count
    (b'the ', 2, 2, 257, 2)
    """
    training = tokenizer.training
    rows = []
    for token, data in sorted(tokenizer.vocab.items()):
        times = None if counts is None else int(counts[token])
        rank = tokenizer.ranks.get(token)
        left, right = tokenizer.parents(token) or (None, None)
        step = training[rank] if training is not None and rank is not None else None
        pair_count, tied = (step.count, step.tied) if step else (None, None)
        rows.append(TokenRow(token, rank, data, token_text(data), len(data), times, left, right, pair_count, tied))
    return rows


def used_tokens(rows: Sequence[TokenRow]) -> int:
    """Number of tokens in a vocabulary that occur in the encoded training text."""
    return sum(bool(row.times) for row in rows)
