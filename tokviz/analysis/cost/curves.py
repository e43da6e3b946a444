"""Benefit and cost of each merge: tokens left of a text after the first k merges, for every k at once."""

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.corpus import Texts, as_tokenizer
from tokviz.analysis.tables import RowList
from tokviz.analysis.vocabulary.frequencies import count_tokens
from tokviz.arrays import Int64Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer


class CurvePoint(NamedTuple):
    """A row of `CompressionCurve.table`: a text under the first `merges` merges of a tokenizer.

    `vocabulary` is the vocabulary size with those merges. `saved` is the number of tokens that the last of the merges
    saves, `saved_by_doubling` the share of tokens (0 to 1) that their second half saves.
    """

    merges: int
    vocabulary: int
    tokens: int
    bytes_per_token: float | None
    saved: int
    saved_by_doubling: float


@dataclass(frozen=True, eq=False)
class CompressionCurve:
    """Number of tokens against number of merges.

    `tokens[k]` is the number of tokens that encoding with the first k merges gives, and `vocabulary[k]` the number
    of tokens in the vocabulary then, both for k from 0 to all merges. `bytes` is the size of the text.
    """

    tokenizer: str
    bytes: int
    tokens: Int64Array
    vocabulary: Int64Array

    def __repr__(self) -> str:
        return f"{self.tokenizer}, {self.bytes:,} bytes of text\n{self.table()!r}"

    def _repr_html_(self) -> str:
        """Render the table for a notebook."""
        return f"<div>{html.escape(self.tokenizer)}, {self.bytes:,} bytes of text</div>{self.table()._repr_html_()}"

    @property
    def num_merges(self) -> int:
        """Total number of merges."""
        return len(self.tokens) - 1

    @property
    def saved_by_doubling(self) -> npt.NDArray[np.float64]:
        """For each k, the share of tokens that k merges save compared with half as many (k // 2)."""
        half = self.tokens[np.arange(len(self.tokens)) // 2]
        saved: npt.NDArray[np.float64] = (half - self.tokens) / np.maximum(half, 1)
        return saved

    def diminishing_from(self, share: float = 0.05) -> int | None:
        """Point of diminishing returns: from this number of merges on, doubling it never saves `share` of the tokens.

        None if doubling still saves that much at the end, or if there is nothing to save.
        """
        worthwhile = np.flatnonzero(self.saved_by_doubling >= share)
        if not len(worthwhile):
            return None
        # Doubling k merges gives 2k or 2k + 1.
        point = int(worthwhile[-1]) // 2 + 1
        return point if 2 * point <= self.num_merges else None

    def table(self, merges: Iterable[int] | None = None) -> RowList[CurvePoint]:
        """One row per number of merges in `merges`; by default 0, 1, 2, 4, 8 and so on, and all."""
        numbers = doublings(self.num_merges) if merges is None else list(merges)
        outside = [k for k in numbers if not 0 <= k <= self.num_merges]
        if outside:
            raise ValueError(f"{self.tokenizer} has {self.num_merges} merges; there is no point at {outside[0]}")
        doubled = self.saved_by_doubling
        return RowList(
            CurvePoint(
                k,
                int(self.vocabulary[k]),
                int(self.tokens[k]),
                self.bytes / int(self.tokens[k]) if self.tokens[k] else None,
                int(self.tokens[k - 1] - self.tokens[k]) if k else 0,
                float(doubled[k]),
            )
            for k in numbers
        )


def doublings(most: int) -> list[int]:
    """0, 1, 2, 4, 8 and so on below `most`, and `most`."""
    powers = [1 << number for number in range(most.bit_length()) if 1 << number < most]
    return [0, *powers, most] if most else [0]


def compression_curve(
    texts: Texts | None, tokenizer: str | Tokenizer, *, progress: Callable[[int], object] | None = None
) -> CompressionCurve:
    """Exact number of tokens that the first k merges of a tokenizer leave of the texts, for every k.

    Texts are never joined, and may come from an iterator, which is read once; an open file is one text. With None, the
    curve is that of the tokenizer's training text, from its training history. This takes hardly longer than encoding.
    `progress(done)` is called after each batch with the bytes of text read so far; an exception in it stops the work.

    Raises ValueError if the tokenizer has no curve (see `has_curve`), if it lacks a character of a text, or if `texts`
    is None and there is no history.

    >>> compression_curve("hello", "gpt2").tokens[[0, 1000, 50000]].tolist()
    [5, 3, 1]
    """
    tokenizer = as_tokenizer(tokenizer)
    if tokenizer.is_of_library and tokenizer.num_merges:
        raise ValueError(
            f"another library applies the merges of {tokenizer.name}: curves need byte pair encodings that tokviz "
            "merges itself (`BPETokenizer`)"
        )
    if not isinstance(tokenizer, BPETokenizer):
        raise ValueError(f"{tokenizer.name} has no merges, so it has no compression curve")
    if not has_curve(tokenizer):
        raise ValueError(
            f"{tokenizer.name} does not apply its merges in rank order, so its first merges alone can't be applied to "
            "a text"
        )
    if texts is None:
        training = tokenizer.training
        if training is None:
            raise ValueError(f"{tokenizer.name} was not trained here, so there is no history to take the curve from")
        size, tokens, firings = training.text_bytes, training.text_symbols - int(training.merged.sum()), training.merged
    else:
        size, tokens, firings = _from_tokens(texts, tokenizer, progress)
    later_firings = np.append(np.cumsum(firings[::-1])[::-1], 0)
    return CompressionCurve(tokenizer.name, size, tokens + later_firings, _vocabulary_sizes(tokenizer))


def has_curve(tokenizer: Tokenizer) -> bool:
    """Return whether a tokenizer has a compression curve.

    It has none without merges, if they don't build on each other in rank order, or if some pre-tokens become tokens
    whole, whatever the merges would make of them.
    """
    return tokenizer.in_order and not tokenizer.takes_tokens_whole


# Bytes of the texts, tokens left after all merges, and the number of firings of each merge, by rank.
_Firings = tuple[int, int, Int64Array]


def _from_tokens(texts: Texts, tokenizer: BPETokenizer, progress: Callable[[int], object] | None) -> _Firings:
    """Derive all firings from the final tokens, since only one merge ever makes a given token.

    Every token in the result was made once, from its two parents, which therefore existed, too. Going from the highest
    rank down, all uses of a token are known before its own merge comes up.
    """
    size, counts = count_tokens(texts, tokenizer, progress)
    times_made = {int(token): int(counts[token]) for token in np.flatnonzero(counts)}
    firings = np.zeros(tokenizer.num_merges, np.int64)
    ranks = tokenizer.ranks
    heap = [(-ranks[token], token) for token in times_made if token in ranks]
    heapify(heap)
    while heap:
        rank, token = heappop(heap)
        firings[-rank] = times_made[token]
        for parent in tokenizer.parents(token):
            if parent not in times_made and parent in ranks:
                heappush(heap, (-ranks[parent], parent))
            times_made[parent] = times_made.get(parent, 0) + times_made[token]
    return size, int(counts.sum()), firings


def _vocabulary_sizes(tokenizer: BPETokenizer) -> Int64Array:
    """Vocabulary size with the first k merges, for every k: the full size minus the tokens only later merges make."""
    makes_new = np.zeros(tokenizer.num_merges, np.int64)
    makes_new[np.unique(np.array(tokenizer.merge_results, np.int64), return_index=True)[1]] = 1
    return len(tokenizer.vocab) - np.append(np.cumsum(makes_new[::-1])[::-1], 0)


class VocabularyCost(NamedTuple):
    """A row of `vocabulary_costs`: the cost of a text for a model whose vocabulary has `vocabulary` tokens.

    `parameters` counts those of the tables that turn ids into vectors and back; `attention` is the number of pairs (a
    token and an earlier one, or itself) that an attention head scores; `windows` is the number of context windows that
    the text needs, including a partly filled last one.
    """

    merges: int
    vocabulary: int
    tokens: int
    parameters: int
    attention: int
    windows: int


def vocabulary_costs(
    curve: CompressionCurve,
    *,
    width: int,
    tied: bool = True,
    context: int,
    merges: Sequence[int] | None = None,
) -> RowList[VocabularyCost]:
    """Savings (a shorter sequence) and costs (larger tables) of a larger vocabulary, along a curve.

    A model has a row of `width` parameters for each token of the vocabulary: once if its input and output tables are
    shared (`tied`, as in GPT-2), otherwise twice. Its context window holds `context` tokens; a longer text is read
    window by window. `merges` is as in `CompressionCurve.table`.
    """
    if width < 1 or context < 1:
        raise ValueError(f"a model has a width and a context of 1 or more, not {min(width, context)}")
    return RowList(
        VocabularyCost(
            point.merges,
            point.vocabulary,
            point.tokens,
            point.vocabulary * width * (1 if tied else 2),
            _attention(point.tokens, context),
            -(-point.tokens // context),
        )
        for point in curve.table(merges)
    )


def _attention(tokens: int, context: int) -> int:
    full, rest = divmod(tokens, context)
    return full * (context * (context + 1) // 2) + rest * (rest + 1) // 2
