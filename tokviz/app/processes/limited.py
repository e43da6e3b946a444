"""Call a function on what a stranger sent, in a child process of its own, with limits on time, memory and the answer.

The child process runs `limited_child`, and ends with its answer.
"""

import json
from collections.abc import Callable
from typing import Any

from tokviz.app.processes import children, exchange
from tokviz.app.processes.answering import LEAST, RESULT
from tokviz.app.processes.limited_child import FAILED, as_json

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


class RefusedError(ValueError):
    """The function raised ValueError, whose message this is, or failed in another way."""


class TooExpensiveError(ValueError):
    """The function took too much time or memory. The message says which."""


def call_limited(function: Callable[..., object], *arguments: object, **limits: Any) -> Any:
    """Return what a function returns, as JSON has it. For the limits, see `bytes_limited`."""
    return json.loads(bytes_limited(as_json, exchange.name_of(function), *arguments, **limits))


def bytes_limited(
    function: Callable[..., bytes], *arguments: object, seconds: float, memory: int, most: int, doing: str
) -> bytes:
    """Return what a function of a module returns. `arguments` are what `exchange.pack` takes.

    `memory` are the bytes of the process's address space, and `most` those of the answer. `doing` says in messages what
    was done, as in "checking this". Raises TooExpensiveError and RefusedError. The caller has to limit how many run at
    a time.
    """
    call = exchange.pack_call(function, *arguments)
    too_long = f"{doing} gives more than this server sends: {most:,} bytes"
    with children.running("limited_child", str(memory), str(seconds + _GRACE)) as child:
        assert child.stdin and child.stdout
        try:
            with children.within(child, seconds):
                exchange.write(child.stdin, call)
                answer = exchange.read(child.stdout, max(most, LEAST) + 1)
        except exchange.TooLong:
            raise TooExpensiveError(too_long) from None
        except children.Overdue:
            raise TooExpensiveError(f"{doing} took longer than {seconds:g} s") from None
        except children.Ended:
            why = "perhaps it took more memory than this server has for it"
            raise TooExpensiveError(f"{doing} ended the process that did it: {why}") from None
    kind, data = answer[:1], answer[1:]
    if kind == RESULT and len(data) > most:
        raise TooExpensiveError(too_long)
    if kind == FAILED:
        raise RefusedError(f"{doing} failed in a way that tokviz doesn't expect: please report it")
    if kind != RESULT:
        raise RefusedError(data.decode("utf-8", "replace"))
    return data
