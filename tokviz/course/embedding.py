"""A small embedding for the chapter "vectors": tables of numbers over the first tokens of GPT-2, trained on a sample.

They are in a file, which `python -m tokviz.course.embedding` makes again from this Python's documentation, in seconds.
A row learns to predict the tokens beside its own: the one after it by a second table, which is kept, and the one before
it by a third, which is not.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.course.pieces import corpus
from tokviz.pretrained import load
from tokviz.tokenizers.bpe import BPETokenizer

MERGES = 1_744
"""Merges of GPT-2 that are kept: with all bytes, they make 2,000 tokens."""

WIDTH = 16
"""Numbers in a row."""

_STEPS, _RATE, _SEED = 80, 0.1, 0
_UNIT = 16  # numbers are kept in sixteenths
_FILE = Path(__file__).with_name("embedding.npz")

_Table = npt.NDArray[np.float32]


class Embedding(NamedTuple):
    """Tables of a model that predicts the next token from the last one alone.

    `rows` turn ids into vectors and `columns` vectors into scores, both V x WIDTH. `counts` says how often the training
    text has each token; a token's score before any vector is the logarithm of that. `digest` is the text's SHA-256.
    """

    rows: _Table
    columns: _Table
    counts: npt.NDArray[np.int32]
    digest: str

    def chances(self, token: int) -> _Table:
        """Return, for each token, how probable it is after this one."""
        scores = self.columns @ self.rows[token] + bias(self.counts)
        powers = np.exp(scores - scores.max())
        chances: _Table = powers / powers.sum()
        return chances

    def cosines(self, token: int) -> _Table:
        """Return, for each token, the cosine of the angle between its row and this one's: 1 for the same direction."""
        lengths = np.linalg.norm(self.rows, axis=1)
        cosines: _Table = self.rows @ self.rows[token] / (lengths * lengths[token])
        return cosines


def bias(counts: npt.NDArray[np.int32]) -> _Table:
    """Return the scores of tokens by their counts alone."""
    return np.log(counts + 1).astype(np.float32)


@cache
def tokenizer() -> BPETokenizer:
    """Return the tokenizer whose ids are rows of the tables."""
    return load("gpt2").cut(MERGES)


@cache
def embedding() -> Embedding:
    """Return the embedding in the file."""
    with np.load(_FILE) as kept:
        rows, columns = (kept[name].astype(np.float32) / _UNIT for name in ("rows", "columns"))
        return Embedding(rows, columns, kept["counts"], str(kept["digest"]))


def training_text() -> str:
    """Return the text that the embedding is trained on: without its line breaks, which say little."""
    return " ".join(corpus().split())


def train(text: str) -> Embedding:
    """Train an embedding on a text: by gradient descent (Adam) on all pairs of neighbors at once.

    Tokens that the text never has keep the random numbers of the beginning.
    """
    random = np.random.default_rng(_SEED)
    tables = [random.normal(0, 0.1, (256 + MERGES, WIDTH)).astype(np.float32) for _ in range(3)]
    seen, ids = np.unique(tokenizer().tokenize(text).ids, return_inverse=True)
    followed = np.zeros((len(seen), len(seen)), np.float32)
    np.add.at(followed, (ids[:-1], ids[1:]), 1 / len(ids))
    counts = np.bincount(seen[ids], minlength=256 + MERGES).astype(np.int32)
    trained = [table[seen] for table in tables]
    _descend(trained, followed, bias(counts)[seen])
    for table, moved in zip(tables, trained, strict=True):
        table[seen] = moved
    return Embedding(tables[0], tables[1], counts, hashlib.sha256(text.encode()).hexdigest())


def _descend(tables: Sequence[_Table], followed: _Table, bias: _Table) -> None:
    """Move the tables until they predict how often each token is followed by each."""
    preceded = followed.T.copy()
    moments = [(np.zeros_like(table), np.zeros_like(table)) for table in tables]
    for step in range(1, _STEPS + 1):
        rows, after, before = tables
        wrong_after = _errors(rows @ after.T + bias, followed)
        wrong_before = _errors(rows @ before.T + bias, preceded)
        gradients = (wrong_after @ after + wrong_before @ before, wrong_after.T @ rows, wrong_before.T @ rows)
        for table, (mean, square), gradient in zip(tables, moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            table -= _RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)


def _errors(scores: _Table, observed: _Table) -> _Table:
    """Return by how much the chances of neighbors are too high, weighted by how often the row's token occurs."""
    errors: _Table = np.exp(scores - scores.max(axis=1, keepdims=True))  # softmax, with few tables in between
    errors *= observed.sum(axis=1, keepdims=True) / errors.sum(axis=1, keepdims=True)
    errors -= observed
    return errors


def _save(trained: Embedding) -> None:
    rows, columns = (np.round(table * _UNIT).astype(np.int8) for table in trained[:2])
    np.savez_compressed(_FILE, rows=rows, columns=columns, counts=trained.counts, digest=np.array(trained.digest))


if __name__ == "__main__":
    _save(train(training_text()))
