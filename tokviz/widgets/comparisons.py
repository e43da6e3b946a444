"""Columns of a comparison: everything the browser needs to show where tokenizers differ; it runs no tokenizer.

The columns, where `_0` is a tokenizer's index in the comparison:

    ids_0, byte_lengths_0, special_0    the tokens
    own_tokens_0, own_lengths_0, own_bytes_0    vocabulary bytes of some tokens (see `Comparison.own_pieces`)
    boundaries                          the byte offsets where all tokenizers cut (see `Comparison`)
    differing, classes                  the segments that are cut differently, and their text classes
    reasons_1                           the reasons for each of these, as a sum of `Reason`s; not for the reference
    sentences_1                         the explanation of each: an index into a list of sentences, -1 if there is none
"""

from typing import Any

import numpy as np

from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison import Comparison
from tokviz.widgets.columns import Column, pack
from tokviz.widgets.html import standalone_page

Columns = dict[str, Column]

MOST_EXPLAINED = 10_000
"""Maximum differences explained in a page, from the start of the text; each explanation takes up to a millisecond."""


def comparison_columns(compared: Comparison) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a comparison, without the reasons, which take a few times as long."""
    indices = range(len(compared.tokenizers))
    columns: Columns = {
        "boundaries": compared.boundaries,
        "differing": compared.differing.astype(np.int32),
        "classes": compared.segment_classes[compared.differing],
    }
    for index, tokenization in enumerate(compared.tokenizations):
        columns[f"ids_{index}"] = tokenization.ids
        columns[f"byte_lengths_{index}"] = np.diff(tokenization.byte_offsets)
        columns[f"special_{index}"] = tokenization.special.astype(np.uint8)
        own = compared.own_pieces[index]
        columns[f"own_tokens_{index}"] = np.array(list(own), np.int32)
        columns[f"own_lengths_{index}"] = np.array([len(piece) for piece in own.values()], np.int32)
        columns[f"own_bytes_{index}"] = np.frombuffer(b"".join(own.values()), np.uint8)
    meta = {
        "names": compared.names,
        "rewriting": [list(tokenizer.rewriting) for tokenizer in compared.tokenizers],
        "classes": CLASSES,
        "class_counts": [counts.tolist() for counts in compared.class_counts],
        "agreement": [[compared.agreement(one, other)[:2] for other in indices] for one in indices],
    }
    return columns, meta


def reason_columns(compared: Comparison) -> Columns:
    """Return the reasons for each difference, for each tokenizer except the reference."""
    others = range(1, len(compared.tokenizers))
    return {f"reasons_{other}": compared.reasons(other)[compared.differing] for other in others}


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
