"""Call a function on what a stranger sent, in a child process of its own, with limits on time, memory and the answer.

The child process ends with its answer. The caller has to limit how many run at a time.
"""

import json
from collections.abc import Callable
from typing import Any

from tokviz.app.processes import exchange
from tokviz.app.processes.kept_child import KeptChild, Task
from tokviz.app.processes.limited_child import as_json
from tokviz.pretokens.splitting import TimeBudget


def call_limited(function: Callable[..., object], *arguments: object, **limits: Any) -> Any:
    """Return what a function returns, as JSON has it. For the limits, see `bytes_limited`."""
    return json.loads(bytes_limited(as_json, exchange.name_of(function), *arguments, **limits))


def bytes_limited(
    function: Callable[..., bytes], *arguments: object, seconds: float, memory: int, most: int, doing: str
) -> bytes:
    """Return what a function of a module returns. `arguments` are what `exchange.pack` takes.

    `memory` are the bytes of the process's address space, and `most` those of the answer. `doing` says in messages what
    was done, as in "checking this". Raises what `KeptChild.ask` does.
    """
    task = Task(exchange.pack_call(function, *arguments), doing, most, TimeBudget(seconds, seconds))
    child = KeptChild("limited_child", memory, stderr=None)
    try:
        child.start(doing)
        return child.ask(task)
    finally:
        child.end()
