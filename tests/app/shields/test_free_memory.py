"""Returning memory to the system."""

import ctypes
import platform
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

import pytest

from tokviz.app.shields.server_process import give_back_memory, set_large_blocks_apart


def of_windows(_: None) -> NoReturn:
    raise TypeError("bad argument type for built-in operation")


@pytest.mark.parametrize("library", [of_windows, lambda _: object()], ids=["Windows", "another C library"])
def test_a_system_without_it_goes_on(library: Callable[[None], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", library)
    set_large_blocks_apart()
    give_back_memory()


FREED = """
from pathlib import Path
from tokviz.app.shields.server_process import give_back_memory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

blocks = [bytearray(10_000) for _ in range(10_000)]
last = blocks.pop()  # glibc returns by itself only what is free behind the last block
del blocks
before = held()
give_back_memory()
print(before - held())
"""


def run(script: str, *arguments: str) -> float:
    """Run a script in a process of its own, and return the number that it prints."""
    command = [sys.executable, "-c", script, *arguments]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no glibc")
def test_freed_memory_is_given_back() -> None:
    assert run(FREED) > 90  # megabytes


HOLDER = """
import sys
from pathlib import Path
from tokviz.app.shields.server_process import LARGE_BLOCK, set_large_blocks_apart

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

if "apart" in sys.argv:
    set_large_blocks_apart()
bytearray(30_000_000)  # freeing this makes glibc place blocks of up to 30 MB among the others by default
before, large, small = held(), [], []
for _ in range(40):
    large.append(b"a" * (LARGE_BLOCK + 1_000_000))
    small.append(b"a" * 100_000)
del large
print(held() - before - 4)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="no glibc")
def test_large_blocks_are_returned_despite_blocks_between_them() -> None:
    assert run(HOLDER) > 100  # megabytes; shows that the test detects gaps
    assert run(HOLDER, "apart") < 10
