"""Attacks on rooms in which a class votes: see `attacks`.

A room of somebody else's is open at 127.0.0.1, with a question and three votes. Each attack says at the end whether
that room still has them, and whether it still takes a vote.
"""

import asyncio
import json
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from attacks import ATTACKER, HOST, Run, ask, attack, head

from tokviz.app.answers.rooms.names import ALPHABET

QUESTION = {"id": "q", "question": "Which?", "choices": ["one", "two", "three"]}
LONG_QUESTION = {"id": "q", "question": "x" * 2_000, "say": "x" * 2_000, "choices": ["x" * 300] * 8}
CLIENTS = 16


class Room:
    """A room that somebody opened from an address."""

    def __init__(self, port: int, address: str, id: str, secret: str) -> None:
        self.id, self.secret = id, secret
        self._port, self._address = port, address

    @classmethod
    async def named(cls, port: int, address: str) -> "Room":
        _, answer = await ask(port, address, "/_tokviz/room", b"{}")
        return cls(port, address, **json.loads(answer))

    async def post(self, what: str, address: str = "", **fields: Any) -> tuple[int, dict[str, Any]]:
        body = json.dumps(fields).encode()
        status, answer = await ask(self._port, address or self._address, f"/_tokviz/room/{self.id}/{what}", body)
        return status, json.loads(answer)

    async def open(self, question: dict[str, Any] = QUESTION) -> int:
        status, _ = await self.post("open", secret=self.secret)
        await self.move("ask", question=question)
        return status

    async def move(self, action: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        return await self.post("move", secret=self.secret, action=action, **fields)

    async def vote(self, phone: str, choice: int, address: str = "") -> int:
        return (await self.post("vote", address, phone=phone, question="q", round=1, choice=choice))[0]


async def _victim(port: int) -> Room:
    room = await Room.named(port, HOST)
    await room.open()
    for choice in range(3):
        await room.vote(secrets.token_urlsafe(16), choice)
    return room


async def _said_of(run: Run, room: Room, expected: int | None = 1) -> None:
    """Count what became of the room: each choice had `expected` votes, unless the attack may vote."""
    status, state = await room.post("open", secret=room.secret)
    counts = state["votes"][0]["counts"] if status == 200 and state["votes"] else None
    is_kept = counts == [expected] * 3 if expected else counts is not None and sum(counts) >= 3
    run.count("the room is kept" if is_kept else f"the room is changed: {counts}")
    begun = time.perf_counter()
    status = await room.vote(secrets.token_urlsafe(16), 0)
    run.count(f"a vote there: {status} in {(time.perf_counter() - begun) * 1000:.0f} ms")


async def _repeat(run: Run, once: Callable[[], Awaitable[int]]) -> None:
    """Let clients do something again and again; count the statuses."""

    async def client() -> None:
        while not run.is_over:
            try:
                run.count(str(await once()))
            except (OSError, EOFError):
                run.count("hung up")

    await asyncio.gather(*(client() for _ in range(CLIENTS)))


@attack
async def guessed_rooms(run: Run) -> None:
    """Random ids, to find a room to vote in."""
    room, chance = await _victim(run.port), random.Random(0)

    async def guess() -> int:
        id = "-".join("".join(chance.choices(ALPHABET, k=3)) for _ in range(3))
        body = json.dumps({"phone": secrets.token_urlsafe(16)}).encode()
        return (await ask(run.port, ATTACKER, f"/_tokviz/room/{id}/follow", body))[0]

    await _repeat(run, guess)
    await _said_of(run, room)


@attack
async def forged_secrets(run: Run) -> None:
    """Random secrets and keys, to reveal, close or open again a room whose id is known, or to turn its slides."""
    room = await _victim(run.port)
    await room.move("let-turn", may=True)

    async def forge() -> int:
        moves = [("move", "close"), ("move", "reveal"), ("open", ""), ("follow", ""), ("turn", "")]
        what, action = random.choice(moves)
        forged = {name: secrets.token_urlsafe(16) for name in ("secret", "notes")}
        return (await room.post(what, ATTACKER, **forged, action=action, way="onward", place=1))[0]

    await _repeat(run, forge)
    await _said_of(run, room)


@attack
async def flood_of_votes(run: Run) -> None:
    """Votes of one phone, without end."""
    room, phone = await _victim(run.port), secrets.token_urlsafe(16)
    await _repeat(run, lambda: room.vote(phone, random.randrange(3), ATTACKER))
    _, state = await room.post("open", secret=room.secret)
    run.count(f"{state['voted'] - 3} vote counts")
    await _said_of(run, room, None)


@attack
async def flood_of_phones(run: Run) -> None:
    """Votes of a new phone each, in somebody else's room, whose phones can still vote."""
    room, phone = await _victim(run.port), secrets.token_urlsafe(16)
    await room.vote(phone, 0)
    await _repeat(run, lambda: room.vote(secrets.token_urlsafe(16), 1, ATTACKER))
    run.count(f"a phone that was there: {await room.vote(phone, 2)}")


@attack
async def giant_messages(run: Run) -> None:
    """Questions and votes of nine megabytes, of lists in lists, and of text that is not JSON."""
    room = await _victim(run.port)
    bodies = [b'{"phone": "' + b"x" * 9_000_000 + b'"}', b"[" * 19_000, b'{"a":' * 3_000, b"\xff" * 10_000]

    async def send() -> int:
        return (await ask(run.port, ATTACKER, f"/_tokviz/room/{room.id}/vote", random.choice(bodies)))[0]

    await _repeat(run, send)
    await _said_of(run, room)


@attack
async def many_rooms(run: Run) -> None:
    """Rooms without end, each with a long question."""
    room = await _victim(run.port)

    async def another() -> int:
        return await (await Room.named(run.port, ATTACKER)).open(LONG_QUESTION)

    await _repeat(run, another)
    await _said_of(run, room)


@attack
async def unread_events(run: Run) -> None:
    """400 phones in a room of the attacker's that read nothing, while the room is moved without end."""
    room, theirs = await _victim(run.port), await Room.named(run.port, ATTACKER)
    await theirs.open(LONG_QUESTION)
    bodies = (json.dumps({"phone": secrets.token_urlsafe(16), "stream": True}).encode() for _ in range(400))
    following = run.stall(head(f"/_tokviz/room/{theirs.id}/follow", len(body)) + body for body in bodies)
    moving = _repeat(run, lambda: _status(theirs.move("ask", question=LONG_QUESTION)))
    await asyncio.gather(following, moving)
    await _said_of(run, room)


@attack
async def stolen_connections(run: Run) -> None:
    """Followers without end, each of a new phone, which hang up at once."""
    room = await _victim(run.port)

    async def follow() -> int:
        body = json.dumps({"phone": secrets.token_urlsafe(16), "seen": None}).encode()
        return (await ask(run.port, ATTACKER, f"/_tokviz/room/{room.id}/follow", body))[0]

    await _repeat(run, follow)
    await _said_of(run, room)


async def _status(asked: Awaitable[tuple[int, dict[str, Any]]]) -> int:
    return (await asked)[0]
