"""Reading people's tokenizer files in a process of its own, with limits of time and memory.

`tokviz.formats` bounds what a file may hold; this bounds what reading it may cost, whatever the file. The child is this
very module, run by `python -m`: it gets the files as a pickle, and answers with one. The files themselves are never
unpickled.
"""

import io
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Literal

from tokviz import formats
from tokviz.app.processes.memory import limit_memory
from tokviz.app.processes.sizes import check_size
from tokviz.bpe.splitting import time_limit
from tokviz.tokenizers.bpe import BPETokenizer

SECONDS = 30.0

MAX_MEMORY = 768 * 1024**2
"""Bytes of address space of a child. The largest files in common use take 0.4 GB."""

_PACKAGES = Path(__file__).parents[3]


def open_files(
    files: Mapping[str, bytes],
    split_pattern: str | Literal[formats.Unsaid.UNSAID] | None = formats.UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    *,
    seconds: float = SECONDS,
) -> BPETokenizer:
    """What `formats.read` makes of files by name. Raises ValueError, also where it takes too long or too much.

    How many do so at a time is for the caller to limit: see `lanes.opening`.
    """
    order = pickle.dumps((dict(files), split_pattern, special_tokens, unapplied), pickle.HIGHEST_PROTOCOL)
    command = [sys.executable, "-m", "tokviz.app.processes.opening"]
    try:
        done = subprocess.run(command, cwd=_PACKAGES, input=order, stdout=subprocess.PIPE, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{' and '.join(files)} took longer than {seconds:g} s to read") from None
    if done.returncode:
        raise ValueError(f"{' and '.join(files)} took more memory to read than there is")
    answer: tuple[BPETokenizer, dict[str, Any]] | str = pickle.load(_InPieces(done.stdout))
    if isinstance(answer, str):
        raise ValueError(answer)
    tokenizer, caches = answer
    vars(tokenizer).update(caches)
    return tokenizer


class _InPieces:
    """A pickle as a file in Python: reading it lets other threads run now and then, which `pickle.loads` doesn't."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        return self._file.read(size)

    def readline(self) -> bytes:
        """The next line."""
        return self._file.readline()


def _work(orders: IO[bytes], answers: IO[bytes]) -> None:
    limit_memory(MAX_MEMORY)
    arguments = pickle.load(orders)
    answer: tuple[BPETokenizer, dict[str, Any]] | str
    try:
        with time_limit(1.0):
            tokenizer = formats.read(*arguments)
            check_size(tokenizer)
            # These take a while to find, and a pickled tokenizer has no caches.
            answer = tokenizer, {"merges": tokenizer.merges, "ranks": tokenizer.ranks}
    except ValueError as error:
        answer = str(error)
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    _work(sys.stdin.buffer, sys.stdout.buffer)
