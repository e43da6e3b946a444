"""Responses: compressed, and counted as held bytes until the client has read them."""

import gzip
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tokviz.app.shields.fairness.budgets import Holding, evicted_quietly
from tokviz.app.shields.fairness.lanes import Busy

_CHUNK = 65_536
"""Bytes given to the connection at a time, and left in its buffer when the client stops reading."""


_LEVEL = 6
"""gzip's level. Level 9 makes Streamlit's files 0.3 % smaller, and takes a third longer while the first visitor waits.
"""


class Delivery:
    """A response that is sent in chunks, and counts as held bytes until it is sent."""

    def __init__(self, response: Response, holding: Holding) -> None:
        self._response = response
        self._holding = holding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response. It is cut short if its holding is evicted; the server then closes the connection."""

        async def send_in_chunks(message: Message) -> None:
            for chunk in _chunks(message):
                await send(chunk)

        try:
            with evicted_quietly(self._holding), suppress(Busy):
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


def accepts_compressed(headers: Headers) -> bool:
    """Return whether a request asks for a whole file and reads gzip."""
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers


def compress(answer: Response) -> Response:
    """Compress the body of a response in place, with the headers that say so, and return the response."""
    answer.body = gzip.compress(answer.body, _LEVEL, mtime=0)
    headers = MutableHeaders(raw=answer.raw_headers)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(answer.body))
    headers.add_vary_header("Accept-Encoding")
    return answer
