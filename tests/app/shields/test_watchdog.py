"""The watchdog ends a server that hangs."""

import asyncio
import faulthandler
import subprocess
import sys

import pytest

from tokviz.app.shields.server_process import STUCK_SECONDS, watched

PATIENCE = 60
CHILD = """
import asyncio, re, time
from tokviz.app.shields.server_process import watched

async def main():
    async with watched():
        await asyncio.sleep(0)
        {hang}

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "hang",
    ["time.sleep(3600)", "re.match('(a+)+b', 'a' * 60)"],  # the second one also blocks all other threads
    ids=["waiting", "computing in C"],
)
def test_a_process_that_hangs_ends(monkeypatch: pytest.MonkeyPatch, hang: str) -> None:
    monkeypatch.setenv(STUCK_SECONDS, "0.2")
    child = subprocess.run(
        [sys.executable, "-c", CHILD.format(hang=hang)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert child.returncode != 0
    assert "Timeout" in child.stderr


def test_the_exit_is_postponed_while_the_loop_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    async def until_put_off() -> None:
        thrice = asyncio.Event()

        def put_off(seconds: float, exit: bool) -> None:
            calls.append((seconds, exit))
            if len(calls) == 3:
                thrice.set()

        monkeypatch.setattr(faulthandler, "dump_traceback_later", put_off)
        async with watched():
            await asyncio.wait_for(thrice.wait(), PATIENCE)

    monkeypatch.setenv(STUCK_SECONDS, "0.1")
    asyncio.run(until_put_off())
    assert calls[:3] == [(0.1, True)] * 3


def test_the_watchdog_is_off_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []

    async def enter_and_leave() -> None:
        async with watched():
            await asyncio.sleep(0)

    monkeypatch.delenv(STUCK_SECONDS, raising=False)
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda seconds, exit: calls.append(seconds))
    asyncio.run(enter_and_leave())
    assert not calls
