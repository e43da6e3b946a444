"""A comparison as columns: all that a browser needs to show where tokenizers differ, without knowing a tokenizer.

The columns, `_0` standing for the place of each tokenizer in the comparison:

    ids_0, byte_lengths_0, special_0    the tokens
    own_tokens_0, own_lengths_0, own_bytes_0    the own bytes of some tokens (see `Comparison.own_pieces`)
    boundaries                          the byte offsets that all share (see `Comparison`)
    differing, classes                  the segments that are cut differently, and their classes of text
    reasons_1                           why, for each of these, as a sum of `Reason`s; not of the reference
    sentences_1                         the same in a sentence: its place in a list, -1 where there is none
"""

from typing import Any

import numpy as np

from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison import Comparison
from tokviz.widgets.columns import Column, pack
from tokviz.widgets.html import standalone_page

Columns = dict[str, Column]

MOST_EXPLAINED = 10_000
"""So many differences have sentences in a page, the first of the text; a sentence takes up to a millisecond."""


def comparison_columns(compared: Comparison) -> tuple[Columns, dict[str, Any]]:
    """The comparison without its reasons, which take a few times as long, and what else there is to say."""
    every = range(len(compared.tokenizers))
    columns: Columns = {
        "boundaries": compared.boundaries,
        "differing": compared.differing.astype(np.int32),
        "classes": compared.segment_classes[compared.differing],
    }
    for one, tokenization in enumerate(compared.tokenizations):
        columns[f"ids_{one}"] = tokenization.ids
        columns[f"byte_lengths_{one}"] = np.diff(tokenization.byte_offsets)
        columns[f"special_{one}"] = tokenization.special.astype(np.uint8)
        own = compared.own_pieces[one]
        columns[f"own_tokens_{one}"] = np.array(list(own), np.int32)
        columns[f"own_lengths_{one}"] = np.array([len(piece) for piece in own.values()], np.int32)
        columns[f"own_bytes_{one}"] = np.frombuffer(b"".join(own.values()), np.uint8)
    meta = {
        "names": compared.names,
        "rewriting": [list(tokenizer.rewriting) for tokenizer in compared.tokenizers],
        "classes": CLASSES,
        "class_counts": [counts.tolist() for counts in compared.class_counts],
        "agreement": [[compared.agreement(one, other)[:2] for other in every] for one in every],
    }
    return columns, meta


def reason_columns(compared: Comparison) -> Columns:
    """For each tokenizer but the reference, the reasons of each difference."""
    others = range(1, len(compared.tokenizers))
    return {f"reasons_{other}": compared.reasons(other)[compared.differing] for other in others}


def page(compared: Comparison, lang: str = "") -> str:
    """The aligned view of a comparison as one HTML page that needs no network, with the reason of each difference.

    `lang` is the text's language, such as "ja", by which browsers choose the shapes of letters.
    """
    columns, meta = comparison_columns(compared)
    sentences, which = _sentences(compared)
    packed = pack(columns | reason_columns(compared) | which, meta)
    data = {"text": compared.text, "comparison": packed, "sentences": sentences, "lang": lang}
    return standalone_page("aligned", data, f"Same text, different tokens: {_listed(compared.names)}")


def _sentences(compared: Comparison) -> tuple[list[str], Columns]:
    """The sentences that explain the differences, each once, and the columns that say where each stands."""
    places: dict[str, int] = {}
    columns: Columns = {}
    for other in range(1, len(compared.tokenizers)):
        column = np.full(len(compared.differing), -1, np.int32)
        for number, segment in enumerate(compared.differing[:MOST_EXPLAINED].tolist()):
            explained = compared.explain(segment, other)
            if explained is not None:
                column[number] = places.setdefault(explained.sentence, len(places))
        columns[f"sentences_{other}"] = column
    return list(places), columns


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
