"""Files that visitors drop: how many bytes of them the server holds, for how long, and how long they may take to come.

Streamlit limits a single file (`server.maxUploadSize`) and keeps all of a session until that ends.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app.fairness.visitors import Visitor, largest_holder, network

MAX_SESSION = 100_000_000
"""Bytes of files that a session may hold."""

MAX_ALL = 300_000_000
"""Bytes of files that all sessions together may hold."""

MAX_SILENCE = 30.0
"""Seconds that an upload may pause."""

MAX_SECONDS = 300.0
"""Seconds that an upload may take."""

_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?$")
_SEEN = "tokviz uploads"


@dataclass(eq=False)
class _Upload:
    """A file under way: the session for which it is, the bytes that it announces, and when it has to be there."""

    visitor: Visitor
    size: int
    time: asyncio.Timeout

    def end(self) -> None:
        """Let its time be over now."""
        self.time.reschedule(asyncio.get_running_loop().time())


class UploadLimits:
    """ASGI middleware that refuses uploads for which there is no room, and ends those that stall."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: set[_Upload] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on an upload that fits, and whatever is no upload."""
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        visitor, size = Visitor(network(scope["client"][0] if scope["client"] else ""), found[1]), _announced(scope)
        problem = self._problem(visitor, size)
        if problem:
            await PlainTextResponse(problem, 413)(scope, receive, send)
            return
        try:
            async with asyncio.timeout(MAX_SECONDS) as time:
                with self._counted(_Upload(visitor, size, time)):
                    await self._app(scope, _impatient(receive), send)
        except TimeoutError:
            await PlainTextResponse("This file took too long to arrive.", 408, {"connection": "close"})(
                scope, receive, send
            )

    @contextmanager
    def _counted(self, upload: _Upload) -> Iterator[None]:
        self._under_way.add(upload)
        try:
            yield
        finally:
            self._under_way.discard(upload)

    def _problem(self, visitor: Visitor, size: int) -> str:
        """Why there is no room for so many more bytes; "" if there is. Whoever holds the most may lose files for it."""
        held = self._held()
        if sum(amount for each, amount in held if each.browser == visitor.browser) + size > MAX_SESSION:
            return f"Your files have more than {MAX_SESSION // 1_000_000} MB together. Remove some first."
        while sum(amount for _, amount in held) + size > MAX_ALL:
            largest = largest_holder([*held, (visitor, size)])
            if largest.address == visitor.address or not (self._end_uploads(largest) or _drop_all(largest.browser)):
                return "This server holds too many files at the moment. Try again in a few minutes."
            held = self._held()
        return ""

    def _held(self) -> list[tuple[Visitor, int]]:
        """What sessions hold, and what they are about to hold."""
        held = [(Visitor(_address_of(session), session), size) for session, size in held_bytes().items()]
        return held + [(upload.visitor, upload.size) for upload in self._under_way]

    def _end_uploads(self, visitor: Visitor) -> bool:
        """End what is under way for a session; False if there is nothing."""
        uploads = [upload for upload in self._under_way if upload.visitor == visitor]
        for upload in uploads:
            upload.end()
            self._under_way.discard(upload)
        return bool(uploads)


def keep_off_disk() -> None:
    """Let no upload touch the disk on its way: a form's files of more than 1 MB would."""
    MultiPartParser.spool_max_size = _most()


def _most() -> int:
    """The largest file that Streamlit takes, in bytes."""
    return int(st.get_option("server.maxUploadSize")) * 1024**2


def _announced(scope: Scope) -> int:
    """The size that an upload announces, or else the most that Streamlit takes."""
    size = Headers(scope=scope).get("content-length", "")
    return int(size[:18]) if size.isdecimal() else _most()


def _impatient(receive: Receive) -> Receive:
    async def receive_soon() -> Message:
        async with asyncio.timeout(MAX_SILENCE):
            return await receive()

    return receive_soon


def _manager() -> MemoryUploadedFileManager | None:
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def held_bytes() -> Counter[str]:
    """The bytes of files that Streamlit holds, by session."""
    manager = _manager()
    sessions = dict(manager.file_storage) if manager else {}
    return Counter(
        {session: sum(len(file.data) for file in list(files.values())) for session, files in sessions.items()}
    )


def _address_of(session: str) -> str:
    """The address of the visitor whose session it is; "" of one who has left."""
    client = runtime.get_instance().get_client(session) if runtime.exists() else None
    context = client.client_context if client else None
    return network(context.remote_ip or "") if context else ""


def _drop_all(session: str) -> bool:
    """Drop the files of a session; False if it has none."""
    manager = _manager()
    if manager is None or not manager.file_storage.get(session):
        return False
    manager.remove_session_files(session)
    return True


# What the pages do


def note(files: Iterable[UploadedFile]) -> None:
    """Note that the page uses these files, which a box on it returned."""
    seen: dict[str, bool] = st.session_state.setdefault(_SEEN, {})
    seen.update((file.file_id, True) for file in files)


def drop_unused() -> None:
    """At the end of a run of the page: drop the files that an earlier run used and this one does not.

    Their box is gone, or another took its place. A file that no run has seen yet has just arrived.
    """
    seen: dict[str, bool] = st.session_state.get(_SEEN, {})
    context, manager = get_script_run_ctx(), _manager()
    for file, is_used in list(seen.items()):
        if is_used:
            seen[file] = False  # until the next run uses it
        else:
            del seen[file]
            if context is not None and manager is not None:
                manager.remove_file(context.session_id, file)
