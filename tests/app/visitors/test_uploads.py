"""Uploaded files: limits on bytes and time, and dropping files that are no longer used."""

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app_test import AppTest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tokviz.app.fairness.visitors import Shares
from tokviz.app.visitors import uploads
from tokviz.app.visitors.text_files import MAX_BYTES

ADDRESSES = {"anna": "10.0.0.1", "ben": "10.0.0.2", **{f"annas {number}": "10.0.0.1" for number in range(30)}}


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryUploadedFileManager]:
    kept = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr(uploads, "_manager", lambda: kept)
    monkeypatch.setattr(uploads, "_address_of", ADDRESSES.__getitem__)
    monkeypatch.setattr(uploads, "MAX_SESSION", 1_000)
    monkeypatch.setattr(uploads, "MAX_ALL", 3_000)
    yield kept


class Upload:
    """An upload that passes the limits and is stored as by Streamlit."""

    def __init__(self, limits: uploads.UploadLimits, session: str, size: int, announced: bool = True) -> None:
        headers = [(b"content-length", str(size).encode())] if announced else []
        self.scope = {
            **{"type": "http", "method": "PUT", "path": f"/base/_stcore/upload_file/{session}/1", "headers": headers},
            **{"client": (ADDRESSES[session], 1), "query_string": b"", "root_path": "", "http_version": "1.1"},
        }
        self._limits, self._size = limits, size
        self.arrives = asyncio.Event()
        self.arrives.set()
        self.status = 0
        self.body = b""

    async def receive(self) -> dict[str, Any]:
        await self.arrives.wait()
        return {"type": "http.request", "body": b"a" * self._size}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")

    async def put(self) -> int:
        await self._limits(self.scope, self.receive, self.send)
        return self.status


@pytest.fixture
def limits(manager: MemoryUploadedFileManager) -> uploads.UploadLimits:
    async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
        session = scope["path"].split("/")[-2]
        data = await Request(scope, receive).body()
        number = str(len(manager.file_storage[session]))
        manager.add_file(session, UploadedFileRec(number, "a.txt", "text/plain", data))
        await Response(status_code=204)(scope, receive, send)

    return uploads.UploadLimits(streamlit)


def test_streamlit_accepts_files_of_up_to_50_mb() -> None:
    config = tomllib.loads(Path(__file__).parents[3].joinpath(".streamlit/config.toml").read_text())
    assert config["server"]["maxUploadSize"] * 1_000_000 == MAX_BYTES


def test_the_largest_upload_stays_off_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_at(request: Request) -> Response:
        async with request.form() as form:
            file = form["file"]
            assert isinstance(file, UploadFile)
            return JSONResponse({"bytes": file.size, "on disk": file.file._rolled})  # type: ignore[attr-defined]

    def upload(size: int) -> Any:
        client = TestClient(Starlette(routes=[Route("/", look_at, methods=["PUT"])]))
        return client.put("/", files={"file": ("a.txt", b"a" * size)}).json()

    monkeypatch.setattr(MultiPartParser, "spool_max_size", 2**20)  # Starlette's default
    assert upload(2_000_000) == {"bytes": 2_000_000, "on disk": True}  # shows that the test detects files on disk
    uploads.keep_off_disk()
    assert upload(MAX_BYTES) == {"bytes": MAX_BYTES, "on disk": False}


def test_bytes_per_session_are_limited(limits: uploads.UploadLimits) -> None:
    async def attack() -> None:
        assert [await Upload(limits, "anna", 400).put() for _ in range(3)] == [204, 204, 413]
        assert await Upload(limits, "anna", 200).put() == 204
        assert await Upload(limits, "ben", 400).put() == 204

    asyncio.run(attack())
    assert uploads.held_bytes() == {"anna": 1_000, "ben": 400}


def test_uploads_in_progress_count(limits: uploads.UploadLimits) -> None:
    async def attack() -> None:
        slow = Upload(limits, "anna", 900)
        slow.arrives.clear()
        task = asyncio.create_task(slow.put())
        await asyncio.sleep(0)
        assert await Upload(limits, "anna", 200).put() == 413
        slow.arrives.set()
        assert await task == 204
        assert await Upload(limits, "anna", 100).put() == 204

    asyncio.run(attack())


def test_an_upload_of_unknown_size_counts_as_the_largest(
    limits: uploads.UploadLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asyncio.run(Upload(limits, "anna", 10, announced=False).put()) == 413
    monkeypatch.setattr(uploads, "MAX_SESSION", 300_000_000)
    monkeypatch.setattr(uploads, "MAX_ALL", 300_000_000)
    assert asyncio.run(Upload(limits, "anna", 10, announced=False).put()) == 204


def test_the_largest_holder_makes_room(limits: uploads.UploadLimits) -> None:
    async def attack() -> None:
        for number in range(30):  # many small ones, in many sessions at one address
            assert await Upload(limits, f"annas {number}", 100).put() == 204
        refused = Upload(limits, "anna", 100)
        assert await refused.put() == 413
        assert b"too many files" in refused.body
        assert await Upload(limits, "ben", 900).put() == 204
        assert await Upload(limits, "anna", 900).put() == 413

    asyncio.run(attack())
    held = uploads.held_bytes()
    assert held["ben"] == 900
    assert held.total() == 3_000


def test_declared_uploads_are_evicted(limits: uploads.UploadLimits) -> None:
    async def attack() -> None:
        announced = [Upload(limits, f"annas {number}", 1_000) for number in range(3)]
        for each in announced:
            each.arrives.clear()
        tasks = [asyncio.create_task(each.put()) for each in announced]
        await asyncio.sleep(0)
        assert await Upload(limits, "anna", 100).put() == 413
        assert await Upload(limits, "ben", 100).put() == 204
        for each in announced:
            each.arrives.set()
        assert sorted([await task for task in tasks]) == [204, 204, 408]

    asyncio.run(attack())
    assert uploads.held_bytes().total() == 2_100


def test_a_stalled_upload_is_ended(limits: uploads.UploadLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_SILENCE", 0.01)

    async def attack() -> None:
        stalled = Upload(limits, "anna", 900)
        stalled.arrives.clear()
        assert await stalled.put() == 408
        assert await Upload(limits, "anna", 1_000).put() == 204  # no upload is in progress any more

    asyncio.run(attack())


def using() -> None:
    import streamlit as st

    from tokviz.app.visitors import uploads

    if st.toggle("box", value=True):
        uploads.note(st.session_state["files"])
    uploads.drop_unused()


def test_files_are_dropped_when_their_uploader_is_gone(manager: MemoryUploadedFileManager) -> None:
    class File:
        file_id = "used"

    app = AppTest.from_function(using)
    app.session_state["files"] = [File]
    app.run()
    session = "test session id"  # AppTest's name for it
    for file in ("used", "just arrived"):
        manager.add_file(session, UploadedFileRec(file, file, "text/plain", b"a"))
    app.run()
    assert set(manager.file_storage[session]) == {"used", "just arrived"}
    app.toggle[0].set_value(False).run()
    assert set(manager.file_storage[session]) == {"just arrived"}


def test_bodies_are_parsed_in_small_pieces_whose_time_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    now, charged, sizes = 0.0, [], []

    class Recorded(Shares):
        def charge(self, address: str, seconds: float) -> float:
            charged.append((address, seconds))
            return 0.0

    async def slow_parser(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal now
        has_more = True
        while has_more:
            message = await receive()
            sizes.append(len(message["body"]))
            has_more = message["more_body"]
            now += 1.0

    monkeypatch.setattr(uploads, "shares", Recorded())
    monkeypatch.setattr("tokviz.app.visitors.uploads.time.perf_counter", lambda: now)
    limits = uploads.UploadLimits(slow_parser)
    asyncio.run(Upload(limits, "anna", 100_000).put())
    assert sum(sizes) == 100_000
    assert max(sizes) <= 16_384
    assert charged[1:] == [("10.0.0.1", 1.0)] * (len(sizes) - 1)
