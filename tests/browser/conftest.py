"""Fixtures for browser tests: a headless browser and a running app.

An installed Chrome or Chromium is used, or else Playwright's own. If there is neither, these tests are skipped with
that reason; under CI they fail instead.
"""

import math
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import FLAGS, INSTALLED, TIMEOUT_MS, served
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from running_app import free_port
from tabs import Tab, Watched
from widget_pages import served_widgets


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and run them last, because Playwright's event loop keeps running.

    Files that start servers of their own come first, and then long files, so that no worker begins a slow one when the
    other is done.
    """
    sources = {path: path.read_bytes() for path in Path(__file__).parent.glob("test_*.py")}
    for item in items:
        if item.path in sources:
            item.add_marker(pytest.mark.browser)
    slowness = {path: (bool(re.search(rb"\bserved\(", source)), len(source)) for path, source in sources.items()}
    items.sort(key=lambda item: slowness.get(item.path, (True, math.inf)), reverse=True)


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
