"""A tab of the browser that one test after the other uses, because a new one would load and compile everything again.

What a test stores or sets is undone after it. A tab to which something was done that cannot be undone is replaced. On
the widgets' own pages the next test finds a new widget, as if it came back from another page of the app; the page is
loaded again if anything else on it was changed, even a global.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Frame, Request, Response, ViewportSize

VIEWPORT = ViewportSize(width=1280, height=800)

PLAIN = "_tokviz/static/tokens/widget.css"
"""A file of any of the servers, which runs no script."""

BESIDES = "cache_storage,file_systems,indexeddb,service_workers"
"""Stores of a site besides cookies and texts. The tab deletes texts on the page itself, because it would be
told of those that the browser deletes a moment later, when the next test may have written others."""

OF_BOTH = (
    "add_init_script",
    "expose_binding",
    "expose_function",
    "once",
    "route_from_har",
    "route_web_socket",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
)
OF_CONTEXTS = ("grant_permissions", "new_cdp_session", "set_geolocation", "set_offline")
OF_PAGES = ("add_locator_handler",)
OF_CLOCKS = ("install", "pause_at", "set_fixed_time", "set_system_time")
"""Calls whose effects last for as long as the tab does."""


_SERVER_PROBE = re.compile(r"/[a-z]+/_stcore/(health|host-config)$")


class Watched:
    """Collects unexpected problems on a page: console errors, and requests to other hosts.

    All requests to other hosts fail (`FLAGS`). Playwright isn't asked for the others, because that takes a tenth of a
    second for each page.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        self.watch(context)

    def watch(self, context: BrowserContext) -> None:
        """Watch another browser profile as well."""
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self.problems.append(f"error: {error.error}"))
        context.on("requestfailed", self._on_failure)

    def _on_console(self, message: ConsoleMessage) -> None:
        # On a page with its own path, Streamlit first looks for its server under that path.
        if message.type == "error" and not _SERVER_PROBE.search(message.location.get("url", "")):
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _on_failure(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname not in ("127.0.0.1", "localhost"):
            self.problems.append(f"request to another host: {request.url}")


class Tab:
    """A browser profile with a tab. `timeout` is in milliseconds."""

    def __init__(self, browser: Browser, timeout: float) -> None:
        self.context = browser.new_context(viewport=VIEWPORT)
        self.context.set_default_timeout(timeout)
        self.watched = Watched(self.context)
        self._origins: set[str] = set()
        self.context.on("page", lambda page: page.on("framenavigated", self._note_origin))
        self.page = self.context.new_page()
        self._wire = self.context.new_cdp_session(self.page)
        self._is_altered = False
        self._undo: list[Callable[[], object]] = []
        for part in (self.context, self.page):
            self._note_listeners(part)
            self._note_routes(part)
        self._notice(self.context, *OF_BOTH, *OF_CONTEXTS)
        self._notice(self.page, *OF_BOTH, *OF_PAGES)
        self._notice(self.page.clock, *OF_CLOCKS)
        self._notice(self.page.mouse, "down")
        self._notice(self.page.keyboard, "down")
        self._without_widget = ""
        self._load = self.page.goto
        self.page.goto = self._goto  # type: ignore[assignment, method-assign]

    def _note_origin(self, frame: Frame) -> None:
        if urlsplit(frame.url).scheme != "about":
            self._origins.add(_origin(frame.url))

    def _notice(self, part: Any, *calls: str) -> None:
        """Notice whether one of these calls is made."""

        def noticed(call: Callable[..., Any]) -> Callable[..., Any]:
            def calling(*arguments: Any, **options: Any) -> Any:
                self._is_altered = True
                return call(*arguments, **options)

            return calling

        for name in calls:
            setattr(part, name, noticed(getattr(part, name)))

    def _goto(self, address: str, **options: Any) -> Response | None:
        """Open a page, or only mount its widget if that is all that the page on screen lacks: its files are loaded."""
        without_widget, self._without_widget = self._without_widget, ""
        if self._undo or address.partition("#")[0] != without_widget:  # a route may give the page other data
            return self._load(address, **options)
        self._origins.add(_origin(address))
        self.page.evaluate("(address) => { history.replaceState(null, '', address); mount(); }", address)
        return None

    def _note_listeners(self, part: Any) -> None:
        add = part.on

        def adding(event: Any, listener: Any) -> None:
            add(event, listener)
            self._undo.append(partial(part.remove_listener, event, listener))

        part.on = adding

    def _note_routes(self, part: Any) -> None:
        add = part.route

        def adding(*arguments: Any, **options: Any) -> None:
            add(*arguments, **options)
            self._undo.append(partial(part.unroute_all, behavior="ignoreErrors"))

        part.route = adding

    def clean(self) -> bool:
        """Undo what a test did. False if the tab has to be replaced."""
        if self._is_altered or self.page.is_closed() or len(self._origins) > 1:
            return False
        is_reusable = not self._undo  # a page may have got other data by a route
        while self._undo:
            self._undo.pop()()
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        try:
            for origin in self._origins:
                self._forget(origin, is_reusable)
        except Error:  # for instance, because the server has ended
            return False
        self._origins.clear()
        self.page.set_viewport_size(VIEWPORT)
        self.page.emulate_media(
            media="null", color_scheme="light", reduced_motion="no-preference", forced_colors="none", contrast="null"
        )
        self.page.mouse.move(-1, -1)
        return True

    def _forget(self, origin: str, is_reusable: bool) -> None:
        """Leave the page, upon which it may store something, and delete everything that the site has stored."""
        if not (is_reusable and self._unmount()):
            self._load(f"{origin}/{PLAIN}")
        self.page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); window.name = ''; }")
        self._wire.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": BESIDES})
        self.context.clear_cookies()
        self._wire.send("Page.resetNavigationHistory")

    def _unmount(self) -> bool:
        """Remove the widget of a page of `widget_pages`. False if the page is another, or was changed besides."""
        is_as_loaded = bool(self.page.evaluate("() => 'unmount' in window && unmount()"))
        self._without_widget = self.page.url.partition("#")[0] if is_as_loaded else ""
        return is_as_loaded

    def close(self) -> None:
        self.context.close()


def _origin(address: str) -> str:
    """Return the scheme, host and port of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
