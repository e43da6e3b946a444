"""A pool of children: which of its lanes a request goes to, and who waits for whom."""

import time

import pytest

from tokviz.app.shields.processes import exchange, pool
from tokviz.app.shields.processes.children import Failed, Refused
from tokviz.app.shields.processes.kept_child import KeptChild, Task
from tokviz.app.shields.processes.pool import Limits, Pool
from tokviz.pretokens.splitting import TimeBudget

QUICK = Limits(10**9, seconds=1.0, size=100)
SLOW = Limits(10**9, seconds=60.0)


class Child(KeptChild):
    """A child that notes what it is asked, and answers when `seconds` have been charged, without a process."""

    def __init__(self, lane: str, asked: list[str], seconds: float = 0.0) -> None:
        super().__init__("no module", 0)
        self.lane, self.asked, self.seconds = lane, asked, seconds

    def start(self, what: str) -> None:
        """Start nothing."""

    def ask(self, task: Task, seconds: float = SLOW.seconds) -> bytes:
        """Answer, unless it takes too long."""
        self.asked.append(self.lane)
        task.budget.left -= min(self.seconds, seconds)
        if self.seconds > seconds:
            raise Failed("too long")
        return b""


class Asking:
    """A pool, and the lanes that were taken."""

    def __init__(self) -> None:
        self.lanes: list[str] = []
        self.pool = Pool("no module", QUICK, SLOW, things="things", wait=0.01)
        for name in ("quick", "slow"):
            getattr(self.pool, name).child = Child(name, self.lanes)

    def ask(self, kind: object, size: float, seconds: float = 0.0, *, is_trusted: bool = False) -> list[str]:
        """Return the lanes that a request takes, which needs some seconds."""
        self.lanes.clear()
        for lane in (self.pool.quick, self.pool.slow):
            assert isinstance(lane.child, Child)
            lane.child.seconds = seconds
        self.pool.ask(Task(b"", "this", 0, TimeBudget(60, 60)), kind, size, is_trusted=is_trusted)
        return self.lanes.copy()


def test_what_was_answered_at_once_is_quick_the_next_time() -> None:
    asking = Asking()
    assert asking.ask("fast", 10) == ["slow"]
    assert asking.ask("fast", 10) == ["quick"]
    assert asking.ask("fast", 101) == ["slow"]
    assert asking.ask("steady", 10, 0.6) == asking.ask("steady", 10, 0.6) == ["slow"]
    assert asking.ask("unknown", 10, is_trusted=True) == ["quick"]


def test_what_is_of_no_kind_is_never_quick() -> None:
    asking = Asking()
    assert asking.ask(None, 10) == asking.ask(None, 10) == ["slow"]


def test_what_takes_too_long_begins_again_and_is_slow_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    asking = Asking()
    asking.ask("changing", 60)
    assert asking.ask("changing", 60, 2.0) == ["quick", "slow"]
    assert asking.ask("changing", 30) == ["slow"]  # however fast it is now
    assert asking.ask("changing", 60) == ["slow"]
    assert asking.ask("changing", 29) == ["quick"]  # less than half as large
    assert asking.ask("trusted", 60, 2.0, is_trusted=True) == ["quick", "slow"]
    assert asking.ask("trusted", 60, is_trusted=True) == ["slow"]
    monotonic = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: monotonic() + pool.SLOW_SECONDS)
    assert asking.ask("trusted", 60, is_trusted=True) == ["quick"]
    assert asking.ask("changing", 60) == ["slow"]
    assert asking.ask("changing", 60) == ["quick"]


def test_as_many_kinds_are_remembered_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_REMEMBERED", 2)
    asking = Asking()
    for kind in ("a", "b", "c"):
        asking.ask(kind, 1)
    assert asking.ask("a", 1) == ["slow"]  # which makes b the oldest
    assert asking.ask("c", 1) == asking.ask("a", 1) == ["quick"]
    assert len(asking.pool._past._slow_from) == 2


def test_a_child_that_found_no_room_is_not_taken_for_a_busy_one() -> None:
    """It is then no reason for others to wait."""
    guarded = Pool("patterns_child", QUICK, SLOW, things="things", wait=0.01, most=1)
    first, second = (guarded.child(lambda: Task(exchange.pack("a", []), "this", 0, TimeBudget(60, 60))) for _ in "ab")
    task = Task(exchange.pack("a", []), "this", 0, TimeBudget(60, 60))
    guarded.ask(task, "a", 1, child=first)
    first.is_busy = True
    with pytest.raises(Refused, match="other people's things keep this server busy"):
        guarded.ask(task, "a", 1, child=second)
    assert not second.is_busy and len(guarded) == 1
    guarded.close()
    assert not first.is_alive and len(guarded) == 0
