"""What came of training: how well a tokenizer packs its own text and another, and what its merges were."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tokviz.arrays import Int64Array
from tokviz.display import token_text
from tokviz.pretrained import load
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.tree import MergeTree

PEERS = ("gpt2", "cl100k_base")
"""The shipped tokenizers that a trained one is measured against."""


class Packed(NamedTuple):
    """The bytes and tokens of some texts under a tokenizer.

    `tokens` is None where it can't encode them, and `problem` says why.
    """

    tokenizer: str
    bytes: int
    tokens: int | None
    problem: str = ""

    @property
    def bytes_per_token(self) -> float | None:
        """The compression ratio; None where there is nothing to divide by."""
        return self.bytes / self.tokens if self.tokens else None


class Report(NamedTuple):
    """How a trained tokenizer did, beside `PEERS`: on the texts that it learned from, and on others, if any.

    `counts` holds, by token id, how often the token occurs in the texts that it learned from. The tokenizer itself is
    the first row of each table.
    """

    counts: Int64Array
    learned_from: list[Packed]
    measured: list[Packed]


class TokenRow(NamedTuple):
    """A row of `token_rows`: one token.

    `rank` is its merge's, from 0, None for the alphabet and special tokens; `left` and `right` are the ids of what it
    joins. `text` is None where the token is no UTF-8 by itself.
    `times` is how often it occurs in the text that it was learned from, None if that isn't known. The pair stood there
    `pair_count` times when it was joined, and `tied` other pairs as often.
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


def report(tokenizer: BPETokenizer, texts: Sequence[str], others: Sequence[str] = ()) -> Report:
    """Measure a trained tokenizer on the texts that it learned from, and on others. Special tokens count as such."""
    counts = np.zeros(tokenizer.vocab_size, np.int64)
    for text in texts:
        counts += np.bincount(_ids(tokenizer, text), minlength=len(counts))
    peers = [load(name) for name in PEERS]
    own = Packed(tokenizer.name, _bytes(texts), int(counts.sum()))
    measured = [_packed(each, others) for each in (tokenizer, *peers)] if any(others) else []
    return Report(counts, [own, *(_packed(peer, texts) for peer in peers)], measured)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    return tokenizer.encode(text, "all")


def _bytes(texts: Iterable[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def _packed(tokenizer: Tokenizer, texts: Sequence[str]) -> Packed:
    try:
        return Packed(tokenizer.name, _bytes(texts), sum(len(_ids(tokenizer, text)) for text in texts))
    except ValueError as error:  # the alphabet lacks a character
        return Packed(tokenizer.name, _bytes(texts), None, str(error))


def token_rows(tokenizer: BPETokenizer, counts: Int64Array | None) -> list[TokenRow]:
    """A row for each token, by id. `counts` is a report's.

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
    """How many tokens of a vocabulary occur at all in the text that it was learned from, once that is encoded."""
    return sum(bool(row.times) for row in rows)


def tree_lines(tree: MergeTree, spell: Callable[[int], str], most: int = 200) -> list[str]:
    """A token's tree as lines of text, the token first and its parts beneath it; no more than `most` of them.

    `spell` writes a token, by its id, for people.
    """
    lines: list[str] = []
    waiting = [(tree, "", "")]
    while waiting and len(lines) < most:
        node, before, below = waiting.pop()
        rank = "" if node.rank is None else f"   merge {node.rank + 1:,}"
        lines.append(f"{before}{spell(node.id)}{rank}")
        if node.left is not None and node.right is not None:
            waiting.append((node.right, f"{below}└─ ", f"{below}   "))
            waiting.append((node.left, f"{below}├─ ", f"{below}│  "))
    return [*lines, "…"] if waiting else lines
