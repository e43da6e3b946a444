"""Route for QR codes, drawn here rather than by another host."""

import io
from functools import partial

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tokviz.app.fairness import lanes
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import as_text, read_body, refusing

_MAX_CHARACTERS = 7_089
"""Maximum characters in a QR code, if all are digits; otherwise it holds fewer."""

_TOO_LONG = "This link is too long for a QR code. A shorter text, or an example, fits."


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


routes: list[BaseRoute] = [Route("/qr", qr, methods=["POST"])]
