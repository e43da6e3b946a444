"""BPE-dropout (Provilkov, Emelianenko and Voita, 2020, algorithm 1): encoding with merges left out at random."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from tokviz.bpe.merging import Merges


def merge_with_dropout(symbols: Sequence[int], merges: Merges, dropout: float, rng: Random) -> list[int]:
    """Merge one pre-token, leaving each possible merge out with probability `dropout`, anew at each step.

    A step draws one number for each pair of neighbors that has a merge, from left to right; the pair is left out if the
    number is below `dropout`. Of the others, the one of lowest rank is joined, the leftmost first. The merging ends
    when a step leaves none.
    """
    rank_of, new_of = merges.rank, merges.new_ids
    row = list(symbols)
    while True:
        ranks = [(rank, place) for place, pair in enumerate(pairwise(row)) if (rank := rank_of.get(pair)) is not None]
        kept = [each for each in ranks if rng.random() >= dropout]
        if not kept:
            return row
        rank, place = min(kept)
        row[place : place + 2] = [new_of[rank]]


def check_dropout(dropout: object) -> float:
    """Return the probability. Raises TypeError or ValueError if it is none."""
    if not isinstance(dropout, int | float) or isinstance(dropout, bool):
        raise TypeError(f"dropout must be a probability, not {dropout!r:.60}")
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout must be between 0 and 1, not {dropout}")
    return float(dropout)
