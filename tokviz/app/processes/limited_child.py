"""The process in which a function works on what a stranger sent (see `limited`). It runs with `python -m`.

It receives a call of the function, and answers with the bytes that it returns.
"""

import json
import sys
import traceback
from typing import IO

from tokviz.app.processes import exchange
from tokviz.app.processes.answering import RESULT, problem
from tokviz.app.processes.lifetime import begin

FAILED = b"f"
"""The kind of an answer, besides those of `answering`, after an error whose message is not for people."""


def as_json(name: str, *arguments: object) -> bytes:
    """Return what the function of this name returns, as JSON."""
    return json.dumps(exchange.function_named(name)(*arguments)).encode()


def _work(memory: int, seconds: float, requests: IO[bytes], answers: IO[bytes]) -> None:
    begin(memory, seconds, niceness=5)
    work = exchange.unpack_call(exchange.read(requests))
    try:
        kind, data = RESULT, work()
    except ValueError as error:
        kind, data = problem(error)
    except MemoryError:
        raise  # without an answer, like a process that is ended for it
    except Exception:
        traceback.print_exc()
        kind, data = FAILED, b""
    exchange.write(answers, kind + data)


if __name__ == "__main__":
    _work(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
