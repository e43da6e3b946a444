"""Client for a visitor's Streamlit session without a browser: pages and widgets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self

from attacks import HOST
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.typing import Subprotocol


class Session:
    """A session on a server."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._page = ("", "")

    @classmethod
    async def open(cls, port: int, address: str) -> Self:
        """Open a session that has not requested a page yet."""
        socket = await open_websocket(
            f"ws://{HOST}:{port}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            local_addr=(address, 0),
            max_size=None,
            open_timeout=60,
        )
        return cls(socket)

    async def visit(self, page: str, query: str = "") -> None:
        """Go to a page, and wait until its run has finished."""
        self._page = (page, query)
        await self.ask_for_run()
        while (await self._receive()).WhichOneof("type") != "script_finished":
            pass

    async def ask_for_run(self) -> None:
        """Send the message that reruns the page."""
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = self._page
        await self.send(message)

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Read what the server sends in this context, as a browser does: a page may rerun after its first run."""
        reading = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading

    async def _follow(self) -> None:
        while True:
            await self._receive()

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()

    async def send(self, message: BackMsg) -> None:
        """Send any message."""
        await self.send_bytes(message.SerializeToString())

    async def send_bytes(self, message: bytes) -> None:
        """Send the bytes of a message."""
        await self._socket.send(message)

    async def _receive(self) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(await self._socket.recv(decode=False))
        return message
