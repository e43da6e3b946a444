"""The process in which a function works on what a stranger sent (see `limited`). It runs with `python -m`.

It receives the function and its arguments as a pickle from the server, and answers with the bytes that it returns.
"""

import json
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import IO

from tokviz.app.processes.lifetime import begin

RESULT, REFUSED, FAILED = b"r", b"p", b"f"


def as_json(function: Callable[..., object], *arguments: object) -> bytes:
    """Return what a function returns as JSON."""
    return json.dumps(function(*arguments)).encode()


def _work(memory: int, seconds: float, requests: IO[bytes], answers: IO[bytes]) -> None:
    begin(memory, seconds)
    function, arguments = pickle.load(requests)
    try:
        answer = RESULT + function(*arguments)
    except ValueError as error:
        answer = REFUSED + str(error).encode("utf-8", "replace")
    except MemoryError:
        raise  # without an answer, like a process that is ended for it
    except Exception:
        traceback.print_exc()
        answer = FAILED
    answers.write(answer)


if __name__ == "__main__":
    _work(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
