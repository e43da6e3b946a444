"""Latency of the tokenize route: how long a key press waits for its tokens when 1, 30 or 100 people type at once.

`python tests/benchmarks/serving.py` starts the app and prints the table. Every person has a separate connection,
begins with a text of about 1 KB, and presses a key every third of a second on average, for ten seconds.
"""

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import harness

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from running_app import free_port  # noqa: E402
from running_app import wait_until_healthy as wait_until_healthy  # noqa: E402

PEOPLE = (1, 30, 100)


def start_app() -> tuple[subprocess.Popen[bytes], int]:
    """Start the app on an unused port, and return once it is warmed up."""
    app, port = start_streamlit(ROOT / "app.py")
    address = f"http://127.0.0.1:{port}/"
    wait_until_healthy(address, app)
    tokenize = urllib.request.Request(f"{address}_tokviz/tokenize?tokenizer=cl100k_base", b"ready?", method="POST")
    urllib.request.urlopen(tokenize, timeout=60).read()
    return app, port


def start_streamlit(script: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Run a script of Streamlit's in its folder, on an unused port."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script.name, "--server.headless=true", f"--server.port={port}"]
    command += ["--browser.serverAddress=localhost", "--browser.gatherUsageStats=false"]  # asks no other host
    return subprocess.Popen(command, cwd=script.parent, stdout=subprocess.DEVNULL), port


async def type_for(seconds: float, port: int, text: str, random_numbers: random.Random) -> list[float]:
    """Simulate one person; return the milliseconds from each key press to its response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    waited = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        await asyncio.sleep(random_numbers.expovariate(3))
        text += random_numbers.choice("etaoin shrdlu\n")
        start = time.perf_counter()
        await _ask(reader, writer, text.encode())
        waited.append((time.perf_counter() - start) * 1000)
    writer.close()
    return waited


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes) -> None:
    head = (
        "POST /_tokviz/tokenize?tokenizer=cl100k_base&special=0&counts=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Accept-Encoding: gzip\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    answer = await reader.readuntil(b"\r\n\r\n")
    status, *lines = answer.decode().split("\r\n")
    assert " 200 " in status, status
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    await reader.readexactly(int(headers["content-length"]))


async def type_together(people: int, seconds: float, port: int) -> list[float]:
    text = harness.corpus(1000)
    numbers = [random.Random(number) for number in range(people)]
    waits = await asyncio.gather(*(type_for(seconds, port, text, one) for one in numbers))
    return sorted(wait for waited in waits for wait in waited)


def main(seconds: float) -> None:
    app, port = start_app()
    rows = []
    try:
        for people in PEOPLE:
            waits = asyncio.run(type_together(people, seconds, port))
            p95 = statistics.quantiles(waits, n=20)[-1]
            figures = [f"{statistics.median(waits):.1f}", f"{p95:.1f}", f"{waits[-1]:.1f}"]
            rows.append([str(people), f"{len(waits):,}", *figures])
    finally:
        app.terminate()
    print(
        *harness.table(["people typing", "key presses", "median ms", "95th percentile ms", "longest ms"], rows),
        sep="\n",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    main(parser.parse_args().seconds)
