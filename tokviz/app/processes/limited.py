"""Call a function on what a stranger sent, in a child process of its own, with limits on time, memory and the answer.

The child process runs `limited_child`, and ends with its answer.
"""

import json
from collections.abc import Callable
from typing import Any

from tokviz.app.processes import children

_GRACE = 1.0  # seconds past its time limit after which the process ends by itself


class TooExpensiveError(ValueError):
    """The function took too much time or memory. The message says which."""


def call_limited(
    function: Callable[..., object], *arguments: object, seconds: float, memory: int, most: int, doing: str
) -> Any:
    """Return what a function returns, as JSON has it. `function` must be one that can be pickled.

    `memory` are the bytes of the process's address space, and `most` those of the answer. `doing` says in messages what
    was done, as in "checking this". Raises TooExpensiveError, or ValueError with the function's own message. The caller
    has to limit how many run at a time.
    """
    with children.start("limited_child", str(memory), str(seconds + _GRACE)) as child:
        try:
            with children.within(child, seconds):
                children.send(child, (function, arguments))
                assert child.stdout
                data = child.stdout.read(most + 1)
                if len(data) > most:
                    raise TooExpensiveError(f"{doing} gives more than this server sends: {most:,} bytes")
                if not data:
                    raise EOFError
        except children.Overdue:
            raise TooExpensiveError(f"{doing} took longer than {seconds:g} s") from None
        except children.Ended:
            raise TooExpensiveError(f"{doing} took more memory than this server has for it") from None
        finally:
            child.kill()
    answer = json.loads(data)
    if "refused" in answer:
        raise ValueError(answer["refused"])
    return answer["result"]
