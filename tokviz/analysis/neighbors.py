"""Characters that can complete a token which begins or ends within a character, and leave the token as it is.

The bytes that such a token lacks are in the token beside it. Two tokens are neighbors in some encoding only if merging
the bytes of these two alone gives them again: no merge crosses their outer borders, so nothing else plays a part.
Trying each token of the vocabulary as the neighbor decides which characters are possible; often, very few are.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from tokviz.analysis.character_parts import Parts
from tokviz.bpe.merging import Merges, merge_bytes, merge_symbols
from tokviz.display import token_text
from tokviz.tokenizers.bpe import BPETokenizer

_MAX_CHARACTERS = 5_000
"""Maximum characters listed; of a token that more of them complete, nothing is said."""

_CONTINUATION = range(0x80, 0xC0)


class Neighbors:
    """Search for the neighbors of the tokens of one vocabulary, whose alphabet is made of bytes."""

    def __init__(self, tokenizer: BPETokenizer) -> None:
        self._tokenizer = tokenizer
        ordinary = set(tokenizer.vocab) - set(tokenizer.special_tokens.values())
        tokens = [(token, tokenizer.vocab[token]) for token in sorted(ordinary)]
        self._ending_within = [(token, data) for token, data in tokens if _ends_within_a_character(data)]
        self._beginning_within = [(token, data) for token, data in tokens if data[0] in _CONTINUATION]

    def completions(self, token: int, parts: Parts) -> list[str] | None:
        """Return all texts that complete the token's bytes to whole characters, with the token as it is within.

        The list is complete as far as merging goes; how the split pattern cuts these texts is not considered. None if
        there are too many.
        """
        if parts.inside:
            return self._characters_around(token, parts.inside)
        befores = self._characters_before(token, parts.end) if parts.end else [""]
        afters = self._characters_after(token, parts.beginning) if parts.beginning else [""]
        if befores is None or afters is None or len(befores) * len(afters) > _MAX_CHARACTERS:
            return [] if [] in (befores, afters) else None
        return [f"{first}{parts.whole}{last}" for first, last in product(befores, afters)]

    def _befores(self, token: int) -> list[bytes]:
        """Bytes of the tokens that can be before this one and end within a character."""
        return [data for other, data in self._ending_within if self._stay_apart(other, token)]

    def _afters(self, token: int) -> list[bytes]:
        """Bytes of the tokens that can be after this one and begin within a character."""
        return [data for other, data in self._beginning_within if self._stay_apart(token, other)]

    def _characters_after(self, token: int, beginning: bytes) -> list[str] | None:
        missing = _length(beginning[0]) - len(beginning)
        beginnings = {beginning + data[:missing] for data in self._afters(token)}
        return _characters(data for start in beginnings for data in _filled(start, missing + len(beginning)))

    def _characters_before(self, token: int, end: bytes) -> list[str] | None:
        found: set[bytes] = set()
        for data in self._befores(token):
            # The character began at most three bytes before `end`, perhaps in a token before the neighbor.
            for size in range(1, 4 - len(end) + 1):
                start = data[-size:]
                if len(start) == size and start[0] not in _CONTINUATION and _length(start[0]) == size + len(end):
                    found.add(start + end)
            if all(byte in _CONTINUATION for byte in data) and len(data) + len(end) < 4:
                found.update(_led(data + end))
        return _characters(iter(found))

    def _characters_around(self, token: int, inside: bytes) -> list[str] | None:
        befores, afters = self._befores(token), self._afters(token)

        def is_possible(before: bytes, after: bytes) -> bool:
            return any(before.endswith(data) or data.endswith(before) for data in befores) and (
                not after or any(after.startswith(data) or data.startswith(after) for data in afters)
            )

        return _characters(
            before + inside + after for before, after in _surroundings(inside) if is_possible(before, after)
        )

    def _stay_apart(self, first: int, second: int) -> bool:
        """Return whether merging the bytes of two tokens gives these two tokens."""
        vocab, ranks = self._tokenizer.vocab, self._tokenizer.tiktoken_ranks
        if ranks is not None:
            return merge_bytes(vocab[first] + vocab[second], ranks) == [vocab[first], vocab[second]]
        ids = self._tokenizer.alphabet.ids
        symbols = [ids.get(byte, -1) for byte in vocab[first] + vocab[second]]
        return -1 not in symbols and merge_symbols(symbols, self._merges).symbols == [first, second]

    @cached_property
    def _merges(self) -> Merges:
        return Merges.from_dict(self._tokenizer.merges)


def _ends_within_a_character(data: bytes) -> bool:
    """Return whether the last character may go on in the next token."""
    for size in range(1, min(3, len(data)) + 1):
        if data[-size] not in _CONTINUATION:
            return 0xC2 <= data[-size] < 0xF5 and size < _length(data[-size])
    return len(data) < 4 and all(byte in _CONTINUATION for byte in data)


def _length(lead: int) -> int:
    """Length in bytes of a character by its first byte."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _filled(start: bytes, length: int) -> Iterator[bytes]:
    """Yield all continuations of the first bytes of a character to its whole length."""
    for rest in product(_CONTINUATION, repeat=length - len(start)):
        yield start + bytes(rest)


def _led(rest: bytes) -> Iterator[bytes]:
    """Yield all characters that end in these bytes."""
    for lead in range(0xC2, 0xF5):
        missing = _length(lead) - 1 - len(rest)
        if missing >= 0:
            yield from (bytes([lead, *between]) + rest for between in product(_CONTINUATION, repeat=missing))


def _surroundings(inside: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield what may be before and after these bytes in a character."""
    for lead in range(0xC2, 0xF5):
        missing = _length(lead) - 1 - len(inside)
        for size in range(missing + 1):
            for some in product(_CONTINUATION, repeat=missing) if missing >= 0 else ():
                yield bytes([lead, *some[:size]]), bytes(some[size:])


def _characters(encoded: Iterator[bytes]) -> list[str] | None:
    """Return the valid ones of these characters; None if there are too many."""
    found: list[str] = []
    for data in encoded:
        text = token_text(data)
        if text is not None and len(text) == 1:
            found.append(text)
        if len(found) > _MAX_CHARACTERS:
            return None
    return sorted(found)
