"""Charts of what is in a vocabulary."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tokviz.analysis.vocabulary import KindCount, LengthCount, RankCount
from tokviz.charts.drawing import (
    COLORS,
    DOTTED,
    HOVER,
    OTHERS,
    PATTERNS,
    Chart,
    as_text,
    draw_line,
    draw_points,
    empty_figure,
    name_rows,
    set_axes,
)
from tokviz.charts.wording import plural

_LONGEST_IN_VIEW = 24
"""Length in bytes of the longest tokens in the initial view."""


def lengths_chart(tables: Mapping[str, Sequence[LengthCount]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """Chart of the share of tokens by length in bytes: how long are the tokens of a vocabulary?

    `vocabulary_sizes` are highest ids + 1.
    """
    figure = empty_figure()
    sentences = []
    for number, (name, rows) in enumerate(tables.items()):
        hover = [
            f"{as_text(name)}: {plural('token', row.tokens, count_too=True)} of "
            f"{plural('byte', row.bytes, count_too=True)}"
            for row in rows
        ]
        draw_line(figure, number, name, [row.bytes for row in rows], [100 * row.share for row in rows], hover, DOTTED)
        total = sum(row.tokens for row in rows)
        if total:
            mean = sum(row.tokens * row.bytes for row in rows) / total
            size, unused = vocabulary_sizes[name], vocabulary_sizes[name] - total
            holes = f" ({plural('id', unused, count_too=True)} without a token)" if unused else ""
            length = f"tokens have {mean:.1f} bytes on average, {rows[-1].bytes:,} at most"
            sentences.append(f"{name}: a vocabulary of {size:,}{holes}; {length}.")
    set_axes(figure, "bytes", "% of the tokens", from_zero=True)
    # Few tokens are longer; a double click shows them, too.
    figure.update_xaxes(range=[0, _LONGEST_IN_VIEW])
    return Chart(
        "How long are the tokens?", "\n".join(sentences), "Lines of the share of the tokens by length in bytes.", figure
    )


def kinds_chart(tables: Mapping[str, Sequence[KindCount]]) -> Chart:
    """Chart of the share of tokens by script and class: whose scripts are in the vocabulary?"""
    shares: dict[str, float] = {}
    for rows in tables.values():
        for row in rows:
            shares[row.kind] = shares.get(row.kind, 0) + row.share
    kinds = sorted(shares, key=shares.__getitem__)
    figure = empty_figure(height=140 + 24 * len(kinds))
    for number, (name, rows) in enumerate(tables.items()):
        hover = [
            f"{as_text(name)}, {row.kind}: {plural('token', row.tokens, count_too=True)}, {row.share:.2%}"
            for row in rows
        ]
        draw_points(figure, number, name, [100 * row.share for row in rows], [row.kind for row in rows], hover)
    set_axes(figure, "% of the tokens", "", from_zero_x=True)
    name_rows(figure, kinds)
    sentences = [
        f"{name}: {rows[0].share:.1%} of the tokens are {rows[0].kind}." for name, rows in tables.items() if rows
    ]
    return Chart(
        "Whose scripts are in the vocabulary?",
        "\n".join(sentences),
        "Dots of the share of the tokens by kind and tokenizer, the largest at the top.",
        figure,
    )


def ranks_chart(name: str, rows: Sequence[RankCount]) -> Chart:
    """Chart of the shares of the most frequent kinds of token, by rank in bands that double: what is learned first?"""
    total = Counter[str]()
    for row in rows:
        total[row.kind] += row.tokens
    named = [kind for kind, _ in total.most_common(len(COLORS) - 1)]
    bands = list(dict.fromkeys((row.first_rank, row.last_rank) for row in rows))
    labels = [f"{first:,} to {last:,}" for first, last in bands]
    figure = empty_figure(height=150 + 36 * max(len(bands), 1))
    for number, kind in enumerate([*named, OTHERS]):
        of_kind = Counter[tuple[int, int]]()
        for row in rows:
            if (row.kind if row.kind in named else OTHERS) == kind:
                of_kind[row.first_rank, row.last_rank] += row.tokens
        band_totals = [sum(row.tokens for row in rows if (row.first_rank, row.last_rank) == band) for band in bands]
        figure.add_bar(
            x=[100 * of_kind[band] / whole for band, whole in zip(bands, band_totals, strict=True)],
            y=labels,
            orientation="h",
            name=kind,
            marker={"color": COLORS[number], "pattern": PATTERNS[number]},
            customdata=[f"ranks {label}: {of_kind[band]:,} {kind}" for label, band in zip(labels, bands, strict=True)],
            hovertemplate=HOVER,
        )
    set_axes(figure, "% of the tokens", "rank", from_zero_x=True)
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    return Chart(
        "What is learned first?",
        f"{name}: the merges by rank, the earliest at the top. Early is not the same as common." if rows else "",
        "Stacked bars of the share of kinds of token by rank.",
        figure,
    )
