"""The aligned view of a comparison as a standalone page."""

import numpy as np

from tokviz.analysis.comparison import Comparison
from tokviz.widgets.columns import comparison_columns, reason_columns
from tokviz.widgets.html import standalone_page
from tokviz.widgets.wire import Columns, pack

MOST_EXPLAINED = 10_000
"""Maximum differences explained in a page, from the start of the text; each explanation takes up to a millisecond."""


def page(compared: Comparison, lang: str = "") -> str:
    """Return the aligned view of a comparison as a self-contained HTML page, with the reasons for each difference.

    `lang` is the text's language tag, such as "ja", by which browsers choose glyph shapes.
    """
    columns, meta = comparison_columns(compared)
    sentences, sentence_columns = _sentences(compared)
    packed = pack(columns | reason_columns(compared) | sentence_columns, meta)
    data = {"text": compared.text, "comparison": packed, "sentences": sentences, "lang": lang}
    return standalone_page("aligned", data, f"Same text, different tokens: {_join_names(compared.names)}")


def _sentences(compared: Comparison) -> tuple[list[str], Columns]:
    """Return the distinct sentences that explain the differences, and the columns that index them."""
    indices: dict[str, int] = {}
    columns: Columns = {}
    for other in range(1, len(compared.tokenizers)):
        column = np.full(len(compared.differing), -1, np.int32)
        for position, segment in enumerate(compared.differing[:MOST_EXPLAINED].tolist()):
            explained = compared.explain(segment, other)
            if explained is not None:
                column[position] = indices.setdefault(explained.sentence, len(indices))
        columns[f"sentences_{other}"] = column
    return list(indices), columns


def _join_names(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
