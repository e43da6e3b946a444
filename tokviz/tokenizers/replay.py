"""The merging of a text by a tokenizer, step by step."""

import numpy as np

from tokviz import renderers
from tokviz.bpe.merge_replay import MergeReplay, Order, ReplayColumns
from tokviz.bpe.merging import Merges
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer


class Replay(MergeReplay):
    """The merging of a text, from its initial symbols to its tokens, in `len(replay)` steps (see `MergeReplay`).

    `tokenizer` merges `text`, in which only `allowed_special` are read as special tokens; `order` is the order that was
    asked for. `replaced` is the number of lone surrogates that were replaced in the text.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        text: str,
        replaced: int,
        allowed_special: frozenset[str],
        order: Order,
        columns: ReplayColumns,
        merges: Merges,
    ) -> None:
        super().__init__(columns, merges)
        self.tokenizer = tokenizer
        self.text = text
        self.replaced = replaced
        self.allowed_special = allowed_special
        self.order = order

    def _repr_html_(self) -> str:
        """Render the player for a notebook."""
        return renderers.as_html(self)

    def tokenization(self, k: int) -> Tokenization:
        """Return the text as it is split into tokens after k steps."""
        starts = self._starts(k)
        offsets = np.append(self.byte_offsets[starts], self.byte_offsets[-1])
        index = self.pretoken_index[starts]
        return self.tokenizer._tokenization(
            self.text, self.replaced, self.allowed_special, self.state(k), offsets, index
        )
