"""Watchdog that ends a server whose event loop hangs, so that its supervisor restarts it."""

import asyncio
import faulthandler
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

STUCK_SECONDS = "TOKVIZ_STUCK_SECONDS"
"""Environment variable with the maximum seconds that the event loop may hang. Without it, there is no watchdog.

On a laptop, where nothing restarts the server, ending it would be worse than a pause.
"""


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """Watch the running event loop within the block, if the environment variable is set."""
    seconds = float(os.environ.get(STUCK_SECONDS) or 0)
    if not seconds:
        yield
        return
    watch = asyncio.create_task(_postpone_exit(seconds))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        faulthandler.cancel_dump_traceback_later()


async def _postpone_exit(seconds: float) -> None:
    """Schedule the end of the process in `seconds`, and postpone it again and again.

    The timer runs in a thread of faulthandler, without Python, so it fires even if a call into C never returns. It
    writes a traceback to standard error, which contains no visitor's text.
    """
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True)
        await asyncio.sleep(seconds / 10)
