"""Route for QR codes, drawn here rather than by another host."""

import io

import segno
from starlette.responses import Response

from tokviz.app.fairness import lanes
from tokviz.app.http.asked import Asked
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import post

_MAX_CHARACTERS = 7_089
"""Maximum characters in a QR code, if all are digits; otherwise it holds fewer."""

_TOO_LONG = "This link is too long for a QR code. A shorter text, or an example, fits."


@post("/qr", lanes.drawing)
def qr(asked: Asked) -> Response:
    """Draw a QR code of the body's text as SVG."""
    text = asked.text
    if len(text) > _MAX_CHARACTERS:  # segno would take seconds to detect this
        raise Refusal(413, _TOO_LONG)
    try:
        code = segno.make(text, error="l", boost_error=False, micro=False)
    except segno.DataOverflowError:
        raise Refusal(413, _TOO_LONG) from None
    svg = io.BytesIO()
    code.save(svg, kind="svg", border=4, light="#fff", omitsize=True)
    return Response(svg.getvalue(), media_type="image/svg+xml")
