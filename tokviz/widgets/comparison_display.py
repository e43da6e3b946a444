"""A comparison as text and as HTML for notebooks: the counts, and the first differences with their reasons."""

import html
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from tokviz.analysis.comparison.compare import Comparison
from tokviz.analysis.tables import Table, aligned, table_html
from tokviz.display import separated
from tokviz.widgets.notebook import colored_html

MOST_DIFFERENCES = 10
"""Differences displayed by default."""

_MOST_PIECES = 50  # maximum tokens of one difference that are displayed
_MONOSPACED = "font-family: monospace; white-space: pre-wrap"


def comparison_text(
    compared: Comparison, most: int = MOST_DIFFERENCES, spell: Callable[[Sequence[bytes]], str] = separated
) -> str:
    """Return the counts, and the first `most` differences with their reasons; `spell` spells tokens in a line."""
    width = max(map(len, compared.names))
    parts = [aligned(*counts_table(compared)), *filter(None, compared.unknown_sentences), _how_many_differ(compared)]
    for segment in compared.differing[:most].tolist():
        cuts = (f"  {name:{width}}  {spell(pieces)}" for name, pieces in _cuts(compared, segment))
        reasons = (f"  {sentence}" for sentence in reasons_for(compared, segment))
        parts.append("\n".join([f"byte {compared[segment].start:,}", *cuts, *reasons]))
    return "\n\n".join([*parts, *_rest(compared, most)])


def comparison_html(compared: Comparison, most: int = MOST_DIFFERENCES) -> str:
    """Return the same in HTML with inline styles only, which untrusted notebooks keep."""
    said = [*filter(None, compared.unknown_sentences), _how_many_differ(compared)]
    parts = [table_html(*counts_table(compared)), *(f"<p>{html.escape(sentence)}</p>" for sentence in said)]
    for segment in compared.differing[:most].tolist():
        rows = "".join(
            f'<tr><td style="text-align: left">{html.escape(name)}</td>'
            f'<td dir="auto" style="text-align: left; {_MONOSPACED}">{colored_html(pieces)}</td></tr>'
            for name, pieces in _cuts(compared, segment)
        )
        reasons = "".join(f"<div>{html.escape(sentence)}</div>" for sentence in reasons_for(compared, segment))
        parts.append(
            f'<div style="margin-top: 12px">byte {compared[segment].start:,}</div><table>{rows}</table>{reasons}'
        )
    return "".join([*parts, *(f"<p>{rest}</p>" for rest in _rest(compared, most))])


def counts_table(compared: Comparison) -> Table:
    """Return a row per tokenizer: its tokens, how many more than the reference, and the boundaries they share."""
    columns = ["tokenizer", "tokens", "difference", "bytes per token", "same boundaries"]
    return Table(columns, [_counts_row(compared, number) for number in range(len(compared.names))])


def _counts_row(compared: Comparison, number: int) -> list[Any]:
    tokens, agreement = compared.token_counts[number], compared.agreement(0, number)
    difference = f"{agreement.percent:+.1f} %" if number else None
    same = f"{100 * agreement.jaccard:.0f} %" if number else None
    return [compared.names[number], tokens, difference, len(compared.data) / tokens if tokens else None, same]


def reasons_for(compared: Comparison, segment: int) -> list[str]:
    """Return the sentences that say why a segment is cut differently, each once."""
    explanations = (compared.explain(segment, other) for other in range(1, len(compared.names)))
    return list(dict.fromkeys(each.sentence for each in explanations if each))


def _cuts(compared: Comparison, segment: int) -> Sequence[tuple[str, Sequence[bytes]]]:
    pieces = (list(islice(cut, _MOST_PIECES + 1)) for cut in compared[segment].cuts)
    shown = ([*cut[:_MOST_PIECES], "…".encode()] if len(cut) > _MOST_PIECES else cut for cut in pieces)
    return list(zip(compared.names, shown, strict=True))


def _how_many_differ(compared: Comparison) -> str:
    count, total = len(compared.differing), len(compared)
    return f"{count:,} of {total:,} segment{'s' * (total != 1)} differ{'s' * (count == 1)}"


def _rest(compared: Comparison, most: int) -> list[str]:
    rest = len(compared.differing) - most
    return [f"… and {rest:,} more"] if rest > 0 else []
