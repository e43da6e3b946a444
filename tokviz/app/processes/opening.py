"""Open visitors' tokenizer files in child processes, with limits on time and memory.

A file that only a native engine can read is opened, and encodes, in a process of its own (see `guarded`). All others
are read in a child process that ends with its answer.

`tokviz.formats` limits what a file may contain; this module limits what reading any file may cost. The child process
runs `opening_child`. Small files have a place of their own for two seconds, so that nobody waits with one until others'
large ones have been read. A small one that takes more begins again among the large ones.
"""

import pickle
from collections.abc import Mapping
from functools import partial
from typing import Any

from tokviz import formats
from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import Visitor
from tokviz.app.processes import children
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.app.processes.opening_child import Answer
from tokviz.formats import checks
from tokviz.sendable import PythonFile
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

SECONDS, MAX_MEMORY = 30.0, 768 * 1024**2
"""Maximum seconds of the process, and bytes of its address space. The largest files in common use take 0.4 GB."""

SMALL = 500_000
"""Maximum bytes of a small file, or of several together."""

SMALL_SECONDS, SMALL_MEMORY = 2.0, 320 * 1024**2
"""Maximum seconds of the process for a small file, and bytes of its address space."""

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


class UnreadableError(ValueError):
    """A file that can't be read without a native engine. The message says why."""


class TooExpensiveError(ValueError):
    """Reading a file takes too much time or memory. The message says which."""


async def open_in_turn(visitor: Visitor, files: Mapping[str, bytes], **given: Any) -> Tokenizer:
    """Open the tokenizer in files when it is the visitor's turn. `given` is what `open_files` takes. Raises Busy."""
    if sum(map(len, files.values())) <= SMALL:
        read_small = partial(read_files, files, **given, seconds=SMALL_SECONDS, memory=SMALL_MEMORY)
        try:
            return await lanes.opening_small.wait(visitor, read_small)
        except (UnreadableError, TooExpensiveError):
            pass
    return await lanes.opening.wait(visitor, partial(open_files, files, **given))


def open_files(files: Mapping[str, bytes], *, seconds: float = SECONDS, **given: Any) -> Tokenizer:
    """Open the tokenizer in files, given by name. `given` is what `formats.read` takes besides.

    Raises ValueError, also if it takes too much time or memory. The caller has to limit how many run at a time.
    """
    for name, data in files.items():
        checks.check_size(name, len(data))
    try:
        return read_files(files, **given, seconds=seconds)
    except UnreadableError:
        if given.pop("split_pattern", formats.UNSAID) is not formats.UNSAID or any(given.values()):
            raise  # an engine has all of these
        return GuardedTokenizer(partial(formats.read_any, dict(files)), files)


def read_files(
    files: Mapping[str, bytes], *, seconds: float = SECONDS, memory: int = MAX_MEMORY, **given: Any
) -> BPETokenizer:
    """Read files with `formats.read`, without a native engine. Raises ValueError like `open_files`."""
    named = " and ".join(files)
    with children.start("opening_child", str(memory), str(seconds + _GRACE)) as child:
        try:
            with children.within(child, seconds):
                children.send(child, (dict(files), given))
                assert child.stdout
                answer: Answer | str = pickle.load(PythonFile(child.stdout.read()))
        except children.Overdue:
            raise TooExpensiveError(f"{named} took longer than {seconds:g} s to read") from None
        except children.Ended:
            raise TooExpensiveError(f"reading {named} took more memory than this server has for it") from None
    if isinstance(answer, str):
        raise UnreadableError(answer)
    tokenizer, caches, ranked = answer
    ranks = None if ranked is None else {tokenizer.vocab[token]: token for token in ranked}
    tokenizer.restore_caches(caches | {"tiktoken_ranks": ranks})
    return tokenizer
