"""Open visitors' tokenizer files in child processes, with limits on time and memory.

A file that only a native engine can read is opened, and encodes, in a process of its own (see `guarded`). All others
are read in a child process that ends with its answer.

`tokviz.formats` limits what a file may contain; this module limits what reading any file may cost. The child process
runs `opening_child`.
"""

import pickle
import subprocess
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from tokviz import formats
from tokviz.app.processes import children
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.app.processes.opening_child import Answer
from tokviz.formats import checks
from tokviz.sendable import PythonFile
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

SECONDS = 30.0

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


class UnreadableError(ValueError):
    """A file that can't be read without a native engine. The message says why."""


def open_files(
    files: Mapping[str, bytes],
    split_pattern: str | Literal[formats.Unsaid.UNSAID] | None = formats.UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    alphabet: str | None = None,
    *,
    seconds: float = SECONDS,
) -> Tokenizer:
    """Open the tokenizer in files, given by name. Raises ValueError, also if it takes too much time or memory.

    The caller has to limit how many run at a time: see `lanes.opening`.
    """
    for name, data in files.items():
        checks.check_size(name, len(data))
    try:
        return read_files(files, split_pattern, special_tokens, unapplied, alphabet, seconds=seconds)
    except UnreadableError:
        if split_pattern is not formats.UNSAID or special_tokens or unapplied or alphabet:
            raise
        return GuardedTokenizer(partial(formats.read_any, dict(files)), files)


def read_files(
    files: Mapping[str, bytes],
    split_pattern: str | Literal[formats.Unsaid.UNSAID] | None = formats.UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    alphabet: str | None = None,
    *,
    seconds: float = SECONDS,
) -> BPETokenizer:
    """Read files with `formats.read`, without a native engine. Raises ValueError like `open_files`."""
    request = pickle.dumps((dict(files), split_pattern, special_tokens, unapplied, alphabet), pickle.HIGHEST_PROTOCOL)
    with children.start("opening_child", str(seconds + _GRACE)) as child:
        try:
            answered, _ = child.communicate(request, seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            raise ValueError(f"{' and '.join(files)} took longer than {seconds:g} s to read") from None
    if child.returncode:
        raise ValueError(f"{' and '.join(files)} took more memory to read than there is")
    answer: Answer | str = pickle.load(PythonFile(answered))
    if isinstance(answer, str):
        raise UnreadableError(answer)
    tokenizer, caches, ranked = answer
    ranks = None if ranked is None else {tokenizer.vocab[token]: token for token in ranked}
    tokenizer.restore_caches(caches | {"tiktoken_ranks": ranks})
    return tokenizer
