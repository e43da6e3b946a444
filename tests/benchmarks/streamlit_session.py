"""Client for a visitor's Streamlit session without a browser: pages and widgets."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

from attacks import HOST
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.typing import Subprotocol


class Session:
    """A session on the server at `port`. Widgets are found by the start of their label, components by their name."""

    def __init__(self, port: int, address: str, socket: ClientConnection) -> None:
        self._port = port
        self._address = address
        self._socket = socket
        self._page = ("", "")
        self.widgets: dict[str, str] = {}
        self.data: dict[str, str] = {}
        """Each component's data as JSON, by its name."""

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
        return cls(port, address, socket)

    async def visit(self, page: str, query: str = "") -> None:
        """Go to a page, and wait until its run has finished."""
        self._page = (page, query)
        await self.run()

    async def run(self, typed: str = "") -> None:
        """Rerun the page, optionally with a text typed, and wait until the run has finished."""
        text = WidgetState(id=self.widget("tokviz_tokens"), json_value=json.dumps({"text": typed})) if typed else None
        await self.ask_for_run([text] if text else [])
        while (received := await self._receive()).WhichOneof("type") != "script_finished":
            self._look_at(received)

    async def ask_for_run(self, states: Iterable[WidgetState] = ()) -> None:
        """Send the message that reruns the page with these states of widgets."""
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = self._page
        message.rerun_script.widget_states.widgets.extend(states)
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
            self._look_at(await self._receive())

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()

    def widget(self, label: str) -> str:
        """Return the id of the widget whose label starts with `label`."""
        return next(found for said, found in self.widgets.items() if said.startswith(label))

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

    def _look_at(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        widget: Any = getattr(element, element.WhichOneof("type") or "", None)
        name = getattr(widget, "label", "") or getattr(widget, "component_name", "")
        if name and getattr(widget, "id", ""):
            self.widgets[name] = widget.id
            self.data[name] = getattr(widget, "json", "")
