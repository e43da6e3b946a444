"""Sending answers: a reader who stops reading is not waited for."""

import asyncio
from contextlib import suppress

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tokviz.app.fairness.held_bytes import Holding, evicted_quietly
from tokviz.app.fairness.lanes import Busy

MAX_SILENCE = 30.0
"""Seconds that a reader may take for the next piece."""

_PIECE = 65_536
"""Bytes given to the connection at a time: so much stays in its buffer when a reader stops reading."""


class Delivery:
    """An answer that is sent in pieces, and counts as held until it is gone."""

    def __init__(self, response: Response, holding: Holding) -> None:
        self._response = response
        self._holding = holding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. Where the reader stops reading, or must make room for others, it ends too early.

        The server then closes the connection.
        """

        async def send_in_pieces(message: Message) -> None:
            for piece in _pieces(message):
                async with asyncio.timeout(MAX_SILENCE):
                    await send(piece)

        try:
            with evicted_quietly(self._holding), suppress(TimeoutError, Busy):
                await self._response(scope, receive, send_in_pieces)
        finally:
            self._holding.close()


def _pieces(message: Message) -> list[Message]:
    body = message.get("body", b"")
    if len(body) <= _PIECE:
        return [message]
    starts = range(0, len(body), _PIECE)
    pieces: list[Message] = [{**message, "body": body[start : start + _PIECE], "more_body": True} for start in starts]
    pieces[-1]["more_body"] = message.get("more_body", False)
    return pieces
