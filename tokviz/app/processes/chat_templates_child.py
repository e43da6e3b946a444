"""A process that renders chat templates (see `chat_templates`).

It runs this module with `python -m`. It receives requests as pickles and answers with JSON and sentences, which the
server never unpickles. It imports little, so that it starts fast: no numpy.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Any, NamedTuple

from tokviz.app.processes.answering import answer_all
from tokviz.app.processes.lifetime import begin
from tokviz.chats.spans import Rendered

MAX_MEMORY = 384 * 1024**2
"""Maximum bytes of address space of this process."""

MAX_PROMPT, MAX_SPANS = 2_000_000, 100_000
"""Maximum characters of a prompt, and stretches of it with an origin of their own."""

RESULT, PROBLEM, TOO_LARGE, TOO_LONG = b"r", b"p", b"l", b"t"

_MAX_PROBLEM = 500  # characters


class Rendering(NamedTuple):
    """What is to be rendered: see `render`."""

    template: str
    messages: Sequence[Mapping[str, Any]]
    values: Mapping[str, Any]
    special_tokens: Mapping[str, str]


def _work(requests: IO[bytes], answers: IO[bytes], is_polite: bool) -> None:
    from tokviz.chats.rendering import render  # not in the server, which needs only what is above

    begin(MAX_MEMORY, niceness=5 if is_polite else 0)
    answer_all(requests, answers, partial(_outcome, render))


def _outcome(render: Callable[..., Rendered], asked: Rendering) -> tuple[bytes, bytes]:
    """Return the kind of the answer and its data."""
    try:
        rendered = render(*asked)
        if len(rendered.prompt) > MAX_PROMPT or len(rendered.spans) > MAX_SPANS:
            return TOO_LONG, b""
        return RESULT, json.dumps(rendered).encode()
    except MemoryError:
        return TOO_LARGE, b""
    except ValueError as error:
        return PROBLEM, str(error)[:_MAX_PROBLEM].encode("utf-8", "replace")


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        _work(sys.stdin.buffer, sys.stdout.buffer, "--polite" in sys.argv)
