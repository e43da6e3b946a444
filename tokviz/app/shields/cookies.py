"""Remove cookies that are slow to parse.

Python before 3.11.10, 3.12.6 and 3.13 takes quadratic time to read a quoted cookie with backslashes (CVE-2024-7592): a
single header of 60 KB keeps the server busy for seconds. Neither Streamlit nor this app sets such cookies, but another
app on the same host may, so the other cookies are kept.
"""

from starlette.types import ASGIApp, Receive, Scope, Send


class PlainCookies:
    """ASGI middleware that removes cookies with backslashes from requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on all requests."""
        if scope["type"] in ("http", "websocket"):
            headers = [
                (name, _plain(value) if name.lower() == b"cookie" else value) for name, value in scope["headers"]
            ]
            scope = {**scope, "headers": headers}
        await self._app(scope, receive, send)


def _plain(cookies: bytes) -> bytes:
    """Return the value of a Cookie header without the cookies that contain a backslash."""
    return b";".join(each for each in cookies.split(b";") if b"\\" not in each)
