"""A child process that stays alive between requests."""

import math
import subprocess

from tokviz.app.processes import children
from tokviz.app.processes.answering import HEAD


class TooLong(children.Ended):
    """A child process was ended because its answer is too long."""


class KeptChild:
    """A child process that `start` starts, also again when it has ended. It answers one request at a time.

    `arguments` are those of `children.start`.
    """

    def __init__(self, *arguments: str, stderr: int | None = None) -> None:
        self._arguments = arguments
        self._stderr = stderr
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def is_alive(self) -> bool:
        """False if it was ended, or has ended by itself."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it, unless it is alive."""
        if not self.is_alive:
            self.end()  # it may have been killed from outside
            self.process = children.start(*self._arguments, stderr=self._stderr)
            assert self.process.stdout
            self.process.stdout.read(1)  # blocks until the child is ready

    def ask(self, seconds: float, *asked: object, most: float = math.inf) -> tuple[bytes, float, bytes]:
        """Return the answer to a request: its kind, the seconds it took, and its data, of at most `most` bytes.

        A child that takes longer than `seconds` is ended. Raises Ended: Overdue, TooLong, or if it ended by itself.
        """
        child = self.process
        assert child
        try:
            with children.within(child, seconds):
                children.send(child, (seconds, *asked))
                kind, took, size = HEAD.unpack(children.read(child.stdout, HEAD.size))
                if size > most:
                    raise TooLong
                return kind, took, children.read(child.stdout, size)
        except children.Ended:
            self.end()
            raise

    def end(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        children.end(process)
