"""Attacks on rooms in which a class votes, run by `hostile.py`.

A room of somebody else's is open at 127.0.0.1, with a question and three votes. Each attack says at the end whether
that room still has them, and whether it still takes a vote.
"""

import asyncio
import json
import random
import secrets
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from attacks import ATTACKER, HOST, ask, head, read_answer

from tokviz.app.answers.rooms.names import ALPHABET

Outcome = Counter[str]

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


async def _said_of(room: Room, outcome: Outcome, expected: int | None = 1) -> Outcome:
    """Add what became of the room: each choice had `expected` votes, unless the attack may vote."""
    status, state = await room.post("open", secret=room.secret)
    counts = state["votes"][0]["counts"] if status == 200 and state["votes"] else None
    is_kept = counts == [expected] * 3 if expected else counts is not None and sum(counts) >= 3
    outcome["the room is kept" if is_kept else f"the room is changed: {counts}"] += 1
    begun = time.perf_counter()
    status = await room.vote(secrets.token_urlsafe(16), 0)
    outcome[f"a vote there: {status} in {(time.perf_counter() - begun) * 1000:.0f} ms"] += 1
    return outcome


async def _repeated(seconds: float, once: Callable[[], Awaitable[int]]) -> Outcome:
    """Let clients do something again and again; count the statuses."""
    outcome: Outcome = Counter()
    end = time.monotonic() + seconds

    async def client() -> None:
        while time.monotonic() < end:
            try:
                outcome[str(await once())] += 1
            except (OSError, EOFError):
                outcome["hung up"] += 1

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return outcome


async def guessed_rooms(port: int, seconds: float) -> Outcome:
    """Random ids, to find a room to vote in."""
    room, chance = await _victim(port), random.Random(0)

    async def guess() -> int:
        id = "-".join("".join(chance.choices(ALPHABET, k=3)) for _ in range(3))
        body = json.dumps({"phone": secrets.token_urlsafe(16)}).encode()
        return (await ask(port, ATTACKER, f"/_tokviz/room/{id}/follow", body))[0]

    return await _said_of(room, await _repeated(seconds, guess))


async def forged_secrets(port: int, seconds: float) -> Outcome:
    """Random secrets and keys, to reveal, close or open again a room whose id is known, or to turn its slides."""
    room = await _victim(port)
    await room.move("let-turn", may=True)

    async def forge() -> int:
        moves = [("move", "close"), ("move", "reveal"), ("open", ""), ("follow", ""), ("turn", "")]
        what, action = random.choice(moves)
        forged = {name: secrets.token_urlsafe(16) for name in ("secret", "notes")}
        return (await room.post(what, ATTACKER, **forged, action=action, way="onward", place=1))[0]

    return await _said_of(room, await _repeated(seconds, forge))


async def flood_of_votes(port: int, seconds: float) -> Outcome:
    """Votes of one phone, without end."""
    room, phone = await _victim(port), secrets.token_urlsafe(16)
    outcome = await _repeated(seconds, lambda: room.vote(phone, random.randrange(3), ATTACKER))
    _, state = await room.post("open", secret=room.secret)
    outcome[f"{state['voted'] - 3} vote counts"] += 1
    return await _said_of(room, outcome, None)


async def flood_of_phones(port: int, seconds: float) -> Outcome:
    """Votes of a new phone each, in somebody else's room, whose phones can still vote."""
    room, phone = await _victim(port), secrets.token_urlsafe(16)
    await room.vote(phone, 0)
    outcome = await _repeated(seconds, lambda: room.vote(secrets.token_urlsafe(16), 1, ATTACKER))
    outcome[f"a phone that was there: {await room.vote(phone, 2)}"] += 1
    return outcome


async def giant_messages(port: int, seconds: float) -> Outcome:
    """Questions and votes of nine megabytes, of lists in lists, and of text that is not JSON."""
    room = await _victim(port)
    bodies = [b'{"phone": "' + b"x" * 9_000_000 + b'"}', b"[" * 19_000, b'{"a":' * 3_000, b"\xff" * 10_000]

    async def send() -> int:
        return (await ask(port, ATTACKER, f"/_tokviz/room/{room.id}/vote", random.choice(bodies)))[0]

    return await _said_of(room, await _repeated(seconds, send))


async def many_rooms(port: int, seconds: float) -> Outcome:
    """Rooms without end, each with a long question."""
    room = await _victim(port)

    async def another() -> int:
        return await (await Room.named(port, ATTACKER)).open(LONG_QUESTION)

    return await _said_of(room, await _repeated(seconds, another))


async def unread_events(port: int, seconds: float) -> Outcome:
    """400 phones in a room of the attacker's that read nothing, while the room is moved without end."""
    room, theirs = await _victim(port), await Room.named(port, ATTACKER)
    await theirs.open(LONG_QUESTION)
    loop, clients = asyncio.get_running_loop(), []
    for _ in range(400):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.bind((ATTACKER, 0))
        client.setblocking(False)
        await loop.sock_connect(client, (HOST, port))
        body = json.dumps({"phone": secrets.token_urlsafe(16), "stream": True}).encode()
        await loop.sock_sendall(client, head(f"/_tokviz/room/{theirs.id}/follow", len(body)) + body)
        clients.append(client)
    outcome = await _repeated(seconds, lambda: _status(theirs.move("ask", question=LONG_QUESTION)))
    for client in clients:
        client.close()
    return await _said_of(room, outcome)


async def stolen_connections(port: int, seconds: float) -> Outcome:
    """Followers without end, each of a new phone, which hang up at once."""
    room = await _victim(port)

    async def follow() -> int:
        reader, writer = await asyncio.open_connection(HOST, port, local_addr=(ATTACKER, 0))
        body = json.dumps({"phone": secrets.token_urlsafe(16), "seen": None}).encode()
        writer.write(head(f"/_tokviz/room/{room.id}/follow", len(body)) + body)
        with suppress(OSError, EOFError):
            status, _ = await read_answer(reader)
            writer.close()
            return status
        return 0

    return await _said_of(room, await _repeated(seconds, follow))


async def _status(asked: Awaitable[tuple[int, dict[str, Any]]]) -> int:
    return (await asked)[0]


ATTACKS = {
    each.__name__: each
    for each in (
        *(guessed_rooms, forged_secrets, flood_of_votes, flood_of_phones, giant_messages, many_rooms),
        *(unread_events, stolen_connections),
    )
}
