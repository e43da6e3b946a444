"""Every chart of the package, for tests of charts."""

from functools import cache

from shipped import vocabulary_table

import tokviz
from tokviz.analysis.vocabulary.contents import (
    KindCount,
    LengthCount,
    RankCount,
    count_kinds,
    count_kinds_by_rank,
    count_lengths,
)
from tokviz.charts.chart import Chart
from tokviz.charts.data_formats import code_chart, digits_chart, formats_chart
from tokviz.charts.languages import languages_chart
from tokviz.charts.merges import compression_chart
from tokviz.charts.this_text import MEASURES, suits_chart
from tokviz.charts.token_use import frequencies_chart
from tokviz.charts.vocabulary import kinds_chart, lengths_chart, ranks_chart
from tokviz.charts.vocabulary_size import vocabulary_chart
from tokviz.samples import sample

TEXT = sample("code-python").text
NAMES = ("gpt2", "cl100k_base")


@cache
def lengths_of(name: str) -> list[LengthCount]:
    return count_lengths(entry.bytes for entry in vocabulary_table(name))


@cache
def kinds_of(name: str) -> list[KindCount]:
    return count_kinds(entry.kind for entry in vocabulary_table(name))


@cache
def kinds_by_rank_of(name: str) -> list[RankCount]:
    return count_kinds_by_rank(vocabulary_table(name))


def every_chart(text: str, tokenizers: tuple[str, ...]) -> dict[str, Chart]:
    curves = {name: tokviz.compression_curve(text, name) for name in tokenizers}
    costs = {name: tokviz.vocabulary_costs(curve, width=768, context=64) for name, curve in curves.items()}
    rows = tokviz.measure({"this": text, "that": text[:9]}, tokenizers, reference="this")
    uses = {name: tokviz.token_frequencies(text, name) for name in tokenizers}
    ids = {name: tokviz.load(name).vocab_size for name in tokenizers}
    sizes = {name: len(tokviz.load(name).vocab) for name in tokenizers}
    return {
        "merges": compression_chart(curves),
        "vocabulary size": vocabulary_chart(costs),
        **{measure.column: suits_chart(rows, measure) for measure in MEASURES},
        "languages": languages_chart(rows, "this"),
        "formats": formats_chart(rows),
        "code": code_chart(rows),
        "digits": digits_chart({name: [[text]] if text else [] for name in tokenizers}),
        "lengths": lengths_chart({name: lengths_of(name) for name in tokenizers}, ids),
        "kinds": kinds_chart({name: kinds_of(name) for name in tokenizers}),
        "ranks": ranks_chart("the first", kinds_by_rank_of(tokenizers[0]) if tokenizers else count_kinds_by_rank([])),
        "frequencies": frequencies_chart(uses, sizes),
    }


@cache
def charts() -> dict[str, Chart]:
    """Return the charts of TEXT with the tokenizers NAMES."""
    return every_chart(TEXT, NAMES)
