"""Attacks with large requests, and the latency of other users during them.

`python tests/benchmarks/attacks.py` starts the app on 127.0.0.1 and runs each attack for some seconds, from another
address (127.0.0.2), in another process. Meanwhile one user types, and another pastes 100 KB once a second. It prints
how long they wait, and the server's memory before, at its peak, and after. Name attacks to run only these.
"""

import argparse
import asyncio
import json
import multiprocessing
import re
import statistics
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import harness
from serving import start_app

from tokviz.app.answers.visitors.shipped_tokenizers import MAX_BY_ENGINE
from tokviz.pretrained.open_models import OPEN_MODELS

HOST, ATTACKER = "127.0.0.1", "127.0.0.2"
TOKENIZE = "/_tokviz/tokenize?tokenizer=cl100k_base&counts=1"
NAMES = "gpt2,r50k_base,p50k_base,cl100k_base,o200k_base,o200k_harmony,code-points,bytes"
ENGINES = tuple(OPEN_MODELS)
MAX_TEXT = 9_900_000

Attack = Callable[[int, float], Coroutine[Any, Any, None]]
Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


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


async def repeat_requests(
    port: int, seconds: float, path: str, body: bytes, clients: int, method: str = "POST"
) -> None:
    """Run concurrent clients that each repeat a request as soon as it is answered."""
    end = time.monotonic() + seconds

    async def client() -> None:
        while time.monotonic() < end:
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(end + 1 - time.monotonic()):
                    await ask(port, ATTACKER, path, body, method)

    await asyncio.gather(*(client() for _ in range(clients)))


# The attacks


async def stalled_bodies(port: int, seconds: float) -> None:
    """A hundred request bodies of 9.9 MB that never end."""

    async def stall() -> None:
        _, writer = await connect(port, ATTACKER)
        with suppress(OSError):
            writer.write(head(TOKENIZE, MAX_TEXT) + b"a" * (MAX_TEXT - 1))
            await writer.drain()
            await asyncio.sleep(seconds)
        writer.close()

    await asyncio.gather(*(stall() for _ in range(100)))


async def leavers(port: int, seconds: float) -> None:
    """Twenty clients that each post 10 MB once and disconnect."""
    body = harness.corpus(MAX_TEXT).encode()[:MAX_TEXT]

    async def leave() -> None:
        _, writer = await connect(port, ATTACKER)
        writer.write(head(TOKENIZE, len(body)) + body)
        with suppress(OSError):
            await writer.drain()
            await asyncio.sleep(0.5)
        writer.close()

    await asyncio.gather(*(leave() for _ in range(20)))
    await asyncio.sleep(seconds)


async def long_texts(port: int, seconds: float) -> None:
    """Eight clients that repeatedly post 10 MB each."""
    await repeat_requests(port, seconds, TOKENIZE, harness.corpus(MAX_TEXT).encode()[:MAX_TEXT], 8)


async def shipped_engines(port: int, seconds: float) -> None:
    """Five clients that each post 200 KB of signs for another of the shipped engines, and two that compare all."""
    paths = [f"/_tokviz/tokenize?tokenizer={name}" for name in ENGINES]
    paths += [f"/_tokviz/compare?tokenizers={','.join(ENGINES)}&reasons=1"] * 2
    body = b"!?.," * (MAX_BY_ENGINE // 4)
    await asyncio.gather(*(repeat_requests(port, seconds, path, body, 1) for path in paths))


async def short_texts(port: int, seconds: float) -> None:
    """A hundred clients that repeatedly post 15 KB each."""
    await repeat_requests(port, seconds, TOKENIZE, harness.corpus(15_000).encode()[:15_000], 100)


async def middle_texts(port: int, seconds: float) -> None:
    """Twenty clients that repeatedly post 200 KB each."""
    await repeat_requests(port, seconds, TOKENIZE, harness.corpus(200_000).encode()[:200_000], 20)


async def qr_codes(port: int, seconds: float) -> None:
    """Twenty clients that request large QR codes."""
    await repeat_requests(port, seconds, "/_tokviz/qr", b"http://x/" + b"a" * 2900, 20)


async def finds(port: int, seconds: float) -> None:
    """Twenty clients that search for texts that no token contains."""
    body = json.dumps({"text": "no token has this"}).encode()
    status, _ = await ask(port, ATTACKER, "/_tokviz/find?tokenizer=o200k_base", body)
    if status != 405:
        await repeat_requests(port, seconds, "/_tokviz/find?tokenizer=o200k_base", body, 20)
        return
    await repeat_requests(port, seconds, "/_tokviz/find?tokenizer=o200k_base&text=nobody+has+this", b"", 20, "GET")


async def comparison(port: int, seconds: float) -> None:
    """One comparison of 10 MB with eight tokenizers."""
    body = harness.corpus(MAX_TEXT).encode()[:MAX_TEXT]
    await repeat_requests(port, seconds, f"/_tokviz/compare?tokenizers={NAMES}", body, 1)


async def comparisons(port: int, seconds: float) -> None:
    """Eight clients that compare 2 MB under eight tokenizers, with reasons, or as much as is allowed."""
    for size in (2_000_000, 1_000_000, 500_000):
        body = harness.corpus(size).encode()[:size]
        path = f"/_tokviz/compare?tokenizers={NAMES}&reasons=1"
        begun = time.monotonic()
        await repeat_requests(port, 0.01, path, body, 1)
        if time.monotonic() - begun > 1:
            await repeat_requests(port, seconds, path, body, 8)
            return


async def exports(port: int, seconds: float) -> None:
    """Eight clients that repeatedly export 3 MB."""
    body = harness.corpus(3_000_000).encode()[:3_000_000]
    await repeat_requests(port, seconds, "/_tokviz/export?format=json&tokenizer=cl100k_base", body, 8)


async def unread_exports(port: int, seconds: float) -> None:
    """Thirty clients that export 3 MB and do not read the response."""
    body = harness.corpus(3_000_000).encode()[:3_000_000]

    async def stuck() -> None:
        _, writer = await connect(port, ATTACKER)
        with suppress(OSError):
            writer.write(head("/_tokviz/export?format=html&tokenizer=cl100k_base", len(body)) + body)
            await writer.drain()
            await asyncio.sleep(seconds)
        writer.close()

    await asyncio.gather(*(stuck() for _ in range(30)))


async def unread_columns(port: int, seconds: float) -> None:
    """Thirty clients that post 5 MB and do not read the response."""
    body = harness.corpus(5_000_000).encode()[:5_000_000]

    async def stuck() -> None:
        _, writer = await connect(port, ATTACKER)
        with suppress(OSError):
            writer.write(head(TOKENIZE, len(body)) + body)
            await writer.drain()
            await asyncio.sleep(seconds)
        writer.close()

    await asyncio.gather(*(stuck() for _ in range(30)))


async def nothing(port: int, seconds: float) -> None:
    """No attack, as a baseline."""
    await asyncio.sleep(seconds)


ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (
        *(nothing, stalled_bodies, leavers, long_texts, shipped_engines, short_texts, middle_texts, qr_codes, finds),
        *(comparison, comparisons, exports, unread_exports, unread_columns),
    )
}


# Other users


async def typist(port: int, seconds: float) -> list[float]:
    """Return the latencies of key presses in a text of 1 KB, in milliseconds."""
    text = harness.corpus(1000).encode()
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


async def paster(port: int, seconds: float) -> list[float]:
    """Return the latencies of pasted texts of 100 KB, in milliseconds."""
    text = harness.corpus(100_000).encode()
    waits = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(1)
        begun = time.perf_counter()
        status, _ = await ask(port, HOST, TOKENIZE, text)
        assert status == 200, status
        waits.append((time.perf_counter() - begun) * 1000)
    return waits


def memory(pid: int, what: str = "VmRSS") -> float:
    """Return the current or peak memory of a process in megabytes; 0 if the system doesn't provide it."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(rf"{what}:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0


def run(attack: str, port: int, seconds: float) -> None:
    """Run an attack; called in a separate process."""
    asyncio.run(ATTACKS[attack](port, seconds))


async def measure_users(port: int, seconds: float) -> tuple[list[float], list[float]]:
    typed, pasted = await asyncio.gather(typist(port, seconds), paster(port, seconds))
    return typed, pasted


def row(attack: str, seconds: float) -> list[str]:
    """Start a server, run an attack, and return the row of its results."""
    app, port = start_app()
    try:
        asyncio.run(measure_users(port, 6))  # warm-up: the vocabularies are loaded
        before = memory(app.pid)
        attacker = multiprocessing.get_context("spawn").Process(target=run, args=(attack, port, seconds))
        attacker.start()
        try:
            typed, pasted = asyncio.run(measure_users(port, seconds))
        except (OSError, EOFError, AssertionError) as error:
            typed, pasted = [float("nan")] * 2, [float("nan")] * 2
            print(f"{attack}: {error!r}")
        attacker.terminate()
        attacker.join()
        time.sleep(2)
        peak, after = memory(app.pid, "VmHWM"), memory(app.pid)
    finally:
        app.kill()
        app.wait()
    p95 = statistics.quantiles(typed, n=20)[-1]
    figures = [f"{statistics.median(typed):.0f}", f"{p95:.0f}", f"{max(pasted, default=0):.0f}"]
    return [attack, *figures, *(f"{each:.0f}" for each in (before, peak, after))]


def main(attacks: list[str], seconds: float) -> None:
    heads = ["attack", "typing, median ms", "95th percentile", "100 KB, longest ms", "MB before", "highest", "after"]
    rows = []
    for attack in attacks or ATTACKS:
        rows.append(row(attack, seconds))
        print(*rows[-1], flush=True)
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="attack", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=15)
    arguments = parser.parse_args()
    main(arguments.attacks, arguments.seconds)
