"""Contents of a tower's picture at a step: blocks with their places, labels and roles."""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from tokviz.display import hex_bytes
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.tower_labels import label_of, shorten
from tokviz.widgets.tower_layout import OPENS_PRETOKEN, Placement, Tower, place

Writing = Literal["text", "hex", "ids", "letters"]
"""Notation of symbols: text, bytes in hex, ids, or a letter for each merge."""

LETTERS = "ZYXWVUTSRQPONMLKJIHGFEDCBA"
"""Letters of merges, in the order of the steps, as in the first description of byte pair encoding."""


class Span(NamedTuple):
    """A place in the picture: `x` and `width` in columns, `y` in rows."""

    x: float
    y: float
    width: float


class Block(NamedTuple):
    """A block at a step.

    `merge` counts the merge that made it from 1, and is None for a symbol. `is_now` is true for a token of that moment;
    `is_new` if the last step made it, `is_next` if the next one joins it.
    """

    span: Span
    label: str
    has_hex: bool
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


class Picture(NamedTuple):
    """A tower at a step. `width` is in columns, `height` in rows; `is_done` at the last step, which shows the ids."""

    width: float
    height: float
    blocks: list[Block]
    characters: list[Label]
    counts: list[Label]
    is_done: bool
    is_right_to_left: bool


def picture_of(replay: Replay, tower: Tower, step: int, columns: int, writing: Writing = "text") -> Picture:
    """Return what a tower shows after `step` steps, in lines of `columns` columns."""
    placement = place(tower, columns)
    places = _Places(tower, placement, runs_right_to_left(replay.text))
    return Picture(
        placement.width,
        placement.height,
        list(_blocks(replay, tower, places, step, writing)),
        list(_characters(replay, tower, places)),
        list(_counts(tower, places)),
        step == len(replay),
        places.is_mirrored,
    )


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


def _blocks(replay: Replay, tower: Tower, places: _Places, step: int, writing: Writing) -> Iterator[Block]:
    """Yield the blocks that are there after `step` steps."""
    rows = list(zip(*(column.tolist() for column in tower.blocks), tower.tints.tolist(), strict=True))
    number_of = {(start, end): number for number, (start, _, end, *_) in enumerate(rows)}
    gone = dict.fromkeys(range(len(rows)), len(replay))
    ends_word: dict[int, bool] = {}
    special = set(replay.tokenizer.special_tokens.values())
    for number, (start, middle, end, made_at, _, token, _) in enumerate(rows):
        ends_word[number] = _is_mark(replay, token)
        if middle > start:
            left, right = number_of[start, middle], number_of[middle, end]
            gone[left] = gone[right] = made_at
            ends_word[number] = ends_word[right]
    for number, (start, _, end, made_at, depth, token, tint) in enumerate(rows):
        if made_at >= step:
            continue
        span = places.span(start, end)
        label, has_hex = _label(replay, token, ends_word[number], writing)
        is_now = gone[number] >= step
        yield Block(
            span._replace(y=span.y + depth),
            shorten(label, span.width),
            has_hex,
            merge=None if made_at < 0 else int(replay.ranks[made_at]) + 1,
            id=token,
            tint=tint,
            is_now=is_now,
            is_new=is_now and made_at == step - 1 >= 0,
            is_next=is_now and gone[number] == step < len(replay),
            is_special=token in special,
        )


def _is_mark(replay: Replay, token: int) -> bool:
    return isinstance(replay.tokenizer, BPETokenizer) and token in replay.tokenizer.alphabet.endings


def _label(replay: Replay, token: int, ends_word: bool, writing: Writing) -> tuple[str, bool]:
    """Spell a token, and say whether some of it is bytes in hex."""
    if writing == "ids":
        return str(token), False
    if writing == "letters" and token in replay.new_ids:
        return LETTERS[replay.new_ids.tolist().index(token)], False
    data = replay.tokenizer.vocab[token]
    label, has_hex = (hex_bytes(data), bool(data)) if writing == "hex" else label_of(data)
    if not ends_word or not isinstance(replay.tokenizer, BPETokenizer):
        return label, has_hex
    parts = [label, replay.tokenizer.end_of_word or ""]
    return (" " if has_hex and label else "").join(parts), has_hex


def _characters(replay: Replay, tower: Tower, places: _Places) -> Iterator[Label]:
    """Yield the characters of several symbols; again, after "…", in a line where one goes on."""
    for start, end in zip(tower.character_starts.tolist(), tower.character_ends.tolist(), strict=True):
        text = b"".join(replay.tokenizer.vocab[token] for token in replay.symbols[start:end].tolist()).decode()
        if unicodedata.category(text[0]).startswith("M"):
            text = f"◌{text}"  # a mark that was cut off its letter
        for number, span in enumerate(places.spans(start, end)):
            yield Label(span, f"…{text}" if number else text)


def _counts(tower: Tower, places: _Places) -> Iterator[Label]:
    symbols = tower.blocks.starts[: len(tower.opens)].tolist()
    following = [*tower.opens.tolist()[1:], OPENS_PRETOKEN]
    last = [symbol for symbol, opens in zip(symbols, following, strict=False) if opens == OPENS_PRETOKEN]
    for symbol, count in zip(last, tower.counts.tolist(), strict=True):
        if count > 1:
            yield Label(places.after(symbol, 1), f"×{count:,}")
