"""Characters that can complete a token which begins or ends within a character, and leave the token as it is.

The bytes that such a token lacks are in the token beside it. Two tokens are neighbors in some encoding only if merging
the bytes of these two alone gives them again: no merge crosses their outer borders, so nothing else plays a part.
Trying each token of the vocabulary as the neighbor decides which characters are possible; often, very few are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import NamedTuple

from tokviz.analysis.vocabulary.character_parts import Parts, parts_of
from tokviz.bpe.merging import Merges, merge_bytes, merge_symbols
from tokviz.display import token_text
from tokviz.tokenizers.bpe import BPETokenizer

_MAX_CHARACTERS = 5_000  # maximum characters listed; of a token that more of them complete, nothing is said
_CONTINUATION = range(0x80, 0xC0)


_MAX_BESIDE = 200  # maximum texts in which a neighbor is whole
WhyNot = Callable[[str], str]
"""Says why no pre-token holds a text; "" if one may."""


class Completions(NamedTuple):
    """Texts that may hold a token with a part of a character.

    `ruled_out` maps characters that would complete it, in texts that no pre-token holds, to why none does. `beside` are
    some of these texts with all of the token that completes the character.
    """

    texts: list[str]
    ruled_out: dict[str, str]
    beside: Sequence[str] = ()


class Neighbors:
    """Search for the neighbors of the tokens of one vocabulary, whose alphabet is made of bytes."""

    def __init__(self, tokenizer: BPETokenizer) -> None:
        self._tokenizer = tokenizer
        ordinary = set(tokenizer.vocab) - set(tokenizer.special_tokens.values())
        tokens = [(token, tokenizer.vocab[token]) for token in sorted(ordinary) if tokenizer.vocab[token]]
        self._ending_within = [(token, data) for token, data in tokens if _ends_within_a_character(data)]
        self._beginning_within = [(token, data) for token, data in tokens if data[0] in _CONTINUATION]

    def completions(self, token: int, parts: Parts, why_not: WhyNot) -> Completions | None:
        """Return all texts that complete the token's bytes to whole characters, with the token as it is within.

        The list is complete as far as merging goes; `why_not` says of a text why no pre-token holds it, or "" if one
        may. None if there are too many.
        """
        data, whole = self._tokenizer.vocab[token], parts.whole
        befores = self._befores(token) if parts.end or parts.inside else [b""]
        afters = self._afters(token) if parts.beginning or parts.inside else [b""]
        beside = filter(None, (token_text(before + data + after) for before, after in product(befores, afters)))
        some_beside = list(islice(beside, _MAX_BESIDE))
        if parts.inside:
            found = _possible(_characters_around(parts.inside, befores, afters), why_not)
            return found and found._replace(beside=some_beside)
        first = _possible(_characters_before(parts.end, befores), lambda char: why_not(char + whole))
        last = _possible(_characters_after(parts.beginning, afters), lambda char: why_not(whole + char))
        firsts = [""] if not parts.end else None if first is None else first.texts
        lasts = [""] if not parts.beginning else None if last is None else last.texts
        ruled_out = (first.ruled_out if first else {}) | (last.ruled_out if last else {})
        if firsts is None or lasts is None or len(firsts) * len(lasts) > _MAX_CHARACTERS:
            return Completions([], ruled_out) if [] in (firsts, lasts) else None
        return Completions([f"{one}{whole}{other}" for one, other in product(firsts, lasts)], ruled_out, some_beside)

    def _befores(self, token: int) -> list[bytes]:
        """Bytes of the tokens that can be before this one and end within a character."""
        data = self._tokenizer.vocab[token]
        apart = (before for other, before in self._ending_within if self._stay_apart(other, token))
        return [before for before in apart if parts_of(before + data)]

    def _afters(self, token: int) -> list[bytes]:
        """Bytes of the tokens that can be after this one and begin within a character."""
        data = self._tokenizer.vocab[token]
        apart = (after for other, after in self._beginning_within if self._stay_apart(token, other))
        return [after for after in apart if parts_of(data + after)]

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


def _characters_after(beginning: bytes, afters: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the characters that begin so, of which tokens beside them hold the rest."""
    if beginning:
        missing = _length(beginning[0]) - len(beginning)
        for start in sorted({beginning + data[:missing] for data in afters}):
            yield from _filled(start, missing + len(beginning))


def _characters_before(end: bytes, befores: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the characters that end so, of which tokens beside them hold the rest."""
    characters: set[bytes] = set()
    for data in befores if end else ():
        # The character began at most three bytes before `end`, perhaps in a token before the neighbor.
        for size in range(1, 4 - len(end) + 1):
            start = data[-size:]
            if len(start) == size and start[0] not in _CONTINUATION and _length(start[0]) == size + len(end):
                characters.add(start + end)
        if all(byte in _CONTINUATION for byte in data) and len(data) + len(end) < 4:
            characters.update(_led(data + end))
    yield from sorted(characters)


def _characters_around(inside: bytes, befores: Sequence[bytes], afters: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the characters that hold these bytes, of which tokens beside them hold the rest."""
    for before, after in _surroundings(inside):
        if any(before.endswith(data) or data.endswith(before) for data in befores) and (
            not after or any(after.startswith(data) or data.startswith(after) for data in afters)
        ):
            yield before + inside + after


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


def _possible(encoded: Iterable[bytes], why_not: WhyNot) -> Completions | None:
    """Return the valid ones of these characters, apart those that are ruled out; None if there are too many."""
    found = Completions([], {})
    for data in encoded:
        text = token_text(data)
        if text is None or len(text) != 1:
            continue
        if reason := why_not(text):
            found.ruled_out[text] = reason
        else:
            found.texts.append(text)
        if len(found.texts) > _MAX_CHARACTERS:
            return None
    return found._replace(texts=sorted(found.texts))
