"""Comparison of two texts under one tokenizer: their tokens, in number and by class."""

from collections.abc import Collection
from math import isfinite
from typing import NamedTuple

from tokviz.analysis import classes
from tokviz.analysis.comparison.compare import count_difference
from tokviz.analysis.corpus import as_tokenizer
from tokviz.arrays import Int64Array
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer


class TextComparison(NamedTuple):
    """One tokenizer on two texts.

    `difference` is the second text's token count minus the first's, and `percent` the same in percent of the first's
    (infinite if only the first has none). `class_counts` holds, for each text, the number of its tokens in each text
    class, in the order of `classes.CLASSES`.
    """

    tokenizations: tuple[Tokenization, Tokenization]
    difference: int
    percent: float
    class_counts: tuple[Int64Array, Int64Array]

    def __repr__(self) -> str:
        return f"<TextComparison: {self._said()}>"

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.tokenizations), self._said()])

    def _repr_html_(self) -> str:
        """Render both texts for a notebook, in color."""
        first, second = (tokenization._repr_html_() for tokenization in self.tokenizations)
        return f'{first}<div style="margin-top: 12px">{second}</div><p>{self._said()}</p>'

    def _said(self) -> str:
        first, second = (f"{len(each):,}" for each in self.tokenizations)
        change = f" ({self.percent:+.1f} %)" if isfinite(self.percent) else ""
        return f"{first} and {second} tokens: {self.difference:+,}{change}"


def compare_texts(
    first: str, second: str, tokenizer: str | Tokenizer, *, allowed_special: Collection[str] = ()
) -> TextComparison:
    """Compare two texts under one tokenizer (a name or a tokenizer): their tokens, in number and by class.

    `allowed_special` is as for `Tokenizer.tokenize`.

    >>> comparison = compare_texts('{"a": 1}', "a: 1", "cl100k_base")
    >>> [len(text) for text in comparison.tokenizations], comparison.difference
    ([6, 4], -2)
    """
    chosen = as_tokenizer(tokenizer)
    tokenizations = chosen.tokenize(first, allowed_special), chosen.tokenize(second, allowed_special)
    counts = classes.class_counts(tokenizations[0]), classes.class_counts(tokenizations[1])
    return TextComparison(tokenizations, *count_difference(len(tokenizations[0]), len(tokenizations[1])), counts)
