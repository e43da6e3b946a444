"""Contents of a tower's picture: blocks with their places, labels and roles.

They come from the columns and metadata that the page gets, so that a picture of any replay can be drawn, also of one
whose tokenizer is in another process.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from tokviz.display import hex_bytes
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.tower_labels import label_of, shorten
from tokviz.widgets.tower_layout import MAX_SYMBOLS, OPENS_PRETOKEN, Placement, Tower, place, tower_in
from tokviz.widgets.wire import Columns

Writing = Literal["text", "hex", "ids", "letters"]
"""Notation of symbols: text, bytes in hex, ids, or a letter for each merge."""

LETTERS = "ZYXWVUTSRQPONMLKJIHGFEDCBA"
"""Letters of merges, in the order of the steps, as in the first description of byte pair encoding."""

TEXT, PRETOKENS = -2, -1
"""Steps before the merges: the text, and its pre-tokens."""

_NEVER = 2**31 - 1
_MAX_BYTES = 1_000_000  # of the text: a guarded process may send any columns


class Span(NamedTuple):
    """A place in the picture: `x` and `width` in columns, `y` in rows."""

    x: float
    y: float
    width: float


class Block(NamedTuple):
    """A block at a step.

    `merge` counts the merge that made it from 1, and is None for a symbol and where merges are not shown. `is_now` is
    true for a token of that moment; `is_new` if the last step made it, `is_next` if the next one joins it.
    """

    span: Span
    label: str
    has_hex: bool
    is_symbol: bool
    merge: int | None
    id: int
    tint: int
    is_now: bool
    is_new: bool
    is_next: bool
    is_special: bool


class Label(NamedTuple):
    """A character above its symbols, or a word's count."""

    span: Span
    text: str


class Shown(NamedTuple):
    """What a picture shows of a replay.

    `step` is the number of steps done, or `TEXT` or `PRETOKENS`. While tokens are taken apart again, `decoding` is the
    row below which they are, and the symbol from which on they are left out.
    """

    step: int
    writing: Writing = "text"
    decoding: tuple[int, int] | None = None


class Picture(NamedTuple):
    """A tower at a step. `width` is in columns, `height` in rows; `has_ids` at the last step.

    `is_before` the merges, labels have no boxes, and characters stand among them; `pretokens` are the spans of each.
    `is_filled` symbols have a tint.
    """

    width: float
    height: float
    pretokens: list[list[Span]]
    blocks: list[Block]
    characters: list[Label]
    counts: list[Label]
    is_before: bool
    is_filled: bool
    has_ids: bool
    is_right_to_left: bool


class _Content(NamedTuple):
    """A replay's columns and metadata, read.

    `vocab` has the bytes of each id, `pieces` those of each symbol drawn; `endings` are the ids that end words.
    """

    columns: Columns
    meta: Mapping[str, Any]
    tower: Tower
    vocab: dict[int, bytes]
    pieces: dict[int, bytes]
    endings: set[int]

    def text_of(self, symbols: Iterable[int]) -> str:
        """Return the text of symbols, with "�" for bytes that are no character."""
        return b"".join(self.pieces[symbol] for symbol in symbols).decode("utf-8", "replace")


def picture_of(columns: Columns, meta: Mapping[str, Any], shown: Shown, length: int) -> Picture:
    """Return what a replay's tower shows, in lines of `length` columns.

    `columns` and `meta` are those that the page gets. Raises ValueError if they hold no tower.
    """
    content, last = _read(columns, meta), len(columns["ranks"])
    placement = place(content.tower, length)
    places = _Places(content.tower, placement, runs_right_to_left(content.text_of(content.pieces)))
    is_before = shown.step < 0 and not shown.decoding
    has_ids = shown.step == last and not shown.decoding
    has_characters = not shown.decoding or shown.writing == "text"
    return Picture(
        placement.width,
        placement.height,
        [list(places.spans(*word)) for word in _words(content.tower)] if is_before and shown.step == PRETOKENS else [],
        list(_blocks(content, places, shown)),
        list(_characters(content, places, shown)) if has_characters else [],
        list(_counts(content.tower, places)),
        is_before,
        has_ids or bool(shown.decoding and shown.writing == "ids"),
        has_ids,
        places.is_mirrored,
    )


def _read(columns: Columns, meta: Mapping[str, Any]) -> _Content:
    tower = tower_in(columns)
    if tower is None:
        raise ValueError(f"this text has {len(columns['symbols']):,} symbols; a picture shows {MAX_SYMBOLS:,} at most")
    data, ends = columns["token_bytes"].tobytes(), np.cumsum(columns["token_lengths"]).tolist()
    pieces = (data[start:end] for start, end in pairwise([0, *ends]))
    vocab = dict(zip(columns["token_ids"].tolist(), pieces, strict=True))
    drawn = tower.blocks.starts[: len(tower.widths)]
    of_symbols = dict(zip(drawn.tolist(), map(vocab.__getitem__, columns["symbols"][drawn].tolist()), strict=True))
    mark = meta["end_of_word"] or ""
    if sum(map(len, of_symbols.values())) + len(mark) * 2 * MAX_SYMBOLS > _MAX_BYTES:
        raise ValueError(f"a picture shows a text of {_MAX_BYTES:,} bytes at most")
    endings = set(meta["endings"])
    for right, new in zip(columns["rights"].tolist(), columns["new_ids"].tolist(), strict=True):
        if right in endings:
            endings.add(new)
    return _Content(columns, meta, tower, vocab, of_symbols, endings)


def runs_right_to_left(text: str) -> bool:
    """Return whether a text's first letter is of a script written from right to left."""
    directions = map(unicodedata.bidirectional, text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


class _Places:
    """Places of symbols, by symbol."""

    def __init__(self, tower: Tower, placement: Placement, is_mirrored: bool) -> None:
        symbols = tower.blocks.starts[: len(tower.widths)].tolist()
        self._number_of = {symbol: number for number, symbol in enumerate(symbols)}
        self._widths = tower.widths.tolist()
        self._placement = placement
        self.is_mirrored = is_mirrored

    def span(self, start: int, end: int) -> Span:
        """Return where symbols of one line stand."""
        lefts, lines, tops, *_ = self._placement
        first, last = self._number_of[start], self._number_of[end - 1]
        width = lefts[last] + self._widths[last] - lefts[first]
        return self.turned(Span(lefts[first], tops[lines[first]], width))

    def spans(self, start: int, end: int) -> Iterator[Span]:
        """Return where symbols stand that may be in several lines: a span for each line."""
        lines = self._placement.lines
        line_of = {symbol: lines[self._number_of[symbol]] for symbol in range(start, end)}
        firsts = [symbol for symbol in line_of if line_of.get(symbol - 1) != line_of[symbol]]
        return (self.span(*edges) for edges in pairwise([*firsts, end]))

    def after(self, symbol: int, width: float) -> Span:
        """Return a span of this width after a symbol."""
        number = self._number_of[symbol]
        left = self._placement.lefts[number] + self._widths[number]
        return self.turned(Span(left, self._placement.tops[self._placement.lines[number]], width))

    def turned(self, span: Span) -> Span:
        """Return a span from the other side if the text runs from right to left."""
        return span._replace(x=self._placement.width - span.x - span.width) if self.is_mirrored else span


def has_letters(replay: Replay) -> bool:
    """Return whether there is a letter for each merge of a replay."""
    return replay.is_by_rank and replay.order == "rank" and len(replay) <= len(LETTERS)


def _blocks(content: _Content, places: _Places, shown: Shown) -> Iterator[Block]:
    """Yield the blocks that are there."""
    tower, ranks = content.tower, content.columns["ranks"].tolist()
    rows = list(zip(*(column.tolist() for column in tower.blocks), tower.tints.tolist(), strict=True))
    joined: dict[tuple[int, int], tuple[int, int]] = {}  # by part: step and row of what it becomes part of
    for start, middle, end, made_at, depth, *_ in rows:
        if middle > start:
            joined |= dict.fromkeys(((start, middle), (middle, end)), (made_at, depth))
    spans = zip(tower.character_starts.tolist(), tower.character_ends.tolist(), strict=True)
    hidden = {symbol for span in spans for symbol in range(*span)} if shown.step < 0 and not shown.decoding else set()
    special, step = set(content.meta["special"]), max(0, shown.step)
    spell = cache(partial(_label, content, shown.writing if shown.step >= 0 else "text"))
    for start, _, end, made_at, depth, token, tint in rows:
        gone, under = joined.get((start, end), (_NEVER, _NEVER))
        if shown.decoding:
            row, last = shown.decoding
            is_there, is_now = end <= last and (depth > row or under > row), depth <= row
            is_new, is_next = under == row + 1 and shown.writing == "ids", False
        else:
            is_there, is_now = made_at < step, gone >= step
            is_new, is_next = made_at == step - 1 >= 0, gone == shown.step
        if not is_there or start in hidden:
            continue
        span = places.span(start, end)
        label, has_hex = spell(token)
        yield Block(
            span._replace(y=span.y + depth),
            shorten(label, span.width),
            has_hex,
            is_symbol=made_at < 0,
            merge=None if made_at < 0 or shown.decoding else ranks[made_at] + 1,
            id=token,
            tint=tint,
            is_now=is_now,
            is_new=is_now and is_new,
            is_next=is_now and is_next,
            is_special=token in special,
        )


def _label(content: _Content, writing: Writing, token: int) -> tuple[str, bool]:
    """Spell a token, and say whether some of it is bytes in hex."""
    new_ids = content.columns["new_ids"].tolist()
    if writing == "ids":
        return str(token), False
    if writing == "letters" and len(new_ids) <= len(LETTERS) and token in new_ids:
        return LETTERS[new_ids.index(token)], False
    data = content.vocab[token]
    label, has_hex = (hex_bytes(data), bool(data)) if writing == "hex" else label_of(data)
    if token not in content.endings:
        return label, has_hex
    return (" " if has_hex and label else "").join((label, content.meta["end_of_word"] or "")), has_hex


def _words(tower: Tower) -> Iterator[tuple[int, int]]:
    """Yield the first symbol of each pre-token that is drawn, and the one after its last."""
    symbols, opens = tower.blocks.starts[: len(tower.opens)].tolist(), tower.opens.tolist()
    firsts = [place for place, opened in enumerate(opens) if opened == OPENS_PRETOKEN]
    for first, after in pairwise([*firsts, len(symbols)]):
        yield symbols[first], symbols[after - 1] + 1


def _characters(content: _Content, places: _Places, shown: Shown) -> Iterator[Label]:
    """Yield the characters of several symbols; again, after "…", in a line where one goes on."""
    missing = shown.decoding[1] if shown.decoding else _NEVER
    tower = content.tower
    for start, end in zip(tower.character_starts.tolist(), tower.character_ends.tolist(), strict=True):
        if start >= missing:
            continue
        text = content.text_of(range(start, min(end, missing)))
        if unicodedata.category(text[0]).startswith("M"):
            text = f"◌{text}"  # a mark that was cut off its letter
        for number, span in enumerate(places.spans(start, min(end, missing))):
            yield Label(span, f"…{text}" if number else text)


def _counts(tower: Tower, places: _Places) -> Iterator[Label]:
    for (_, end), count in zip(_words(tower), tower.counts.tolist(), strict=True):
        if count > 1:
            yield Label(places.after(end - 1, 1), f"×{count:,}")
