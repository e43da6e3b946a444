"""Load of a class: 100 people open the page within a minute, then all type, and a stalled client delays nobody.

Then a class of as many phones votes in a room, while others type: see `votes.py`.

`python tests/benchmarks/room.py` starts the app and prints the tables; `--people` and `--seconds` set the size of the
class and the time of arrival. A visitor requests what a browser requests, one after the other: the page, its scripts
and stylesheets, the session's WebSocket with a first run of the page, the widget's modules, the text and its tokens.
The load and the app share the machine.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import time
import zlib
from pathlib import Path

import harness
import votes
from serving import start_app, type_together
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tokviz.widgets import FOLDER

HOST = "127.0.0.1"
TOKENIZE = "/_tokviz/tokenize?tokenizer=cl100k_base&counts=1"
STREAMLIT = [Subprotocol("streamlit")]
FILES = [
    file.relative_to(FOLDER).as_posix()
    for folder in ("shared", "token_view", "tokens")
    for file in sorted(FOLDER.joinpath(folder).rglob("*.[jc]s*"))
]
TYPING = 30  # people typing beside the stalled client


class Connection:
    """Minimal HTTP client over one connection, sufficient for the app."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.received = 0

    @classmethod
    async def open(cls, port: int) -> "Connection":
        return cls(*await asyncio.open_connection(HOST, port))

    async def send(self, path: str, body: bytes | None = None) -> None:
        method = "GET" if body is None else "POST"
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept-Encoding: gzip\r\n"
            f"Content-Length: {len(body or b'')}\r\n\r\n"
        )
        self._writer.write(head.encode() + (body or b""))
        await self._writer.drain()

    async def ask(self, path: str, body: bytes | None = None) -> bytes:
        await self.send(path, body)
        status, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        assert " 200 " in status, f"{path}: {status}"
        headers = dict(line.lower().split(": ", 1) for line in lines if line)
        answer = await self._body(headers)
        self.received += len(answer)
        return zlib.decompress(answer, 16 + zlib.MAX_WBITS) if headers.get("content-encoding") == "gzip" else answer

    async def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        parts = []
        while size := int(await self._reader.readline(), 16):
            parts.append(await self._reader.readexactly(size))
            await self._reader.readline()
        await self._reader.readline()
        return b"".join(parts)

    def close(self) -> None:
        self._writer.close()


async def visit(port: int) -> tuple[float, int]:
    """Return the seconds until a visitor has the tokens of the first text, and the bytes received."""
    start = time.perf_counter()
    connection = await Connection.open(port)
    page = (await connection.ask("/")).decode()
    for asset in re.findall(r'(?:src|href)="\./(static/(?:js|css)/[^"]+)"', page):
        await connection.ask(f"/{asset}")
    async with connect(
        f"ws://{HOST}:{port}/_stcore/stream", subprotocols=STREAMLIT, max_size=None, open_timeout=60
    ) as socket:
        first_run = BackMsg()
        first_run.rerun_script.query_string = ""
        await socket.send(first_run.SerializeToString())
        message = ForwardMsg()
        while message.WhichOneof("type") != "script_finished":
            message.ParseFromString(bytes(await socket.recv(decode=False)))
        # The first connection may have been closed, because servers keep idle connections only briefly.
        again = await Connection.open(port)
        for file in FILES:
            await again.ask(f"/_tokviz/static/{file}")
        sample = await again.ask("/_tokviz/sample?name=start")
        await again.ask(TOKENIZE, sample)
        took = time.perf_counter() - start
    for each in (connection, again):
        each.close()
    return took, connection.received + again.received


async def visit_all(people: int, seconds: float, port: int) -> list[tuple[float, int]]:
    """Return the visits of people who arrive at random times within a number of seconds."""
    arrivals = random.Random(0)

    async def come(at: float) -> tuple[float, int]:
        await asyncio.sleep(at)
        return await visit(port)

    return await asyncio.gather(*(come(arrivals.uniform(0, seconds)) for _ in range(people)))


async def type_beside_stalled_client(seconds: float, port: int) -> list[float]:
    """Return the latencies of key presses while a client requests a lot and does not read the response."""
    text = harness.corpus(1_000_000).encode()
    stuck = [await Connection.open(port) for _ in range(3)]
    await stuck[0].send("/_tokviz/export?format=json&tokenizer=cl100k_base", text)
    await stuck[1].send(TOKENIZE, text)
    await stuck[2].send("/", None)
    async with connect(f"ws://{HOST}:{port}/_stcore/stream", subprotocols=STREAMLIT, max_queue=1):
        waits = await type_together(TYPING, seconds, port)
    for connection in stuck:
        connection.close()
    return waits


def memory(pid: int) -> float:
    """Return the memory of a process in megabytes; 0 if the system doesn't provide it."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process in seconds; 0 if the system doesn't provide it."""
    stat = Path(f"/proc/{pid}/stat")
    user, system = stat.read_text().rpartition(")")[2].split()[11:13] if stat.exists() else (0, 0)
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def row(what: str, values: list[float], unit: str) -> list[str]:
    values = sorted(values)
    p95 = statistics.quantiles(values, n=20)[-1]
    return [what, str(len(values)), *(f"{value:.2f} {unit}" for value in (statistics.median(values), p95, values[-1]))]


def main(people: int, seconds: float) -> None:
    app, port = start_app()
    try:
        asyncio.run(visit(port))  # warm-up, as by a teacher who checks the page first
        before, spent = memory(app.pid), processor_seconds(app.pid)
        visits = asyncio.run(visit_all(people, seconds, port))
        rows = [row(f"open the page, {people} people in {seconds:.0f} s", [took for took, _ in visits], "s")]
        after, spent = memory(app.pid), (processor_seconds(app.pid) - spent) / people
        rows.append(row(f"a key press, {people} people typing", asyncio.run(type_together(people, 10, port)), "ms"))
        rows.append(row(f"a key press, {TYPING} people typing", asyncio.run(type_together(TYPING, 10, port)), "ms"))
        beside = asyncio.run(type_beside_stalled_client(10, port))
        rows.append(row(f"a key press, {TYPING} people typing beside a stuck client", beside, "ms"))
        lesson, voted = asyncio.run(votes.lesson_beside_typists(port, people, TYPING, questions=4, seconds=5))
        rows.append(row(f"a vote of {people} phones is counted, {TYPING} people typing", lesson.counted, "ms"))
        rows.append(row("the vote is on the projector", lesson.shown, "ms"))
        rows.append(row(f"a key press, {TYPING} people typing beside {people} phones", voted, "ms"))
    finally:
        app.terminate()
        app.wait()
    print(*harness.table(["what", "how often", "median", "95th percentile", "longest"], rows), sep="\n")
    print(f"\nA visit: {visits[0][1] / 1e6:.2f} MB, and {spent:.2f} s of a processor.")
    print(f"The app: {before:.0f} MB before they came, {after:.0f} MB after.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    main(arguments.people, arguments.seconds)
