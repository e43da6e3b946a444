"""The process in which a function works on what a stranger sent (see `limited`). It runs with `python -m`.

It receives the function and its arguments as a pickle from the server, and answers with JSON.
"""

import json
import pickle
import sys
from typing import IO

from tokviz.app.processes.lifetime import begin


def _work(memory: int, seconds: float, requests: IO[bytes], answers: IO[bytes]) -> None:
    begin(memory, seconds)
    function, arguments = pickle.load(requests)
    try:
        answer = {"result": function(*arguments)}
    except ValueError as error:
        answer = {"refused": str(error)}
    answers.write(json.dumps(answer).encode())


if __name__ == "__main__":
    _work(int(sys.argv[1]), float(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
