"""Route that serves the widgets' modules and stylesheets, and Plotly's script for charts that are saved."""

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from tokviz import widgets

_PLOTLY = "js/plotly.min.js"
"""Path of Plotly's script, which is that of its Python package. Streamlit's own copy can't be used by others."""


class WidgetFiles(StaticFiles):
    """Static files, limited to the widgets' modules and stylesheets.

    Browsers revalidate their copies each time, so that an update never mixes old modules with new ones.
    """

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a module, a stylesheet or Plotly's script; treat any other file as missing."""
        if path == _PLOTLY:
            found = _plotly()
            return str(found), found.stat()
        return super().lookup_path(path) if Path(path).suffix in (".js", ".css") else ("", None)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the file, or that it has not changed (304), with `Cache-Control: no-cache`."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


@cache
def _plotly() -> Path:
    spec = find_spec("plotly")
    assert spec and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], "package_data", "plotly.min.js")


routes: list[BaseRoute] = [Mount("/static", WidgetFiles(directory=widgets.FOLDER))]
