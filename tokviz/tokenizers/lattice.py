"""The lattice of a text: all pieces of a Unigram model that fit it, and the best ways to write it with them."""

import heapq
import math
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tokviz import renderers
from tokviz.arrays import Int32Array
from tokviz.immutable import Immutable
from tokviz.subwords.fallback import Token
from tokviz.subwords.unigram import Lattice, Path, UnigramModel
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.segments import Segment, original_offsets


class Way(NamedTuple):
    """One way to write a text: a path for each segment that is no special token, and the sum of their scores."""

    paths: tuple[Path, ...]
    score: float


class TextLattice(Immutable):
    """All pieces that fit a text, and the best `n` ways to write it, the best one first, which is the engine's own.

    `best` is the text as `tokenizer` splits it. `segments` are the parts of the normalized text that the model encodes
    by itself, and `lattices` their lattices (None for a special token).

    >>> lattice = tokviz.open("t5/tokenizer.json").lattice("the tower")  # doctest: +SKIP
    >>> lattice.tokenization(lattice.ways[1])  # the next best way  # doctest: +SKIP
    """

    def __init__(
        self, tokenizer: Tokenizer, best: Tokenization, model: UnigramModel, segments: Sequence[Segment], n: int
    ) -> None:
        self.tokenizer = tokenizer
        self.best = best
        self.model = model
        self.segments = tuple(segments)
        self.lattices = tuple(Lattice(model, part.text) if part.special is None else None for part in segments)
        self.ways = tuple(_best_ways([lattice.paths(n) for lattice in self.lattices if lattice is not None], n))

    def __repr__(self) -> str:
        return f"<TextLattice: {sum(len(each) for each in self.lattices if each):,} pieces fit, {self.num_ways:,} ways>"

    def _repr_html_(self) -> str:
        """Render the lattice for a notebook."""
        return renderers.as_html(self)

    @cached_property
    def num_ways(self) -> int:
        """The number of ways to write the text as pieces."""
        return math.prod(lattice.num_paths for lattice in self.lattices if lattice is not None)

    def ids(self, way: Way) -> Int32Array:
        """Return the token ids of a way."""
        return np.array([token for tokens in self._tokens(way) for token, _ in tokens], np.int32)

    def tokenization(self, way: Way) -> Tokenization:
        """Return the text as a way splits it into tokens."""
        if way is self.ways[0]:
            return self.best
        tokens = self._tokens(way)
        lengths = [length for of_segment in tokens for _, length in of_segment]
        offsets = original_offsets(self.segments, np.concatenate(([0], lengths)).cumsum(dtype=np.int32))
        offsets[-1] = len(self.best.data) if lengths else 0
        return Tokenization(
            self.best.text,
            self.ids(way),
            offsets,
            replaced=self.best.replaced,
            special_ids=frozenset(self.tokenizer.special_tokens.values()),
            pretokens=np.repeat(np.arange(len(tokens), dtype=np.int32), list(map(len, tokens))),
            bytes_of=self.tokenizer.vocab.__getitem__,
        )

    def _tokens(self, way: Way) -> list[list[Token]]:
        """Return the tokens of each segment."""
        paths = iter(way.paths)
        tokens = []
        for segment, lattice in zip(self.segments, self.lattices, strict=True):
            if lattice is not None:
                tokens.append(lattice.tokens(next(paths)))
            elif segment.special is not None:
                tokens.append([Token(segment.special, len(segment.text.encode()))])
        return tokens


class _Chosen(NamedTuple):
    """A path of a segment, after those chosen in the segments before it."""

    score: float
    before: "_Chosen | None"
    path: Path | None


def _best_ways(choices: Sequence[Sequence[Path]], n: int) -> list[Way]:
    """Return the n combinations of a path from each segment with the highest sums, the highest first.

    In each segment, paths are taken in their order, as sums of single precision may have it.
    """
    ways = [_Chosen(0.0, None, None)]
    for paths in choices:
        scores = np.minimum.accumulate([path.score for path in paths]).tolist()
        combined = chain.from_iterable(
            (_Chosen(way.score + score, way, path) for score, path in zip(scores, paths, strict=True)) for way in ways
        )
        ways = heapq.nlargest(n, combined, key=itemgetter(0))
    return list(map(_unwound, ways))


def _unwound(chosen: _Chosen) -> Way:
    paths: list[Path] = []
    at: _Chosen | None = chosen
    while at is not None and at.path is not None:
        paths.append(at.path)
        at = at.before
    return Way(tuple(paths[::-1]), math.fsum(path.score for path in paths))
