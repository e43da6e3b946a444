"""A child process that stays alive between requests."""

import subprocess
import time

from tokviz.app.fairness.visitors import served, spent
from tokviz.app.processes import children, exchange
from tokviz.app.processes.answering import HEAD, LEAST, LIMITS, READY

START_SECONDS = 30.0
"""Maximum seconds in which a child process starts."""


class KeptChild:
    """A child process that `start` starts, also again when it has ended. It answers one request at a time.

    Whatever goes wrong ends it: what it was sent or has answered in part never gets into another request. `arguments`
    are those of `children.start`.
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
        """Start it, unless it is alive. Raises Ended if it does not start in time."""
        if self.is_alive:
            return
        self.end()  # it may have been killed from outside
        try:
            self.process = child = children.start(*self._arguments, stderr=self._stderr)
            assert child.stdout
            with children.within(child, START_SECONDS):
                if exchange.read_bytes(child.stdout, 1) != READY:
                    raise EOFError
        except BaseException:
            self.end()
            raise

    def ask(self, seconds: float, message: bytes, most: int) -> tuple[bytes, float, bytes]:
        """Return the answer to a message: its kind, the seconds it took, and its data, of at most `most` bytes.

        The time is charged to the address that this thread works for. A child that takes longer than `seconds`, or
        sends more, is ended. Raises Ended (Overdue, or if it ended by itself) and TooLong.
        """
        child = self.process
        assert child and child.stdin and child.stdout
        started = time.monotonic()
        try:
            with children.within(child, seconds):
                child.stdin.write(LIMITS.pack(seconds, most))
                exchange.write(child.stdin, message)
                kind, took = HEAD.unpack(exchange.read_bytes(child.stdout, HEAD.size))
                data = exchange.read(child.stdout, max(most, LEAST))
        except BaseException:
            self.end()
            raise
        finally:
            spent.charge(served().address, time.monotonic() - started)
        return kind, min(max(0.0, took), time.monotonic() - started), data

    def end(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        children.end(process)
