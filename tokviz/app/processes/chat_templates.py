"""Render chat templates in child processes, with limits on memory and time.

Jinja's sandbox keeps a template from Python's objects, but not from looping for ever or building gigabytes. So the
server itself renders none. One child takes the templates inside the package on short chats, and gives each a twentieth
of a second; all else goes to a second one, which serves visitors in turn, so that nobody who types waits for a
stranger's template. So do chats like one that took longer, from the same address, for a while.
"""

import math
import subprocess
import time
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

import numpy as np

from tokviz.app.fairness.turns import Turns, away
from tokviz.app.fairness.visitors import served
from tokviz.app.processes import children, exchange
from tokviz.app.processes.answering import PROBLEM, RESULT, TOO_LARGE, TOO_SLOW
from tokviz.app.processes.chat_templates_child import MAX_ANSWER, MAX_MEMORY, MAX_PROMPT, MAX_SPANS, Rendering
from tokviz.app.processes.kept_child import KeptChild
from tokviz.app.processes.limited import call_limited
from tokviz.app.processes.typed import typed
from tokviz.chats import templates
from tokviz.chats.spans import Omission, Origin, Rendered, Span
from tokviz.chats.templates import MAX_TEMPLATE, ChatTemplate

SECONDS = 2.0
"""Maximum seconds of a rendering."""

MAX_WAIT = 10.0
"""Maximum seconds that a request waits for its turn."""

SHORT = 100_000
"""Maximum bytes of a chat in the child for templates inside the package."""

SLOW_SECONDS = 60.0
"""Seconds for which an address's chats are not quick, after one that took too long; those half as large are."""

_MAX_REMEMBERED = 1_000  # addresses

READING_SECONDS, READING_MEMORY = 10.0, 512 * 1024**2
"""Maximum seconds for reading the files that may hold a template, and bytes of the process's address space."""

_OMISSIONS = list[tuple[int, int, str]]
_BUSY = "other people's templates keep this server busy; try again in a minute"
_BROKEN = "this template broke the process that rendered it"
_MEMORY = f"the {MAX_MEMORY // 2**20} MB that this server has for it"


class NotRendered(ValueError):
    """A template was not rendered. The message says why."""


class NotQuick(NotRendered):
    """A template takes longer than one may that takes no other's time."""


class _Worker:
    """A child process, started on first use. A polite one runs at a lower priority (`nice`)."""

    def __init__(self, is_polite: bool = False) -> None:
        self._turns = Turns(at_a_time=1)
        polite = ["--polite"] if is_polite else []
        self._child = KeptChild("chat_templates_child", *polite, stderr=subprocess.DEVNULL)

    def render(self, asked: Rendering) -> Rendered:
        """Return a rendering. Raises NotRendered."""
        try:
            message = exchange.pack(*asked)
        except ValueError as error:
            raise NotRendered(str(error)) from None
        try:
            with away(), self._turns.turn(served(), MAX_WAIT):
                kind, data = self._ask(message)
        except TimeoutError:
            raise NotRendered(_BUSY) from None
        if kind == RESULT:
            return _checked(data)
        if kind == PROBLEM:
            raise NotRendered(data.decode("utf-8", "replace"))
        if kind == TOO_SLOW:
            raise NotQuick(_BUSY)
        if kind == TOO_LARGE:
            raise NotRendered(f"the template takes more than {_MEMORY}")
        raise NotRendered(
            f"the prompt is too long: {MAX_PROMPT:,} characters, in {MAX_SPANS:,} stretches, are the most that fit"
        )

    def _ask(self, message: bytes) -> tuple[bytes, bytes]:
        try:
            self._child.start()
        except children.Ended:
            raise NotRendered(_BUSY) from None
        try:
            kind, _, data = self._child.ask(SECONDS, message, MAX_ANSWER)
            return kind, data
        except exchange.TooLong:
            raise NotRendered(_BROKEN) from None
        except children.Overdue:
            raise NotQuick(f"the template took longer than {SECONDS:g} s") from None
        except children.Ended:
            why = f"perhaps it took more than {_MEMORY}"
            raise NotRendered(f"the template ended the process that rendered it: {why}") from None


def _checked(data: bytes) -> Rendered:
    """Return what a child answered. Raises NotRendered if it is impossible: spans must cover the prompt, in order."""
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
        raise NotRendered(_BROKEN) from None


_published, _others = _Worker(), _Worker(is_polite=True)

_sizes_not_quick: OrderedDict[str, tuple[int, float]] = OrderedDict()
"""The size of a chat that was not quick, and when, by the address that sent it."""

_lock = Lock()  # for it


def render(asked: Rendering, *, is_published: bool, size: int) -> Rendered:
    """Render a template in a child process. `size` is that of the chat, in bytes. Raises NotRendered, a ValueError."""
    address = served().address
    with _lock:
        slow_size, since = _sizes_not_quick.get(address, (0, -math.inf))
    was_slow = size >= slow_size / 2 and time.monotonic() - since < SLOW_SECONDS
    if is_published and size <= SHORT and not was_slow:
        try:
            return _published.render(asked)
        except NotQuick:
            with _lock:
                _sizes_not_quick[address] = size, time.monotonic()
                _sizes_not_quick.move_to_end(address)
                while len(_sizes_not_quick) > _MAX_REMEMBERED:
                    _sizes_not_quick.popitem(last=False)
    return _others.render(asked)


def read_template(name: str, files: Mapping[str, bytes]) -> ChatTemplate | None:
    """Return the template in a visitor's files, None if they hold none. They are read in a process of their own.

    Raises ValueError. The caller has to limit how many run at a time.
    """
    fields = call_limited(
        *(templates.find, name, dict(files)),
        seconds=READING_SECONDS,
        memory=READING_MEMORY,
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
