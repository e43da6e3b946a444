"""The cost of texts under tokenizers: tokens, bytes per token, fertility, parity, the share of words kept whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tokviz.analysis.corpus import Texts, as_tokenizers, batches, distinct
from tokviz.analysis.cost.units import character_count, puts_spaces, words_of
from tokviz.analysis.tables import RowList
from tokviz.analysis.vocabulary.unknown_tokens import unknown_places
from tokviz.arrays import Int32Array, Int64Array
from tokviz.display import counted, shorten
from tokviz.positions import byte_starts
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

UNNAMED = "text"
"""Name in the table of texts that were given without one."""

# Separates the texts of a batch: a vertical tab. It ends every word and every grapheme cluster, and joins nothing.
_SEPARATOR = "\v"


class Measurement(NamedTuple):
    """A row of `measure`: one text, or several counted as one, under one tokenizer.

    `tokens`, `bytes` (of UTF-8), `characters` (grapheme clusters), `words` (by UAX #29, see `words`) and `whole_words`
    (words that no token boundary cuts and no unknown token stands for, not even for a part) are exact counts, and so is
    `unknown_tokens`, those of the tokens that stand for text that no token spells, such as BERT's [UNK]: where there
    are many, the other columns say little. The other columns are ratios: `bytes_per_token`
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
    unknown_tokens: int


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
        self._unknown = [0] * num_tokenizers
        self._bytes = self._characters = self._words = self._letters = self._unspaced_letters = 0

    def add(self, texts: list[str], tokenizers: Sequence[Tokenizer]) -> int:
        """Add a batch and return its size in bytes."""
        joined = _SEPARATOR.join(texts)
        separators = len(texts) - 1
        words = words_of(joined)
        places = byte_starts(joined)
        starts, ends = places[words.starts], places[words.ends]
        for number, tokenizer in enumerate(tokenizers):
            tokenizations = [tokenizer.tokenize(text) for text in texts]
            self.tokens[number] += sum(map(len, tokenizations))
            unknown = [unknown_places(tokenizer, each) for each in tokenizations]
            self._unknown[number] += sum(map(len, unknown))
            self._broken_words[number] += _broken_words(tokenizations, unknown, starts, ends)
        size = int(places[-1]) - separators
        self._bytes += size
        self._characters += character_count(joined) - separators
        self._words += len(starts)
        self._letters += words.letters
        self._unspaced_letters += words.unspaced
        return size

    def rows(self, name: str, titles: Sequence[str], reference_tokens: list[int] | None) -> Iterator[Measurement]:
        words = self._words if puts_spaces(self._letters, self._unspaced_letters) else None
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
                self._unknown[number],
            )


def _ratio(count: int | None, divisor: int | None) -> float | None:
    return None if count is None or not divisor else count / divisor


def _broken_words(
    tokenizations: list[Tokenization], unknown: list[list[int]], starts: Int32Array, ends: Int32Array
) -> int:
    """Count the words with a token boundary inside, and those that overlap a token of `unknown`, given by index."""
    counts = [len(each.byte_offsets) for each in tokenizations]
    text_ends = np.cumsum([int(each.byte_offsets[-1]) + len(_SEPARATOR) for each in tokenizations])
    text_starts = np.append(0, text_ends[:-1])
    boundaries: Int64Array = np.concatenate([each.byte_offsets for each in tokenizations]) + np.repeat(
        text_starts, counts
    )
    # A word is cut if there are more boundaries before its end than up to its start.
    is_broken = np.searchsorted(boundaries, ends) > np.searchsorted(boundaries, starts, side="right")
    if any(unknown):
        first_boundaries = np.cumsum([0, *counts[:-1]])
        at = np.concatenate(
            [np.array(each, np.int64) + first for each, first in zip(unknown, first_boundaries, strict=True)]
        )
        # A word overlaps one if more of them start before its end than end up to its start.
        started = np.searchsorted(boundaries[at], ends)
        is_broken |= started > np.searchsorted(boundaries[at + 1], starts, side="right")
    return int(np.count_nonzero(is_broken))


def aligned(texts: Mapping[str, str]) -> dict[str, str]:
    """Prepare texts, by name, for comparison line by line: line breaks become LF, and those at the end are removed.

    Raises ValueError if a text has a different number of lines than the first, or if the first is empty.
    """
    prepared = {name: text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") for name, text in texts.items()}
    if not prepared:
        return prepared
    first, *others = prepared
    expected = prepared[first].count("\n") + 1
    if not prepared[first]:
        raise ValueError(f"“{shorten(first)}” is empty, so nothing can be compared with it")
    for name in others:
        lines = prepared[name].count("\n") + 1
        if lines != expected:
            raise ValueError(
                f"“{shorten(name)}” has {counted('line', lines)} and “{shorten(first)}” has {expected:,}: "
                "line n of each text must mean the same, so all texts must have equally many lines"
            )
    return prepared
