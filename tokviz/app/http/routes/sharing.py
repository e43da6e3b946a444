"""Routes for sharing: this server's address in its network, and QR codes, drawn here rather than by another host."""

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

# Connecting a UDP socket sends nothing, but selects the local address to send from. This destination is reserved for
# documentation (RFC 5737).
_ANY_DESTINATION = ("192.0.2.1", 9)

_MAX_CHARACTERS = 7_089
"""Maximum characters in a QR code, if all are digits; otherwise it holds fewer."""

_TOO_LONG = "This link is too long for a QR code. A shorter text, or an example, fits."


@refusing
async def address(request: Request) -> Response:
    """Send this computer's address in its network, or null if it has none; only to the computer itself."""
    if not is_from_this_machine(request.scope):
        raise Refusal(403, "Only for the computer that the server runs on.")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANY_DESTINATION)
        except OSError:
            return JSONResponse({"host": None})
        return JSONResponse({"host": probe.getsockname()[0]})


@refusing
async def qr(request: Request) -> Response:
    """Draw a QR code of the body's text as SVG."""
    text = as_text(await read_body(request))
    if len(text) > _MAX_CHARACTERS:  # segno would take seconds to detect this
        raise Refusal(413, _TOO_LONG)
    return await lanes.drawing.run(request, partial(_qr, text))


def _qr(text: str) -> Response:
    try:
        code = segno.make(text, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError:
        raise Refusal(413, _TOO_LONG) from None
    svg = io.BytesIO()
    code.save(svg, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(svg.getvalue(), media_type="image/svg+xml")


routes: list[BaseRoute] = [Route("/address", address), Route("/qr", qr, methods=["POST"])]
