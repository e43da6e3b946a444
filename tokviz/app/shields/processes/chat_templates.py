"""Render chat templates in child processes, with limits on memory and time.

Jinja's sandbox keeps a template from Python's objects, but not from looping for ever or building gigabytes. So the
server itself renders none: the children of a `Pool` do, with `chat_templates_child`. Its quick lane is for short chats
with the templates inside the package.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tokviz.app.shields.fairness.visitors import served
from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.children import Failed
from tokviz.app.shields.processes.kept_child import Task
from tokviz.app.shields.processes.limited import call_limited
from tokviz.app.shields.processes.pool import Limits, Pool
from tokviz.app.shields.processes.typed import typed
from tokviz.chats import templates
from tokviz.chats.spans import Omission, Origin, Rendered, Span
from tokviz.chats.templates import MAX_TEMPLATE, ChatTemplate
from tokviz.pretokens.splitting import TimeBudget

MAX_WAIT = 10.0
"""Maximum seconds that a request waits for its turn."""

QUICK = Limits(384 * 1024**2, seconds=0.05, size=100_000)
SLOW = QUICK._replace(seconds=2.0, size=math.inf)

MAX_PROMPT, MAX_SPANS = 2_000_000, 100_000
"""Maximum characters of a prompt, and stretches of it with an origin of their own."""

MAX_ANSWER = 16_000_000
"""Maximum bytes of an answer."""

READING = Limits(512 * 1024**2, seconds=10.0)
"""Limits of the process that reads the files that may hold a template."""

_GRACE = 1.0  # seconds past the limit of the processor's time before a child is ended

_OMISSIONS = list[tuple[int, int, str]]

pool = Pool("chat_templates_child", QUICK, SLOW, things="templates", wait=MAX_WAIT, grace=_GRACE)
"""The children of this server."""


class Rendering(NamedTuple):
    """A rendering to do: the arguments of `tokviz.chats.rendering.render`."""

    template: str
    messages: Sequence[Mapping[str, Any]]
    values: Mapping[str, Any]
    special_tokens: Mapping[str, str]


def render(asked: Rendering, *, is_published: bool, size: int) -> Rendered:
    """Render a template in a child process. `size` is that of the chat, in bytes. Raises ValueError."""
    message = exchange.pack(*asked, MAX_PROMPT, MAX_SPANS)
    task = Task(message, "the template", MAX_ANSWER, TimeBudget(SLOW.seconds, SLOW.seconds))
    kind = served().address if is_published else None
    return _checked(pool.ask(task, kind, size, is_trusted=is_published))


def _checked(data: bytes) -> Rendered:
    """Return what a child answered. Raises Failed if it is impossible: spans must cover the prompt, in order."""
    try:
        prompt, (origins,), *columns, omissions = exchange.unpack(data)
        named = typed(list[Origin], origins)
        ends, of_spans, at, changed, generated = (np.frombuffer(column, np.int32).tolist() for column in columns)
        starts = [0, *ends[:-1]]
        if not isinstance(prompt, str) or (ends[-1] if ends else 0) != len(prompt) or min([0, *of_spans]) < 0:
            raise ValueError
        if any(end < start for start, end in zip(starts, ends, strict=False)):
            raise ValueError
        spans = zip(starts, ends, of_spans, at, changed, generated, strict=True)
        return Rendered(
            prompt,
            tuple(
                Span(start, end, named[origin], place, "" if is_changed else None, bool(is_marked))
                for start, end, origin, place, is_changed, is_marked in spans
            ),
            tuple(Omission(named[origin], start, text) for origin, start, text in typed(_OMISSIONS, omissions)),
        )
    except (LookupError, TypeError, ValueError):
        raise Failed("this template broke the process that rendered it") from None


def read_template(name: str, files: Mapping[str, bytes]) -> ChatTemplate | None:
    """Return the template in a visitor's files, None if they hold none. They are read in a process of their own.

    Raises ValueError. The caller has to limit how many run at a time.
    """
    fields = call_limited(
        *(templates.find, name, dict(files)),
        limits=READING,
        most=12 * MAX_TEMPLATE,
        doing="reading it",
    )
    if fields is None:
        return None
    found = ChatTemplate(*fields)
    texts = found.text, found.with_tools or "", found.no_default, *found.special_tokens.values()
    length = sum(map(len, texts))
    if length > MAX_TEMPLATE:
        raise ValueError(f"it has {length:,} characters, and {MAX_TEMPLATE:,} are the most that fit")
    return found
