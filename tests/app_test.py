"""Streamlit's AppTest, which looks through all installed packages for components once, not with each run of a page."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


class _NavigatedPages(PagesManager):
    """The pages as app.py names them, also before it has run for the first time, as on the server (`lifespan`)."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        PagesManager.uses_pages_directory = False


app_test.PagesManager = _NavigatedPages  # type: ignore[attr-defined]

__all__ = ["AppTest", "open_page", "widget_data"]

APP = str(Path(__file__).parents[1] / "app.py")


def open_page(name: str, query: dict[str, str] | None = None, state: dict[str, Any] | None = None) -> AppTest:
    """Open a page of the app, in a session with a query and a state."""
    app = AppTest.from_file(APP, default_timeout=120)
    for key, value in (state or {}).items():
        app.session_state[key] = value
    app.run().switch_page(f"pages/{name}.py")
    for key, value in (query or {}).items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def widget_data(app: AppTest) -> dict[str, Any]:
    """Return what a page gives its widget."""
    (component,) = app.get("bidi_component")
    _, common, shown = json.loads(component.proto.json)
    return {**common, **shown}
