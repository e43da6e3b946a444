"""The server may have many connections open, even where programs start with a low limit of open files."""

import subprocess
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no limit of open files", allow_module_level=True)

import resource

_PROGRAM = """
import asyncio, resource, sys
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), hard))
from tokviz.app.http.server import lifespan
async def start():
    async with lifespan(None):
        print(*resource.getrlimit(resource.RLIMIT_NOFILE))
asyncio.run(start())
"""


@pytest.mark.parametrize("soft", [256, 18_000])
def test_the_limit_is_raised_at_the_start_and_never_lowered(soft: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < soft:
        pytest.skip(f"the system allows {hard} open files only")
    program = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(soft)], capture_output=True, text=True, check=True, timeout=60
    )
    now, still = map(int, program.stdout.split())
    assert still == hard
    assert now == max(soft, 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384))
