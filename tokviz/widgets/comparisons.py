"""The reasons for differences as the browser gets them, and a comparison as a standalone page."""

from typing import Any

import numpy as np

from tokviz.analysis.comparison.compare import Comparison
from tokviz.display import enumerated
from tokviz.widgets.columns import comparison_columns, reason_columns
from tokviz.widgets.html import standalone_page
from tokviz.widgets.wire import Columns, pack

MOST_EXPLAINED = 10_000
"""Maximum differences explained in a page, from the start of the text; each explanation takes up to a millisecond."""

_MOST_SPLIT_CUTS = 500  # maximum split cuts sent of a segment; a picture of it shows fewer


def explained(compared: Comparison, segment: int) -> dict[str, Any]:
    """Return why a segment is cut differently, and where each tokenizer cuts it before any merge, for a picture.

    `splits` holds the cuts of each tokenizer (see `Comparison.split_cuts`), `reasons` the reason of each tokenizer
    except the reference: None where it cuts as the reference does.
    """
    others = range(1, len(compared.tokenizers))
    return {
        "splits": [compared.split_cuts(segment, one)[:_MOST_SPLIT_CUTS] for one in range(len(compared.tokenizers))],
        "reasons": [_reason(compared, segment, other) for other in others],
    }


def _reason(compared: Comparison, segment: int, other: int) -> dict[str, Any] | None:
    """Return the causes in plain words and in technical terms, the sentence, and what exchanging each cause alone does.

    Causes and effects are numbers: `[[Reason.SPLIT, Effect.CHANGES], ...]`.
    """
    explanation = compared.explain(segment, other)
    if explanation is None:
        return None
    alone = [[int(reason), int(effect)] for reason, effect in explanation.alone.items()]
    said = {"plain": explanation.plain, "because": explanation.because, "sentence": explanation.sentence}
    return said | {"reasons": int(explanation.reasons), "alone": alone}


def aligned_data(compared: Comparison, lang: str = "") -> dict[str, Any]:
    """Return what the widget `aligned` draws: the text in the tokens of each, with the reasons for each difference.

    `lang` is the text's language tag, such as "ja", by which browsers choose glyph shapes.
    """
    columns, meta = comparison_columns(compared)
    explanations, explanation_columns = _explanations(compared)
    packed = pack(columns | reason_columns(compared) | explanation_columns, meta)
    return {"text": compared.text, "comparison": packed, "explanations": explanations, "lang": lang}


def page(compared: Comparison, lang: str = "") -> str:
    """Return a compared text as a self-contained HTML page. For `lang`, see `aligned_data`."""
    title = f"Same text, different tokens: {enumerated(compared.names)}"
    return standalone_page("aligned", aligned_data(compared, lang), title)


def _explanations(compared: Comparison) -> tuple[list[dict[str, Any]], Columns]:
    """Return the distinct reasons of the differences, the columns that index them, and those of the pre-tokens."""
    indices: dict[str, int] = {}
    reasons: list[dict[str, Any]] = []
    columns: Columns = {
        f"pretokens_{one}": compared.pretoken_begins(one).astype(np.uint8) for one in range(len(compared.tokenizers))
    }
    for other in range(1, len(compared.tokenizers)):
        column = np.full(len(compared.differing), -1, np.int32)
        for position, segment in enumerate(compared.differing[:MOST_EXPLAINED].tolist()):
            reason = _reason(compared, segment, other)
            if reason is not None:
                column[position] = indices.setdefault(reason["sentence"], len(indices))
                if len(indices) > len(reasons):
                    reasons.append(reason)
        columns[f"explanations_{other}"] = column
    return reasons, columns
