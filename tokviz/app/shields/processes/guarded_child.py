"""A visitor's tokenizer, in a process of its own (see `guarded_workers`).

The first message calls a function that opens the tokenizer, the others functions that take it first. They are answered
with columns and JSON.
"""

from typing import Any

from tokviz.app.shields.processes.exchange import unpack_call
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import wire

Answer = tuple[wire.Columns, dict[str, Any]]
"""Columns, and what else there is to say, as JSON."""

_opened: list[Tokenizer] = []


def answer(message: bytes, _: float) -> bytes:
    """Call a function, with the tokenizer once there is one, and return its answer."""
    called = unpack_call(message)
    if not _opened:
        _opened.append(called())
        return b""
    return wire.pack(*called.func(_opened[0], *called.args))
