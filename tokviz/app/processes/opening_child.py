"""The process in which visitors' tokenizer files are read (see `opening`).

It runs this module with `python -m`. It receives the files as a pickle and answers with one; the files themselves are
never unpickled, and no native engine runs here.
"""

import pickle
import sys
from typing import IO, Any

from tokviz import formats
from tokviz.app.processes.lifetime import begin
from tokviz.app.processes.sizes import check_size
from tokviz.pretokens.splitting import time_limit
from tokviz.tokenizers.bpe import BPETokenizer

Answer = tuple[BPETokenizer, dict[str, Any], list[int] | None]
"""A tokenizer, its caches, and the ids of its `tiktoken_ranks`, in order."""


def _work(memory: int, seconds: float, requests: IO[bytes], answers: IO[bytes]) -> None:
    begin(memory, seconds)
    files, given = pickle.load(requests)
    answer: Answer | str
    try:
        with time_limit(1.0):
            tokenizer = formats.read(files, **given)
            check_size(tokenizer)
            # These take a while to compute, and pickling a tokenizer drops its caches.
            ranks = tokenizer.tiktoken_ranks
            caches = {"merges": tokenizer.merges, "ranks": tokenizer.ranks}
            answer = tokenizer, caches, None if ranks is None else list(ranks.values())
    except ValueError as error:
        answer = str(error)
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
