"""Limits for files that visitors upload: the bytes held, how long they are kept, and how long an upload may take.

Streamlit itself limits only the size of a single file (`server.maxUploadSize`), and keeps all files of a session until
the session ends.
"""

import asyncio
import re
import time
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

from tokviz.app.fairness.visitors import Visitor, largest_holder, network, shares

MAX_SESSION = 60_000_000
"""Maximum bytes of files held by one session."""

MAX_ALL = 120_000_000
"""Maximum bytes of files held by all sessions together."""

MAX_SILENCE = 30.0
"""Maximum seconds that an upload may pause."""

MAX_SECONDS = 300.0
"""Maximum seconds that an upload may take."""

_PIECE = 16_384  # bytes of a body that are parsed at a time
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?$")
_SEEN = "tokviz uploads"


@dataclass(eq=False)
class _Upload:
    """An upload in progress: its session (as the visitor's browser), its declared bytes, and its timeout."""

    visitor: Visitor
    size: int
    time: asyncio.Timeout

    def end(self) -> None:
        """Make the upload time out now."""
        self.time.reschedule(asyncio.get_running_loop().time())


class UploadLimits:
    """ASGI middleware that refuses uploads beyond the limits, and ends those that stall."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._uploads: set[_Upload] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on uploads that fit, and all other requests."""
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        visitor, size = Visitor(network(scope["client"][0] if scope["client"] else ""), found[1]), _declared_size(scope)
        problem = self._problem(visitor, size)
        if problem:
            await PlainTextResponse(problem, 413)(scope, receive, send)
            return
        try:
            async with asyncio.timeout(MAX_SECONDS) as time:
                with self._counted(_Upload(visitor, size, time)):
                    await self._app(scope, _in_turns(_with_timeout(receive), visitor.address), send)
        except TimeoutError:
            await PlainTextResponse("This file took too long to arrive.", 408, {"connection": "close"})(
                scope, receive, send
            )

    @contextmanager
    def _counted(self, upload: _Upload) -> Iterator[None]:
        self._uploads.add(upload)
        try:
            yield
        finally:
            self._uploads.discard(upload)

    def _problem(self, visitor: Visitor, size: int) -> str:
        """Make room for `size` more bytes, evicting the largest holder's files if necessary.

        Returns why there is no room, or "" if there is.
        """
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
        """Return the bytes that each session holds, and those that its uploads in progress have declared."""
        held = [(Visitor(_address_of(session), session), size) for session, size in held_bytes().items()]
        return held + [(upload.visitor, upload.size) for upload in self._uploads]

    def _end_uploads(self, visitor: Visitor) -> bool:
        """End a session's uploads in progress; return False if there are none."""
        uploads = [upload for upload in self._uploads if upload.visitor == visitor]
        for upload in uploads:
            upload.end()
            self._uploads.discard(upload)
        return bool(uploads)


def keep_off_disk() -> None:
    """Keep uploads in memory while they arrive: Starlette would write files of more than 1 MB to disk."""
    MultiPartParser.spool_max_size = _max_file_size()


def _max_file_size() -> int:
    """Return the largest file that Streamlit accepts, in bytes."""
    return int(st.get_option("server.maxUploadSize")) * 1024**2


def _declared_size(scope: Scope) -> int:
    """Return the Content-Length of an upload, or the largest size that Streamlit accepts if there is none."""
    size = Headers(scope=scope).get("content-length", "")
    return int(size[:18]) if size.isdecimal() else _max_file_size()


def _with_timeout(receive: Receive) -> Receive:
    async def receive_in_time() -> Message:
        async with asyncio.timeout(MAX_SILENCE):
            return await receive()

    return receive_in_time


def _in_turns(receive: Receive, address: str) -> Receive:
    """Pass a body on in small pieces, and charge the time that each takes to parse to the address.

    A form's parser goes byte by byte through some bodies, which takes it a quarter of a second for each MB.
    """
    rest, has_more, given = b"", True, time.perf_counter()

    async def receive_piece() -> Message:
        nonlocal rest, has_more, given
        await asyncio.sleep(shares.charge(address, time.perf_counter() - given))  # 0 seconds let others run, too
        if not rest:
            message = await receive()
            if message["type"] != "http.request":
                return message
            rest, has_more = message.get("body", b""), message.get("more_body", False)
        piece, rest = rest[:_PIECE], rest[_PIECE:]
        given = time.perf_counter()
        return {"type": "http.request", "body": piece, "more_body": has_more or bool(rest)}

    return receive_piece


def _manager() -> MemoryUploadedFileManager | None:
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def held_bytes() -> Counter[str]:
    """Return the bytes of files that Streamlit holds, by session."""
    manager = _manager()
    sessions = dict(manager.file_storage) if manager else {}
    return Counter(
        {session: sum(len(file.data) for file in list(files.values())) for session, files in sessions.items()}
    )


def _address_of(session: str) -> str:
    """Return the address of a session's visitor; "" if the visitor has left."""
    client = runtime.get_instance().get_client(session) if runtime.exists() else None
    context = client.client_context if client else None
    return network(context.remote_ip or "") if context else ""


def _drop_all(session: str) -> bool:
    """Drop the files of a session; return False if it has none."""
    manager = _manager()
    if manager is None or not manager.file_storage.get(session):
        return False
    manager.remove_session_files(session)
    return True


# Called by pages


def note(files: Iterable[UploadedFile]) -> None:
    """Mark files that a file uploader returned as used in this run of the page."""
    seen: dict[str, bool] = st.session_state.setdefault(_SEEN, {})
    seen.update((file.file_id, True) for file in files)


def drop_unused() -> None:
    """Drop the files that an earlier run of the page used and this one does not. Call it at the end of a run.

    The uploader of such files is gone or was replaced. Files that no run has used yet have just arrived, and stay.
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
