"""Memory limits, tested in a child process."""

import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
from tokviz.app.shields.processes.lifetime import is_memory_limited, limit_memory
limit_memory(1024**3)
try:
    bytearray(2 * 1024**3)
except MemoryError:
    print(is_memory_limited(), "refused")
print(open("/proc/self/oom_score_adj").read())
"""


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="not Linux")
def test_a_childs_memory_is_limited_and_it_is_killed_first() -> None:
    command = [sys.executable, "-c", CHILD]
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert child.stdout.split() == ["True", "refused", "1000"]
