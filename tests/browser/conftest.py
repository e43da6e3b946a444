"""Fixtures for browser tests: a headless browser and a running app.

An installed Chrome or Chromium is used, or else Playwright's own. If there is neither, these tests are skipped with
that reason; under CI they fail instead.
"""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, expect, sync_playwright
from widget_pages import served_widgets

# Maximum wait; passing tests do not reach it.
TIMEOUT_MS = 30_000
expect.set_options(timeout=TIMEOUT_MS)

ROOT = Path(__file__).parent.parent.parent
# The first is Chromium without a window system, which saves a quarter of the time.
INSTALLED = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
# No sandbox: test machines and containers often run as root, which Chromium's sandbox refuses. Requests to other hosts
# fail. The rest keeps it from calling home, which the tests would report.
FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and run them last, because Playwright's event loop keeps running.

    Long files come first, so that no worker begins one when the other is done.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
    lengths = {path: path.stat().st_size for path in here.glob("test_*.py")}
    items.sort(key=lambda item: (here in item.path.parents, -lengths.get(item.path, 0)))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=installed, args=list(FLAGS))
        except Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no Chrome or Chromium that starts: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


def free_port() -> int:
    """Return an unused port, below those of outgoing connections, of which one might take it meanwhile."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("", port))
            return port


@contextmanager
def served(port: int, *options: str, path: str = "") -> Iterator[str]:
    """Run the app as `streamlit run app.py OPTIONS` does, and yield its address, which ends in a slash."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL) as app:
        url = f"http://127.0.0.1:{port}/{path}"
        try:
            _wait_until_healthy(f"{url}_stcore/health", app)
            yield url
        finally:
            app.terminate()


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """Address of the app that the tests share. Ends in a slash."""
    with served(free_port()) as url:
        yield url


@pytest.fixture(scope="session")
def widgets_url() -> Iterator[str]:
    """Address of the widgets' pages without Streamlit. Ends in a slash."""
    with served_widgets() as url:
        yield url


def _wait_until_healthy(url: str, app: subprocess.Popen[bytes], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert app.poll() is None, "the app ended before it was up"
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:  # connection refused, or timed out
            time.sleep(0.1)
    raise AssertionError(f"the app did not answer at {url} within {seconds} seconds")


def expect_accessible(page: Page, look: str = "") -> None:
    """Assert that axe-core finds nothing serious on the page. `look` names the theme and width in the message."""
    serious = [
        f"{found['id']}: {found['help']}: {[node['html'][:200] for node in found['nodes'][:3]]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join([look, *serious])


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


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile, 1280 x 800."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


@pytest.fixture
def watched(context: BrowserContext) -> Iterator[Watched]:
    """Fails the test on unexpected problems. A test that provokes an error clears `problems` itself."""
    watched = Watched(context)
    yield watched
    assert not watched.problems, "\n".join(watched.problems)


@pytest.fixture
def page(context: BrowserContext, watched: Watched) -> Page:
    """A new tab."""
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    return page
