"""The rooms of a server: who opens them, how many there are, and when they end."""

from collections import Counter
from contextlib import ExitStack, suppress
from functools import partial

import pytest

from tokviz.app.answers.rooms.names import id_of, new_secret
from tokviz.app.answers.rooms.room import Forbidden, Full, Room
from tokviz.app.answers.rooms.rooms import (
    IDLE_SECONDS,
    LIFE_SECONDS,
    MAX_FOLLOWERS,
    MAX_FOLLOWERS_EACH,
    MAX_ROOMS,
    MAX_ROOMS_EACH,
    Rooms,
)

QUESTION = {"id": "q", "question": "Yes?", "choices": ["yes", "no"]}


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Rooms:
    """No rooms. Their ids are computed quickly here."""
    monkeypatch.setattr("tokviz.app.answers.rooms.names._ROUNDS", 1)
    return Rooms(clock)


def opened(rooms: Rooms, address: str = "here") -> Room:
    secret = new_secret()
    return rooms.open(id_of(secret), secret, address)


def test_a_room_is_opened_with_its_own_secret_only(rooms: Rooms) -> None:
    secret, other = new_secret(), new_secret()
    room = rooms.open(id_of(secret), secret, "here")
    assert rooms.open(id_of(secret), secret, "elsewhere") is room
    with pytest.raises(Forbidden):
        rooms.open(id_of(secret), other, "there")


def test_a_room_ends_two_hours_after_its_last_action(rooms: Rooms, clock: Clock) -> None:
    room = opened(rooms)
    told: list[str] = []
    room.listen(lambda: told.append("over"), "phone")
    clock.now = LIFE_SECONDS
    room.ask(QUESTION)
    clock.now = 2 * LIFE_SECONDS - 1
    room.vote("phone", {"choice": 1}, "q", 1)
    clock.now = 3 * LIFE_SECONDS - 2
    assert rooms.find(room.id) is room
    told.clear()
    clock.now += 2
    rooms.tidy()
    assert (rooms.find(room.id), told, room.phone_state("phone")["phase"]) == (None, ["over"], "closed")


def test_rooms_of_an_address_are_bounded_and_those_in_use_stay(rooms: Rooms, clock: Clock) -> None:
    used = opened(rooms)
    follower = used.listen(lambda: None)
    others = [opened(rooms) for _ in range(MAX_ROOMS_EACH - 1)]
    clock.now = IDLE_SECONDS
    with pytest.raises(Full):
        opened(rooms)
    opened(rooms, "another address")
    clock.now += 1
    others[1].ask(QUESTION)
    opened(rooms)  # the one that was idle longest gives way
    assert rooms.find(others[0].id) is None
    assert rooms.find(others[1].id) is others[1]
    clock.now += IDLE_SECONDS + 1
    for _ in range(3 * MAX_ROOMS_EACH):
        try:
            opened(rooms)
        except Full:
            break
    used.leave(follower)  # as between two questions for what is new
    with pytest.raises(Full):
        opened(rooms)
    assert rooms.find(used.id) is used
    assert len(rooms._rooms) == MAX_ROOMS_EACH + 1


def test_rooms_are_bounded_together(rooms: Rooms, clock: Clock) -> None:
    first = [opened(rooms, f"address {number}") for number in range(MAX_ROOMS)]
    with pytest.raises(Full):
        opened(rooms, "late")
    clock.now = IDLE_SECONDS + 1
    opened(rooms, "late")
    assert rooms.find(first[0].id) is None
    assert len(rooms._rooms) == MAX_ROOMS


def test_a_few_addresses_leave_room_for_others(rooms: Rooms, clock: Clock) -> None:
    """Rooms that strangers hold and follow give way, and a room of somebody who has no other stays."""
    early = opened(rooms, "early")
    for number in range(1, MAX_ROOMS):
        opened(rooms, f"stranger {number % 10}").listen(lambda: None)
    late = [opened(rooms, f"late {number}") for number in range(MAX_ROOMS // 2)]
    for number in range(MAX_ROOMS_EACH):
        with suppress(Full):
            opened(rooms, f"stranger {number % 10}")
    assert [room for room in (early, *late) if rooms.find(room.id) is None] == []
    openers = Counter(opener for _, opener in rooms._rooms.values())
    assert (len(rooms._rooms), max(openers.values())) == (MAX_ROOMS, MAX_ROOMS_EACH // 2)


def test_of_the_rooms_of_an_address_one_that_nobody_follows_gives_way(rooms: Rooms, clock: Clock) -> None:
    theirs = []
    for number in range(MAX_ROOMS):
        theirs.append(opened(rooms, f"stranger {number // MAX_ROOMS_EACH}"))
        clock.now += 0.01
    for room in theirs[:-3]:
        room.listen(lambda: None)
    theirs[-3].ask(QUESTION)
    opened(rooms, "late")
    assert [theirs.index(room) for room in theirs if rooms.find(room.id) is None] == [MAX_ROOMS - 2]


def follow(rooms: Rooms, stack: ExitStack, address: str, count: int) -> list[str]:
    """Follow with new connections of an address. Returns the list that an address is added to when one gives way."""
    ended: list[str] = []
    for _ in range(count):
        stack.enter_context(rooms.following(address, lambda: ended.append(address)))
    return ended


def test_followers_are_bounded(rooms: Rooms) -> None:
    with ExitStack() as stack:
        follow(rooms, stack, "one", MAX_FOLLOWERS_EACH)
        with pytest.raises(Full):
            follow(rooms, stack, "one", 1)
    assert len(rooms._followers) == 0
    with ExitStack() as stack:
        for number in range(MAX_FOLLOWERS):
            follow(rooms, stack, f"address {number}", 1)
        with pytest.raises(Full):
            follow(rooms, stack, "late", 1)
        assert len(rooms._followers) == MAX_FOLLOWERS


def test_a_class_follows_its_room_whatever_three_addresses_hold(rooms: Rooms) -> None:
    with ExitStack() as stack:
        for number in range(3):
            with suppress(Full):
                follow(rooms, stack, f"stranger {number}", MAX_FOLLOWERS_EACH)
        class_ended = follow(rooms, stack, "class", 100)
        for number in range(3):  # those that had to give way try again
            with pytest.raises(Full):
                follow(rooms, stack, f"stranger {number}", MAX_FOLLOWERS_EACH)
        assert (class_ended, len(rooms._followers)) == ([], MAX_FOLLOWERS)


def test_of_the_connections_of_an_address_the_newest_gives_way_and_equals_take_nothing(rooms: Rooms) -> None:
    ended: list[int] = []
    with ExitStack() as stack:
        for number in range(MAX_FOLLOWERS):
            address = "larger" if number % 10 == 0 else f"address {number}"
            stack.enter_context(rooms.following(address, partial(ended.append, number)))
        follow(rooms, stack, "late", 49)
        assert ended == list(range(MAX_FOLLOWERS - 10, MAX_FOLLOWERS - 500, -10))
        assert Counter(rooms._followers._held.values())["larger"] == 51
        follow(rooms, stack, "late", 1)
        for address in ("late", "larger"):
            with pytest.raises(Full):
                follow(rooms, stack, address, 1)
