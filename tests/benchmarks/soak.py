"""Soak test: an hour of a class, run by hand to find memory leaks in the server.

`python tests/benchmarks/soak.py` starts the app, and simulates thirty people who repeatedly arrive, open pages, type,
train, share, and leave, for `--minutes`. It samples the server's memory every ten seconds. It fails if any response is
an error, if the server's memory rises by more than 5 % over the second half, or if it ever exceeds 1.2 GB. The class
and the app share the machine.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import sys
import time
from contextlib import closing

import harness
import serving
from attacks import ask, children, connect, head, memory, read_answer
from streamlit_session import Session
from websockets.exceptions import WebSocketException

PEOPLE = 30
STAY = (20.0, 90.0)
"""Minimum and maximum length of a visit, in seconds."""
SAMPLE_EVERY = 10.0
MAX_MEGABYTES = 1200
MAX_GROWTH = 0.05
PAGES = ("", "compare", "replay", "compression", "lesson")
NAMES = ("cl100k_base", "o200k_base", "gpt2")


class Class:
    """Simulated visitors, and the results so far."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.end = time.monotonic() + seconds
        self.waits: list[float] = []
        self.visits = 0
        self.problems: list[str] = []

    async def seat(self, number: int) -> None:
        """Simulate one seat, used by one person after the other until the end."""
        numbers = random.Random(number)
        address = f"127.0.1.{number + 1}"  # each person has a separate device
        await asyncio.sleep(numbers.uniform(0, 20))
        while time.monotonic() < self.end:
            try:
                await self._visit(numbers, address)
            except (OSError, EOFError, AssertionError, TimeoutError, WebSocketException) as error:
                left = self.end - time.monotonic()
                self.problems.append(f"{left:.0f} s before the end: {type(error).__name__}: {error}")
            self.visits += 1

    async def _visit(self, numbers: random.Random, address: str) -> None:
        session = await Session.open(self.port, address)
        try:
            async with asyncio.timeout(300):
                await session.visit(numbers.choice(PAGES))
                async with session.following():
                    await self._type(numbers, address, numbers.uniform(*STAY))
                    await self._ask_for_more(numbers, address)
                if numbers.random() < 0.1:
                    await self._train(session, numbers, address)
        finally:
            await session.leave()

    async def _type(self, numbers: random.Random, address: str, seconds: float) -> None:
        """Press a key three times per second."""
        text = harness.corpus(2000)[numbers.randrange(1000) :].encode()
        path = f"/_tokviz/tokenize?tokenizer={numbers.choice(NAMES)}&counts=1"
        reader, writer = await connect(self.port, address)
        with closing(writer):
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                await asyncio.sleep(numbers.expovariate(3))
                text += numbers.choice("etaoin shrdlu\n").encode()
                begun = time.perf_counter()
                writer.write(head(path, len(text)) + text)
                status, _ = await read_answer(reader)
                assert status == 200, f"{path}: {status}"
                self.waits.append((time.perf_counter() - begun) * 1000)

    async def _ask_for_more(self, numbers: random.Random, address: str) -> None:
        """Send a page's other requests, with texts up to 200 KB."""
        text = harness.corpus(numbers.choice([1_000, 20_000, 200_000])).encode()
        asked = [
            ("/_tokviz/compare?tokenizers=gpt2,cl100k_base&reasons=1", text[:20_000]),
            ("/_tokviz/export?format=json&tokenizer=cl100k_base", text),
            ("/_tokviz/qr", b"http://192.0.2.1:8501/#sample=start"),
            ("/_tokviz/tokenize?tokenizer=o200k_base&counts=1", text),
        ]
        path, body = numbers.choice(asked)
        status, _ = await ask(self.port, address, path, body)
        assert status == 200, f"{path}: {status}"

    async def _train(self, session: Session, numbers: random.Random, address: str) -> None:
        """Train on a text of one's own, and ask how far it is until it is done."""
        await session.visit("train")
        text = harness.corpus(300_000)[numbers.randrange(100_000) :].encode()
        status, answer = await ask(self.port, address, "/_tokviz/train?size=1000&pattern=gpt2&measure=", text)
        if status == 429:  # the queue is full, or has one of this visitor's already
            return
        assert status == 200, f"train: {status}"
        id = json.loads(answer)["id"]
        state = "waiting"
        while state in ("waiting", "running"):
            await asyncio.sleep(1)
            status, answer = await ask(self.port, address, f"/_tokviz/train/state?id={id}&merges=0", b"", "GET")
            assert status == 200, f"train/state: {status}"
            state = json.loads(answer)["state"]


async def sample_memory(room: Class, pid: int) -> list[tuple[float, float]]:
    """Sample the memory of the server and its children, in megabytes, until the class ends."""
    held = []
    while time.monotonic() < room.end:
        await asyncio.sleep(SAMPLE_EVERY)
        held.append((memory(pid), sum(map(memory, children(pid)))))
        if len(held) % 6 == 0:
            print(f"{len(held) * SAMPLE_EVERY / 60:.0f} min: {held[-1][0]:.0f} MB, {room.visits} visits", flush=True)
    return held


def growth(held: list[float]) -> float:
    """Return how far the line through the second half's samples rises, relative to its start.

    A line through all samples, because a few are up to 10 % above or below the others: garbage waits to be collected.
    """
    half = held[len(held) // 2 :]
    slope, start = statistics.linear_regression(range(len(half)), half)
    return slope * (len(half) - 1) / start


async def lesson(pid: int, port: int, seconds: float, people: int) -> tuple[Class, list[tuple[float, float]]]:
    """Run all visitors, and monitor the server."""
    room = Class(port, seconds)
    watching = asyncio.create_task(sample_memory(room, pid))
    await asyncio.gather(*(room.seat(number) for number in range(people)))
    return room, await watching


def main(minutes: float, people: int) -> int:
    """Run the class, print the results, and return 1 if a limit is exceeded."""
    app, port = serving.start_app()
    try:
        room, held = asyncio.run(lesson(app.pid, port, minutes * 60, people))
    finally:
        app.terminate()
        app.wait()
    server = [megabytes for megabytes, _ in held]
    grown, most = growth(server), max(server)
    p95 = statistics.quantiles(room.waits, n=20)[-1]
    print(f"\n{minutes:.0f} minutes, {people} people at a time, {room.visits} visits, {len(room.waits):,} key presses")
    print(f"A key press: median {statistics.median(room.waits):.0f} ms, 95th percentile {p95:.0f} ms")
    print(f"The server: {most:.0f} MB at its highest, {grown:+.1%} over the second half")
    print(f"Its children: {max(together for _, together in held):.0f} MB together at their highest")
    print(f"Errors: {len(room.problems)}", *itertools.islice(room.problems, 10), sep="\n  ")
    return int(bool(room.problems) or grown > MAX_GROWTH or most > MAX_MEGABYTES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--people", type=int, default=PEOPLE, choices=range(1, 250), metavar="PEOPLE")
    arguments = parser.parse_args()
    sys.exit(main(arguments.minutes, arguments.people))
