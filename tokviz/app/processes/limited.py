"""Call a function on what a stranger sent, in a child process of its own, with limits on time, memory and the answer.

The child process runs `limited_child`, and ends with its answer.
"""

import json
from collections.abc import Callable
from typing import Any

from tokviz.app.processes import children
from tokviz.app.processes.limited_child import FAILED, RESULT, as_json

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


class RefusedError(ValueError):
    """The function raised ValueError, whose message this is, or failed in another way."""


class TooExpensiveError(ValueError):
    """The function took too much time or memory. The message says which."""


def call_limited(function: Callable[..., object], *arguments: object, **limits: Any) -> Any:
    """Return what a function returns, as JSON has it. For the limits, see `bytes_limited`."""
    return json.loads(bytes_limited(as_json, function, *arguments, **limits))


def bytes_limited(
    function: Callable[..., bytes], *arguments: object, seconds: float, memory: int, most: int | None = None, doing: str
) -> bytes:
    """Return what a function returns. `function` must be one that can be pickled.

    `memory` are the bytes of the process's address space, and `most` those of the answer. `doing` says in messages what
    was done, as in "checking this". Raises TooExpensiveError and RefusedError. The caller has to limit how many run at
    a time.
    """
    with children.start("limited_child", str(memory), str(seconds + _GRACE)) as child:
        try:
            with children.within(child, seconds):
                children.send(child, (function, arguments))
                assert child.stdout
                answer: bytes = child.stdout.read(-1 if most is None else most + 2)
                kind, data = answer[:1], answer[1:]
                if most is not None and len(data) > most:
                    raise TooExpensiveError(f"{doing} gives more than this server sends: {most:,} bytes")
                if child.wait() or not kind:  # it was ended, perhaps in the middle of its answer
                    raise EOFError
        except children.Overdue:
            raise TooExpensiveError(f"{doing} took longer than {seconds:g} s") from None
        except children.Ended:
            why = "perhaps it took more memory than this server has for it"
            raise TooExpensiveError(f"{doing} ended the process that did it: {why}") from None
        finally:
            child.kill()
    if kind == FAILED:
        raise RefusedError(f"{doing} failed in a way that tokviz doesn't expect: please report it")
    if kind != RESULT:
        raise RefusedError(data.decode("utf-8", "replace"))
    return data
