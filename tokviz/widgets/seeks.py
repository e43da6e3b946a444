"""A text under the first k merges of a tokenizer, for every k: the columns from which any of its states follows.

A replay takes merges in the order of their ranks. A tokenizer that knows fewer of them takes the same steps and stops
where the next one is a merge that it doesn't know. So one number for each boundary says it all: how many merges a
tokenizer must know to remove it.

Example: in cl100k, merge 24 makes ` the` of ` th` and `e`. With 23 merges known, these two are its tokens.

Some engines take a merge only after a later one has made its parts. It waits for that one: the number of merges that
must be known is the highest of those up to it in its pre-token.
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.wire import Columns


def seek_columns(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()
) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of `text` under any number of the first merges of `tokenizer`.

    Raises ValueError if the tokenizer merges nothing, if its first merges alone don't say what it would do, or if
    another library's merging can't be reproduced exactly.
    """
    merging = _merging(tokenizer)
    replay = merging.replay(text, allowed_special)
    before = replay.tokenization(0)
    columns: Columns = {
        "symbols": replay.symbols,
        "symbol_lengths": np.diff(before.byte_offsets).astype(np.int32),
        "special": before.special.astype(np.uint8),
        "removed_at": replay.removed_at,
        "ranks": replay.ranks,
        "known": _known(replay),
        "new_ids": replay.new_ids,
    }
    return columns, {"merges": merging.num_merges, "units": merging.units}


def _merging(tokenizer: Tokenizer) -> BPETokenizer | EngineTokenizer:
    """Return a tokenizer whose first merges alone can be applied. Raises ValueError for any other."""
    if isinstance(tokenizer, BPETokenizer | EngineTokenizer) and tokenizer.algorithm == "bpe":
        if tokenizer.takes_tokens_whole:
            raise ValueError(
                f"{tokenizer.name} takes a word that is in its vocabulary whole, whatever its merges: fewer merges "
                "would not show what it knows. Choose another tokenizer"
            )
        if tokenizer.is_of_library or tokenizer.in_order:
            return tokenizer
    raise ValueError(f"{tokenizer.name} has no merges that are applied in rank order: choose another, such as GPT-2's")


def _known(replay: Replay) -> Int32Array:
    """Return for each step how many merges a tokenizer knows at least that takes it."""
    if replay.is_by_rank:
        return replay.ranks + 1
    joined = np.flatnonzero(replay.removed_at < len(replay))
    pretokens = np.zeros(len(replay), np.int64)
    pretokens[replay.removed_at[joined]] = replay.pretoken_index[joined]
    # The steps of a pre-token follow one another: of each stretch, the highest rank so far.
    apart = pretokens * (int(replay.ranks.max()) + 1)
    known: Int32Array = (np.maximum.accumulate(apart + replay.ranks) - apart + 1).astype(np.int32)
    return known
