"""The rooms of this server. They are bounded, and end two hours after their last action."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tokviz.app.answers.rooms.room import Full, Room
from tokviz.app.shields.fairness.visitors import AllTaken, Places, giving_way

MAX_ROOMS = 200
"""Maximum rooms of this server."""

MAX_ROOMS_EACH = 20
"""Maximum rooms opened from one address."""

MAX_FOLLOWERS = 1_000
"""Maximum connections that follow rooms."""

MAX_FOLLOWERS_EACH = 400
"""Maximum connections of one address that follow rooms."""

LIFE_SECONDS = 2 * 3600.0
"""Seconds from a room's last action until it ends."""

IDLE_SECONDS = 60.0
"""Seconds without a follower or an action after which a room gives way to any new one."""


class Rooms:
    """Rooms by id. For the event loop's thread only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, tuple[Room, str]] = {}  # with the address that opened it
        self._followers = Places(MAX_FOLLOWERS, MAX_FOLLOWERS_EACH)

    def open(self, id: str, secret: str, address: str) -> Room:
        """Return the room with this id, opening it if it isn't. Raises Forbidden and Full.

        Only the `id_of` the secret may be opened: computing it takes too long for the event loop.
        """
        if room := self.find(id):
            room.check(secret)
            return room
        if sum(opener == address for _, opener in self._rooms.values()) >= MAX_ROOMS_EACH:
            self._close_idle(address)
        if len(self._rooms) >= MAX_ROOMS and not self._close_of_largest(address):
            self._close_idle()
        room = Room(id, secret, self._clock)
        self._rooms[id] = room, address
        return room

    def find(self, id: str) -> Room | None:
        """Return a room that is open."""
        self.tidy()
        room, _ = self._rooms.get(id, (None, ""))
        return room

    def close(self, room: Room) -> None:
        """End a room, and tell all who follow it."""
        self._rooms.pop(room.id, None)
        room.close()

    def tidy(self) -> None:
        """Close the rooms whose time is over."""
        now = self._clock()
        for room, _ in list(self._rooms.values()):
            if now - room.last_action > LIFE_SECONDS:
                self.close(room)

    @contextmanager
    def following(self, address: str, end: Callable[[], object]) -> Iterator[None]:
        """Count a connection that follows a room within the block. Raises Full.

        `end` is called when it has to give way to another address's.
        """
        try:
            with self._followers.hold(address, end):
                yield
        except AllTaken:
            raise Full("Too many phones follow rooms of this server at the moment. Try again in a minute.") from None

    def _close_of_largest(self, address: str) -> bool:
        """Close a room of the address with the most, one that nobody follows if there is any.

        Return False if that address would then have fewer rooms than this one, which opens one.
        """
        largest = giving_way((opener for _, opener in self._rooms.values()), address)
        if largest is None:
            return False
        theirs = [room for room, opener in self._rooms.values() if opener == largest]
        self.close(min(theirs, key=lambda room: (room.is_followed, room.last_action)))
        return True

    def _close_idle(self, address: str | None = None) -> None:
        """Close the room that has been idle longest, of this address if there is one. Raises Full if there is none."""
        now = self._clock()
        rooms = [room for room, opener in self._rooms.values() if address in (None, opener)]
        idle = [room for room in rooms if now - room.last_seen > IDLE_SECONDS]
        if not idle:
            raise Full("All rooms of this server are in use. Close one that you no longer need, or try again later.")
        self.close(min(idle, key=lambda room: room.last_seen))


rooms = Rooms()
"""The rooms of this server."""
