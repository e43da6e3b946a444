"""The longest matches of a text: WordPiece, word by word."""

from collections.abc import Sequence
from typing import NamedTuple

from tokviz import renderers
from tokviz.immutable import Immutable
from tokviz.subwords.word_piece import LongestMatches, WordPieceModel, longest_matches
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.segments import Segment


class MatchedWord(NamedTuple):
    """A word as it was matched, and the part of the text that it stands for, in bytes."""

    matches: LongestMatches
    start: int
    end: int


class TextMatches(Immutable):
    """The longest matches of each word of a text.

    `segments` are its pre-tokens after normalization, and its special tokens. `words` are those that were matched.
    """

    def __init__(self, tokenizer: Tokenizer, text: str, model: WordPieceModel, segments: Sequence[Segment]) -> None:
        self.tokenizer = tokenizer
        self.text = text
        self.model = model
        self.segments = tuple(segments)
        self.words = tuple(
            MatchedWord(
                longest_matches(model, segment.text), int(segment.byte_offsets[0]), int(segment.byte_offsets[-1])
            )
            for segment in segments
            if segment.special is None
        )

    def __repr__(self) -> str:
        return f"<TextMatches: {len(self.words)} words, {len(self.ids)} tokens>"

    def _repr_html_(self) -> str:
        """Render the words and their steps for a notebook."""
        return renderers.as_html(self)

    @property
    def ids(self) -> list[int]:
        """The token ids of the text."""
        words = iter(self.words)
        of_segments = (
            [segment.special] if segment.special is not None else next(words).matches.ids for segment in self.segments
        )
        return [token for ids in of_segments for token in ids]
