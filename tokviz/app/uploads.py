"""Files that visitors drop: how many bytes of them the server holds, for how long, and how long they may take to come.

Streamlit limits a single file (`server.maxUploadSize`) and keeps all of a session until that ends.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable

import streamlit as st
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tokviz.app.fairness import Visitor, largest_holder, network

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


class UploadLimits:
    """ASGI middleware that refuses uploads for which there is no room, and ends those that stall."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()  # bytes under way, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on an upload that fits, and whatever is no upload."""
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        session, size = found[1], _announced(scope)
        problem = self._problem(session, network(scope["client"][0] if scope["client"] else ""), size)
        if problem:
            await PlainTextResponse(problem, 413)(scope, receive, send)
            return
        self._coming[session] += size
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await self._app(scope, _impatient(receive), send)
        except TimeoutError:
            await PlainTextResponse("This file took too long to arrive.", 408, {"connection": "close"})(
                scope, receive, send
            )
        finally:
            self._coming[session] -= size
            self._coming += Counter()  # forgets those with nothing under way

    def _problem(self, session: str, address: str, size: int) -> str:
        """Why there is no room for so many more bytes; "" if there is. May drop files of whoever holds the most."""
        if (held_bytes() + self._coming)[session] + size > MAX_SESSION:
            return f"Your files have more than {MAX_SESSION // 1_000_000} MB together. Remove some first."
        while (held := held_bytes() + self._coming).total() + size > MAX_ALL:
            holders = [(Visitor(_address_of(each), each), amount) for each, amount in held.items()]
            largest = largest_holder([*holders, (Visitor(address, session), size)])
            if largest.address == address or not _drop_all(largest.browser):
                return "This server holds too many files at the moment. Try again in a few minutes."
        return ""


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
