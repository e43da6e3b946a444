"""The server may have many connections open, even where programs start with a low limit of open files."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from tokviz.app import server

if sys.platform == "win32":
    pytest.skip("Windows has no limit of open files", allow_module_level=True)

import resource


@pytest.fixture
def hard() -> Iterator[int]:
    """Yield the hard limit of open files, and restore the soft one afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def limits_while_serving(soft: int, hard: int) -> tuple[int, int]:
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    async with server.lifespan(None):
        return resource.getrlimit(resource.RLIMIT_NOFILE)


@pytest.mark.parametrize("soft", [256, 18_000])
def test_the_limit_is_raised_at_the_start_and_never_lowered(
    hard: int, soft: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hard != resource.RLIM_INFINITY and hard < soft:
        pytest.skip(f"the system allows {hard} open files only")
    monkeypatch.setattr(server, "warm_up", lambda: None)
    now, still = asyncio.run(limits_while_serving(soft, hard))
    assert still == hard
    assert now == max(soft, 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384))
