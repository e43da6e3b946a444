"""Route that serves the widgets' modules and stylesheets, and Plotly's script for charts that are saved."""

import hashlib
import os
import stat
from functools import cache, lru_cache
from importlib.util import find_spec
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from tokviz import widgets
from tokviz.app.answers.requests import accepts_compressed, compress

_PLOTLY = "js/plotly.min.js"
"""Path of Plotly's script, which is that of its Python package. Streamlit's own copy can't be used by others."""

_MAX_COPIES = 1000
"""Maximum compressed copies kept, about 4 KB each. There are fewer files, unless they are changed again and again."""


class WidgetFiles(StaticFiles):
    """Static files, limited to the widgets' modules and stylesheets.

    Browsers revalidate their copies each time, so that an update never mixes old modules with new ones.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file's response, or what Starlette answers to all other requests.

        The file is looked up in the event loop's thread: another thread takes as long as everything else together, and
        longer while the first page is computed.
        """
        try:
            full_path, found = self.lookup_path(path) if scope["method"] == "GET" else ("", None)
        except (OSError, ValueError):
            found = None
        if found is None or not stat.S_ISREG(found.st_mode):
            return await super().get_response(path, scope)
        return self.file_response(full_path, found, scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a module, a stylesheet or Plotly's script; treat any other file as missing."""
        if path == _PLOTLY:
            found = _plotly()
            return str(found), found.stat()
        return super().lookup_path(path) if Path(path).suffix in (".js", ".css") else ("", None)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the file, or that it has not changed (304), with `Cache-Control: no-cache`.

        A first visit asks for 80 files. Compressed copies are kept, because reading and compressing a file takes seven
        times as long as sending its copy.
        """
        headers = Headers(scope=scope)
        if scope["method"] != "GET" or not accepts_compressed(headers) or full_path == str(_plotly()):
            response = super().file_response(full_path, stat_result, scope, status_code)
            response.headers["cache-control"] = "no-cache"
            return response
        copy = _compressed_copy(str(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        return NotModifiedResponse(copy.headers) if self.is_not_modified(copy.headers, headers) else copy


@lru_cache(maxsize=_MAX_COPIES)
def _compressed_copy(path: str, changed_ns: int, size: int) -> Response:
    """Return a response with the compressed file, which is read again when its time of change or its size differs."""
    body = Path(path).read_bytes()
    headers = {"cache-control": "no-cache", "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"'}
    return compress(Response(body, media_type=guess_type(path)[0], headers=headers))


@cache
def _plotly() -> Path:
    spec = find_spec("plotly")
    assert spec and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], "package_data", "plotly.min.js")


files = Mount("/static", WidgetFiles(directory=widgets.FOLDER))
