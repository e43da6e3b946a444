"""Charts of what is in a vocabulary."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tokviz.analysis.vocabulary.contents import KindCount, LengthCount, RankCount
from tokviz.charts.axes import counts, linear
from tokviz.charts.bars import Part, Stack, draw_stacks
from tokviz.charts.chart import Chart
from tokviz.charts.lines import Line, Point, draw_lines
from tokviz.charts.rows import Dot, Row, draw_rows
from tokviz.charts.wording import percent, vocabulary_in_words
from tokviz.display import counted
from tokviz.tokenizer_colors import color_numbers

LONGEST_IN_VIEW = 24
"""Length in bytes of the longest tokens that are drawn; the answer says how many are longer."""
OTHERS = "all others"
_SMALL_SHARE = 0.005
_MOST_KINDS = 5  # maximum kinds that are parts of the bars of their own


def lengths_chart(tables: Mapping[str, Sequence[LengthCount]], vocabulary_sizes: Mapping[str, int]) -> Chart:
    """Chart of the share of tokens by length in bytes: how long are the tokens of a vocabulary?

    `vocabulary_sizes` are highest ids + 1.
    """
    colors = color_numbers(tables)
    lines = [
        Line(
            name,
            colors[name],
            [Point(row.bytes, 100 * row.share, _said(name, row)) for row in rows if row.bytes <= LONGEST_IN_VIEW],
            dotted=True,
        )
        for name, rows in tables.items()
    ]
    most = max((point.y for line in lines for point in line.points), default=1)
    longest = round(max((point.x for line in lines for point in line.points), default=1))
    return Chart(
        "How long are the tokens?",
        "\n".join(_lengths_answer(name, rows, vocabulary_sizes[name]) for name, rows in tables.items() if rows),
        "Lines of the share of the tokens by length in bytes.",
        draw_lines(counts("length in bytes", longest), linear("% of the tokens", 1.03 * most), lines),
    )


def _said(name: str, row: LengthCount) -> str:
    tokens, size = counted("token", row.tokens), counted("byte", row.bytes)
    return f"{name}: {tokens} of {size}, {percent(row.share)}"


def _lengths_answer(name: str, rows: Sequence[LengthCount], size: int) -> str:
    total = sum(row.tokens for row in rows)
    common = max(rows, key=lambda row: row.tokens)
    longer = sum(row.tokens for row in rows if row.bytes > LONGEST_IN_VIEW) / total
    beyond = f", {percent(longer)} more than {LONGEST_IN_VIEW}, the longest {rows[-1].bytes:,}" if longer else ""
    length = counted("byte", common.bytes)
    vocabulary = f"a vocabulary of {vocabulary_in_words(total, size)}"
    return f"{name}: {vocabulary}; {percent(common.share)} of the tokens have {length}{beyond}."


def kinds_chart(tables: Mapping[str, Sequence[KindCount]]) -> Chart:
    """Chart of the share of tokens by script and class: whose scripts are in the vocabulary?

    Kinds with a small share in every vocabulary are drawn together.
    """
    names = list(tables)
    large = {row.kind for rows in tables.values() for row in rows if row.share >= _SMALL_SHARE}
    drawn = {name: _with_others(rows, large) for name, rows in tables.items()}
    total = Counter[str]()
    for rows in drawn.values():
        for row in rows:
            total[row.kind] += row.tokens
    kinds = sorted(total, key=lambda kind: (kind == OTHERS, -sum(_share_of(drawn[name], kind) for name in names)))
    rows_drawn = [
        Row(
            kind,
            [
                _kind_dot(place, name, row)
                for place, name in enumerate(names)
                for row in drawn[name]
                if row.kind == kind
            ],
        )
        for kind in kinds
    ]
    sentences = [
        f"{name}: {percent(rows[0].share)} of the tokens are {rows[0].kind}." for name, rows in tables.items() if rows
    ]
    return Chart(
        "Whose scripts are in the vocabulary?",
        "\n".join(sentences),
        "Dots of the share of the tokens by kind and tokenizer, the largest at the top.",
        draw_rows("% of the tokens", names, rows_drawn),
    )


def _with_others(rows: Sequence[KindCount], large: set[str]) -> list[KindCount]:
    """The rows of these kinds, and one for all others."""
    small = [row for row in rows if row.kind not in large]
    others = KindCount(OTHERS, sum(row.tokens for row in small), sum(row.share for row in small))
    return [row for row in rows if row.kind in large] + ([others] if small else [])


def _share_of(rows: Sequence[KindCount], kind: str) -> float:
    return sum(row.share for row in rows if row.kind == kind)


def vocabulary_brief(tables: Mapping[str, Sequence[KindCount]]) -> str:
    """Say in a line what most of a vocabulary is, for the two tokenizers in which that differs most."""
    shares = {name: rows[0] for name, rows in tables.items() if rows}
    if not shares:
        return ""
    name = max(shares, key=lambda each: shares[each].share)
    sentence = f"{percent(shares[name].share, 0)} of {name}'s tokens are {shares[name].kind}"
    other = min(shares, key=lambda each: shares[each].share)
    if other == name or shares[other].kind != shares[name].kind:
        return f"{sentence}."
    return f"{sentence}, {percent(shares[other].share, 0)} of {other}'s."


def _kind_dot(number: int, name: str, row: KindCount) -> Dot:
    said = f"{name}, {row.kind}: {counted('token', row.tokens)}, {percent(row.share, 2)}"
    return Dot(number, 100 * row.share, said)


def ranks_chart(name: str, rows: Sequence[RankCount]) -> Chart:
    """Chart of the shares of the most frequent kinds of token, by rank in bands that double: what is learned first?"""
    total = Counter[str]()
    for row in rows:
        total[row.kind] += row.tokens
    named = [kind for kind, _ in total.most_common(_MOST_KINDS)]
    bands = list(dict.fromkeys((row.first_rank, row.last_rank) for row in rows))
    stacks = [_stack(band, rows, named) for band in bands]
    return Chart(
        "What is learned first?",
        _first_learned(name, rows, named, bands) if rows else "",
        "Stacked bars of the share of kinds of token by rank, the lowest ranks at the top.",
        draw_stacks("% of the tokens", "rank", [*named, OTHERS], stacks),
    )


def _stack(band: tuple[int, int], rows: Sequence[RankCount], named: Sequence[str]) -> Stack:
    label = f"{band[0]:,} to {band[1]:,}"
    in_band = [row for row in rows if (row.first_rank, row.last_rank) == band]
    whole = sum(row.tokens for row in in_band)
    parts = []
    for number, kind in enumerate([*named, OTHERS]):
        tokens = sum(row.tokens for row in in_band if (row.kind if row.kind in named else OTHERS) == kind)
        parts.append(Part(number, 100 * tokens / whole, f"ranks {label}: {tokens:,} {kind}, {percent(tokens / whole)}"))
    return Stack(label, parts)


def _first_learned(name: str, rows: Sequence[RankCount], named: Sequence[str], bands: Sequence[tuple[int, int]]) -> str:
    """Say how the share of the most frequent kind changes from the first ranks to the last."""
    kind, (first, last) = named[0], (bands[0], bands[-1])
    early, late = (_share(rows, kind, band) for band in (first, last))
    sentence = f"{name}: of the merges of rank {first[0]:,} to {first[1]:,}, {percent(early)} make {kind}"
    if first == last:
        return f"{sentence}."
    return f"{sentence}; of those of rank {last[0]:,} to {last[1]:,}, {percent(late)}. Early is not the same as common."


def _share(rows: Sequence[RankCount], kind: str, band: tuple[int, int]) -> float:
    return sum(row.share for row in rows if row.kind == kind and (row.first_rank, row.last_rank) == band)
