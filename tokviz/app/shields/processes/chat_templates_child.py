"""Rendering chat templates, in a process of its own (see `chat_templates`).

It imports little, so that it starts fast: no numpy.
"""

import signal
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tokviz.app.shields.processes.exchange import pack, unpack
from tokviz.chats.rendering import compiled, render
from tokviz.chats.spans import Origin, Rendered


def answer(message: bytes, seconds: float) -> bytes:
    """Render a template, within `seconds` of the processor's time, and return the prompt with its spans."""
    template, messages, values, special_tokens, max_prompt, max_spans = unpack(message)
    with suppress(Exception):  # rendering says what is wrong
        compiled(template)  # done once and kept, so it does not count
    with _processor_limit(seconds):
        rendered = render(template, messages, values, special_tokens)
        if len(rendered.prompt) > max_prompt or len(rendered.spans) > max_spans:
            raise ValueError(
                f"the prompt is too long: {max_prompt:,} characters, in {max_spans:,} stretches, are the most that fit"
            )
        return _message(rendered)


@contextmanager
def _processor_limit(seconds: float) -> Iterator[None]:
    """Raise KeyboardInterrupt in the block after so much of the processor's time. Windows has no such limit.

    It is no Exception, which templates' errors are.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _message(rendered: Rendered) -> bytes:
    """Return a rendering as values: its prompt, its origins, columns of its spans, and what is missing.

    Origins, which anybody may name, are sent once each. A span is sent without the text that it
    stands for, but with a mark if that was changed.
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
