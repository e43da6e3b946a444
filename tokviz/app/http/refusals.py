"""Refusals: error responses with a sentence for the person who waits for the response."""

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import JSONResponse, Response

from tokviz.display import as_sentence

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
    return JSONResponse({"error": sentence}, status, headers)


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
