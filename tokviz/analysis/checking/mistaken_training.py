"""Training as it goes wrong: the textbook loop with a wrong step in it.

The loop counts all pairs, joins the most frequent one everywhere, and begins again. That is slow, so it ends as soon as
it has learned another merge than the solution, or when it has counted too much.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tokviz.analysis.checking.solutions import FIRST_NEW_ID, BytePair, Solution
from tokviz.analysis.checking.task import Mistake
from tokviz.bpe.merging import Pair
from tokviz.bpe.training import TIE_BREAKS, TieBreak

Word = tuple[int, ...]
"""The symbols of a pre-token."""

Words = Counter[Word]
PairCounts = Counter[Pair]

_MAX_SYMBOLS = 20_000_000  # maximum symbols that are counted for one mistake and one tie rule, about ten seconds


def count_pairs(words: Words) -> PairCounts:
    """Count the pairs of neighbors, overlaps included, as is right."""
    counts: PairCounts = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            counts[pair] += times
    return counts


def count_without_overlaps(words: Words) -> PairCounts:
    """Count a pair only where it doesn't overlap the same pair before it, so `aaa` holds (a, a) once."""
    counts: PairCounts = Counter()
    for word, times in words.items():
        last: Pair | None = None
        for pair in pairwise(word):
            last = None if pair == last else pair
            if last:
                counts[pair] += times
    return counts


def join(word: Word, pair: Pair, new: int) -> Word:
    """Join the places of a pair from left to right, as is right."""
    joined: list[int] = []
    for symbol in word:
        if joined and (joined[-1], symbol) == pair:
            joined[-1] = new
        else:
            joined.append(symbol)
    return tuple(joined)


def join_from_the_right(word: Word, pair: Pair, new: int) -> Word:
    """Join the places of a pair from right to left, so `aaa` becomes a + aa."""
    left, right = pair
    return join(word[::-1], (right, left), new)[::-1]


def join_the_first(word: Word, pair: Pair, new: int) -> Word:
    """Join only the first place in each pre-token."""
    for place, here in enumerate(pairwise(word)):
        if here == pair:
            return (*word[:place], new, *word[place + 2 :])
    return word


class Way(NamedTuple):
    """A wrong way to train, and what is said of it.

    With `counts_once`, the pairs are counted before the first merge only; with `least`, the rarest pair is joined.
    `first_new_id` is the id of the first token that is made: below 256, it is that of a byte as well.
    """

    mistake: Mistake
    counted: Callable[[Words], PairCounts] = count_pairs
    join: Callable[[Word, Pair, int], Word] = join
    counts_once: bool = False
    least: bool = False
    first_new_id: int = FIRST_NEW_ID


NUMBERED = Mistake(
    "new-ids",
    "Your new tokens have ids that bytes have already. The 256 bytes are 0 to 255, so the first new token is 256.",
)

WAYS = (
    Way(
        Mistake(
            "overlaps-not-counted",
            "You counted overlapping places once. Count all neighbors: aaa holds a + a twice, though only one of the "
            "two can be joined.",
        ),
        counted=count_without_overlaps,
    ),
    Way(
        Mistake(
            "counted-once",
            "You counted the pairs once, before the first merge. Count again after each merge: it makes new pairs, "
            "and takes places from others.",
        ),
        counts_once=True,
    ),
    Way(
        Mistake(
            "from-the-right",
            "You joined places from right to left. Go from left to right: aaa becomes aa + a.",
        ),
        join=join_from_the_right,
    ),
    Way(
        Mistake(
            "first-place-only",
            "You joined only the first place in each pre-token. Join all places of the pair.",
        ),
        join=join_the_first,
    ),
    Way(
        Mistake("least-frequent", "You joined the rarest pair each time. Join the most frequent one."),
        least=True,
    ),
    *(Way(NUMBERED, first_new_id=first_new_id) for first_new_id in (0, 1, 255)),
)


class _TooLongError(Exception):
    """More would have to be counted than is allowed."""


def is_learned_in(way: Way, solution: Solution, counts: Mapping[str, int]) -> bool:
    """Return whether a wrong way learns exactly these merges, under some tie rule."""
    by_ids = way.first_new_id < FIRST_NEW_ID
    merges: Sequence[object] = solution.id_pairs if by_ids else solution.pairs
    for rule in TIE_BREAKS:
        learned = ((pair if by_ids else spelled) for pair, spelled in _learn(way, counts, rule))
        try:
            if merges and all(next(learned, None) == pair for pair in merges):
                return True
        except _TooLongError:
            continue
    return False


def _learn(way: Way, counts: Mapping[str, int], tie_break: TieBreak) -> Iterator[tuple[Pair, BytePair]]:
    """Learn merges in a wrong way, by ids and by bytes. Raises _TooLongError when that takes too long."""
    words: Words = Counter({tuple(pretoken.encode()): times for pretoken, times in counts.items()})
    tokens = {value: bytes([value]) for value in range(256)}
    new = way.first_new_id
    pairs = way.counted(words)
    left_to_count = _MAX_SYMBOLS
    while pairs:
        pair = _choose(pairs, tokens, tie_break, -1 if way.least else 1)
        left, right = tokens[pair[0]], tokens[pair[1]]
        yield pair, (left, right)
        tokens[new] = left + right
        if way.counts_once:
            del pairs[pair]
            continue
        left_to_count -= sum(map(len, words))
        if left_to_count < 0:
            raise _TooLongError
        words = _joined(words, way, pair, new)
        new += 1
        pairs = way.counted(words)


def _joined(words: Words, way: Way, pair: Pair, new: int) -> Words:
    joined: Words = Counter()
    for word, times in words.items():
        joined[way.join(word, pair, new) if pair[0] in word else word] += times
    return joined


def _choose(pairs: PairCounts, tokens: Mapping[int, bytes], tie_break: TieBreak, sign: int) -> Pair:
    highest = max(sign * count for count in pairs.values())
    tied = [pair for pair, count in pairs.items() if sign * count == highest]
    if tie_break == "lowest-ids":
        return min(tied)
    if tie_break == "greatest-bytes":
        return max(tied, key=lambda pair: (tokens[pair[0]], tokens[pair[1]]))
    return tied[0]  # counted in the order of the text
