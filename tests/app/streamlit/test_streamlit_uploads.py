"""Streamlit's route for uploads, which no page uses, takes no files."""

import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_routes import create_upload_routes

ROOT = Path(__file__).parents[3]


class AnySession:
    """A runtime in which all sessions are active."""

    def is_active_session(self, session: str) -> bool:
        return True


@pytest.mark.parametrize("most", [0, 1])
def test_files_are_refused_before_they_arrive(most: int) -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["server"]
    assert settings["maxUploadSize"] == 0
    before = {name: config.get_option(name) for name in ("server.maxUploadSize", "server.enableXsrfProtection")}
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    routes = create_upload_routes(cast(Any, AnySession()), manager, None)
    try:
        config.set_option("server.maxUploadSize", most)
        config.set_option("server.enableXsrfProtection", False)
        client = TestClient(Starlette(routes=routes))
        answer = client.put("/_stcore/upload_file/a/1", files={"a": ("a.txt", b"a" * 100)})
    finally:
        for name, value in before.items():
            config.set_option(name, value)
    assert answer.status_code == (204 if most else 413)  # with 1 MB, to show that the test sees a file that arrives
    assert bool(manager.file_storage) == bool(most)


def test_no_page_uploads_files_to_streamlit() -> None:
    for file in [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "tokviz").rglob("*.py")]:
        source = file.read_text("utf-8")
        assert not any(f"st.{widget}(" in source for widget in ("file_uploader", "camera_input", "audio_input")), file
