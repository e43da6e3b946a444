"""Fair scheduling: visitors, the queue, the lanes of threads, and the budget of held bytes."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from itertools import pairwise
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from tokviz.app.shields.fairness import lanes, turns
from tokviz.app.shields.fairness.budgets import Budget, LetGo
from tokviz.app.shields.fairness.lanes import Busy, Lane
from tokviz.app.shields.fairness.turns import away
from tokviz.app.shields.fairness.visitors import (
    ALONE_SECONDS,
    NOBODY,
    FairQueue,
    Pace,
    QueueFull,
    Shares,
    Spent,
    Visitor,
    network,
    served,
    serving,
    spent,
    visitor_of,
)

ANNA, BEN, CARA = (Visitor(f"10.0.0.{number}") for number in (1, 2, 3))
PATIENCE = 20


def request_of(visitor: Visitor, receive: Callable[[], Any] | None = None) -> Request:
    """Return a request whose body has been read."""

    async def never() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    cookies = f"_streamlit_xsrf={visitor.browser}".encode()
    scope = {"type": "http", "client": (visitor.address, 1), "headers": [(b"cookie", cookies)]}
    return Request(scope, receive or never)


# Visitors


@pytest.mark.parametrize(
    ("host", "same", "other"),
    [
        ("10.0.0.1", "::ffff:10.0.0.1", "10.0.0.2"),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"),
        ("testclient", "testclient", "another"),
    ],
)
def test_network_identifies_one_person(host: str, same: str, other: str) -> None:
    assert network(host) == network(same) != network(other)


def test_browsers_at_one_address_are_distinct() -> None:
    one, other = Visitor("10.0.0.1", "2|abc"), Visitor("10.0.0.1", "2|def")
    assert visitor_of(request_of(one)) == one != visitor_of(request_of(other))


# Pace


def test_pace_allows_a_burst_then_a_rate() -> None:
    pace, slow = Pace(10, 5), Pace(0.5, 1)
    assert [pace.take(1, 100.0) for _ in range(7)] == pytest.approx([0, 0, 0, 0, 0, 0.1, 0.2], abs=1e-6)
    assert pace.take(1, 100.2) == pytest.approx(0.1)
    assert [pace.take(1, 1_000.0) for _ in range(6)] == pytest.approx([0, 0, 0, 0, 0, 0.1])  # at most a burst
    assert slow.take(3, 0.0) == pytest.approx(4)


# The queue


def drained(queue: FairQueue[str]) -> list[str]:
    foretold = list(queue.in_turn())
    order = [entry[1] for entry in iter(queue.pop, None)]
    assert order == foretold
    return order


def test_a_second_item_waits_behind_the_first_of_others() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    for visitor, item in ((ANNA, "a1"), (ANNA, "a2"), (ANNA, "a3"), (BEN, "b1"), (CARA, "c1"), (BEN, "b2")):
        queue.push(visitor, item)
    assert drained(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_recently_served_visitors_wait_for_others() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    queue.push(ANNA, "a1")
    assert drained(queue) == ["a1"]
    queue.push(ANNA, "a2")
    queue.push(BEN, "b1")
    assert drained(queue) == ["b1", "a2"]


def test_forged_browsers_gain_nothing_over_other_addresses() -> None:
    queue: FairQueue[str] = FairQueue(100, 10)
    for number in range(20):
        queue.push(Visitor("10.0.0.1", str(number)), f"a{number}")
    for item in ("b1", "b2"):
        queue.push(BEN, item)
    assert [item for item in drained(queue) if item[0] == "b" or item in ("a0", "a1")] == ["a0", "b1", "a1", "b2"]


def test_a_class_behind_one_address_shares_its_turns() -> None:
    queue: FairQueue[str] = FairQueue(100, 100)
    for number in range(30):
        queue.push(Visitor("10.0.0.1", "greedy"), f"greedy{number}")
    for student in ("x", "y"):
        queue.push(Visitor("10.0.0.1", student), student)
    assert drained(queue)[:3] == ["greedy0", "x", "y"]


def test_a_full_queue_evicts_from_the_largest_holder() -> None:
    queue: FairQueue[str] = FairQueue(3, 3)
    for item in ("a1", "a2", "a3"):
        queue.push(ANNA, item)
    with pytest.raises(QueueFull):
        queue.push(Visitor(ANNA.address, "another browser"), "a4")
    assert queue.push(BEN, "b1") == "a3"
    assert drained(queue) == ["a1", "b1", "a2"]


def test_items_per_visitor_are_limited() -> None:
    queue: FairQueue[str] = FairQueue(10, 1)
    queue.push(ANNA, "a1")
    with pytest.raises(QueueFull):
        queue.push(ANNA, "a2")
    queue.push(BEN, "b1")


def test_pop_skips_visitors_who_may_not_be_served() -> None:
    queue: FairQueue[str] = FairQueue(10, 10)
    for visitor, item in ((ANNA, "a1"), (BEN, "b1")):
        queue.push(visitor, item)
    assert queue.pop(lambda visitor, _: visitor == BEN) == (BEN, "b1")
    assert queue.pop(lambda visitor, _: visitor == BEN) is None
    assert len(queue) == 1


# Lanes


class Held:
    """Work that blocks until it is released."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        return "done"


def test_a_lane_serves_visitors_in_turn() -> None:
    lane, first, order = Lane("test", 1), Held(), list[str]()
    running = lane.submit(ANNA, first)
    assert first.begun.wait(PATIENCE)
    later: list[Future[None]] = [
        lane.submit(visitor, lambda item=item: order.append(item))  # type: ignore[misc]
        for visitor, item in ((ANNA, "a1"), (ANNA, "a2"), (BEN, "b1"))
    ]
    first.go_on.set()
    running.result(PATIENCE)
    for future in later:
        future.result(PATIENCE)
    assert order == ["b1", "a1", "a2"]


def test_work_in_a_lane_knows_its_visitor() -> None:
    lane = Lane("test", 1)
    assert [lane.submit(visitor, served).result(PATIENCE) for visitor in (ANNA, BEN)] == [ANNA, BEN]
    with serving(BEN):
        assert lane.submit(ANNA, served).result(PATIENCE) == ANNA
        assert served() == BEN
    assert served() == NOBODY


@pytest.mark.parametrize("browser", [ANNA.browser, "an invented one"])
def test_a_visitor_leaves_threads_to_others(browser: str) -> None:
    lane, work = Lane("test", 2, each=1), [Held() for _ in range(3)]
    visitors = (ANNA, Visitor(ANNA.address, browser), BEN)
    futures = [lane.submit(visitor, held) for visitor, held in zip(visitors, work, strict=True)]
    assert work[0].begun.wait(PATIENCE) and work[2].begun.wait(PATIENCE)
    assert repr(lane) == "<Lane test: 2 running, 1 waiting>"
    assert not work[1].begun.is_set()
    for held in work:
        held.go_on.set()
    assert [future.result(PATIENCE) for future in futures] == ["done"] * 3


def test_who_waits_for_a_child_leaves_the_lane_to_others() -> None:
    lane, child, order = Lane("test", 1), Held(), list[str]()

    def ask() -> None:
        with away():
            child()
        order.append("answered")

    asking = lane.submit(ANNA, ask)
    assert child.begun.wait(PATIENCE)
    for visitor in (BEN, ANNA, BEN):
        lane.submit(visitor, lambda: order.append("other work")).result(PATIENCE)
    child.go_on.set()
    asking.result(PATIENCE)
    assert order == [*["other work"] * 3, "answered"]
    first, second = Held(), Held()
    futures = [lane.submit(ANNA, first), lane.submit(BEN, second)]
    assert first.begun.wait(PATIENCE)
    assert repr(lane) == "<Lane test: 1 running, 1 waiting>"  # as many as before at a time
    for held in (first, second):
        held.go_on.set()
    assert [future.result(PATIENCE) for future in futures] == ["done"] * 2


def test_who_comes_back_from_a_child_waits_for_the_slot_but_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, child, other = Lane("test", 1), Held(), Held()

    def ask() -> str:
        with away():
            child()
        return repr(lane)

    asked = lane.submit(ANNA, ask)
    assert child.begun.wait(PATIENCE)
    busy = lane.submit(BEN, other)
    assert other.begun.wait(PATIENCE)
    child.go_on.set()
    while repr(lane) != "<Lane test: 1 running, 1 waiting>":
        assert not asked.done()
    other.go_on.set()
    assert asked.result(PATIENCE) == "<Lane test: 1 running, 0 waiting>"
    assert busy.result(PATIENCE) == "done"

    monkeypatch.setattr(turns, "RETURN_SECONDS", 0.01)
    other = Held()
    asked = lane.submit(ANNA, ask)
    busy = lane.submit(BEN, other)
    assert asked.result(PATIENCE) in ("<Lane test: 1 running, 1 waiting>", "<Lane test: 2 running, 0 waiting>")
    other.go_on.set()
    assert busy.result(PATIENCE) == "done"


@pytest.mark.parametrize(("size", "name"), [(20_000, "short"), (50_001, "middle"), (256_001, "long")])
def test_short_texts_wait_for_no_long_ones(size: int, name: str) -> None:
    assert f"<Lane {name}:" in repr(lanes.for_text(size))


def test_how_many_wait_for_children_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MAX_AWAY", 3)
    monkeypatch.setattr(turns, "MAX_AWAY_EACH", 2)
    lane, child, asked_it = Lane("test", 1), Held(), threading.Semaphore(0)

    def ask() -> str:
        with away():
            asked_it.release()
            return child()

    asked = [lane.submit(Visitor("10.0.0.1", browser), ask) for browser in "abc"]
    assert all(asked_it.acquire(timeout=PATIENCE) for _ in range(2))
    assert lane.submit(BEN, lambda: "other work").result(PATIENCE) == "other work"
    assert not asked_it.acquire(blocking=False)  # the third of its address waits
    third = lane.submit(BEN, ask)
    assert asked_it.acquire(timeout=PATIENCE)
    with pytest.raises(TimeoutError):
        lane.submit(Visitor("10.0.0.3"), ask).result(PATIENCE)
    assert lane.submit(BEN, lambda: "other work").result(PATIENCE) == "other work"
    child.go_on.set()
    assert [future.result(PATIENCE) for future in (*asked, third)] == ["done"] * 4


def test_who_used_less_comes_first() -> None:
    now = [0.0]
    used = Spent(lambda: now[0])
    queue: FairQueue[str] = FairQueue(10, 10, used.of)
    used.charge(ANNA.address, 0.04)  # too little to matter
    for item, visitor in (("a1", ANNA), ("b1", BEN), ("a2", ANNA), ("b2", BEN), ("a3", ANNA)):
        queue.push(visitor, item)
    assert [queue.pop(), queue.pop()] == [(ANNA, "a1"), (BEN, "b1")]
    used.charge(ANNA.address, 0.3)
    used.charge(BEN.address, 0.1)
    assert queue.pop() == (BEN, "b2")
    assert queue.pop() == (ANNA, "a2")
    queue.push(BEN, "b3")
    now[0] = 60.0  # all is forgotten
    assert [queue.pop(), queue.pop()] == [(BEN, "b3"), (ANNA, "a3")]


def test_what_an_address_used_is_forgotten_by_half() -> None:
    now = [0.0]
    used = Spent(lambda: now[0])
    for _ in range(10):
        used.charge(ANNA.address, 5.0)
    assert used.of(ANNA.address) == 1.0  # the most that counts
    now[0] = 5.0
    assert used.of(ANNA.address) == 0.5
    used.charge(ANNA.address, 0.1)
    assert used.of(ANNA.address) == 0.6


def test_many_addresses_whose_texts_take_long_do_not_delay_one_whose_texts_are_short() -> None:
    now = [0.0]
    used = Spent(lambda: now[0])
    queue: FairQueue[str] = FairQueue(100, 10, used.of)
    strangers = [Visitor(f"10.1.0.{number}") for number in range(10)]
    for stranger in strangers:
        queue.push(stranger, "long")
    waited = []
    for _ in range(50):
        queue.push(ANNA, "short")
        waited.append(0.0)
        while (found := queue.pop()) != (ANNA, "short"):
            assert found
            queue.push(*found)
            used.charge(found[0].address, 0.2)
            now[0] += 0.2
            waited[-1] += 0.2
        used.charge(ANNA.address, 0.01)
        stranger, _ = queue.pop() or (ANNA, "")  # one of theirs is under way when she types again
        queue.push(stranger, "long")
        used.charge(stranger.address, 0.2)
        now[0] += 0.2
    assert sum(waited[10:]) == 0


def test_a_lane_charges_its_time_to_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    charged: dict[str, float] = {}
    monkeypatch.setattr(spent, "charge", charged.__setitem__)
    monkeypatch.setattr(time, "thread_time", iter([1.0, 3.5]).__next__)
    Lane("test", 1).submit(ANNA, str).result(PATIENCE)
    assert charged == {ANNA.address: 2.5}


def test_work_for_a_disconnected_visitor_is_dropped() -> None:
    lane, first = Lane("test", 1), Held()
    done: list[str] = []

    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    running = lane.submit(ANNA, first)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(ClientDisconnect):
        asyncio.run(lane.run(request_of(BEN, gone), lambda: done.append("for nobody")))
    assert repr(lane) == "<Lane test: 1 running, 0 waiting>"  # so its text is freed, too
    first.go_on.set()
    running.result(PATIENCE)
    assert lane.submit(BEN, lambda: done.append("for Ben")).result(PATIENCE) is None
    assert done == ["for Ben"]


def test_a_full_lane_raises_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokviz.app.shields.fairness.lanes._MAX_WAITING", 2)
    lane, first = Lane("test", 1), Held()
    futures = [lane.submit(ANNA, work) for work in (first, str, str)]
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Busy):
        lane.submit(ANNA, str)
    other = lane.submit(BEN, str)  # evicts Anna's last task
    with pytest.raises(Busy):
        futures[2].result(PATIENCE)
    first.go_on.set()
    assert (futures[1].result(PATIENCE), other.result(PATIENCE)) == ("", "")


def test_an_error_in_a_lane_is_raised_and_the_lane_continues() -> None:
    lane = Lane("test", 1)
    with pytest.raises(ZeroDivisionError):
        lane.submit(ANNA, lambda: 1 // 0).result(PATIENCE)
    cancelled = lane.submit(ANNA, str)
    cancelled.cancel()
    if cancelled.cancelled():
        with pytest.raises(CancelledError):
            cancelled.result()
    assert lane.submit(BEN, lambda: "still here").result(PATIENCE) == "still here"


# Shares of the event loop


class Loop:
    """An event loop with a clock that advances only by sleeping and by `work`, and the shares of its time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.shares = Shares(share=0.5, credit=0.1, clock=lambda: self.now)
        monkeypatch.setattr("tokviz.app.shields.fairness.visitors.asyncio.sleep", self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds

    async def ask(self, address: str, work: float = 0.0) -> float:
        """Make a request that takes `work` seconds, and return the time when it was handled."""
        await self.shares.turn(address, 0.01)
        handled = self.now
        with self.shares.work_for(address):
            self.now += work
        return handled


def test_an_address_has_a_share_of_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)

    async def ask() -> None:
        assert await loop.ask("B") == 100
        # The first requests are handled at once, the others at the rate of the share.
        handled = [await loop.ask("A") for _ in range(14)]
        assert handled == pytest.approx([100] * 11 + [100.02, 100.04, 100.06])
        assert await loop.ask("B") == loop.now
        loop.now += 1
        assert await loop.ask("A") == loop.now

    asyncio.run(ask())


def test_over_time_an_address_gets_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, worked = Loop(monkeypatch), 0.0

    async def ask() -> None:
        nonlocal worked
        while loop.now < 200:
            await loop.ask("B")
            await loop.ask("A", work=0.03)
            worked += 0.03 + 0.01

    asyncio.run(ask())
    assert worked == pytest.approx((loop.now - 100) / 2, rel=0.01)


def test_requests_that_come_together_are_handled_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits until the work of the one before is paid for, although nobody knew how long it would take."""
    loop = Loop(monkeypatch)

    async def ask() -> list[float]:
        await loop.ask("B")
        loop.shares.charge("A", 0.1)  # its burst
        return await asyncio.gather(*(loop.ask("A", work=0.03) for _ in range(20)))

    handled = asyncio.run(ask())
    gaps = [after - before for before, after in pairwise(handled)]
    assert gaps == pytest.approx([2 * (0.03 + 0.01)] * 19)


def test_a_turn_that_would_come_too_late_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)
    loop.shares.wait("B")
    loop.shares.charge("A", 10.0)
    with pytest.raises(TimeoutError):
        asyncio.run(loop.shares.turn("A", 0.01, within=19.0))
    asyncio.run(loop.shares.turn("A", 0.01, within=20.0))
    assert loop.now == pytest.approx(100 + (10 - 0.1) / 0.5)


def test_a_turn_that_does_not_come_in_time_is_refused() -> None:
    shares = Shares(share=0.5, credit=0.0)

    async def ask() -> None:
        shares.wait("B")
        shares.charge("A", 0.02)
        turn = asyncio.create_task(shares.turn("A", 0.01, within=0.05))
        await asyncio.sleep(0)
        shares.charge("A", 10.0)  # work that has gone on meanwhile
        with pytest.raises(TimeoutError):
            await turn

    asyncio.run(ask())


def test_an_address_that_is_alone_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)

    async def ask() -> None:
        assert {await loop.ask("A") for _ in range(1_000)} == {100}
        assert loop.shares.charge("A", 60) == 0
        # What it took while it was alone is not held against it, but from now on it has only its share.
        assert await loop.ask("B") == 100
        assert [await loop.ask("A") for _ in range(3)] == pytest.approx([100, 100.02, 100.04])
        loop.now += ALONE_SECONDS + 1
        assert {await loop.ask("A") for _ in range(1_000)} == {loop.now}

    asyncio.run(ask())


def test_only_the_most_recent_addresses_are_remembered() -> None:
    now = 0.0
    shares = Shares(clock=lambda: now)
    for number in range(1_001):
        with shares.work_for(str(number)):
            now += 1
    assert shares.wait("0") == 0
    assert shares.wait("1000") > 0


# Held bytes


def test_the_largest_holder_is_evicted_first() -> None:
    held = Budget(limit=100)
    seen: list[str] = []

    async def holder(visitor: Visitor, size: int) -> None:
        holding = held.open(visitor)
        try:
            holding.hold(size)
            await asyncio.Event().wait()
        except LetGo:
            seen.append(f"{visitor.browser} refused")
        except asyncio.CancelledError:
            seen.append(f"{visitor.browser} {'evicted' if holding.is_evicted else 'left'}")
        finally:
            holding.close()

    async def all_of_them() -> None:
        tasks = []
        for address, browser, size in (
            ("A", "a1", 30),
            ("A", "a2", 40),
            ("B", "b", 25),
            ("C", "c", 20),
            ("A", "a3", 90),
        ):
            tasks.append(asyncio.create_task(holder(Visitor(address, browser), size)))
            await asyncio.sleep(0)  # lets this task run
            await asyncio.sleep(0)  # lets the evicted task run
            await asyncio.sleep(0)
        assert held._total == 75
        assert seen == ["a2 evicted", "a3 refused"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)

    asyncio.run(all_of_them())
    assert held._total == 0
