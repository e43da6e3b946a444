"""Reading visitors' tokenizer files, in a process of its own (see `opening`), where no native engine runs."""

import pickle
from typing import Any

from tokviz import formats
from tokviz.app.processes.sizes import check_size
from tokviz.pretokens.splitting import time_limit
from tokviz.tokenizers.bpe import BPETokenizer

Answer = tuple[BPETokenizer, dict[str, Any], list[int] | None]
"""A tokenizer, its caches, and the ids of its `tiktoken_ranks`, in order."""


def read(files: dict[str, bytes], given: dict[str, Any]) -> bytes:
    """Return a pickle of the Answer. The files themselves are never unpickled. Raises ValueError."""
    with time_limit(1.0):
        tokenizer = formats.read(files, **given)
        check_size(tokenizer)
        # These take a while to compute, and pickling a tokenizer drops its caches.
        ranks = tokenizer.tiktoken_ranks
        caches = {"merges": tokenizer.merges, "ranks": tokenizer.ranks}
        answer: Answer = tokenizer, caches, None if ranks is None else list(ranks.values())
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
