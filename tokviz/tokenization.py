"""The result of encoding a text: columns over its tokens, exact to the byte."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tokviz import renderers
from tokviz.arrays import BoolArray, Int32Array
from tokviz.display import separated
from tokviz.immutable import Immutable
from tokviz.positions import code_point_offsets, grapheme_offsets, inside_code_point, utf16_offsets

_MOST_SPELLED = 1_000


class Tokenization(Immutable):
    """A text split into n tokens.

    `text` is the text after repair, and `replaced` the number of lone surrogates that the repair replaced with U+FFFD.
    `ids` (int32, n) are the token ids. `byte_offsets` (int32, n + 1) never decrease: token i covers the bytes from
    `byte_offsets[i]` up to `byte_offsets[i + 1]` of the text's UTF-8, and the tokens tile it, whatever the text. A
    token may cut a character, and may be empty, as an end-of-word mark is, or what a model puts in front of a text.
    `pretokens` are either computed when needed, or given as the index of each token's pre-token. `bytes_of` gives what
    an id stands for in any text.

    Immutable; everything else is computed from these columns on demand.
    """

    def __init__(
        self,
        text: str,
        ids: Int32Array,
        byte_offsets: Int32Array,
        *,
        replaced: int = 0,
        special_ids: Collection[int] = (),
        pretokens: Callable[[], Sequence[str]] | Int32Array,
        bytes_of: Callable[[int], bytes] = lambda token: b"",
    ) -> None:
        self.text = text
        self.ids = ids
        self.byte_offsets = byte_offsets
        self.replaced = replaced
        self._special_ids = special_ids
        self._pretokens = pretokens
        self._bytes_of = bytes_of

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: no tokenizer, but what only it can compute."""
        columns = {"special": self.special, "pretoken_index": self.pretoken_index}
        empty = self.ids[self.byte_offsets[:-1] == self.byte_offsets[1:]].tolist()
        put_in = {token: self._bytes_of(token) for token in empty}
        return super().__getstate__() | columns | {"_special_ids": (), "_pretokens": tuple, "_bytes_of": put_in.get}

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<Tokenization: {len(self)} tokens for {len(self.data)} bytes>"

    def __str__(self) -> str:
        """Spell the first thousand tokens, with bars between them: `I|·love`."""
        rest = len(self) - _MOST_SPELLED
        return separated(self.spelled_bytes(_MOST_SPELLED)) + (f"… and {rest:,} more" if rest > 0 else "")

    def _repr_html_(self) -> str:
        """Render the colored text for a notebook."""
        return renderers.as_html(self)

    @cached_property
    def data(self) -> bytes:
        """The text as UTF-8."""
        return self.text.encode()

    @property
    def token_bytes(self) -> list[bytes]:
        """The bytes that each token covers. Joined, they equal `data`."""
        offsets = self.byte_offsets.tolist()
        return [self.data[start:end] for start, end in zip(offsets, offsets[1:], strict=False)]

    def spelled_bytes(self, most: int | None = None) -> list[bytes]:
        """Return what the first `most` tokens are spelled by: the bytes they cover, or what they stand for if none.

        An end-of-word mark still has no bytes.
        """
        covered = zip(self.token_bytes[:most], self.ids[:most].tolist(), strict=True)
        return [data or self._bytes_of(token) for data, token in covered]

    @cached_property
    def special(self) -> BoolArray:
        """Mask of the special tokens (bool, n)."""
        return np.isin(self.ids, list(self._special_ids))

    @cached_property
    def pretoken_index(self) -> Int32Array:
        """The index, from 0, of the pre-token that each token belongs to (int32, n)."""
        if isinstance(self._pretokens, np.ndarray):
            return self._pretokens
        ends = np.cumsum([len(pretoken.encode()) for pretoken in self._pretokens()])
        starts = self.byte_offsets[:-1]
        index = np.searchsorted(ends, starts, side="right")
        empty = starts == self.byte_offsets[1:]
        # A token without bytes ends a word rather than beginning the next one.
        index[empty] = np.searchsorted(ends, starts[empty], side="left")
        return index.astype(np.int32)

    @cached_property
    def code_point_offsets(self) -> Int32Array:
        """`byte_offsets` in code points, as Python strings are indexed. A cut character counts as not yet begun."""
        return code_point_offsets(self.data, self.byte_offsets)

    @cached_property
    def utf16_offsets(self) -> Int32Array:
        """`byte_offsets` in UTF-16 units, as browsers count. A cut character counts as not yet begun."""
        return utf16_offsets(self.data, self.byte_offsets)

    @cached_property
    def inside_character(self) -> BoolArray:
        """Mask of the n + 1 `byte_offsets` that fall inside a code point, where a token boundary cuts a character."""
        return inside_code_point(self.data, self.byte_offsets)

    @cached_property
    def grapheme_offsets(self) -> Int32Array:
        """Code point offsets where grapheme clusters begin, and the text's length: one more entry than clusters."""
        return grapheme_offsets(self.text)
