"""Make the pictures of the README, and any others to judge by eye.

`python tests/screenshots/make.py` makes the README's; `--all FOLDER` makes the landing page in both themes, at three
widths, with texts of several kinds, into FOLDER.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import harness
from serving import start_app

README_PICTURE = Path(__file__).parent / "tokens.png"
COMPARE_PICTURE = Path(__file__).parent / "compare.png"
REPLAY_PICTURE = Path(__file__).parent / "replay.png"
COMPRESSION_PICTURE = Path(__file__).parent / "compression.png"
WIDTHS = (375, 1280, 1920)
EXAMPLES = ("start", "prose-ar", "prose-ja", "prose-hi", "code-python", "whitespace-zero-width", "emoji-joined")


def open_page(browser: Browser, url: str, width: int, scheme: str) -> Page:
    """The landing page, with its tokens colored."""
    context = browser.new_context(
        viewport={"width": width, "height": 812 if width < 800 else 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(url)
    page.locator(".t").first.wait_for()
    return page


def choose_example(page: Page, name: str) -> None:
    """Take an example from the menu and wait until it is colored."""
    page.get_by_label("Examples").select_option(name)
    page.wait_for_timeout(1500)


def make_readme_picture(browser: Browser, url: str) -> None:
    page = open_page(browser, url, 1280, "light")
    page.locator(".t", has_text="istic").first.click()
    page.locator(".merge-tree").wait_for()
    page.mouse.move(5, 5)
    page.screenshot(path=README_PICTURE)


def make_compare_picture(browser: Browser, url: str) -> None:
    page = open_page(browser, url, 1280, "light")
    page.get_by_role("link", name="Compare").click()
    page.get_by_text("13 differences").wait_for()
    for place in ("1 of 13", "2 of 13"):
        page.get_by_role("button", name="next").click()
        page.get_by_text(place, exact=True).first.wait_for()
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.mouse.move(5, 5)
    page.wait_for_timeout(3000)
    page.screenshot(path=COMPARE_PICTURE)


def make_replay_picture(browser: Browser, url: str) -> None:
    page = open_page(browser, url, 1280, "light")
    page.get_by_role("link", name="Merge replay").click()
    track = page.get_by_role("slider", name="Step")
    track.wait_for()
    page.set_viewport_size({"width": 1280, "height": 1240})
    track.fill("9")
    page.wait_for_timeout(1500)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.wait_for_timeout(500)
    page.screenshot(path=REPLAY_PICTURE)


def make_compression_picture(browser: Browser, url: str) -> None:
    page = open_page(browser, url, 1280, "light")
    page.get_by_role("link", name="Compression").click()
    page.get_by_role("radio", name="Languages").click()
    page.get_by_role("figure", name="Which languages pay more?").wait_for()
    page.set_viewport_size({"width": 1280, "height": 1480})
    page.wait_for_timeout(1500)
    page.mouse.move(5, 5)
    page.screenshot(path=COMPRESSION_PICTURE)


def make_all(browser: Browser, url: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            page = open_page(browser, url, width, scheme)
            for name in EXAMPLES:
                choose_example(page, name)
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            page.context.close()


def main(folder: Path | None) -> None:
    app, port = start_app()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=harness.chromium(),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            )
            url = f"http://127.0.0.1:{port}/"
            if folder:
                make_all(browser, url, folder)
            else:
                make_readme_picture(browser, url)
                make_compare_picture(browser, url)
                make_replay_picture(browser, url)
                make_compression_picture(browser, url)
            browser.close()
    finally:
        app.terminate()
        app.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="make pictures to judge by eye instead")
    main(parser.parse_args().all)
