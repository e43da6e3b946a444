"""Unigram: of all ways to write a text as pieces, the one whose scores have the highest sum.

All pieces that fit form a *lattice*: its nodes are the places between characters, its edges the pieces, each from where
it begins to where it ends. A path from the start to the end of the text is one way to write it. The best path to each
place is the best path to some place before it, and one more edge (Viterbi's algorithm), so that one pass over the edges
finds the best path of all. If each place keeps its best n paths, the same pass finds the next best ones too.

Example: with the scores `a` -3, `b` -4, `ab` -5, `abc` -9, `c` -1, the text `abc` can be written as

    ab + c      -5 - 1 = -6         the best path
    a + b + c   -3 - 4 - 1 = -8
    abc         -9

A score is the logarithm of a piece's probability, so a sum of scores is the logarithm of a product of probabilities.
Kudo (2018), "Subword regularization", https://arxiv.org/abs/1804.10959. The rules for characters that no piece fits are
sentencepiece's, which tokenizers has too.
"""

import heapq
import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.arrays import Int32Array
from tokviz.immutable import PickledWithoutCaches
from tokviz.subwords.fallback import NoUnknownToken, Token, unknown_tokens

MAX_EDGES = 5_000_000
"""Maximum edges of a lattice; a vocabulary made to have long chains of prefixes could have many more."""

# Above this sum, sentencepiece starts to count anew, so that single precision is enough (`kScoreResetThreshold`).
_RESET_ABOVE = 100_000.0

ScoreArray = npt.NDArray[np.floating[Any]]


class Prefixes:
    """An index of pieces, none of them empty.

    Sorted, the pieces that a text begins with are its last predecessor, or begin that predecessor too. So one binary
    search finds them all, if each piece knows the longest other piece that it begins with.

    >>> Prefixes(["a", "ab", "abd", "b"]).of("abc")
    ['a', 'ab']
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = sorted(pieces)
        self._shorter: list[int] = []
        open_pieces: list[int] = []
        for index, piece in enumerate(self._pieces):
            while open_pieces and not piece.startswith(self._pieces[open_pieces[-1]]):
                open_pieces.pop()
            self._shorter.append(open_pieces[-1] if open_pieces else -1)
            open_pieces.append(index)
        self.longest = max(map(len, self._pieces), default=0)

    def of(self, text: str) -> list[str]:
        """Return the pieces that `text` begins with, from short to long."""
        at = bisect_right(self._pieces, text) - 1
        while at >= 0 and not text.startswith(self._pieces[at]):
            at = self._shorter[at]
        found = []
        while at >= 0:
            found.append(self._pieces[at])
            at = self._shorter[at]
        return found[::-1]


@dataclass(frozen=True)
class UnigramModel(PickledWithoutCaches):
    """Pieces with scores.

    `ids` maps the pieces that can be matched in text to their ids; `scores` holds the score of each id. Scores are
    added in their own precision, as ties depend on it: float32 in sentencepiece, float64 in tokenizers. A character
    that is no piece is unknown: an edge with `unk_id` and `unk_score`. Unknown text becomes the tokens of its bytes if
    `byte_ids` has them (see `fallback`).
    """

    ids: Mapping[str, int]
    scores: ScoreArray
    unk_score: float
    unk_id: int | None = None
    byte_ids: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def prefixes(self) -> Prefixes:
        """Index of the pieces."""
        return Prefixes(self.ids)


def user_defined_score(piece: str) -> float:
    """Return the score that sentencepiece gives to a user-defined piece: above all others, and more for longer ones."""
    return 0.1 * (len(piece.encode()) - 1)


class Path(NamedTuple):
    """One way to write a text: the indices of its edges in the lattice, and the sum of their scores."""

    edges: Int32Array
    score: float


class _Arrival(NamedTuple):
    """A path that arrives at a place: its score, its last edge, and its index among the paths to that edge's start."""

    score: Any
    edge: int
    before: int


class Lattice:
    """All pieces of a model that fit a text.

    Columns over the edges, by start, then by end: `starts` and `ends`, in code points; `ids`; `scores`. Raises
    ValueError if there are more than `MAX_EDGES`, or if a character is unknown and the model has no unknown token.
    """

    def __init__(self, model: UnigramModel, text: str) -> None:
        self.model = model
        self.text = text
        edges = _edges(model, text)
        self.starts, self.ends, self.ids = np.array(edges, np.int32).reshape(-1, 3).T
        self.is_unknown = self.ids == _UNKNOWN
        self.scores: ScoreArray = np.where(
            self.is_unknown, model.scores.dtype.type(model.unk_score), model.scores[self.ids]
        )
        if self.is_unknown.any():
            self.ids = np.where(self.is_unknown, _unk_id(model), self.ids).astype(np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    def paths(self, n: int = 1) -> list[Path]:
        """Return the n best paths, the best one first, or all if there are fewer.

        Of equal scores, the path comes first whose last differing edge is the longest, as in the engines.
        """
        if n < 1:
            raise ValueError(f"n must be 1 or more, not {n}")
        arrivals = self._arrivals(n)
        return [self._path(arrivals, place) for place in range(len(arrivals[-1]))]

    @cached_property
    def num_paths(self) -> int:
        """The number of ways to write the text as pieces."""
        ways = [1] + [0] * len(self.text)
        for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            ways[end] += ways[start]
        return ways[-1]

    def tokens(self, path: Path) -> list[Token]:
        """Return the tokens of a path: its pieces, except that a run of unknown text is one token, or its bytes."""
        tokens: list[Token] = []
        model = self.model
        of_path = ((self.ids[edge] == model.unk_id or self.is_unknown[edge], edge) for edge in path.edges.tolist())
        for is_unknown, group in groupby(of_path, key=itemgetter(0)):
            edges = [edge for _, edge in group]
            if not is_unknown:
                tokens += [Token(int(self.ids[edge]), len(self.piece(edge).encode())) for edge in edges]
                continue
            run = self.text[self.starts[edges[0]] : self.ends[edges[-1]]]
            known = model.ids.get(run)  # tokenizers reads the text "<unk>" as that token
            if known is None:
                tokens += unknown_tokens(run, model.byte_ids, model.unk_id)
            else:
                tokens.append(Token(known, len(run.encode())))
        return tokens

    def piece(self, edge: int) -> str:
        """Return the text of an edge."""
        return self.text[self.starts[edge] : self.ends[edge]]

    def _arrivals(self, n: int) -> list[list[_Arrival]]:
        """For each place, find the best n paths that arrive there, the best one first."""
        zero = self.scores.dtype.type(0)
        arriving: list[list[_Arrival]] = [[] for _ in range(len(self.text) + 1)]
        arriving[0] = [_Arrival(zero, -1, 0)]
        first_edge = np.searchsorted(self.starts, np.arange(len(self.text) + 1)).tolist()
        ends, scores = self.ends.tolist(), list(self.scores)
        furthest = 0
        for place in range(len(self.text)):
            best = arriving[place] = _best(arriving[place], n)
            if self.scores.dtype == np.float32 and abs(best[0].score) > _RESET_ABOVE:
                offset = best[0].score
                for later in range(place, furthest + 1):
                    arriving[later] = [each._replace(score=each.score - offset) for each in arriving[later]]
                best = arriving[place]
            for edge in range(first_edge[place], first_edge[place + 1]):
                score, end = scores[edge], ends[edge]
                arriving[end] += [_Arrival(each.score + score, edge, before) for before, each in enumerate(best)]
                furthest = max(furthest, end)
        arriving[-1] = _best(arriving[-1], n)
        return arriving

    def _path(self, arrivals: Sequence[Sequence[_Arrival]], place: int) -> Path:
        """Follow a path back from the end of the text, where it is the one at `place`."""
        edges: list[int] = []
        end = len(self.text)
        while end > 0:
            _, edge, place = arrivals[end][place]
            edges.append(edge)
            end = int(self.starts[edge])
        path = np.array(edges[::-1], np.int32)
        return Path(path, math.fsum(self.scores[path].tolist()))


_UNKNOWN = -1


def _edges(model: UnigramModel, text: str) -> list[tuple[int, int, int]]:
    """Return the start, end and id of all edges; `_UNKNOWN` is the id of an unknown character."""
    edges: list[tuple[int, int, int]] = []
    prefixes, ids = model.prefixes, model.ids
    for start, char in enumerate(text):
        pieces = prefixes.of(text[start : start + prefixes.longest])
        if not pieces or len(pieces[0]) > 1:
            edges.append((start, start + 1, _UNKNOWN))
            if model.unk_id is None and not model.byte_ids:
                raise NoUnknownToken(char)
        edges += [(start, start + len(piece), ids[piece]) for piece in pieces]
        if len(edges) > MAX_EDGES:
            raise ValueError(f"more than {MAX_EDGES:,} pieces fit into this text: use a shorter one")
    return edges


def _unk_id(model: UnigramModel) -> int:
    """Return the id that edges of unknown characters show."""
    return _UNKNOWN if model.unk_id is None else model.unk_id


def _best(arriving: list[_Arrival], n: int) -> list[_Arrival]:
    """Return the n with the highest scores, the highest first; of equal ones, those that arrived first."""
    return heapq.nlargest(n, arriving, key=itemgetter(0)) if len(arriving) > 1 else arriving
