"""The routes that sharing needs: where this server stands in its network, and QR codes, which no other host draws."""

import io
import socket
from functools import partial

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.admission import is_from_this_machine
from tokviz.app.http.requests import Refusal, as_text, read_body, refusing

# A UDP socket that is connected sends nothing, but knows by which of its addresses it would. This one is reserved for
# examples (RFC 5737).
_ANYWHERE = ("192.0.2.1", 9)

_MOST_DIGITS = 7_089
"""The most characters that a QR code holds; of anything but digits it holds fewer."""

_TOO_LONG = "This link is too long for a QR code. A shorter text, or an example, fits."


@refusing
async def address(request: Request) -> Response:
    """This computer's address in its own network; null if it is in none. Nobody else is told."""
    if not is_from_this_machine(request.scope):
        raise Refusal(403, "Only for the computer that the server runs on.")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return JSONResponse({"host": None})
        return JSONResponse({"host": probe.getsockname()[0]})


@refusing
async def qr(request: Request) -> Response:
    """A QR code of the body's text, as SVG."""
    text = as_text(await read_body(request))
    if len(text) > _MOST_DIGITS:  # segno takes seconds to find that out
        raise Refusal(413, _TOO_LONG)
    return await lanes.drawing.run(request, partial(_qr, text))


def _qr(text: str) -> Response:
    try:
        code = segno.make(text, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError:
        raise Refusal(413, _TOO_LONG) from None
    picture = io.BytesIO()
    code.save(picture, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(picture.getvalue(), media_type="image/svg+xml")


routes: list[BaseRoute] = [Route("/address", address), Route("/qr", qr, methods=["POST"])]
