"""What texts cost under tokenizers: tokens, bytes per token, fertility, parity, the share of words kept whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.corpus import Texts, as_tokenizers, batches, distinct
from tokviz.analysis.counts import IN_WORD, MAKES_WORD, UNSPACED, character_count
from tokviz.arrays import BoolArray, Int32Array, Int64Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

UNNAMED = "text"
"""What the texts are called in the table where they were given without a name."""

# Ends every word and every grapheme cluster, and joins nothing: what stands between the texts of a batch.
_SEPARATOR = "\0"

_IN_WORD, _MAKES_WORD, _LETTER, _UNSPACED_LETTER = 1, 2, 4, 8


class Measurement(NamedTuple):
    """A row of `measure`: one text, or several as one, under one tokenizer.

    `tokens`, `bytes` (of UTF-8), `characters` (grapheme clusters), `words` (as `counts.WORD` has them) and
    `whole_words` (those that no token boundary cuts) are exact counts. Then come their ratios: `bytes_per_token` (the
    compression ratio), `tokens_per_character`, `fertility` (tokens per word) and `whole_word_share` (0 to 1). `parity`
    is the number of tokens relative to the reference text's under the same tokenizer (Petrov et al. 2023).

    None stands where there is nothing to divide by, where no reference was named, and for all that has to do with words
    in scripts that don't space them.
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
) -> list[Measurement]:
    """Measure texts under tokenizers (names or tokenizers): a row for each text and each tokenizer, text by text.

    `texts` maps names to texts. What has one name is one row: a text, or many that are counted together but never
    joined. They may come from an iterator, which is read once, in batches of about a megabyte, so that memory doesn't
    grow with their number. An open file is one text, and its tokens are those of the whole; it is read in parts if all
    tokenizers have named split patterns (see `tokviz.split_patterns`), else at once. Without names, there is one row
    for each tokenizer; tokenizers of the same name are numbered. With a `reference`, which is one of the names, the
    rows have a `parity`.

    `progress(done)` is called after each batch with the bytes of text measured so far; what it raises ends the work.

    Raises ValueError for an unknown name, or where a tokenizer lacks a character of a text.

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
    for name, its_texts in named.items():
        totals[name] = _Totals(len(resolved))
        for batch in batches(its_texts, resolved):
            done += totals[name].add(batch, resolved)
            if progress:
                progress(done)
    against = None if reference is None else totals[reference].tokens
    return [row for name, total in totals.items() for row in total.rows(name, titles, against)]


class _Totals:
    """The sums over the batches of what has one name."""

    def __init__(self, num_tokenizers: int) -> None:
        self.tokens = [0] * num_tokenizers
        self._broken_words = [0] * num_tokenizers
        self._bytes = self._characters = self._words = self._letters = self._unspaced_letters = 0

    def add(self, texts: list[str], tokenizers: Sequence[Tokenizer]) -> int:
        """Add a batch; return its bytes."""
        joined = _SEPARATOR.join(texts)
        separators = len(texts) - 1
        classes = _classes_by_byte(joined)
        in_word = (classes & _IN_WORD).astype(bool)
        starts = in_word & ~np.append(False, in_word[:-1])
        run_of_byte = np.cumsum(starts, dtype=np.int32) - 1
        # A run of what can stand in words is a word if something in it makes it one.
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

    def rows(self, name: str, titles: Sequence[str], against: list[int] | None) -> Iterator[Measurement]:
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
                None if against is None else _ratio(tokens, against[number]),
            )


def _ratio(count: int | None, of: int | None) -> float | None:
    return None if count is None or not of else count / of


def _broken_words(
    tokenizations: list[Tokenization], in_word: BoolArray, run_of_byte: Int32Array, is_word: BoolArray
) -> int:
    """How many words a token boundary cuts: it has a byte of the word on either side."""
    counts = [len(each.byte_offsets) for each in tokenizations]
    ends = np.cumsum([int(each.byte_offsets[-1]) + len(_SEPARATOR) for each in tokenizations])
    begins = np.append(0, ends[:-1])
    boundaries: Int64Array = np.concatenate([each.byte_offsets for each in tokenizations]) + np.repeat(begins, counts)
    boundaries = boundaries[(boundaries > 0) & (boundaries < len(in_word))]
    cutting = boundaries[in_word[boundaries - 1] & in_word[boundaries]]
    broken = np.zeros(len(is_word), bool)
    broken[run_of_byte[cutting]] = True
    return int(np.count_nonzero(broken & is_word))


def _classes_by_byte(text: str) -> npt.NDArray[np.uint8]:
    """For each byte of the text's UTF-8, is it in a word? At the first byte of a character also, is that a letter?"""
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
    """By code point; surrogates, which no repaired text holds, have none. Takes about 0.3 s, once."""
    below, above = "".join(map(chr, range(0xD800))), "".join(map(chr, range(0xE000, 0x110000)))
    return np.concatenate((_classes_of(below), np.zeros(0x800, np.uint8), _classes_of(above)))


def _classes_of(characters: str) -> npt.NDArray[np.uint8]:
    code_points = np.frombuffer(characters.encode("utf-32-le"), np.uint32)
    classes = np.zeros(len(characters), np.uint8)
    for found, bit in (
        ("".join(IN_WORD.findall(characters)), _IN_WORD),
        ("".join(MAKES_WORD.findall(characters)), _MAKES_WORD),
        ("".join(filter(str.isalpha, characters)), _LETTER),
        ("".join(filter(str.isalpha, UNSPACED.findall(characters))), _UNSPACED_LETTER),
    ):
        classes[np.isin(code_points, np.frombuffer(found.encode("utf-32-le"), np.uint32))] |= bit
    return classes
