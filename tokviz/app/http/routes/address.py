"""Route for this server's address in its network, by which others reach a link that says "localhost"."""

import socket

from starlette.responses import JSONResponse, Response

from tokviz.app.http.admission import is_from_this_machine
from tokviz.app.http.asked import Asked
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import get

# Connecting a UDP socket sends nothing, but selects the local address to send from. This destination is reserved for
# documentation (RFC 5737).
_ANY_DESTINATION = ("192.0.2.1", 9)


@get("/address")
def address(asked: Asked) -> Response:
    """Send this computer's address in its network, or null if it has none; only to the computer itself."""
    if not is_from_this_machine(asked.request.scope):
        raise Refusal(403, "Only for the computer that the server runs on.")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANY_DESTINATION)
        except OSError:
            return JSONResponse({"host": None})
        return JSONResponse({"host": probe.getsockname()[0]})
