"""The lattice of a text: all pieces of a Unigram model that fit it, and the best ways to write it with them."""

import heapq
import math
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tokviz.immutable import Immutable
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

    `segments` are the parts of the normalized text that the model encodes by itself, and `lattices` their lattices
    (None for a special token).

    >>> lattice = tokviz.open("t5/tokenizer.json").lattice("the tower")  # doctest: +SKIP
    >>> lattice.tokenization(lattice.ways[1])  # the next best way  # doctest: +SKIP
    """

    def __init__(
        self, tokenizer: Tokenizer, text: str, replaced: int, model: UnigramModel, segments: Sequence[Segment], n: int
    ) -> None:
        self.tokenizer = tokenizer
        self.text = text
        self.replaced = replaced
        self.model = model
        self.segments = tuple(segments)
        self.lattices = tuple(Lattice(model, part.text) if part.special is None else None for part in segments)
        self.ways = tuple(_best_ways([lattice.paths(n) for lattice in self.lattices if lattice is not None], n))

    def __repr__(self) -> str:
        return f"<TextLattice: {sum(len(each) for each in self.lattices if each):,} pieces fit, {self.num_ways:,} ways>"

    def _repr_html_(self) -> str:
        """Render the lattice for a notebook."""
        from tokviz.widgets.lattices import notebook_lattice  # late: an upward import, as widgets import this module

        return notebook_lattice(self)

    @cached_property
    def num_ways(self) -> int:
        """The number of ways to write the text as pieces."""
        return math.prod(lattice.num_paths for lattice in self.lattices if lattice is not None)

    def tokenization(self, way: Way) -> Tokenization:
        """Return the text as a way splits it into tokens."""
        paths = iter(way.paths)
        tokens, index = [], []
        for number, (segment, lattice) in enumerate(zip(self.segments, self.lattices, strict=True)):
            if lattice is None:
                of_segment = [(segment.special, len(segment.text.encode()))]
            else:
                of_segment = list(lattice.tokens(next(paths)))
            tokens += of_segment
            index += [number] * len(of_segment)
        ids, lengths = np.array(tokens, np.int32).reshape(-1, 2).T
        offsets = original_offsets(self.segments, np.concatenate(([0], lengths)).cumsum(dtype=np.int32))
        if len(ids):
            offsets[-1] = len(self.text.encode())
        return Tokenization(
            self.text,
            ids,
            offsets,
            replaced=self.replaced,
            special_ids=frozenset(self.tokenizer.special_tokens.values()),
            pretokens=np.array(index, np.int32),
        )


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
    return [Way(*_unwound(way)) for way in ways]


def _unwound(chosen: _Chosen) -> tuple[tuple[Path, ...], float]:
    paths: list[Path] = []
    at: _Chosen | None = chosen
    while at is not None and at.path is not None:
        paths.append(at.path)
        at = at.before
    return tuple(paths[::-1]), math.fsum(path.score for path in paths)
