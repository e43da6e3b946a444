"""The routes beside Streamlit's own: what the widgets ask while someone types, without a rerun of the page.

A handler parses the request, calls the package and packs the answer.
"""

import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Thread

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from streamlit.runtime.pages_manager import PagesManager

from tokviz.app.http.admission import Admission
from tokviz.app.http.asset_compression import CompressedAssets
from tokviz.app.http.connections import limited_connections
from tokviz.app.http.gc_freeze import freeze_loaded
from tokviz.app.http.headers import SecurityHeaders
from tokviz.app.http.housekeeping import kept_tidy
from tokviz.app.http.routes import (
    compare,
    downloads,
    export,
    files,
    replay,
    shared_tokenizers,
    sharing,
    tokenizer_files,
    tokens,
)
from tokviz.app.http.sockets import SocketLimits
from tokviz.app.http.watchdog import watched
from tokviz.app.processes.patterns import patterns_apart
from tokviz.app.visitors.registry import DEFAULT, registry
from tokviz.app.visitors.uploads import UploadLimits, keep_off_disk

PAGE_SECONDS = 5.0
"""How long patterns that somebody made up may take to cut texts, for one run of a page."""

_FIRST_VISIT = 4.0
"""Seconds for whoever opens the page as soon as it is there: nothing else that can wait is done meanwhile."""

_SWITCH_SECONDS = 0.001
"""How long a busy thread may keep the interpreter from the one that answers key presses; Python's own is 5 ms."""


class _AnyFolder(PathConvertor):
    regex = "(?:[^/]+/)*"


# The routes stand under server.baseUrlPath, but the list is made while app.py is imported, before Streamlit has read
# its settings. So they answer under whatever folder the app is in. That may well be called tokviz: hence _tokviz.
register_url_convertor("any_folder", _AnyFolder())

routes: list[BaseRoute] = [
    Mount(
        "/{base:any_folder}_tokviz",
        routes=[
            *tokens.routes,
            *compare.routes,
            *replay.routes,
            *sharing.routes,
            *export.routes,
            *downloads.routes,
            *files.routes,
            *shared_tokenizers.routes,
            *tokenizer_files.routes,
        ],
    )
]
"""For `st.App`."""

middleware = [
    Middleware(SecurityHeaders),
    Middleware(Admission),
    Middleware(SocketLimits),
    Middleware(UploadLimits),
    Middleware(CompressedAssets),
]
"""For `st.App`, the outermost first."""


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Start with the work that the first visitor would wait for; the server answers meanwhile."""
    # Until app.py has run for the first time, Streamlit takes each file in pages/ for a script of its own: a first
    # visitor who follows a link to a page would see it without what app.py puts around it.
    PagesManager.uses_pages_directory = False
    sys.setswitchinterval(_SWITCH_SECONDS)
    keep_off_disk()
    Thread(target=_warm_up, name="tokviz-warm-up", daemon=True).start()
    with limited_connections(), patterns_apart():
        async with watched(), kept_tidy():
            yield


def _warm_up() -> None:
    registry.get(DEFAULT)
    time.sleep(_FIRST_VISIT)
    for name in ("gpt2", "o200k_base"):
        registry.get(name)
    import_module("tokviz.app.page.training_results")  # and what draws charts, which takes a while
    freeze_loaded()
