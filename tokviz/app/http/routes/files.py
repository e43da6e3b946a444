"""The widgets' own files."""

import os
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from tokviz import widgets


class WidgetFiles(StaticFiles):
    """The widgets' modules and stylesheets, and no other file.

    A browser asks each time whether its copy is still the newest, so an update never mixes old modules with new ones.
    """

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where the file is; nowhere, if it is not for browsers."""
        return super().lookup_path(path) if Path(path).suffix in (".js", ".css") else ("", None)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


routes: list[BaseRoute] = [Mount("/static", WidgetFiles(directory=widgets.FOLDER))]
