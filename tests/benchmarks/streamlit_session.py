"""Client for a visitor's Streamlit session without a browser: pages, widgets, and uploads."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

from attacks import HOST, connect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.typing import Subprotocol

TOKEN = "2|00000000|00000000000000000000000000000000|1700000000"
"""XSRF token, unmasked, which a browser repeats to prove that it can read its own cookie."""


class Session:
    """A session on the server at `port`. Widgets are found by the start of their label, components by their name."""

    def __init__(self, port: int, address: str, socket: ClientConnection) -> None:
        self._port = port
        self._address = address
        self._socket = socket
        self._page = ("", "")
        self._session = ""
        self._states: dict[str, WidgetState] = {}
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
        self._page, self._states = (page, query), {}
        await self.run()

    async def run(self, pressed: str = "", typed: str = "") -> None:
        """Rerun the page, optionally with a button pressed or a text typed, and wait until the run has finished."""
        states = list(self._states.values())
        if pressed:
            states.append(WidgetState(id=self.widget(pressed), trigger_value=True))
        if typed:
            states.append(WidgetState(id=self.widget("tokviz_tokens"), json_value=json.dumps({"text": typed})))
        await self.ask_for_run(states)
        while (received := await self._receive()).WhichOneof("type") != "script_finished":
            self._look_at(received)

    async def ask_for_run(self, states: Iterable[WidgetState] = ()) -> None:
        """Send the message that reruns the page with these states of widgets."""
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = self._page
        message.rerun_script.widget_states.widgets.extend(states)
        await self.send(message)

    async def drop(self, label: str, files: Mapping[str, bytes]) -> list[int]:
        """Upload files to a field. Returns the statuses; accepted files are used in the next run."""
        message = BackMsg()
        message.file_urls_request.request_id = uuid.uuid4().hex
        message.file_urls_request.file_names.extend(files)
        message.file_urls_request.session_id = self._session
        await self.send(message)
        while (received := await self._receive()).WhichOneof("type") != "file_urls_response":
            self._look_at(received)
        state = WidgetState(id=self.widget(label))
        state.file_uploader_state_value.SetInParent()
        statuses = []
        for urls, (name, data) in zip(received.file_urls_response.file_urls, files.items(), strict=True):
            statuses.append(await self._put(urls.upload_url, name, data))
            if statuses[-1] == 204:
                info = state.file_uploader_state_value.uploaded_file_info.add()
                info.name, info.size, info.file_id = name, len(data), urls.file_id
                info.file_urls.CopyFrom(urls)
        self._states[state.id] = state
        return statuses

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
        if message.WhichOneof("type") == "new_session":
            self._session = message.new_session.initialize.session_id
        if message.WhichOneof("type") != "delta" or message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        widget: Any = getattr(element, element.WhichOneof("type") or "", None)
        name = getattr(widget, "label", "") or getattr(widget, "component_name", "")
        if name and getattr(widget, "id", ""):
            self.widgets[name] = widget.id
            self.data[name] = getattr(widget, "json", "")

    async def announce(self, size: int) -> None:
        """Announce an upload of `size` bytes, and send none of them while the session is open."""
        _, self._announcing = await connect(self._port, self._address)
        self._announcing.write(self._head(f"_stcore/upload_file/{self._session}/{uuid.uuid4()}", "x", size))

    @staticmethod
    def _head(path: str, edge: str, size: int) -> bytes:
        return (
            f"PUT /{path.lstrip('/')} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {size}\r\n"
            f"Content-Type: multipart/form-data; boundary={edge}\r\n"
            f"Cookie: _streamlit_xsrf={TOKEN}\r\nX-Xsrftoken: {TOKEN}\r\n\r\n"
        ).encode()

    async def _put(self, path: str, name: str, data: bytes) -> int:
        """Upload a file like a browser's form."""
        edge = uuid.uuid4().hex
        opening = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        body = opening.encode() + data + f"\r\n--{edge}--\r\n".encode()
        reader, writer = await connect(self._port, self._address)
        try:
            writer.write(self._head(path, edge, len(body)) + body)
            return int((await reader.readline()).split()[1])
        finally:
            writer.close()
