"""Route that serves the widgets' modules and stylesheets."""

import os
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from tokviz import widgets


class WidgetFiles(StaticFiles):
    """Static files, limited to the widgets' modules and stylesheets.

    Browsers revalidate their copies each time, so that an update never mixes old modules with new ones.
    """

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a module or stylesheet; treat any other file as missing."""
        return super().lookup_path(path) if Path(path).suffix in (".js", ".css") else ("", None)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the file, or that it has not changed (304), with `Cache-Control: no-cache`."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


routes: list[BaseRoute] = [Mount("/static", WidgetFiles(directory=widgets.FOLDER))]
