"""A server that hangs ends itself, for whatever started it to start it again."""

import asyncio
import faulthandler
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

STUCK_SECONDS = "TOKVIZ_STUCK_SECONDS"
"""Environment variable with how long the event loop may be stuck, in seconds. Without it nothing is watched.

On a laptop that nobody looks after, an end would be worse than a pause.
"""


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """Watch the running event loop, if the environment says so."""
    seconds = float(os.environ.get(STUCK_SECONDS) or 0)
    if not seconds:
        yield
        return
    watch = asyncio.create_task(_put_off_the_end(seconds))
    try:
        yield
    finally:
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        faulthandler.cancel_dump_traceback_later()


async def _put_off_the_end(seconds: float) -> None:
    """End the process `seconds` from now, and put that off again and again.

    The clock runs in a thread of faulthandler's, without Python: it also strikes when a call into C never comes back.
    What it writes to standard error are places in the source, never a text.
    """
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True)
        await asyncio.sleep(seconds / 10)
