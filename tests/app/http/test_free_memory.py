"""Returning memory to the system."""

import platform
import subprocess
import sys

import pytest

from tokviz.app.http.free_memory import give_back_memory


def test_returning_memory_works_on_every_system() -> None:
    give_back_memory()


HOLDER = """
import sys
from pathlib import Path
from tokviz.app.http.free_memory import LARGE_BLOCK, set_large_blocks_apart

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
    def left(*how: str) -> float:
        command = [sys.executable, "-c", HOLDER, *how]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert left() > 100  # megabytes; shows that the test detects gaps
    assert left("apart") < 10
