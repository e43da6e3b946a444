"""What each merge buys, and what it costs: tokens left of a text after the first k merges, for every k at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tokviz.analysis.corpus import Texts, as_tokenizer
from tokviz.analysis.frequencies import count_tokens
from tokviz.arrays import Int64Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer


class CurvePoint(NamedTuple):
    """A row of `CompressionCurve.table`: a text under the first `merges` merges of a tokenizer.

    `vocabulary` is the size of the vocabulary that is left. `saved` is the number of tokens that the last of the merges
    saves, `saved_by_doubling` the share (0 to 1) that the upper half of them does.
    """

    merges: int
    vocabulary: int
    tokens: int
    bytes_per_token: float | None
    saved: int
    saved_by_doubling: float


@dataclass(frozen=True, eq=False)
class CompressionCurve:
    """Tokens against merges: `tokens[k]` is what encoding with the first k merges gives, and `vocabulary[k]` the size
    of the vocabulary then, both for k = 0 up to all merges. `bytes` is the size of the text.
    """

    tokenizer: str
    bytes: int
    tokens: Int64Array
    vocabulary: Int64Array

    @property
    def num_merges(self) -> int:
        """How many merges there are in all."""
        return len(self.tokens) - 1

    @property
    def saved_by_doubling(self) -> npt.NDArray[np.float64]:
        """For each k, the share of tokens that k merges save over half as many (k // 2)."""
        half = self.tokens[np.arange(len(self.tokens)) // 2]
        return (half - self.tokens) / np.maximum(half, 1)

    def diminishing_from(self, share: float = 0.05) -> int | None:
        """The point of diminishing returns: from this number of merges on, having twice as many never saves `share`.

        None if doubling still saves that much at the end, or where there is nothing to save.
        """
        paying = np.flatnonzero(self.saved_by_doubling >= share)
        if not len(paying):
            return None
        # Doubling k merges gives 2k or 2k + 1.
        point = int(paying[-1]) // 2 + 1
        return point if 2 * point <= self.num_merges else None

    def table(self, merges: Iterable[int] | None = None) -> list[CurvePoint]:
        """A row for each number of merges in `merges`; without it, for 0, 1, 2, 4, 8 and so on, and all."""
        numbers = doublings(self.num_merges) if merges is None else list(merges)
        outside = [k for k in numbers if not 0 <= k <= self.num_merges]
        if outside:
            raise ValueError(f"{self.tokenizer} has {self.num_merges} merges; there is no point at {outside[0]}")
        doubled = self.saved_by_doubling
        return [
            CurvePoint(
                k,
                int(self.vocabulary[k]),
                int(self.tokens[k]),
                self.bytes / int(self.tokens[k]) if self.tokens[k] else None,
                int(self.tokens[k - 1] - self.tokens[k]) if k else 0,
                float(doubled[k]),
            )
            for k in numbers
        ]


def doublings(most: int) -> list[int]:
    """0, 1, 2, 4, 8 and so on below `most`, and `most`."""
    powers = [1 << number for number in range(most.bit_length()) if 1 << number < most]
    return [0, *powers, most] if most else [0]


def compression_curve(
    texts: Texts | None, tokenizer: str | Tokenizer, *, progress: Callable[[int], object] | None = None
) -> CompressionCurve:
    """How many tokens the first k merges of a tokenizer leave of the texts, exactly, for every k.

    Texts are never joined, and may come from an iterator, which is read once; an open file is one text. With None, the
    curve is of the text that the tokenizer was trained on, from its training history. It takes hardly longer than
    encoding. `progress(done)` is called after each batch with the bytes of text read so far; what it raises ends the
    work.

    Raises ValueError for a tokenizer that has none (see `has_curve`); for one that lacks a character of a text; and for
    None where there is no history.

    >>> compression_curve("hello", "gpt2").tokens[[0, 1000, 50000]].tolist()
    [5, 3, 1]
    """
    tokenizer = as_tokenizer(tokenizer)
    if not isinstance(tokenizer, BPETokenizer):
        raise ValueError(f"{tokenizer.name} has no merges, so there is no curve of what they buy")
    if not has_curve(tokenizer):
        raise ValueError(
            f"{tokenizer.name} does not go through its merges in rank order, so there is no saying what the first of "
            "them make of a text"
        )
    if texts is None:
        size, tokens, places = _from_history(tokenizer)
    else:
        size, tokens, places = _from_tokens(texts, tokenizer, progress)
    after = np.append(np.cumsum(places[::-1])[::-1], 0)
    return CompressionCurve(tokenizer.name, size, tokens + after, _vocabulary_sizes(tokenizer))


def has_curve(tokenizer: Tokenizer) -> bool:
    """Whether there is a compression curve of a tokenizer.

    There is none without merges, where they don't build on each other in rank order, and where some pre-tokens are
    taken for tokens as they stand, whatever the merges would make of them.
    """
    return isinstance(tokenizer, BPETokenizer) and tokenizer.in_order and not tokenizer.takes_tokens_whole


# The bytes of the texts, the tokens left of them after all merges, and the places where each merge fires, by rank.
_Places = tuple[int, int, Int64Array]


def _from_history(tokenizer: BPETokenizer) -> _Places:
    training = tokenizer.training
    if training is None:
        raise ValueError(f"{tokenizer.name} was not trained here, so there is no history to take the curve from")
    return training.text_bytes, training.text_symbols - int(training.merged.sum()), training.merged


def _from_tokens(texts: Texts, tokenizer: BPETokenizer, progress: Callable[[int], object] | None) -> _Places:
    """The tokens at the end tell all the firings that led to them, since only one merge ever makes a token.

    Every token that is there was made once, from its two parents, which so were there, too. Going from the highest rank
    down, all that became of a token is known before its own merge comes up.
    """
    size, counts = count_tokens(texts, tokenizer, progress)
    ever = {int(token): int(counts[token]) for token in np.flatnonzero(counts)}
    places = np.zeros(tokenizer.num_merges, np.int64)
    ranks = tokenizer.ranks
    waiting = [(-ranks[token], token) for token in ever if token in ranks]
    heapify(waiting)
    while waiting:
        rank, token = heappop(waiting)
        places[-rank] = ever[token]
        for parent in tokenizer.parents(token):
            if parent not in ever and parent in ranks:
                heappush(waiting, (-ranks[parent], parent))
            ever[parent] = ever.get(parent, 0) + ever[token]
    return size, int(counts.sum()), places


def _vocabulary_sizes(tokenizer: BPETokenizer) -> Int64Array:
    """The size of the vocabulary with the first k merges: all of it, less what only later merges make."""
    makes_new = np.zeros(tokenizer.num_merges, np.int64)
    makes_new[np.unique(np.array(tokenizer.merge_results, np.int64), return_index=True)[1]] = 1
    return tokenizer.vocab_size - np.append(np.cumsum(makes_new[::-1])[::-1], 0)


class VocabularyCost(NamedTuple):
    """A row of `vocabulary_costs`: what a text costs a model whose vocabulary has `vocabulary` tokens.

    `parameters` are those of the tables that turn ids into vectors and back; `attention` is the number of pairs (a
    token and one before it, or itself) that a head of attention scores; `windows` is the number of context windows that
    the text fills, the last one perhaps in part.
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
) -> list[VocabularyCost]:
    """What a larger vocabulary saves (a shorter sequence) and takes (larger tables), along a curve.

    A model of that `width` has a row of as many parameters for each token of the vocabulary: once where the tables at
    its input and output are one (`tied`, as in GPT-2), else twice. Its `context` window holds so many tokens; a longer
    text is read window by window. `merges` as in `CompressionCurve.table`.
    """
    if width < 1 or context < 1:
        raise ValueError(f"a model has a width and a context of 1 or more, not {min(width, context)}")
    return [
        VocabularyCost(
            point.merges,
            point.vocabulary,
            point.tokens,
            point.vocabulary * width * (1 if tied else 2),
            _attention(point.tokens, context),
            -(-point.tokens // context),
        )
        for point in curve.table(merges)
    ]


def _attention(tokens: int, context: int) -> int:
    full, rest = divmod(tokens, context)
    return full * (context * (context + 1) // 2) + rest * (rest + 1) // 2
