"""Periodic clean-up that doesn't depend on visits: release memory, and end work that nobody waits for.

Streamlit itself drops an expired session only when the next one ends, and frees its memory at the next run of a page.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from streamlit import runtime
from streamlit.runtime import Runtime

from tokviz.app.answers.rooms.rooms import rooms
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.trainings import trainings
from tokviz.app.shields.processes.guarded_workers import workers
from tokviz.app.shields.server_process import give_back_memory, set_large_blocks_apart

EVERY_SECONDS = 5.0
"""Seconds between two clean-ups."""

IDLE_SECONDS = 600.0
"""Seconds after which the unused process of a visitor's tokenizer is ended."""

TRIM_SECONDS = 30.0
"""Seconds between two times that free memory is returned to the system."""


@asynccontextmanager
async def kept_tidy() -> AsyncIterator[None]:
    """Clean up periodically within the block."""
    task = asyncio.create_task(_clean_up_periodically())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        workers.end_idle(0)


async def _clean_up_periodically() -> None:
    set_large_blocks_apart()
    trimmed = time.monotonic()
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        now = time.monotonic()
        registry.tidy()
        workers.end_idle(IDLE_SECONDS)
        trainings.end_abandoned(now)
        rooms.tidy()
        if runtime.exists():
            drop_expired_sessions(runtime.get_instance())
        if now - trimmed >= TRIM_SECONDS:
            gc.collect()  # not after each run of a page: see `runner.postScriptGC` in the configuration
            await asyncio.to_thread(give_back_memory)
            trimmed = now


def drop_expired_sessions(streamlit: Runtime) -> None:
    """Make Streamlit drop its expired sessions (`server.disconnectedSessionTTL`).

    There is no public API for this; `tests/app/streamlit/test_housekeeping.py` checks that the installed Streamlit
    still works this way.
    """
    cache: Any = streamlit._session_mgr._session_storage._cache  # type: ignore[attr-defined]
    expired = [info.session for _, info in cache.expire()]
    for session in expired:
        session.shutdown()  # drops its files
        # Streamlit's event loop keeps a reference to the last session it served, so the session is emptied.
        session.session_state.clear()
        session._client_state.Clear()
    if expired:
        gc.collect()
