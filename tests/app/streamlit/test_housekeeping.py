"""Clean-up on a server without visits, with the installed Streamlit."""

import gc
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import streamlit as st
from garbage import collect_until
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tokviz.app.streamlit.housekeeping import drop_expired_sessions


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, Runtime]]:
    """Yield a client of a Streamlit app, and its runtime."""
    monkeypatch.setattr(Runtime, "_instance", None)
    script = tmp_path / "app.py"
    script.write_text("import streamlit as st\nst.text('hi')\n")
    with TestClient(st.App(script)) as client:
        yield client, Runtime.instance()


class Text:
    """A string that can be weakly referenced."""


def test_an_expired_session_is_dropped_with_its_files_without_visits(
    served: tuple[TestClient, Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, streamlit = served
    sessions = cast(Any, streamlit)._session_mgr
    files = cast(Any, streamlit.uploaded_file_mgr)
    with client.websocket_connect("/_stcore/stream", ["streamlit"]) as socket:
        first_run, message = BackMsg(), ForwardMsg()
        first_run.rerun_script.query_string = ""
        socket.send_bytes(first_run.SerializeToString())
        while message.WhichOneof("type") != "script_finished":
            message.ParseFromString(socket.receive_bytes())
        (info,) = sessions.list_active_sessions()
        while info.session._scriptrunner is not None:  # or else Streamlit leaves the session's event loop open
            time.sleep(0.01)
        name, state, loop = info.session.id, info.session.session_state, info.session._script_event_loop
        state["text"] = Text()
        text = weakref.ref(state["text"])
        files.add_file(name, UploadedFileRec("1", "a.txt", "text/plain", b"a" * 1_000))
        del info, state
    drop_expired_sessions(streamlit)
    assert text() is not None  # the page may reconnect
    assert name in files.file_storage

    cache = sessions._session_storage._cache
    in_two_minutes = time.monotonic() + st.get_option("server.disconnectedSessionTTL") + 1
    monkeypatch.setattr(cache, "_timer", lambda: in_two_minutes)
    gc.collect()
    assert text() is not None  # Streamlit alone keeps it
    drop_expired_sessions(streamlit)
    assert loop.is_closed()
    collect_until(lambda: text() is None)
    assert name not in files.file_storage
