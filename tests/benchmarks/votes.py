"""A class of 100 phones that votes, beside 30 people who type: how soon a vote is counted, and shown on the projector.

`python tests/benchmarks/votes.py` starts the app and prints the table; `--phones`, `--typing` and `--questions` set the
size. The phones and the projector are behind one address, the people who type behind another, so that no address is
alone. Each phone opens the page with its modules first and follows the room by events. For each question all phones
vote within `--seconds`, and every third changes its mind. A vote is shown when an event with it reaches the projector.
The load and the app share the machine.
"""

import argparse
import asyncio
import json
import random
import secrets
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import harness
from attacks import ATTACKER, connect, head, memory, read_answer
from serving import start_app, type_together

from tokviz.widgets.html import module_paths

CLASS = ATTACKER
"""Address of the phones and the projector."""

CHOICES = 4
ARRIVAL_SECONDS = 20
SHEETS = ("shared/dom/palette.css", "shared/dom/controls.css", "room/widget.css")


class Browser:
    """A browser with a connection that it keeps, and perhaps one more that follows the room."""

    def __init__(self, port: int, address: str = CLASS) -> None:
        self._port, self._address = port, address
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, fields: dict[str, Any] | None = None) -> bytes:
        """Return what the server answers. A connection that the server has closed meanwhile is opened again."""
        for _ in range(2):
            if self._connection is None:
                self._connection = await connect(self._port, self._address)
            reader, writer = self._connection
            body = b"" if fields is None else json.dumps(fields).encode()
            try:
                writer.write(head(path, len(body), "GET" if fields is None else "POST") + body)
                status, answer = await read_answer(reader)
            except (OSError, EOFError):
                self._connection = None
                continue
            assert status == 200, (path, status, answer)
            return answer
        raise ConnectionError(path)

    async def post(self, path: str, **fields: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await self.ask(path, fields))
        return answer

    async def follow(self, path: str, **who: str) -> "Events":
        reader, writer = await connect(self._port, self._address)
        body = json.dumps({**who, "stream": True}).encode()
        writer.write(head(path, len(body)) + body)
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        return Events(reader, writer)


class Events:
    """States of a room as they arrive, each in a chunk of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer  # which would close the connection when it is dropped

    async def next(self) -> dict[str, Any]:
        while True:
            chunk = await self._reader.readexactly(int(await self._reader.readline(), 16))
            await self._reader.readline()
            if chunk.startswith(b"data: "):
                state: dict[str, Any] = json.loads(chunk.removeprefix(b"data: "))
                return state


@dataclass
class Lesson:
    """A room, and what was measured in it, in milliseconds."""

    port: int
    id: str = ""
    arrivals: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    asked_at: dict[str, float] = field(default_factory=dict)

    def path(self, action: str) -> str:
        return f"/_tokviz/room/{self.id}/{action}"


@dataclass
class Phone:
    """A phone in the room, and when it does what."""

    browser: Browser
    id: str
    chance: random.Random
    watching: asyncio.Task[None] | None = None


async def join(lesson: Lesson, chance: random.Random) -> Phone:
    """Open the page as a phone does, at a random time; return the phone once it shows the room."""
    await asyncio.sleep(chance.uniform(0, ARRIVAL_SECONDS))
    begun = time.perf_counter()
    phone = Phone(Browser(lesson.port), secrets.token_urlsafe(16), chance)
    await phone.browser.ask(f"/r/{lesson.id}")
    for file in (*SHEETS, *module_paths(["room/phone.js"])):
        await phone.browser.ask(f"/_tokviz/static/{file}")
    events = await phone.browser.follow(lesson.path("follow"), phone=phone.id)
    await events.next()
    lesson.arrivals.append((time.perf_counter() - begun) * 1000)
    phone.watching = asyncio.create_task(watch(lesson, events))
    return phone


async def watch(lesson: Lesson, events: Events) -> None:
    """Note when a phone sees each question."""
    seen = set()
    while (state := await events.next())["phase"] != "closed":
        question = state["question"] and state["question"]["id"]
        if question in lesson.asked_at and question not in seen:
            seen.add(question)
            lesson.moved.append((time.perf_counter() - lesson.asked_at[question]) * 1000)


async def vote(lesson: Lesson, phone: Phone, question: str, within: float, sent: list[float]) -> None:
    """Vote at a random time, which is noted in `sent`, and perhaps change the vote."""
    await asyncio.sleep(phone.chance.uniform(0, within))
    sent.append(time.perf_counter())
    for _ in range(1 + (phone.chance.random() < 1 / 3)):
        choice, begun = phone.chance.randrange(CHOICES), time.perf_counter()
        await phone.browser.post(lesson.path("vote"), phone=phone.id, question=question, round=1, choice=choice)
        lesson.counted.append((time.perf_counter() - begun) * 1000)


async def see_votes(lesson: Lesson, events: Events, phones: int, sent: list[float]) -> None:
    """Note when votes are shown: the n-th phone's is when the projector says that n have voted."""
    shown = 0
    while shown < phones:
        voted = (await events.next())["voted"]
        now = time.perf_counter()
        lesson.shown += [(now - begun) * 1000 for begun in sent[shown:voted]]
        shown = max(shown, voted)


async def give_lesson(port: int, phones: int, questions: int, seconds: float) -> Lesson:
    """Open a room, let phones in, and ask questions."""
    lesson, projector = Lesson(port), Browser(port)
    named = await projector.post("/_tokviz/room")
    lesson.id, secret = named["id"], named["secret"]
    await projector.post(lesson.path("open"), secret=secret)
    joined = await asyncio.gather(*(join(lesson, random.Random(number)) for number in range(phones)))
    events = await projector.follow(lesson.path("follow"), secret=secret)
    for number in range(questions):
        asked = {"id": f"q{number}", "question": "Which?" * 20, "choices": ["a choice of some words"] * CHOICES}
        lesson.asked_at[f"q{number}"] = time.perf_counter()
        await projector.post(lesson.path("move"), secret=secret, action="ask", question=asked)
        sent: list[float] = []
        votes = (vote(lesson, phone, f"q{number}", seconds, sent) for phone in joined)
        await asyncio.gather(see_votes(lesson, events, phones, sent), *votes)
    await projector.post(lesson.path("move"), secret=secret, action="close")
    return lesson


async def lesson_beside_typists(
    port: int, phones: int, typing: int, questions: int, seconds: float
) -> tuple[Lesson, list[float]]:
    """Return what a lesson measured, and the milliseconds that people who type waited meanwhile."""
    lesson = asyncio.create_task(give_lesson(port, phones, questions, seconds))
    waits = await type_together(typing, ARRIVAL_SECONDS + questions * seconds, port)
    return await lesson, waits


def row(what: str, values: list[float]) -> list[str]:
    p95 = statistics.quantiles(values, n=20)[-1]
    return [what, f"{len(values):,}", *(f"{value:.0f}" for value in (statistics.median(values), p95, max(values)))]


def main(phones: int, typing: int, questions: int, seconds: float) -> None:
    app, port = start_app()
    try:
        before = memory(app.pid)
        lesson, waits = asyncio.run(lesson_beside_typists(port, phones, typing, questions, seconds))
        after = memory(app.pid)
    finally:
        app.terminate()
        app.wait()
    rows = [
        row(f"{phones} phones open the page within {ARRIVAL_SECONDS} s", lesson.arrivals),
        row("a question is on a phone", lesson.moved),
        row("a vote is counted", lesson.counted),
        row("a vote is on the projector", lesson.shown),
        row(f"a key press of {typing} people typing", waits),
    ]
    print(*harness.table(["what", "how often", "median ms", "95th percentile ms", "longest ms"], rows), sep="\n")
    print(f"\nThe app: {before:.0f} MB before they came, {after:.0f} MB after.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=100)
    parser.add_argument("--typing", type=int, default=30)
    parser.add_argument("--questions", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=5, help="time in which all phones vote")
    arguments = parser.parse_args()
    main(arguments.phones, arguments.typing, arguments.questions, arguments.seconds)
