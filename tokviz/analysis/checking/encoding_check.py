"""`check_encoding`: are these the ids that a tokenizer gives a text, and if not, where and why do they differ?"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tokviz.analysis.checking.encoding_mistakes import find_encoding_mistake
from tokviz.analysis.checking.solutions import ids_of
from tokviz.analysis.checking.task import Mistake
from tokviz.display import counted, shown
from tokviz.texts import in_common
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.replay import Replay

MAX_TEXT = 100_000
"""Maximum characters of a text whose ids are checked: the known mistakes are tried slowly."""


@dataclass(frozen=True)
class TokenDifference:
    """The first token that differs: its number, from 0, and the byte of the text where it begins.

    `given` and `expected` are the ids there, None where the ids end. `step` is the step of the text's replay (see
    `Tokenizer.replay`) that makes the expected token or, if that is a single symbol, the first in its pre-token.
    """

    number: int
    byte: int
    given: int | None
    expected: int | None
    step: int


@dataclass(frozen=True)
class EncodingCheck:
    """What `check_encoding` found. Printed, it says so in sentences.

    `num_tokens` are the ids given. `difference` is the first wrong one, and `mistake` the known mistake that gives
    exactly these ids; None if there is none.
    """

    tokenizer: BPETokenizer
    num_tokens: int
    difference: TokenDifference | None = None
    mistake: Mistake | None = None

    @property
    def right(self) -> bool:
        """Whether all ids are right."""
        return self.difference is None

    @property
    def sentences(self) -> list[str]:
        """The verdict, the first difference and the mistake, in sentences."""
        if self.difference is None:
            return [f"Right: {counted('token', self.num_tokens)}."]
        return ["Not right yet.", self._difference(self.difference), *([self.mistake.sentence] if self.mistake else [])]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _difference(self, difference: TokenDifference) -> str:
        number, given, expected = difference.number, difference.given, difference.expected
        if given is None:
            return f"You stop after {counted('token', number)}. The next is {self._token(expected)}."
        if expected is None:
            return f"The text ends after {counted('token', number)}, and you go on with {self._token(given)}."
        place = f"Token {number + 1:,}, at byte {difference.byte:,} of the text"
        return f"{place}: you have {self._token(given)}; it is {self._token(expected)}."

    def _token(self, token: int | None) -> str:
        data = None if token is None else self.tokenizer.vocab.get(token)
        return (
            f"{token}, which is no token of {self.tokenizer.name}" if data is None else f"{token} ({shown(data, 20)})"
        )


def check_encoding(
    ids: Iterable[int], text: str, tokenizer: Tokenizer, allowed_special: Collection[str] = ()
) -> EncodingCheck:
    """Check the ids of a text, which somebody's own encoder made: where do they go wrong, and why?

    `tokenizer` is the one that they were to be made by, and `allowed_special` as in `encode`. Raises ValueError if
    `ids` are no ids, if the text has more than 100,000 characters, or if tokviz does not merge as the tokenizer does.

    >>> import tokviz
    >>> print(check_encoding([83, 1169], " the", tokviz.load("gpt2")))
    Not right yet.
    Token 1, at byte 0 of the text: you have 83 (t); it is 262 (·the).
    """
    if not isinstance(tokenizer, BPETokenizer):
        raise ValueError(f"{tokenizer.name} is not byte pair encoding, whose ids are checked here")
    if len(text) > MAX_TEXT:
        raise ValueError(f"the text has {len(text):,} characters; {MAX_TEXT:,} are the most that are checked")
    given = ids_of(ids)
    replay = tokenizer.replay(text, allowed_special)
    expected = replay.state(len(replay)).tolist()
    if given == expected:
        return EncodingCheck(tokenizer, len(given))
    mistake = find_encoding_mistake(given, expected, tokenizer, replay)
    return EncodingCheck(tokenizer, len(given), _difference(given, expected, replay), mistake)


def _difference(given: Sequence[int], expected: Sequence[int], replay: Replay) -> TokenDifference:
    number = in_common(given, expected)
    offsets = replay.tokenization(len(replay)).byte_offsets
    byte = int(offsets[number])
    return TokenDifference(
        number,
        byte,
        given[number] if number < len(given) else None,
        expected[number] if number < len(expected) else None,
        _step(replay, byte, int(offsets[min(number + 1, len(expected))])),
    )


def _step(replay: Replay, start: int, end: int) -> int:
    """Return the step that makes the token at these bytes, or the first step in the pre-token of a single symbol."""
    starts = replay.byte_offsets[:-1]
    inside = (starts > start) & (starts < end)
    if inside.any():
        return int(replay.removed_at[inside].max())
    if not len(starts):
        return 0
    at = min(int(np.searchsorted(starts, start)), len(starts) - 1)
    steps = replay.removed_at[replay.pretoken_index == replay.pretoken_index[at]]
    return int(steps.min()) if len(steps) else 0
