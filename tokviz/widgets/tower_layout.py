"""Layout of a replay's tower, for the page and for pictures: what is drawn, in columns and rows.

A symbol is one column wide, or more if it is a long label. Pre-tokens stand side by side and go to the next line as a
whole; one that is wider than a line goes on in the next only where no merge ever joins, so that no block is cut. Places
are the same at all steps: nothing moves while merges are made.

The page gets `tower_columns`, and places them in its own width with `widgets/replay/tower/placement.js`, which does the
same as `place`; a test compares the two.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from tokviz.bpe.tower import Blocks, blocks_of
from tokviz.display import shown, text_width
from tokviz.positions import grapheme_offsets
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.wire import Column, Columns

MAX_SYMBOLS = 1_000
"""Maximum symbols in a tower. Longer texts have none."""

GAP = 0.5
"""Columns between two pre-tokens."""
COUNT_WIDTH, DIGIT_WIDTH = 1.25, 0.45
"""Columns of a pre-token's count of one digit, and of each more."""
CHARACTER_ROW, NUMBER_ROW, LINE_GAP = 0.75, 0.75, 0.5
"""Rows that a line has above its symbols, if a character of several symbols stands there; for ids; and to the next."""

OPENS_TOKEN, OPENS_PRETOKEN = 1, 2

_TINTS = 4
_MAX_WIDTH = 16
_CHARACTER_COLUMNS, _PADDING = 0.3, 0.25  # of a label


def tower_columns(replay: Replay, *, distinct: bool) -> Columns:
    """Return the columns of a replay's tower; none if it has more than `MAX_SYMBOLS` symbols.

    `distinct` draws equal pre-tokens once, with their count; they are merged alike if steps are in rank order.

    `tower_pretokens` are the indices of the pre-tokens drawn, `tower_counts` how often each stands in the text.
    `tower_widths`, in columns, and `tower_opens` have an entry for each of their symbols, in order; `tower_opens` says
    whether a pre-token begins there (`OPENS_PRETOKEN`), or only a token of the end (`OPENS_TOKEN`), or neither (0).
    `block_…` are the columns of `Blocks`, and their colors. A character of several symbols is drawn above them, from
    `character_starts` up to, but excluding, `character_ends`.
    """
    if not distinct and len(replay.symbols) > MAX_SYMBOLS:
        return {}
    stretches, counts = _drawn(replay, distinct)
    if sum(map(len, stretches.values())) > MAX_SYMBOLS:
        return {}
    blocks = blocks_of(replay, list(stretches.values()))
    characters = [span for symbols in stretches.values() for span in _characters(replay, symbols)]
    starts, ends = np.array(characters, np.int32).reshape(-1, 2).T
    return {
        "tower_pretokens": np.array(list(stretches), np.int32),
        "tower_counts": np.array(counts, np.int32),
        "tower_widths": np.array([_width(replay, i) for symbols in stretches.values() for i in symbols], np.uint8),
        "tower_opens": np.array([_opens(replay, i) for symbols in stretches.values() for i in symbols], np.uint8),
        **{f"block_{name}": column for name, column in blocks._asdict().items()},
        "block_tints": _tints(blocks),
        "character_starts": np.ascontiguousarray(starts),
        "character_ends": np.ascontiguousarray(ends),
    }


def _drawn(replay: Replay, distinct: bool) -> tuple[dict[int, range], list[int]]:
    """Return the symbols of the pre-tokens to draw, by pre-token, and how often each stands in the text."""
    edges = np.flatnonzero(np.diff(replay.pretoken_index, prepend=-1, append=-1)).tolist()
    stretches = {number: range(*edge) for number, edge in enumerate(pairwise(edges))}
    if not distinct:
        return stretches, [1] * len(stretches)
    numbers: dict[bytes, list[int]] = {}
    for number, symbols in stretches.items():
        numbers.setdefault(replay.symbols[symbols.start : symbols.stop].tobytes(), []).append(number)
    return {same[0]: stretches[same[0]] for same in numbers.values()}, list(map(len, numbers.values()))


def _opens(replay: Replay, symbol: int) -> int:
    if not symbol or replay.pretoken_index[symbol] != replay.pretoken_index[symbol - 1]:
        return OPENS_PRETOKEN
    return OPENS_TOKEN if replay.removed_at[symbol] == len(replay) else 0


def _width(replay: Replay, symbol: int) -> int:
    token, tokenizer = int(replay.symbols[symbol]), replay.tokenizer
    label = shown(tokenizer.vocab[token])
    if tokenizer.alphabet is not None and token in tokenizer.alphabet.endings:
        label += tokenizer.end_of_word or ""
    return min(_MAX_WIDTH, max(1, ceil(text_width(label) * _CHARACTER_COLUMNS + _PADDING)))


def _characters(replay: Replay, symbols: range) -> list[tuple[int, int]]:
    """Return the stretches of symbols that are one character together."""
    pieces = [replay.tokenizer.vocab[int(token)] for token in replay.symbols[symbols.start : symbols.stop]]
    try:
        text = b"".join(pieces).decode()
    except UnicodeDecodeError:  # an added token need not be text
        return []
    offsets = np.cumsum([0, *map(len, pieces)])
    found = []
    at = 0
    for start, end in pairwise(grapheme_offsets(text).tolist()):
        character = text[start:end]
        size = len(character.encode())
        first, last = (np.searchsorted(offsets, [at, at + size - 1], side="right") - 1).tolist()
        at += size
        if first < last and not character.isascii():
            found.append((symbols.start + first, symbols.start + last + 1))
    return found


def _tints(blocks: Blocks) -> Column:
    """Return a color for each block, that of its first symbol: at no step do two neighbors have the same.

    The tokens at the end take turns. Taken apart again, each new boundary gets a color that its neighbors don't have,
    as in `tintSymbols` of the page.
    """
    is_symbol = blocks.steps < 0
    place = {symbol: at for at, symbol in enumerate(blocks.starts[is_symbol].tolist())}
    joined = [place[symbol] for symbol in blocks.middles[~is_symbol].tolist()]  # by step
    number = len(place)
    before, after = [*range(-1, number)], [*range(1, number + 1)]
    for at in joined:
        after[before[at]], before[after[at]] = after[at], before[at]
    tints = [-1] * (number + 1)
    for turn, at in enumerate(sorted({*range(number)} - {*joined})):
        tints[at] = turn % _TINTS
    for at in reversed(joined):
        following = (tints[before[at]] + 1) % _TINTS
        tints[at] = following if tints[after[at]] != following else (following + 1) % _TINTS
        after[before[at]] = before[after[at]] = at
    return np.array([tints[place[start]] for start in blocks.starts.tolist()], np.uint8)


class Placement(NamedTuple):
    """Places of a tower's symbols, in lines of a certain width.

    `lefts` and `lines` have an entry for each symbol drawn, in order: its column, and its line. `tops` is the row in
    which each line's symbols are. `width`, in columns, and `height`, in rows, are those of all lines together.
    """

    lefts: list[float]
    lines: list[int]
    tops: list[float]
    width: float
    height: float


def place(tower: Columns, columns: int) -> Placement:
    """Place a tower's symbols in lines of `columns` columns. A token wider than that has a line to itself."""
    lefts: list[float] = []
    lines: list[int] = []
    at, line, width = 0.0, 0, 0.0
    for tokens, count_width in _pretokens(tower):
        needed = sum(map(sum, tokens)) + count_width
        if at and at + GAP + needed > columns:
            at, line = 0.0, line + 1
        elif at:
            at += GAP
        for number, token in enumerate(tokens):
            if number and at + sum(token) > columns:
                at, line = 0.0, line + 1
            for symbol_width in token:
                lefts.append(at)
                lines.append(line)
                at += symbol_width
            width = max(width, at)
        at += count_width
        width = max(width, at)
    tops, height = _tops(tower, lines)
    return Placement(lefts, lines, tops, width, height)


def _pretokens(tower: Columns) -> Iterator[tuple[list[list[int]], float]]:
    """Yield each pre-token's tokens at the end, as the widths of their symbols, and the width of its count."""
    tokens: list[list[int]] = []
    counts = iter(tower["tower_counts"].tolist())
    for opens, width in zip(tower["tower_opens"].tolist(), tower["tower_widths"].tolist(), strict=True):
        if opens == OPENS_PRETOKEN and tokens:
            yield tokens, _width_of_count(next(counts))
            tokens = []
        if opens:
            tokens.append([])
        tokens[-1].append(width)
    if tokens:
        yield tokens, _width_of_count(next(counts))


def _width_of_count(count: int) -> float:
    return COUNT_WIDTH + DIGIT_WIDTH * (len(f"{count:,}") - 1) if count > 1 else 0.0


def _tops(tower: Columns, lines: list[int]) -> tuple[list[float], float]:
    """Return the row of each line's symbols, and the height of all lines."""
    line_of = dict(zip(tower["block_starts"].tolist(), lines, strict=False))  # the symbols are the first blocks
    deepest = [0] * (max(lines, default=-1) + 1)
    for start, depth in zip(tower["block_starts"].tolist(), tower["block_depths"].tolist(), strict=True):
        deepest[line_of[start]] = max(deepest[line_of[start]], depth)
    spans = zip(tower["character_starts"].tolist(), tower["character_ends"].tolist(), strict=True)
    with_characters = {line_of[symbol] for start, end in spans for symbol in range(start, end)}
    tops = []
    row = 0.0
    for line, depth in enumerate(deepest):
        row += CHARACTER_ROW if line in with_characters else 0
        tops.append(row)
        row += 1 + depth + NUMBER_ROW + LINE_GAP
    return tops, max(0, row - LINE_GAP)
