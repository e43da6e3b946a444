"""Denial-of-service attacks on the server, and their effect on another user who types.

`python tests/benchmarks/hostile.py` starts a server for each attack, on 127.0.0.1 only. The attack comes from
127.0.0.2, in a separate process, and ends after `--seconds`. Meanwhile a user types at 127.0.0.1. The table shows the
latency of key presses, the memory of the server and its children, and the responses to the attack. Name attacks to run
only these; `--app FOLDER` attacks the app of another checkout.

The attacks are in the modules whose names end in `_attacks`: what they are made of is in `attacks.py`.
"""

import argparse
import asyncio
import multiprocessing
import os
import socket
import statistics
import subprocess
import time
from importlib import import_module
from multiprocessing.queues import Queue
from pathlib import Path
from threading import Event, Thread

import harness
import serving
from attacks import ATTACKS, HOST, Run, children, memory, typist

MAX_SECONDS = 120
SETTLE_SECONDS = 5  # before what an attack left behind is measured

for each in ("request", "connection", "file", "training", "memory", "room"):
    import_module(f"{each}_attacks")


class Memory(Thread):
    """Monitors the memory of a server and its children, in megabytes."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._done = Event()
        self.children = 0.0
        self.most_of_a_child = 0.0

    def run(self) -> None:
        """Sample ten times per second, until `stop`."""
        while not self._done.wait(0.1):
            held = [memory(child) for child in children(self._pid)]
            self.children = max(self.children, sum(held))
            self.most_of_a_child = max([self.most_of_a_child, *held])

    def stop(self) -> None:
        """Stop sampling; the peak values are kept."""
        self._done.set()
        self.join()


def run(attack: str, port: int, seconds: float, said: "Queue[str]") -> None:
    """Run one attack; called in a separate process."""
    found = Run(port, seconds)

    async def bounded() -> None:
        async with asyncio.timeout(max(seconds, MAX_SECONDS)):
            await ATTACKS[attack](found)

    try:
        asyncio.run(bounded())
    except Exception as error:  # a response may be cut off anywhere
        found.count(type(error).__name__)
    said.put(", ".join(f"{what} x{count}" if count > 1 else what for what, count in found.outcome.items()))


async def type_during(attacker: "multiprocessing.process.BaseProcess", port: int) -> tuple[list[float], str]:
    """Return the latencies of key presses during the attack, in milliseconds, and a description of any failure."""
    waits: list[float] = []
    while attacker.is_alive():
        try:
            async with asyncio.timeout(60):
                waits += await typist(port, 1)
        except (OSError, EOFError, AssertionError, TimeoutError) as error:
            return [*waits, 60_000], type(error).__name__
    return waits, ""


def row(attack: str, seconds: float) -> list[str]:
    """Start a server, run an attack, and return the row of the results."""
    app, port = serving.start_app()
    try:
        asyncio.run(typist(port, 6))  # warm-up: the vocabularies are loaded
        before, watch = memory(app.pid), Memory(app.pid)
        watch.start()
        context = multiprocessing.get_context("spawn")
        said: Queue[str] = context.Queue()
        attacker = context.Process(target=run, args=(attack, port, seconds, said))
        attacker.start()
        waits, problem = asyncio.run(type_during(attacker, port))
        attacker.join(5 if problem else None)
        time.sleep(SETTLE_SECONDS)
        watch.stop()
        lives = app.poll() is None
        held = [before, memory(app.pid, "VmHWM"), memory(app.pid), watch.children]
        left = children(app.pid)
        answered = said.get(timeout=5) if not attacker.is_alive() else "not finished"
        attacker.kill()
    finally:
        end(app)
    time.sleep(1)
    outliving = sum(memory(child) > 0 for child in left)  # one that has ended, but is still listed, has no memory
    p95 = statistics.quantiles(waits, n=20)[-1] if len(waits) > 1 else float("nan")
    typing = [f"{statistics.median(waits):.0f}", f"{p95:.0f}", f"{max(waits):.0f}"]
    state = ("lives" if lives else f"ENDED {app.returncode}") + (f", typist: {problem}" if problem else "")
    return [attack, state, *typing, *(f"{each:.0f}" for each in held), str(len(left)), str(outliving), answered]


def end(app: "subprocess.Popen[bytes]") -> None:
    """Stop a server and its children, even if it is stuck."""
    app.kill()
    app.wait()


HEADS = [
    *("attack", "server", "typing, median ms", "95th percentile", "longest"),
    *(
        "server MB before",
        "highest",
        "after",
        "children, highest together",
        "children left",
        "a second after the server",
        "answered",
    ),
]


def main(names: list[str], seconds: float) -> None:
    """Print the table row by row."""
    rows = []
    silent = socket.create_server((HOST, 0))  # a hub that accepts connections and never answers
    os.environ |= {"TOKVIZ_HUB": "1", "HF_ENDPOINT": f"http://{HOST}:{silent.getsockname()[1]}"}
    for name in names or ATTACKS:
        try:
            rows.append(row(name, seconds))
        except RuntimeError as error:
            rows.append([name, str(error), *[""] * (len(HEADS) - 2)])
        print(*rows[-1], sep=" | ", flush=True)
    silent.close()
    print(*harness.table(HEADS, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="attack", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--app", type=Path, default=serving.ROOT)
    arguments = parser.parse_args()
    serving.ROOT = arguments.app.resolve()
    os.environ["PYTHONPATH"] = str(serving.ROOT)  # the package of the attacked checkout
    main(arguments.attacks, min(arguments.seconds, MAX_SECONDS))
