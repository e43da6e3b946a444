"""WordPiece: a word becomes the longest piece that it begins with, then the longest that its rest begins with, etc.

Pieces that continue a word are marked in the vocabulary by a prefix, `##` in BERT. If at some place nothing fits, the
whole word is unknown. Nothing is learned about frequencies when a text is encoded: only which pieces exist matters.

Example: with the pieces `un`, `##aff`, `##able`, `##a`, the word `unaffable` is tried as `unaffable`, `unaffabl`, ...,
until `un` is found; then `##affable`, `##affabl`, ..., `##aff`; then `##able`.

Schuster and Nakajima (2012), "Japanese and Korean voice search"; Devlin et al. (2018), "BERT".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class WordPieceModel:
    """A vocabulary: piece -> id, with the prefix of pieces that continue a word.

    Words of more than `max_chars` code points are unknown without a try.
    """

    ids: Mapping[str, int]
    unk_id: int
    prefix: str = "##"
    max_chars: int = 100


class Match(NamedTuple):
    """The longest piece that fits at `start`: its end and its id, in code points of the word."""

    start: int
    end: int
    id: int


@dataclass(frozen=True)
class LongestMatches:
    """The matches of a word, in order.

    `stuck_at` is the place, in code points, where nothing fits, so that the word is unknown; None if all was matched.
    """

    model: WordPieceModel
    word: str
    matches: tuple[Match, ...]
    stuck_at: int | None

    @property
    def is_too_long(self) -> bool:
        """Whether the word has too many characters to be tried at all."""
        return len(self.word) > self.model.max_chars

    @property
    def ids(self) -> list[int]:
        """The token ids of the word."""
        return [match.id for match in self.matches] if self.stuck_at is None else [self.model.unk_id]

    @property
    def num_attempts(self) -> int:
        """The number of lookups: at each place from the whole rest of the word down to what fits."""
        ends = [end for _, end, _ in self.matches]
        if self.stuck_at is not None and not self.is_too_long:
            ends.append(self.stuck_at + 1)
        return sum(len(self.word) - end + 1 for end in ends)


def longest_matches(model: WordPieceModel, word: str) -> LongestMatches:
    """Match a word, the longest piece first.

    >>> model = WordPieceModel({"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3}, unk_id=0)
    >>> longest_matches(model, "unaffable").ids
    [1, 2, 3]
    >>> longest_matches(model, "unkind").stuck_at
    2
    """
    matches: list[Match] = []
    start = 0
    if len(word) > model.max_chars:
        return LongestMatches(model, word, (), 0)
    while start < len(word):
        match = _longest_at(model, word, start)
        if match is None:
            return LongestMatches(model, word, tuple(matches), start)
        matches.append(match)
        start = match.end
    return LongestMatches(model, word, tuple(matches), None)


def _longest_at(model: WordPieceModel, word: str, start: int) -> Match | None:
    for end in range(len(word), start, -1):
        found = model.ids.get((model.prefix if start else "") + word[start:end])
        if found is not None:
            return Match(start, end, found)
    return None
