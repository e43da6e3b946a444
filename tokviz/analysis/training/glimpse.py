"""A training as it goes: the newest merges, the curve of tokens left, and a piece of its text as it is read."""

from typing import Any, NamedTuple

import numpy as np

from tokviz.arrays import Int64Array
from tokviz.display import shown
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.history import Training

NEWEST = 12
"""Number of merges in a glimpse of a training that goes on."""

MAX_POINTS = 240
"""Maximum points of a curve."""

MAX_PIECE = 600
"""Maximum code points of the piece of text."""

_MAX_SPELLED = 40  # bytes of a token


class SeenMerge(NamedTuple):
    """A merge for people: its rank from 0, its parts and the token spelled, and the pair's count then."""

    rank: int
    left: str
    right: str
    new: str
    times: int


class Glimpse(NamedTuple):
    """A training at a moment.

    `merges` are the newest, newest first. `curve` has points (merges, tokens left in the training text). `piece` is the
    beginning of the text, `ids` its tokens, of `byte_lengths` bytes each.
    """

    merges: list[SeenMerge]
    curve: list[tuple[int, int]]
    piece: str
    ids: list[int]
    byte_lengths: list[int]

    def as_data(self) -> dict[str, Any]:
        """Return it in the form that widgets take."""
        return self._asdict() | {"merges": [merge._asdict() for merge in self.merges]}


def glimpse(tokenizer: BPETokenizer, piece: str, newest: int = NEWEST) -> Glimpse:
    """Look at a tokenizer that was trained, or is being trained: see `watch` of `train`. It has the `newest` merges.

    >>> import tokviz
    >>> seen = glimpse(tokviz.train("aaabdaaabac", num_merges=2), "aaab")
    >>> seen.merges[0].new, seen.curve, seen.byte_lengths
    ('aaa', [(0, 11), (1, 9), (2, 7)], [3, 1])
    """
    training = tokenizer.training
    assert training is not None
    read = tokenizer.tokenize(piece, "all")
    return Glimpse(
        _newest(tokenizer, training, newest),
        curve(training),
        piece,
        read.ids.tolist(),
        np.diff(read.byte_offsets).tolist(),
    )


def piece_of(texts: list[str]) -> str:
    """Return the beginning of the first text that isn't empty, up to the end of a word if there is one."""
    text = next(filter(None, texts), "")
    if len(text) <= MAX_PIECE:
        return text
    end = max(text.rfind(" ", 1, MAX_PIECE), text.rfind("\n", 1, MAX_PIECE))
    return text[: end if end > 0 else MAX_PIECE]


def curve(training: Training) -> list[tuple[int, int]]:
    """Return points (merges, tokens left in the training text), from 0 merges to the last."""
    left = tokens_left(training)
    # Most tokens go with the first merges, so these have more of the points.
    steps = np.unique(np.round(np.linspace(0, 1, MAX_POINTS) ** 2 * (len(left) - 1)).astype(np.int64))
    return [(int(step), int(left[step])) for step in steps]


def tokens_left(training: Training) -> Int64Array:
    """Return the number of tokens left in the training text after each number of merges, from 0.

    >>> import tokviz
    >>> tokens_left(tokviz.train("aaabdaaabac", num_merges=2).training).tolist()
    [11, 9, 7]
    """
    return training.text_symbols - np.concatenate(([0], np.cumsum(training.merged, dtype=np.int64)))


def _newest(tokenizer: BPETokenizer, training: Training, most: int) -> list[SeenMerge]:
    ranks = range(len(training) - 1, max(-1, len(training) - 1 - most), -1)
    steps = ((rank, training[rank]) for rank in ranks)
    return [
        SeenMerge(
            rank, spell(tokenizer, step.left), spell(tokenizer, step.right), spell(tokenizer, step.new), step.count
        )
        for rank, step in steps
    ]


def spell(tokenizer: BPETokenizer, token: int, most: int = _MAX_SPELLED) -> str:
    """Spell a token for people, with the end-of-word mark if it has one; at most `most` characters of its bytes."""
    mark = tokenizer.end_of_word if tokenizer.ends_word(token) else None
    return shown(tokenizer.vocab[token], most) + (mark or "")
