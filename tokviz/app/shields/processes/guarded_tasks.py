"""The tasks that a guarded process does with its tokenizer for the server (see `guarded`).

Such a process imports this module as it starts, and modules that only some requests need when these come.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from tokviz.app.shields.processes.guarded_child import Answer
from tokviz.app.shields.processes.sizes import MAX_DECODED, TOO_LONG_DECODED, check_size
from tokviz.bpe.merge_replay import Order
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets.wire import Columns


def describe(tokenizer: Tokenizer) -> Answer:
    """Return the vocabulary, and what else the server keeps of a tokenizer. Raises ValueError if it is too large."""
    check_size(tokenizer)
    vocab = tokenizer.vocab
    columns: Columns = {
        "ids": np.fromiter(vocab, np.int32, len(vocab)),
        "lengths": np.fromiter(map(len, vocab.values()), np.int32, len(vocab)),
        "bytes": np.frombuffer(b"".join(vocab.values()), np.uint8),
    }
    return columns, {
        "name": tokenizer.name,
        "kind": type(tokenizer).__name__,
        "algorithm": tokenizer.algorithm if tokenizer.is_of_library else None,
        "unknown": tokenizer.unknown,
        "byte_ids": sorted(tokenizer.byte_ids),
        "marks": tokenizer.marks,
        "special_tokens": dict(tokenizer.special_tokens),
        "added_texts": list(tokenizer.added_texts.items()),
        "split_patterns": tokenizer.split_patterns,
        "rewriting": tokenizer.rewriting,
        "around": tokenizer.around,
        "is_around_known": tokenizer.is_around_known,
        "drops_spaces": tokenizer.drops_spaces,
    }


def tokenize(tokenizer: Tokenizer, text: str, allowed: Collection[str], options: Mapping[str, Any]) -> Answer:
    """Return the tokens of a text."""
    found = tokenizer.tokenize(text, allowed, **options)
    columns: Columns = {"ids": found.ids, "byte_offsets": found.byte_offsets, "special": found.special.astype(np.uint8)}
    return columns, {}


def find_pretokens(tokenizer: Tokenizer, text: str, allowed: Collection[str], options: Mapping[str, Any]) -> Answer:
    """Return the pre-token of each token of a text."""
    return {"pretoken_index": tokenizer.tokenize(text, allowed, **options).pretoken_index}, {}


def pretokens(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> Answer:
    """Return the pre-tokens of a text."""
    return {}, {"pretokens": tokenizer.pretokens(text, allowed)}


def rewriting_at(tokenizer: Tokenizer, text: str, places: list[list[int]], allowed: Collection[str]) -> Answer:
    """Return what `Tokenizer.rewriting_at` does."""
    return {}, {"rewriting": list(tokenizer.rewriting_at(text, [(start, end) for start, end in places], allowed))}


def ranks(tokenizer: Tokenizer, ids: list[int]) -> Answer:
    """Return what `rank_columns` does."""
    from tokviz.widgets.columns import rank_columns

    return rank_columns(tokenizer, np.array(ids, np.int32)), {}


def stages(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> Answer:
    """Return what `stages_data` does."""
    from tokviz.widgets.text_stages import stages_data

    return {}, stages_data(tokenizer, text, allowed)


def steps(tokenizer: Tokenizer, text: str, allowed: Collection[str], order: Order) -> Answer:
    """Return what `steps_of` does."""
    from tokviz.widgets.replay_views import steps_of

    return steps_of(tokenizer, text, allowed, order)


def seek(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> Answer:
    """Return what `seek_columns` does."""
    from tokviz.widgets.seeks import seek_columns

    return seek_columns(tokenizer, text, allowed)


def decode(tokenizer: Tokenizer, ids: list[int]) -> Answer:
    """Return the bytes of ids. Raises ValueError if they are too many: a decoder may make any text of a token."""
    data = tokenizer.decode_bytes(ids)
    if len(data) > MAX_DECODED:
        raise ValueError(TOO_LONG_DECODED)
    return {"bytes": np.frombuffer(data, np.uint8)}, {}
