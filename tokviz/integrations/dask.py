"""Counting pre-tokens with Dask, where the texts are, so that only tables travel.

    import dask.bag
    import tokviz
    from tokviz.integrations.dask import count_pretokens

    texts = dask.bag.read_text("corpus/*.jsonl").map(json.loads).pluck("text")
    counts = count_pretokens(texts, "cl100k").compute()
    tokenizer = tokviz.train(counts, vocab_size=32_768)

This gives the tokenizer that training on all texts in one process gives. If a worker is lost, Dask counts its
partitions again, which changes nothing.

Other engines need no module. Spark, for one, runs the same two functions; the tables have to be added up in the order
of their partitions if ties go to the pair seen first:

    def count(number, texts):
        yield number, tokviz.count_pretokens(texts, "cl100k")

    def merge(tables):
        return tokviz.PretokenCounts.merged(table for _, table in sorted(tables, key=lambda pair: pair[0]))

    tables = texts.mapPartitionsWithIndex(count)
    groups = tables.map(lambda pair: (pair[0] // 32, pair)).groupByKey().mapValues(merge)
    counts = merge(groups.collect())
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

try:
    from dask.delayed import Delayed, delayed
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("this needs Dask: pip install 'dask[distributed]'", name=error.name) from None

from tokviz.pretokens import splitting
from tokviz.tokenizers.inputs import check_special_tokens
from tokviz.tokenizers.pretoken_counts import PretokenCounts
from tokviz.tokenizers.pretoken_counts import count_pretokens as count_here

if TYPE_CHECKING:
    from dask.bag import Bag

_MERGED_AT_A_TIME = 8  # tables that one task adds up


def count_pretokens(
    texts: "Bag | Any", split_pattern: splitting.SplitPattern = None, special_tokens: Iterable[str] = ()
) -> Delayed:
    """Count the pre-tokens of the texts in a Dask Bag, or in one column of a Dask DataFrame.

    Each partition is counted where it is, and tables of neighbors are added up, until one is left: computing the result
    gives a `PretokenCounts`. The settings are as in `tokviz.count_pretokens`. Anything but a text is a TypeError.
    """
    if not hasattr(texts, "to_delayed") or getattr(texts, "ndim", 1) != 1:
        raise TypeError(
            "texts must be a Dask Bag, or one column of a Dask DataFrame such as frame['text'], not "
            f"{type(texts).__name__}"
        )
    pattern, specials = splitting.resolve(split_pattern), check_special_tokens(special_tokens)
    tables: Sequence[Delayed] = [delayed(_count)(part, pattern, specials) for part in texts.to_delayed()]
    while len(tables) > 1:
        starts = range(0, len(tables), _MERGED_AT_A_TIME)
        tables = [delayed(PretokenCounts.merged)(tables[start : start + _MERGED_AT_A_TIME]) for start in starts]
    return tables[0]


def _count(texts: Iterable[str], pattern: str | None, specials: list[str]) -> PretokenCounts:
    return count_here(iter(texts), pattern, specials)
