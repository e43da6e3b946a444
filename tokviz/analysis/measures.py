"""The cost of texts under tokenizers: tokens, bytes per token, fertility, parity, the share of words kept whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.corpus import Texts, as_tokenizers, batches, distinct
from tokviz.analysis.counts import IN_WORD, MAKES_WORD, UNSPACED, character_count
from tokviz.analysis.tables import RowList
from tokviz.arrays import BoolArray, Int32Array, Int64Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

UNNAMED = "text"
"""Name in the table of texts that were given without one."""

# Separates the texts of a batch. NUL ends every word and every grapheme cluster, and joins neither neighbor.
_SEPARATOR = "\0"

_IN_WORD, _MAKES_WORD, _LETTER, _UNSPACED_LETTER = 1, 2, 4, 8


class Measurement(NamedTuple):
    """A row of `measure`: one text, or several counted as one, under one tokenizer.

    `tokens`, `bytes` (of UTF-8), `characters` (grapheme clusters), `words` (as `counts.WORD` defines them) and
    `whole_words` (words that no token boundary cuts) are exact counts. The other columns are ratios: `bytes_per_token`
    (the compression ratio), `tokens_per_character`, `fertility` (tokens per word), `whole_word_share` (0 to 1) and
    `parity`, the number of tokens relative to the reference text's under the same tokenizer (Petrov et al. 2023).

    A value is None if the divisor is zero or no reference was named. All values about words are None for texts in
    scripts that don't put spaces between words.
    """

    text: str
    tokenizer: str
    tokens: int
    bytes: int
    characters: int
    words: int | None
    whole_words: int | None
    bytes_per_token: float | None
    tokens_per_character: float | None
    fertility: float | None
    whole_word_share: float | None
    parity: float | None


def measure(
    texts: Mapping[str, Texts] | Texts,
    tokenizers: Sequence[str | Tokenizer],
    *,
    reference: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> RowList[Measurement]:
    """Measure texts under tokenizers (names or tokenizers): one row per text and tokenizer, text by text.

    `texts` maps names to texts. Each name is one row per tokenizer, for one text or for many that are counted together
    but never joined. They may come from an iterator, which is read once, in batches of about a megabyte, so memory
    doesn't grow with their number. An open file is one text and is tokenized as a whole; it is read in parts if all
    tokenizers have named split patterns (see `tokviz.split_patterns`), otherwise at once. Texts without names give one
    row per tokenizer; tokenizers of the same name are numbered. With a `reference`, one of the names, rows have a
    `parity`.

    `progress(done)` is called after each batch with the bytes of text measured so far; an exception in it stops the
    work.

    Raises ValueError for an unknown name, or if a tokenizer lacks a character of a text.

    >>> [row.tokens for row in measure("Hello, world!", ["gpt2", "cl100k_base"])]
    [4, 4]
    """
    named = texts if isinstance(texts, Mapping) else {UNNAMED: texts}
    if reference is not None and reference not in named:
        raise ValueError(f"the reference {reference!r} is none of the texts: {', '.join(map(repr, named)) or 'none'}")
    resolved = as_tokenizers(tokenizers)
    titles = distinct([tokenizer.name for tokenizer in resolved])
    totals: dict[str, _Totals] = {}
    done = 0
    for name, texts_of_name in named.items():
        totals[name] = _Totals(len(resolved))
        for batch in batches(texts_of_name, resolved):
            done += totals[name].add(batch, resolved)
            if progress:
                progress(done)
    reference_tokens = None if reference is None else totals[reference].tokens
    return RowList(row for name, total in totals.items() for row in total.rows(name, titles, reference_tokens))


class _Totals:
    """Sums over all batches of the texts with one name."""

    def __init__(self, num_tokenizers: int) -> None:
        self.tokens = [0] * num_tokenizers
        self._broken_words = [0] * num_tokenizers
        self._bytes = self._characters = self._words = self._letters = self._unspaced_letters = 0

    def add(self, texts: list[str], tokenizers: Sequence[Tokenizer]) -> int:
        """Add a batch and return its size in bytes."""
        joined = _SEPARATOR.join(texts)
        separators = len(texts) - 1
        classes = _classes_by_byte(joined)
        in_word = (classes & _IN_WORD).astype(bool)
        starts = in_word & ~np.append(False, in_word[:-1])
        run_of_byte = np.cumsum(starts, dtype=np.int32) - 1
        # A run of word characters is a word if at least one of them makes it one.
        is_word = np.bitwise_or.reduceat(classes & _MAKES_WORD, np.flatnonzero(starts)).astype(bool)
        for number, tokenizer in enumerate(tokenizers):
            tokenizations = [tokenizer.tokenize(text) for text in texts]
            self.tokens[number] += sum(map(len, tokenizations))
            self._broken_words[number] += _broken_words(tokenizations, in_word, run_of_byte, is_word)
        self._bytes += len(classes) - separators
        self._characters += character_count(joined) - separators
        self._words += int(np.count_nonzero(is_word))
        self._letters += int(np.count_nonzero(classes & _LETTER))
        self._unspaced_letters += int(np.count_nonzero(classes & _UNSPACED_LETTER))
        return len(classes) - separators

    def rows(self, name: str, titles: Sequence[str], reference_tokens: list[int] | None) -> Iterator[Measurement]:
        words = None if 2 * self._unspaced_letters > self._letters else self._words
        for number, title in enumerate(titles):
            tokens = self.tokens[number]
            whole = None if words is None else words - self._broken_words[number]
            yield Measurement(
                name,
                title,
                tokens,
                self._bytes,
                self._characters,
                words,
                whole,
                _ratio(self._bytes, tokens),
                _ratio(tokens, self._characters),
                _ratio(tokens, words),
                _ratio(whole, words),
                None if reference_tokens is None else _ratio(tokens, reference_tokens[number]),
            )


def _ratio(count: int | None, divisor: int | None) -> float | None:
    return None if count is None or not divisor else count / divisor


def _broken_words(
    tokenizations: list[Tokenization], in_word: BoolArray, run_of_byte: Int32Array, is_word: BoolArray
) -> int:
    """Count the words cut by a token boundary, one with a byte of the word on either side."""
    counts = [len(each.byte_offsets) for each in tokenizations]
    text_ends = np.cumsum([int(each.byte_offsets[-1]) + len(_SEPARATOR) for each in tokenizations])
    text_starts = np.append(0, text_ends[:-1])
    boundaries: Int64Array = np.concatenate([each.byte_offsets for each in tokenizations]) + np.repeat(
        text_starts, counts
    )
    boundaries = boundaries[(boundaries > 0) & (boundaries < len(in_word))]
    cutting = boundaries[in_word[boundaries - 1] & in_word[boundaries]]
    broken = np.zeros(len(is_word), bool)
    broken[run_of_byte[cutting]] = True
    return int(np.count_nonzero(broken & is_word))


def _classes_by_byte(text: str) -> npt.NDArray[np.uint8]:
    """Class bits for each byte of the text's UTF-8: `_IN_WORD` on all bytes, others on a character's first."""
    if text.isascii():
        return _ascii_classes()[np.frombuffer(text.encode(), np.uint8)]
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    classes = _classes()[code_points]
    lengths = 1 + (code_points >= 0x80).astype(np.uint8) + (code_points >= 0x800) + (code_points >= 0x10000)
    by_byte = np.repeat(classes & np.uint8(_IN_WORD), lengths)
    by_byte[np.cumsum(lengths) - lengths] = classes
    return by_byte


@cache
def _ascii_classes() -> npt.NDArray[np.uint8]:
    return _classes_of("".join(map(chr, range(0x80))))


@cache
def _classes() -> npt.NDArray[np.uint8]:
    """Class bits by code point; surrogates, absent from repaired text, have none. Takes about 0.3 s, once."""
    below, above = "".join(map(chr, range(0xD800))), "".join(map(chr, range(0xE000, 0x110000)))
    return np.concatenate((_classes_of(below), np.zeros(0x800, np.uint8), _classes_of(above)))


def _classes_of(characters: str) -> npt.NDArray[np.uint8]:
    code_points = np.frombuffer(characters.encode("utf-32-le"), np.uint32)
    classes = np.zeros(len(characters), np.uint8)
    for members, bit in (
        ("".join(IN_WORD.findall(characters)), _IN_WORD),
        ("".join(MAKES_WORD.findall(characters)), _MAKES_WORD),
        ("".join(filter(str.isalpha, characters)), _LETTER),
        ("".join(filter(str.isalpha, UNSPACED.findall(characters))), _UNSPACED_LETTER),
    ):
        classes[np.isin(code_points, np.frombuffer(members.encode("utf-32-le"), np.uint32))] |= bit
    return classes
