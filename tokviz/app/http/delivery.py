"""Send responses, with a time limit for clients that stop reading."""

import asyncio
from contextlib import suppress

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tokviz.app.fairness.held_bytes import Holding, evicted_quietly
from tokviz.app.fairness.lanes import Busy

MAX_SILENCE = 30.0
"""Maximum seconds that a client may take to read a chunk."""

_CHUNK = 65_536
"""Bytes given to the connection at a time, and left in its buffer when the client stops reading."""


class Delivery:
    """A response that is sent in chunks, and counts as held bytes until it is sent."""

    def __init__(self, response: Response, holding: Holding) -> None:
        self._response = response
        self._holding = holding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response. It is cut short if the client stops reading or its holding is evicted.

        The server then closes the connection.
        """

        async def send_in_chunks(message: Message) -> None:
            for chunk in _chunks(message):
                async with asyncio.timeout(MAX_SILENCE):
                    await send(chunk)

        try:
            with evicted_quietly(self._holding), suppress(TimeoutError, Busy):
                await self._response(scope, receive, send_in_chunks)
        finally:
            self._holding.close()


def _chunks(message: Message) -> list[Message]:
    body = message.get("body", b"")
    if len(body) <= _CHUNK:
        return [message]
    starts = range(0, len(body), _CHUNK)
    chunks: list[Message] = [{**message, "body": body[start : start + _CHUNK], "more_body": True} for start in starts]
    chunks[-1]["more_body"] = message.get("more_body", False)
    return chunks
