"""Refusals: error responses with a sentence for the person who waits for the response."""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import JSONResponse, Response

from tokviz.display import as_sentence, printable, shorten

MAX_SENTENCE = 2_000
"""Maximum characters of a sentence, which may quote what was sent."""

MAX_CALLS = 20
"""Maximum calls of a logged traceback: half of them the first, half the last. A stranger's request may make it long."""

_FAILED = "Something went wrong on our side. Your text is safe; try again."

_logger = logging.getLogger(__name__)

BUSY = "The server has too much to do at the moment. Try again in a few seconds."


class Refusal(Exception):
    """An error response: an HTTP status, and a sentence for the person who waits for the response."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def refused(sentence: str, status: int) -> Response:
    """Return an error response with a sentence for people.

    The server skips the rest of the body as it arrives, since the client would not read the response otherwise. After a
    timeout (408) it closes the connection instead of waiting for the rest.
    """
    headers = {"connection": "close"} if status == 408 else None
    shown = sentence if len(sentence) <= MAX_SENTENCE else f"{sentence[:MAX_SENTENCE]}…"
    return JSONResponse({"error": shown}, status, headers)


def failed(error: Exception, path: str) -> Response:
    """Log an error of ours, and return the response to a request that it ended.

    The traceback is logged without the message, which may quote the text.
    """
    calls = traceback.format_tb(error.__traceback__)
    if len(calls) > MAX_CALLS:
        half = MAX_CALLS // 2
        calls = [*calls[:half], f"  ... {len(calls) - MAX_CALLS} calls ...\n", *calls[-half:]]
    _logger.error("%s at %s failed:\n%s", type(error).__name__, shorten(printable(path)), "".join(calls))
    return refused(_FAILED, 500)


def sentence(error: Exception) -> str:
    """Turn an error of the package into a sentence."""
    return as_sentence(str(error))


@contextmanager
def refuse_invalid(status: int = 422) -> Iterator[None]:
    """Refuse the request with the sentence of a ValueError that the package raises in the block."""
    try:
        yield
    except ValueError as error:
        raise Refusal(status, sentence(error)) from None
