"""Parts of the attacks that `hostile.py` runs: requests from an address other than the typist's, and their outcomes.

An attack is a function of a `Run`, listed by `@attack`; its docstring says what it sends. Each rests on a promise or a
limit of SECURITY.md.
"""

import asyncio
import json
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import harness

from tokviz.pretrained.open_models import OPEN_MODELS

HOST, ATTACKER = "127.0.0.1", "127.0.0.2"
OTHERS = [f"127.0.0.{number}" for number in range(3, 9)]
"""Addresses besides the attacker's, since budgets are shared among addresses."""

TOKENIZE = "/_tokviz/tokenize?tokenizer=cl100k_base&counts=1"
TRAIN = "/_tokviz/train"
SHIPPED = ("gpt2", "r50k_base", "p50k_base", "cl100k_base", "o200k_base", "o200k_harmony")
NAMES = ",".join((*SHIPPED, "code-points", "bytes"))
ENGINES = tuple(OPEN_MODELS)
MAX_TEXT = 9_900_000

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Request = tuple[str, bytes, str]
"""A path with its query, a body, and a method."""


def corpus(size: int) -> bytes:
    """Return a text of so many bytes."""
    return harness.corpus(size).encode()[:size]


# Requests


async def connect(port: int, address: str) -> Pair:
    return await asyncio.open_connection(HOST, port, local_addr=(address, 0))


def head(path: str, size: int, method: str = "POST") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {size}\r\n\r\n".encode()


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the status and body of a response. Raises EOFError if it ends early, as one that the server drops does."""
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    if "content-length" in headers:
        return int(status.split()[1]), await reader.readexactly(int(headers["content-length"]))
    body = b""
    while size := int(await _chunk_size(reader), 16):
        body = await reader.readexactly(size)  # only the last chunk is kept
        await reader.readline()
    await reader.readline()
    return int(status.split()[1]), body


async def _chunk_size(reader: asyncio.StreamReader) -> bytes:
    line = await reader.readline()
    if not line:
        raise EOFError
    return line


async def ask(port: int, address: str, path: str, body: bytes, method: str = "POST") -> tuple[int, bytes]:
    reader, writer = await connect(port, address)
    try:
        writer.write(head(path, len(body), method) + body)
        return await read_answer(reader)
    finally:
        writer.close()


async def typist(port: int, seconds: float) -> list[float]:
    """Return the latencies of key presses in a text of 1 KB, in milliseconds."""
    text = corpus(1000)
    reader, writer = await connect(port, HOST)
    waits = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(0.1)
        begun = time.perf_counter()
        text += b"x"
        writer.write(head(TOKENIZE, len(text)) + text)
        status, _ = await read_answer(reader)
        assert status == 200, status
        waits.append((time.perf_counter() - begun) * 1000)
    writer.close()
    return waits


# Attacks


@dataclass
class Run:
    """A run of an attack on the server at a port, for some seconds, and what came of it: how often each thing did."""

    port: int
    seconds: float
    outcome: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.end = time.monotonic() + self.seconds

    @property
    def is_over(self) -> bool:
        """True once the seconds have passed."""
        return time.monotonic() >= self.end

    def count(self, what: str) -> None:
        """Count something that came of the attack."""
        self.outcome[what] += 1

    @asynccontextmanager
    async def timed(self, who: str) -> AsyncIterator[None]:
        """Count how long somebody waits in the block."""
        begun = time.monotonic()
        yield
        self.count(f"{who} waits {time.monotonic() - begun:.1f} s")

    async def ask(
        self, path: str, body: bytes = b"", method: str = "POST", *, address: str = ATTACKER, what: str = ""
    ) -> tuple[int, bytes]:
        """Send a request, and count the status of the response, 0 if there is none. `what` names it in the outcome."""
        status, answer = 0, b""
        with suppress(OSError, EOFError):
            status, answer = await ask(self.port, address, path, body, method)
        size = f", {len(answer) / 1e6:.0f} MB" if len(answer) >= 1_000_000 else ""
        self.count(f"{what or path.split('?')[0].rpartition('/')[2]}: {status or 'hung up'}{size}")
        return status, answer

    async def repeat(self, clients: int, *requests: Request | Iterator[Request], address: str = ATTACKER) -> None:
        """Let clients of each request, or of each source of requests, send until the time is over."""

        async def client(request: Request | Iterator[Request]) -> None:
            while not self.is_over:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.end + 1 - time.monotonic()):
                        await self.ask(*(request if isinstance(request, tuple) else next(request)), address=address)

        await asyncio.gather(*(client(request) for request in requests for _ in range(clients)))

    async def post(self, path: str, bodies: Iterable[bytes], at_a_time: int = 8) -> None:
        """Post bodies, so many at a time, as long as a minute has not passed."""
        places, end = asyncio.Semaphore(at_a_time), time.monotonic() + 60

        async def one(body: bytes) -> None:
            async with places:
                if time.monotonic() < end:
                    await self.ask(path, body)
                else:
                    self.count("not posted any more")

        await asyncio.gather(*map(one, bodies))

    async def stall(self, sent: Iterable[bytes], *, address: str = ATTACKER) -> None:
        """Let a client for each of these send it, and read nothing until the time is over."""
        loop, sockets = asyncio.get_running_loop(), {}
        for data in sent:
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.bind((address, 0))
            client.setblocking(False)
            await loop.sock_connect(client, (HOST, self.port))
            sockets[client] = data
        with suppress(TimeoutError):
            async with asyncio.timeout(self.end - time.monotonic()):
                sending = (loop.sock_sendall(client, data) for client, data in sockets.items())
                await asyncio.gather(*sending, return_exceptions=True)
                await asyncio.sleep(self.seconds)
        for client in sockets:
            client.close()

    async def open(self, data: bytes, name: str = "tokenizer.json", *, address: str = ATTACKER) -> str:
        """Open a tokenizer file. Returns the tokenizer's id; "" if it is refused."""
        status, answer = await self.ask(f"/_tokviz/tokenizer-file?name={name}", data, address=address, what="file")
        return str(json.loads(answer)["name"]) if status == 200 else ""

    async def train(self, query: str, text: bytes, *, address: str = ATTACKER) -> str:
        """Start a training, and return its id; "" if the server refuses."""
        status, answer = await self.ask(f"{TRAIN}?{query}&measure=", text, address=address)
        return str(json.loads(answer)["id"]) if status == 200 else ""

    async def follow(self, *ids: str, address: str = ATTACKER) -> list[str]:
        """Ask how far trainings are, as their pages do, until all or the time are over. Returns their states."""
        states = dict.fromkeys(filter(None, ids), "waiting")
        while not self.is_over and {"waiting", "running"} & set(states.values()):
            await asyncio.sleep(0.05)
            for id in states:
                _, answer = await ask(self.port, address, f"{TRAIN}/state?id={id}&merges=0", b"", "GET")
                states[id] = json.loads(answer)["state"]
        return list(states.values())


Attack = Callable[[Run], Awaitable[Any]]

ATTACKS: dict[str, Attack] = {}
"""All attacks, by name."""


def attack(function: Attack) -> Attack:
    """List an attack."""
    ATTACKS[function.__name__] = function
    return function


# Processes


def memory(pid: int, what: str = "VmRSS") -> float:
    """Return the current or peak memory of a process in megabytes; 0 if the system doesn't provide it."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(rf"{what}:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0


def children(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    found: list[int] = []
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, file.read_text().split())
    return [*found, *(grandchild for child in found for grandchild in children(child))]
