"""Turns of threads: a few run at a time, and of one address no more than its maximum."""

from collections.abc import Callable
from threading import Event, Lock, Thread

import pytest
from waiting import wait_until

from tokviz.app.shields.fairness.turns import Turns
from tokviz.app.shields.fairness.visitors import Visitor, served, spent

PATIENCE = 20
ANNA, BEN = Visitor("10.0.0.1", "anna"), Visitor("10.0.0.2", "ben")


class Room:
    """Threads that take turns, and the most that had one at the same time."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lock = Lock()
        self._inside: list[Visitor] = []
        self._threads: list[Thread] = []
        self.order: list[Visitor] = []
        self.most = 0

    def enter(self, visitor: Visitor, work: Callable[[], object] = lambda: None) -> Event:
        """Start a thread that works when it is its turn. The event is set when it has started."""
        started = Event()
        self._threads.append(Thread(target=self._run, args=(visitor, started, work)))
        self._threads[-1].start()
        return started

    def _run(self, visitor: Visitor, started: Event, work: Callable[[], object]) -> None:
        with self._turns.turn(visitor):
            with self._lock:
                self._inside.append(visitor)
                self.order.append(visitor)
                self.most = max(self.most, len(self._inside))
            started.set()
            work()
            with self._lock:
                self._inside.remove(visitor)

    def join(self) -> None:
        """Wait until all threads have ended."""
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def wait_for(event: Event) -> None:
    assert event.wait(PATIENCE)


def test_one_address_leaves_turns_to_others() -> None:
    room, go_on = Room(Turns(at_a_time=3, each=2)), Event()
    for started in [room.enter(ANNA, lambda: wait_for(go_on)) for _ in range(2)]:
        wait_for(started)
    for _ in range(20):
        room.enter(ANNA, lambda: wait_for(go_on))
    wait_for(room.enter(BEN))
    assert room.order == [ANNA, ANNA, BEN]
    go_on.set()
    room.join()
    assert room.most <= 3
    assert room.order.count(ANNA) == 22


def test_an_error_releases_the_turn() -> None:
    turns = Turns(at_a_time=1)
    for _ in range(2):
        try:
            with turns.turn(ANNA):
                raise ValueError
        except ValueError:
            pass
    room = Room(turns)
    wait_for(room.enter(BEN))
    room.join()


def test_a_timeout_removes_the_thread_from_the_queue() -> None:
    turns, go_on = Turns(at_a_time=1), Event()
    room = Room(turns)
    wait_for(room.enter(ANNA, lambda: wait_for(go_on)))
    with pytest.raises(TimeoutError), turns.turn(BEN, 0.01):
        raise AssertionError
    go_on.set()
    room.join()
    with turns.turn(BEN, 0.01):  # the turn that timed out is not taken
        assert served() == BEN


class Unwanted(Exception):
    """The thread need not wait any longer."""


def test_a_thread_that_is_not_wanted_any_more_stops_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokviz.app.shields.fairness.turns.CHECK_SECONDS", 0.01)
    turns = Turns(at_a_time=1)
    room, go_on = Room(turns), Event()
    wait_for(room.enter(ANNA, lambda: wait_for(go_on)))

    def check() -> None:
        raise Unwanted

    with pytest.raises(Unwanted), turns.turn(BEN, check=check):
        pytest.fail("it had no turn")
    go_on.set()
    room.join()
    wait_for(room.enter(BEN))
    room.join()


def test_who_has_used_less_gets_the_next_turn() -> None:
    anna, ben = Visitor("10.0.7.1"), Visitor("10.0.7.2")
    spent.charge(anna.address, 0.5)
    room, go_on = Room(Turns(at_a_time=1)), Event()
    wait_for(room.enter(BEN, lambda: wait_for(go_on)))
    for visitor in (anna, ben):
        room.enter(visitor)
    wait_until(lambda: repr(room._turns._slots) == "1 running, 2 waiting")
    go_on.set()
    room.join()
    assert room.order == [BEN, ben, anna]
