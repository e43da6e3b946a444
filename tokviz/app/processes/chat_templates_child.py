"""A process that renders chat templates (see `chat_templates`).

It runs this module with `python -m`. It receives renderings as JSON, and answers with JSON and sentences. It imports
little, so that it starts fast: no numpy.
"""

import signal
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, Any, NamedTuple

from tokviz.app.processes.answering import RESULT, TOO_LARGE, TOO_LONG, TOO_SLOW, answer_all, problem
from tokviz.app.processes.exchange import pack, unpack
from tokviz.app.processes.lifetime import begin
from tokviz.chats.spans import Origin, Rendered

MAX_MEMORY = 384 * 1024**2
"""Maximum bytes of address space of this process."""

QUICK_SECONDS = 0.05
"""Maximum seconds of the processor's time of a rendering that takes no other's time."""

MAX_PROMPT, MAX_SPANS = 2_000_000, 100_000
"""Maximum characters of a prompt, and stretches of it with an origin of their own."""

MAX_ANSWER = 16_000_000
"""Maximum bytes of an answer."""


class Rendering(NamedTuple):
    """The arguments of `render`."""

    template: str
    messages: Sequence[Mapping[str, Any]]
    values: Mapping[str, Any]
    special_tokens: Mapping[str, str]


class _NotQuick(BaseException):
    """A rendering takes too much of the processor's time. No Exception, which templates' errors are."""


def _work(requests: IO[bytes], answers: IO[bytes], is_polite: bool) -> None:
    from tokviz.chats.rendering import compiled, render  # not in the server, which needs only what is above

    begin(MAX_MEMORY, niceness=5 if is_polite else 0)
    answer_all(requests, answers, partial(_outcome, render, compiled, 0 if is_polite else QUICK_SECONDS))


def _outcome(
    render: Callable[..., Rendered], compile_template: Callable[[str], object], seconds: float, message: bytes
) -> tuple[bytes, bytes]:
    """Return the kind of the answer and its data, within `seconds` of the processor's time unless 0."""
    try:
        rendering = unpack(message)
        if seconds:
            compile_template(rendering[0])  # done once and kept, so it does not count
        with _processor_limit(seconds):
            rendered = render(*rendering)
            if len(rendered.prompt) > MAX_PROMPT or len(rendered.spans) > MAX_SPANS:
                return TOO_LONG, b""
            return RESULT, _message(rendered)
    except _NotQuick:
        return TOO_SLOW, b""
    except MemoryError:
        return TOO_LARGE, b""
    except ValueError as error:
        return problem(error)


@contextmanager
def _processor_limit(seconds: float) -> Iterator[None]:
    """Raise _NotQuick in the block after so much of the processor's time, unless 0. The process lives on.

    Windows has no such limit.
    """

    def stop(*_: object) -> None:
        raise _NotQuick

    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _message(rendered: Rendered) -> bytes:
    """Return a rendering as values: its prompt, its origins, columns of its spans, and what is missing.

    Origins, which anybody may name, are sent once each. Of what a span stands for, only whether it was changed is sent.
    """
    numbers: dict[Origin, int] = {}
    of_spans = [numbers.setdefault(span.origin, len(numbers)) for span in rendered.spans]
    omissions = [(numbers.setdefault(each.origin, len(numbers)), each.start, each.text) for each in rendered.omissions]
    columns = (
        [span.end for span in rendered.spans],
        of_spans,
        [span.at for span in rendered.spans],
        [span.was is not None for span in rendered.spans],
        [span.generated for span in rendered.spans],
    )
    return pack(rendered.prompt, [list(numbers)], *(array("i", column).tobytes() for column in columns), omissions)


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        _work(sys.stdin.buffer, sys.stdout.buffer, "--polite" in sys.argv)
