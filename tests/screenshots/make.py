"""Take the README's screenshots, or a set of screenshots for visual review.

`python tests/screenshots/make.py` takes the README's; `--all FOLDER` takes every page, and the landing page with
several kinds of text, in both themes and at three widths, and saves them in FOLDER.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
sys.path.insert(0, str(Path(__file__).parent.parent / "browser"))
import harness
from serving import start_app

from pages import ComparePage, CompressionPage, ReplayPage, TokensPage, TrainPage
from tokviz.samples import sample

HERE = Path(__file__).parent
HEIGHTS = {375: 812, 1280: 800, 1920: 1080}
"""Of windows, by their widths."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
EXAMPLES = ("start", "prose-ar", "prose-ja", "prose-hi", "code-python", "whitespace-zero-width", "emoji-joined")


def take(page: Page, path: Path, height: int = 0) -> None:
    """Take a screenshot of the page from its top, with the pointer out of the way, after its fonts have loaded."""
    if height:
        page.set_viewport_size({"width": 1280, "height": height})
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.mouse.move(5, 5)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=path)


def take_tokens_page(page: Page, url: str) -> None:
    tokens = TokensPage.visit(page, url)
    tokens.text.locator(".t", has_text="istic").first.click()
    expect(page.locator(".merge-tree")).to_be_visible()
    expect(page.locator(".known")).to_have_text("100,000 merges known")  # and what the ways on say is computed
    expect(page.locator(".door", has_text="GPT-2 takes")).to_be_visible()
    take(page, HERE / "tokens.png")


def take_compare_page(page: Page, url: str) -> None:
    compare = ComparePage.open(page, f"{url}compare")
    compare.layer(0).locator(".cut", has_text="好").click()
    expect(compare.card.locator(".tag")).to_be_visible()
    take(page, HERE / "compare.png", 1000)


def take_replay_page(page: Page, url: str) -> None:
    page.emulate_media(reduced_motion="reduce")  # or characters are still on their way
    replay = ReplayPage.open(page, f"{url}replay")
    replay.seek(9)
    replay.track.blur()
    take(page, HERE / "replay.png")


def take_compression_page(page: Page, url: str) -> None:
    compression = CompressionPage.open(page, f"{url}compression?chart=Languages")
    page.set_viewport_size({"width": 1280, "height": 1600})
    compression.expect_charts(1)
    take(page, HERE / "compression.png")


def open_lesson_page(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".lesson")).to_be_visible()


def open_all(page: Page, url: str) -> Iterator[str]:
    """Open every page of the app in turn, as long as the caller looks. Yields its name."""
    ComparePage.open(page, f"{url}compare")
    yield "compare"
    ReplayPage.open(page, f"{url}replay")
    yield "replay"
    CompressionPage.open(page, f"{url}compression")
    yield "compression"
    TrainPage.open(page, url)
    yield "train"
    open_lesson_page(page, f"{url}lesson")
    yield "lesson"
    # Last, since all pages share a text that was chosen.
    tokens = TokensPage.visit(page, url)
    for name in EXAMPLES:
        tokens.examples.select_option(name)
        expect(tokens.count("bytes")).to_have_text(f"{len(sample(name).text.encode()):,}")
        yield name


def take_all(browser: Browser, url: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for scheme, (width, height) in product(SCHEMES, HEIGHTS.items()):
        is_phone = width < 600
        page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=is_phone, is_mobile=is_phone
        )
        for name in open_all(page, url):
            take(page, folder / f"{name}-{width}-{scheme}.png")
        page.close()


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
                take_all(browser, url, folder)
                return
            for take_page in (take_tokens_page, take_compare_page, take_replay_page, take_compression_page):
                page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
                take_page(page, url)
                page.close()
    finally:
        app.terminate()
        app.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="take screenshots for visual review instead")
    main(parser.parse_args().all)
