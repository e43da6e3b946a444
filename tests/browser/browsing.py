"""Shared by browser tests: Chromium's flags, starting apps, and accessibility checks by axe-core."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect
from running_app import wait_until_healthy

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


@contextmanager
def served(port: int, *options: str, path: str = "") -> Iterator[str]:
    """Run the app as `streamlit run app.py OPTIONS` does, and yield its address, which ends in a slash."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    with subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL) as app:
        url = f"http://127.0.0.1:{port}/{path}"
        try:
            wait_until_healthy(url, app)
            yield url
        finally:
            app.terminate()


def accessibility_violations(page: Page, colors_only: bool = False) -> list[dict[str, Any]]:
    """Return what axe-core finds on the page, to which it is given once. All else that it reports stays there.

    Frames, in which it isn't, are not waited for, nor style sheets loaded again, for a rule that is off by default.
    With `colors_only`, only contrast is looked at: of a page that passed in another theme, nothing else has changed.
    """
    if page.evaluate("() => !('axe' in window)"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "iframes": False, "preload": {"assets": ["media"]}}
    rules = {"runOnly": ["color-contrast"]} if colors_only else {}
    run = "options => axe.run(options).then(({ violations }) => violations)"
    return list(page.evaluate(run, options | rules))


def expect_accessible(page: Page, look: str = "", colors_only: bool = False) -> None:
    """Assert that axe-core finds nothing serious on the page. `look` names the theme and width in the message."""
    serious = [
        f"{found['id']}: {found['help']}: {[node['html'][:200] for node in found['nodes'][:3]]}"
        for found in accessibility_violations(page, colors_only)
        if found["impact"] in ("serious", "critical") or found["id"] == "heading-order"
    ]
    assert not serious, "\n".join([look, *serious])
