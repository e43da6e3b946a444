"""Contents of a tower's picture: blocks with their places, labels and roles.

They come from the columns and metadata that the page gets, so that a picture of any replay can be drawn, also of one
whose tokenizer is in another process.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from tokviz.display import hex_bytes
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.bidirectional import runs_right_to_left
from tokviz.widgets.svg import label_of, shorten
from tokviz.widgets.tower_layout import MAX_SYMBOLS, OPENS_PRETOKEN, place
from tokviz.widgets.wire import Columns

Writing = Literal["text", "hex", "ids", "letters"]
"""Notation of symbols: text, bytes in hex, ids, or a letter for each merge."""

LETTERS = "ZYXWVUTSRQPONMLKJIHGFEDCBA"
"""Letters of merges, in the order of the steps, as in the first description of byte pair encoding."""

TEXT, PRETOKENS = -2, -1
"""Steps before the merges: the text, and its pre-tokens."""

_NEVER = 2**31 - 1
_MAX_TOKEN = 100_000  # bytes: a guarded process may send any columns


class NoTower(ValueError):
    """A replay has no tower, or one that is too large for a picture."""


class Span(NamedTuple):
    """A place in the picture: `x` and `width` in columns, `y` in rows."""

    x: float
    y: float
    width: float


class Block(NamedTuple):
    """A block at a step.

    `beneath` stands under the label: the merge that made it, counted from 1; or its text, while tokens are taken apart
    and labels are ids. It is empty where neither is shown, as for a symbol. `is_now` is
    true for a token of that moment; `is_new` if the last step made it, `is_next` if the next one joins it,
    and `is_left` if it is the left part of what it is joined to.
    """

    span: Span
    label: str
    has_hex: bool
    is_symbol: bool
    beneath: str
    id: int
    tint: int
    is_now: bool
    is_new: bool
    is_next: bool
    is_left: bool
    is_special: bool


class Shown(NamedTuple):
    """A view of a replay, for a picture.

    `step` is the number of steps done, or `TEXT` or `PRETOKENS`. While tokens are taken apart again, `decoding` is the
    row below which they are, and the symbol from which on they are left out.
    """

    step: int
    writing: Writing = "text"
    decoding: tuple[int, int] | None = None


class TowerPicture:
    """A replay's tower in lines of `length` columns. `width` is in columns, `height` in rows.

    `columns` and `meta` are those that the page gets. `is_before` is true before the merges, where labels have no boxes
    and characters stand among them; `has_ids` after the last step. Raises NoTower.
    """

    def __init__(self, columns: Columns, meta: Mapping[str, Any], shown: Shown, length: int) -> None:
        _check(columns, meta)
        self.shown, self._columns, self._meta = shown, columns, meta
        self.is_before = shown.step < 0 and not shown.decoding
        self.has_ids = shown.step == len(columns["ranks"]) and not shown.decoding
        data, ends = columns["token_bytes"].tobytes(), np.cumsum(columns["token_lengths"]).tolist()
        pieces = (data[start:end] for start, end in pairwise([0, *ends]))
        self._vocab = dict(zip(columns["token_ids"].tolist(), pieces, strict=True))
        self._widths = columns["tower_widths"].tolist()
        self._symbols = columns["block_starts"][: len(self._widths)].tolist()
        self._number_of = {symbol: number for number, symbol in enumerate(self._symbols)}
        self._id_of = dict(zip(self._symbols, columns["block_ids"].tolist(), strict=False))
        self._placement = place(columns, length)
        self.width, self.height = self._placement.width, self._placement.height
        self.is_right_to_left = runs_right_to_left(self._text_of(self._symbols))

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks that are there."""
        shown, step, ranks = self.shown, max(0, self.shown.step), self._columns["ranks"].tolist()
        names = ("starts", "middles", "ends", "steps", "depths", "ids", "tints")
        rows = list(zip(*(self._columns[f"block_{name}"].tolist() for name in names), strict=True))
        joined: dict[tuple[int, int], tuple[int, int, int]] = {}  # by part: of the whole, step, row, start
        for start, middle, end, made_at, depth, *_ in rows:
            if middle > start:
                joined |= dict.fromkeys(((start, middle), (middle, end)), (made_at, depth, start))
        hidden = {symbol for span in self._character_spans() for symbol in range(*span)} if self.is_before else set()
        special, spell = set(self._meta["special"]), self._spelling("text" if self.is_before else shown.writing)
        spell_out = self._spelling("text")
        for start, _, end, made_at, depth, token, tint in rows:
            gone, under, first = joined.get((start, end), (_NEVER, _NEVER, _NEVER))
            if shown.decoding:
                row, last = shown.decoding
                is_there, is_now = end <= last and (depth > row or under > row), depth <= row
                is_new, is_next = under == row + 1 and shown.writing == "ids", False
            else:
                is_there, is_now = made_at < step, gone >= step
                is_new, is_next = made_at == step - 1 >= 0, gone == shown.step
            if not is_there or start in hidden:
                continue
            span = self._span(start, end)
            label, has_hex = spell(token)
            if shown.decoding:
                beneath = shorten(spell_out(token)[0], span.width) if shown.writing == "ids" else ""
            else:
                beneath = "" if made_at < 0 else f"{ranks[made_at] + 1:,}"
            yield Block(
                span._replace(y=span.y + depth),
                shorten(label, span.width),
                has_hex,
                is_symbol=made_at < 0,
                beneath=beneath,
                id=token,
                tint=tint,
                is_now=is_now,
                is_new=is_now and is_new,
                is_next=is_now and is_next,
                is_left=start == first,
                is_special=token in special,
            )

    def pretokens(self) -> Iterator[list[Span]]:
        """Yield the spans of each pre-token, if the step is that of pre-tokens."""
        if self.is_before and self.shown.step == PRETOKENS:
            yield from (list(self._spans(*word)) for word in self._words())

    def characters(self) -> Iterator[tuple[Span, str]]:
        """Yield the characters of several symbols; again, after "…", in a line where one goes on."""
        if self.shown.decoding and self.shown.writing != "text":
            return
        missing = self.shown.decoding[1] if self.shown.decoding else _NEVER
        for start, end in self._character_spans():
            if start >= missing:
                continue
            text = self._text_of(range(start, min(end, missing)))
            if unicodedata.category(text[0]).startswith("M"):
                text = f"◌{text}"  # a mark that was cut off its letter
            for number, span in enumerate(self._spans(start, min(end, missing))):
                yield span, f"…{text}" if number else text

    def counts(self) -> Iterator[tuple[Span, str]]:
        """Yield how often words are in the text, after their last symbols."""
        for (_, end), count in zip(self._words(), self._columns["tower_counts"].tolist(), strict=True):
            if count > 1:
                last = self._number_of[end - 1]
                left = self._placement.lefts[last] + self._widths[last]
                yield self._turned(Span(left, self._top(last), 1)), f"×{count:,}"

    def _spelling(self, writing: Writing) -> Callable[[int], tuple[str, bool]]:
        """Return a function that spells a token, and says whether some of it is bytes in hex."""
        new_ids, mark = self._columns["new_ids"].tolist(), self._meta["end_of_word"] or ""
        endings = set(self._meta["endings"])
        for right, new in zip(self._columns["rights"].tolist(), new_ids, strict=True):
            if right in endings:
                endings.add(new)

        @cache
        def spell(token: int) -> tuple[str, bool]:
            if writing == "ids":
                return str(token), False
            if writing == "letters" and len(new_ids) <= len(LETTERS) and token in new_ids:
                return LETTERS[new_ids.index(token)], False
            data = self._vocab[token]
            label, has_hex = (hex_bytes(data), bool(data)) if writing == "hex" else label_of(data)
            return (" " if has_hex and label else "").join((label, mark)) if token in endings else label, has_hex

        return spell

    def _text_of(self, symbols: Iterable[int]) -> str:
        """Return the text of symbols, with "�" for bytes that are no character."""
        return b"".join(self._vocab[self._id_of[symbol]] for symbol in symbols).decode("utf-8", "replace")

    def _character_spans(self) -> Iterator[tuple[int, int]]:
        edges = (self._columns[name].tolist() for name in ("character_starts", "character_ends"))
        return zip(*edges, strict=True)

    def _words(self) -> Iterator[tuple[int, int]]:
        """Yield the first symbol of each pre-token that is drawn, and the one after its last."""
        opens = self._columns["tower_opens"].tolist()
        firsts = [number for number, opened in enumerate(opens) if opened == OPENS_PRETOKEN]
        for first, after in pairwise([*firsts, len(self._symbols)]):
            yield self._symbols[first], self._symbols[after - 1] + 1

    def _span(self, start: int, end: int) -> Span:
        """Return where symbols of one line stand."""
        lefts = self._placement.lefts
        first, last = self._number_of[start], self._number_of[end - 1]
        return self._turned(Span(lefts[first], self._top(first), lefts[last] + self._widths[last] - lefts[first]))

    def _spans(self, start: int, end: int) -> Iterator[Span]:
        """Return where symbols stand that may be in several lines: a span for each line."""
        lines = self._placement.lines
        line_of = {symbol: lines[self._number_of[symbol]] for symbol in range(start, end)}
        firsts = [symbol for symbol in line_of if line_of.get(symbol - 1) != line_of[symbol]]
        return (self._span(*edges) for edges in pairwise([*firsts, end]))

    def _top(self, number: int) -> float:
        return self._placement.tops[self._placement.lines[number]]

    def _turned(self, span: Span) -> Span:
        """Return a span from the other side if the text runs from right to left."""
        return span._replace(x=self.width - span.x - span.width) if self.is_right_to_left else span


def has_letters(replay: Replay) -> bool:
    """Return whether there is a letter for each merge of a replay."""
    return replay.is_by_rank and replay.order == "rank" and len(replay) <= len(LETTERS)


def _check(columns: Columns, meta: Mapping[str, Any]) -> None:
    """Raise NoTower if there is none, or one that is larger than `tower_columns` makes any."""
    if "tower_widths" not in columns:
        raise NoTower(f"this text has {len(columns['symbols']):,} symbols; a picture shows {MAX_SYMBOLS:,} at most")
    starts, ends = columns["character_starts"].astype(np.int64), columns["character_ends"]
    blocks, most = len(columns["block_starts"]), (ends - starts).max(initial=0)
    if max(len(columns["tower_widths"]), blocks // 2, len(starts), most) > MAX_SYMBOLS:
        raise NoTower("this tower is too large for a picture")
    if columns["token_lengths"].max(initial=0) + len(meta["end_of_word"] or "") > _MAX_TOKEN:
        raise NoTower("these tokens are too long for a picture")
