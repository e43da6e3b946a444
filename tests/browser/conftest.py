"""Fixtures for browser tests: a headless browser and a running app.

An installed Chrome or Chromium is used, or else Playwright's own. If there is neither, these tests are skipped with
that reason; under CI they fail instead.
"""

import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright
from tabs import Tab, Watched
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


def accessibility_violations(page: Page) -> list[dict[str, Any]]:
    """Return what axe-core finds on the page, to which it is given once. All else that it reports stays there."""
    if page.evaluate("() => !('axe' in window)"):
        page.evaluate(AXE_SCRIPT)
    run = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
    return list(page.evaluate(run))


def expect_accessible(page: Page, look: str = "") -> None:
    """Assert that axe-core finds nothing serious on the page. `look` names the theme and width in the message."""
    serious = [
        f"{found['id']}: {found['help']}: {[node['html'][:200] for node in found['nodes'][:3]]}"
        for found in accessibility_violations(page)
        if found["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join([look, *serious])


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Iterator[list[Tab]]:
    """The tab that tests use one after the other, once there is one."""
    tabs: list[Tab] = []
    yield tabs
    for tab in tabs:
        tab.close()


@pytest.fixture
def tab(browser: Browser, tabs: list[Tab]) -> Iterator[Tab]:
    """A tab as if it were new, in a browser profile as if it were new, 1280 x 800."""
    if not tabs:
        tabs.append(Tab(browser, TIMEOUT_MS))
    yield tabs[0]
    if not tabs[0].clean():
        tabs.pop().close()


@pytest.fixture
def context(tab: Tab) -> BrowserContext:
    """The browser profile of the tab."""
    return tab.context


@pytest.fixture
def watched(tab: Tab) -> Iterator[Watched]:
    """Fails the test on unexpected problems. A test that provokes an error clears `problems` itself."""
    watched = tab.watched
    watched.problems.clear()
    yield watched
    assert not watched.problems, "\n".join(watched.problems)


@pytest.fixture
def page(tab: Tab, watched: Watched) -> Page:
    """The tab."""
    return tab.page
