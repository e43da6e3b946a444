"""Call a function on what a stranger sent, in a child process of its own, with limits on time, memory and the answer.

The child process ends with its answer. The caller has to limit how many run at a time.
"""

import json
from collections.abc import Callable
from typing import Any

from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.kept_child import KeptChild, Task
from tokviz.app.shields.processes.limited_child import as_json
from tokviz.app.shields.processes.pool import Limits
from tokviz.pretokens.splitting import TimeBudget


def call_limited(function: Callable[..., object], *arguments: object, limits: Limits, most: int, doing: str) -> Any:
    """Return what a function returns, as JSON has it: see `bytes_limited`."""
    name = exchange.name_of(function)
    return json.loads(bytes_limited(as_json, name, *arguments, limits=limits, most=most, doing=doing))


def bytes_limited(function: Callable[..., bytes], *arguments: object, limits: Limits, most: int, doing: str) -> bytes:
    """Return what a function of a module returns, at most `most` bytes. `arguments` are what `exchange.pack` takes.

    `doing` says in messages what was done, as in "checking this". Raises what `KeptChild.ask` does.
    """
    task = Task(exchange.pack_call(function, *arguments), doing, most, TimeBudget(limits.seconds, limits.seconds))
    child = KeptChild("limited_child", limits.memory, stderr=None)
    try:
        child.start(doing)
        return child.ask(task)
    finally:
        child.end()
