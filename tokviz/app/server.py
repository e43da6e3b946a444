"""Routes, middleware and lifespan of the app, beside Streamlit's own.

Widgets call the routes while someone types, without a rerun of the page. A handler parses the request, calls the
package and packs the response.
"""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread, Timer
from types import ModuleType

from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from streamlit import delta_generator
from streamlit.runtime.pages_manager import PagesManager
from uvicorn import Server

from tokviz.app.answers.requests import ANY_FOLDER
from tokviz.app.answers.routes import (
    chat,
    compare,
    compression,
    course,
    export,
    lesson,
    pictures,
    pieces,
    replay,
    rooms,
    sharing,
    sheets,
    tokenizer_files,
    tokens,
    training,
    training_results,
    widget_files,
)
from tokviz.app.shields.admission import Admission
from tokviz.app.shields.connection_limits import ConnectionLimits, limited
from tokviz.app.shields.processes.children import ended_at_the_end
from tokviz.app.shields.processes.patterns import patterns_apart
from tokviz.app.shields.server_process import allow_open_files, watched
from tokviz.app.shields.sockets import MAX_MESSAGE
from tokviz.app.streamlit.files import StreamlitFiles
from tokviz.app.streamlit.housekeeping import kept_tidy
from tokviz.app.streamlit.warm_up import warm_up
from tokviz.tokenizers.engines.bulk import turned_off

_LAST_SECONDS = 1
"""Seconds that requests have to end in when the server is told to stop. Then they are cut short."""

_SWITCH_SECONDS = 0.001
"""Switch interval of threads, so that a busy thread soon yields to the one that answers key presses; Python's is 5 ms.
"""


def _routes_of(*modules: ModuleType) -> list[BaseRoute]:
    """Return the routes of modules, in the order in which they are matched."""
    return [each for module in modules for each in vars(module).values() if isinstance(each, BaseRoute)]


_MODULES = (
    tokens,
    widget_files,  # early, since a first visit asks for 80 files
    *(chat, compare, compression, course, replay, pictures, export, lesson, rooms, sharing),
    *(tokenizer_files, training, training_results, pieces),
)

routes: list[BaseRoute] = [
    # The app's own folder may be called tokviz: hence _tokviz.
    Mount(ANY_FOLDER + "_tokviz", routes=_routes_of(*_MODULES)),
    *_routes_of(sheets),
]
"""For `st.App`."""

middleware = [
    Middleware(ConnectionLimits),
    Middleware(Admission),
    Middleware(StreamlitFiles),
]
"""For `st.App`, the outermost first."""


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Apply limits and housekeeping while the server runs, and warm up in a thread while it already answers."""
    # Until app.py has run for the first time, Streamlit treats each file in pages/ as a separate script: a first
    # visitor who follows a link to a page would see it without what app.py puts around it.
    PagesManager.uses_pages_directory = False
    sys.setswitchinterval(_SWITCH_SECONDS)
    # At the first element of the first page, Streamlit finds out whether to warn that the app runs in a Python prompt.
    # It looks for the source files of all modules meanwhile, a tenth of a second, and a server is no prompt.
    delta_generator._use_warning_has_been_displayed = True
    server = _limited_server()
    allow_open_files()
    with turned_off():  # what strangers send is encoded by libraries whose memory has a limit
        Thread(target=warm_up, name="tokviz-warm-up", daemon=True).start()
        with ended_at_the_end(), patterns_apart():
            async with watched(), kept_tidy():
                yield
    if server:
        # On Ctrl+C, Python waits for all threads that still work on a text.
        last = Timer(_LAST_SECONDS, os._exit, (128 + signal.SIGINT,))
        last.daemon = True
        last.start()


def _limited_server() -> Server | None:
    """Limit the connections and messages of the server that Streamlit starts, and how long it takes to stop.

    Streamlit gives no access to this server's settings. But uvicorn receives signals itself, so the handler of SIGTERM
    is a method of the server. It opens no connection before the app has started.
    """
    running = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if not isinstance(running, Server):
        return None
    running.config.timeout_graceful_shutdown = _LAST_SECONDS
    running.config.ws_max_size = MAX_MESSAGE
    running.config.http_protocol_class = limited(running.config.http_protocol_class)  # type: ignore[assignment]
    return running
