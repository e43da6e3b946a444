"""Open visitors' tokenizer files in child processes, with limits on time and memory.

A file that only a native engine can read is opened, and encodes, in a process of its own (see `guarded`). All others
are read in a child process that ends with its answer.

`tokviz.formats` limits what a file may contain; this module limits what reading any file may cost. Small files have a
place of their own for two seconds, so that nobody waits with one until others' large ones have been read. A small one
that takes more begins again among the large ones.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from tokviz import formats
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.children import Failed, Refused
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.limited import bytes_limited
from tokviz.app.shields.processes.opening_child import read
from tokviz.app.shields.processes.pool import Limits
from tokviz.app.shields.processes.sent_tokenizers import MAX_SENT, tokenizer_of
from tokviz.formats import checks
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer

SLOW = Limits(768 * 1024**2, seconds=30.0)
"""Limits of the process. The largest files in common use take 0.4 GB."""

QUICK = Limits(320 * 1024**2, seconds=2.0, size=500_000)
"""Limits of the process for a small file, or several that are small together."""


async def open_in_turn(visitor: Visitor, files: Mapping[str, bytes], **given: Any) -> Tokenizer:
    """Open the tokenizer in files when it is the visitor's turn. `given` is what `open_files` takes. Raises Busy."""
    if sum(map(len, files.values())) <= QUICK.size:
        with suppress(Refused):
            return await lanes.opening_small.wait(visitor, partial(read_files, files, QUICK, **given))
    return await lanes.opening.wait(visitor, partial(open_files, files, **given))


def open_files(files: Mapping[str, bytes], limits: Limits = SLOW, **given: Any) -> Tokenizer:
    """Open the tokenizer in files, given by name. `given` is what `formats.read` takes besides.

    Raises ValueError, also if it takes too much time or memory. The caller has to limit how many run at a time.
    """
    for name, data in files.items():
        checks.check_size(name, len(data))
    try:
        return read_files(files, limits, **given)
    except Failed:
        raise
    except Refused:  # as one that only a native engine can read
        if given.pop("split_pattern", formats.UNSAID) is not formats.UNSAID or any(given.values()):
            raise  # an engine has all of these
        return GuardedTokenizer(partial(formats.read_any, dict(files)), files)


def read_files(files: Mapping[str, bytes], limits: Limits = SLOW, **given: Any) -> BPETokenizer:
    """Read files with `formats.read`, without a native engine. Raises ValueError like `open_files`."""
    doing = f"reading {' and '.join(files)}"
    message = bytes_limited(read, dict(files), given, limits=limits, most=MAX_SENT, doing=doing)
    return tokenizer_of(exchange.unpack(message))
