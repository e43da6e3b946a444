"""Routes of this server's address, for links; of tokenizers in links; and of a session's long text."""

import socket

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tokviz.app.answers.asked import Asked, WithId
from tokviz.app.answers.requests import get, post
from tokviz.app.answers.visitors import kept_texts, rebuilding
from tokviz.app.answers.visitors.kept_tokenizers import NotKept
from tokviz.app.shields.admission import is_from_this_machine
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.texts import repair

# Connecting a UDP socket sends nothing, but selects the local address to send from. This destination is reserved for
# documentation (RFC 5737).
_ANY_DESTINATION = ("192.0.2.1", 9)


@get("/address")
def address(asked: Asked) -> Response:
    """Send this computer's address in its network, by which others reach a link that says "localhost", or null.

    Only to the computer itself.
    """
    if not is_from_this_machine(asked.request.scope):
        raise Refusal(403, "Only for the computer that the server runs on.")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANY_DESTINATION)
        except OSError:
            return JSONResponse({"host": None})
        return JSONResponse({"host": probe.getsockname()[0]})


@post("/made")
async def made(asked: WithId) -> Response:
    """Describe a shared tokenizer, rebuilding it from the share code in the body if its id is not registered."""
    described = rebuilding.describe(asked.id, asked.text, asked.visitor)
    try:
        with refuse_invalid():
            description = await lanes.unless_left(asked.request, described)
    except NotKept as error:
        raise Refusal(404, str(error)) from None
    return JSONResponse(description.as_data())


@get("/text", lanes.short_texts)
def kept_text(asked: WithId) -> Response:
    """Send the text of a session to the page that shows it, if it is too long to come with the page's data."""
    text = kept_texts.find(asked.id)
    if text is None:
        raise Refusal(404, "This text is no longer kept.")
    return PlainTextResponse(repair(text)[0])
