"""Visitors' tokenizers in child processes, each in one of its own, with limits on memory and time.

The engines of such tokenizers are native libraries, and what a stranger's file can make them do is not known: use up
all memory, never end, or crash. So they run in the children of a `Pool`, with `guarded_child`, and the server lives. A
child is started when its tokenizer is first used, and stays alive between requests. The largest holder's least
recently used child is ended where there are too many. It starts again, with the tokenizer's file, when needed.
"""

from collections.abc import Callable
from weakref import finalize

from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.guarded_child import Answer
from tokviz.app.shields.processes.kept_child import Task
from tokviz.app.shields.processes.pool import Limits, Pool
from tokviz.pretokens.splitting import TimeBudget
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import wire

MAX_PROCESSES = 4
"""Maximum children alive at a time; further tokenizers wait for one that is idle to end."""

MAX_WAIT = 20.0
"""Maximum seconds that a request waits for its turn."""

QUICK = Limits(1024**3, seconds=0.5, at_a_time=2, size=20_000)
SLOW = Limits(1024**3, seconds=5.0, at_a_time=2)

SECONDS_PER_MB = 2.0
"""Seconds that a request gets besides, for each MB of its text."""

OPEN_SECONDS = 30.0
"""Maximum seconds for opening a tokenizer, and again for sending its vocabulary."""

MAX_ANSWER, PER_BYTE = 4_000_000, 40
"""Maximum bytes of an answer, and how many more it gets for each byte of its text."""

MAX_VOCABULARY = 64_000_000
"""Maximum bytes of an answer with a whole vocabulary."""

_WHAT = "this tokenizer"
OPENING, _TEXT = " to open", " for this text"  # what a process was used for, in messages


workers = Pool("guarded_child", QUICK, SLOW, things="tokenizers", wait=MAX_WAIT, most=MAX_PROCESSES)
"""The children of this server."""


class Guard:
    """A visitor's tokenizer in a process of its own, which ends when nothing refers to this object any more.

    `open_tokenizer` is called in that process, whenever it is started; it is a function of a module, or a `partial` of
    one with what `exchange.pack` takes.
    """

    def __init__(self, open_tokenizer: Callable[[], Tokenizer], among: Pool = workers) -> None:
        def opening() -> Task:
            call = exchange.pack_call(open_tokenizer)
            return Task(call, _WHAT, MAX_ANSWER, TimeBudget(OPEN_SECONDS, OPEN_SECONDS), OPENING)

        self._among = among
        self.child = among.child(opening)
        finalize(self, among.end, self.child)

    def run(
        self,
        task: Callable[..., Answer],
        *arguments: object,
        size: int = 0,
        seconds: float | None = None,
        most: int = MAX_ANSWER,
        what_for: str = _TEXT,
    ) -> Answer:
        """Return `task(tokenizer, *arguments)`, for a text of `size` bytes. `task` is a function of a module.

        It may take `seconds`, or by default what is allowed for such a text, and may have `most` bytes, and PER_BYTE
        for each byte of the text. Raises ValueError with a sentence: the tokenizer's own, or why its process failed.
        """
        if seconds is None:
            seconds = self._among.slow.limits.seconds + SECONDS_PER_MB * size / 1e6
        call = exchange.pack_call(task, *arguments)
        asked = Task(call, _WHAT, most + PER_BYTE * size, TimeBudget(seconds, seconds), what_for)
        data = self._among.ask(asked, (id(self.child), task), size, child=self.child)
        try:
            columns, said = wire.unpack(data)
            if not isinstance(said, dict):
                raise TypeError
            return columns, said
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self.child.fail(f"{_WHAT} broke the process that ran it") from None
