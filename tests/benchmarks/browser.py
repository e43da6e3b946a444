"""Latencies in a browser: key press to recolored text, a paste of 1 MB, the start, the first visit.

`python tests/benchmarks/browser.py` starts the app, opens headless Chromium and prints the tables; `--presses N`
(default 30) sets the number of key presses. A key press is timed from its event to the first frame after the
colored text changed.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import harness
from playwright.sync_api import Browser, Page, sync_playwright
from serving import ROOT, start_app, start_streamlit, wait_until_healthy

SIZES = (1_000, 10_000, 100_000)
PAGES = ("", "compare", "replay", "train", "lesson")
"""Pages that draw no chart."""

STARTS = 8
"""Pairs of starts, of the app and of a page that says "hi"."""

# What ends a start. Playwright asks at each frame, and for a locator only twice a second.
SAYS_HI = """() => document.querySelector("[data-testid=stMarkdown]")?.textContent.trim() === "hi" """
HAS_TOKENS = """() => [...document.querySelectorAll("*")].some(
    (element) => element.shadowRoot?.querySelector(".t")?.getClientRects().length)"""

# The colored text changes within the widget's shadow root; a frame is painted when a task after its
# requestAnimationFrame runs.
WATCH = """() => {
    const roots = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean);
    const root = roots.find((one) => one.querySelector(".t"));
    window.waits = [];
    let pressed = null;
    root.querySelector("textarea").addEventListener("keydown", () => { pressed = performance.now(); });
    new MutationObserver(() => {
        if (pressed === null) return;
        const from = pressed;
        pressed = null;
        requestAnimationFrame(() => { setTimeout(() => window.waits.push(performance.now() - from)); });
    }).observe(root, { subtree: true, childList: true, characterData: true });
}"""


# About a finger's width per frame, like a fast mouse wheel.
SCROLL = """() => new Promise((resolve) => {
    const roots = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean);
    const view = roots.map((root) => root.querySelector(".token-view")).find(Boolean);
    const frames = [];
    let before = null;
    const frame = (now) => {
        if (before !== null) frames.push(now - before);
        before = now;
        view.scrollTop += 100;
        if (frames.length < 300) requestAnimationFrame(frame);
        else resolve(frames);
    };
    requestAnimationFrame(frame);
})"""


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(url)
    page.locator(".t").first.wait_for()
    return page


def key_presses(browser: Browser, url: str, size: int, presses: int) -> list[float]:
    """Return the milliseconds from key press to frame, typing at the end of a text."""
    page = open_page(browser, url)
    editor = page.get_by_role("textbox", name="Text")
    editor.evaluate(
        """(editor, text) => {
            editor.focus();
            editor.setRangeText(text, 0, editor.value.length, "end");
            editor.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
        }""",
        harness.corpus(size),
    )
    page.wait_for_timeout(3000)
    page.evaluate(WATCH)
    for number in range(presses + 3):
        page.keyboard.press("etaoinshrdlu"[number % 12])
        page.wait_for_function("number => window.waits.length > number", arg=number)
        page.wait_for_timeout(120)
    waits: list[float] = page.evaluate("window.waits")
    page.context.close()
    return waits[3:]


def paste(browser: Browser, url: str, size: int) -> tuple[float, list[float]]:
    """Return the milliseconds from a paste to the first frame with tokens, and of each frame of scrolling after it."""
    page = open_page(browser, url)
    text = "Pasted. " + harness.corpus(size)
    page.get_by_role("textbox", name="Text").select_text()
    took: float = page.evaluate(
        """text => new Promise((resolve) => {
            const roots = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean);
            const root = roots.find((one) => one.querySelector(".t"));
            const editor = root.querySelector("textarea");
            editor.focus();
            editor.select();
            const from = performance.now();
            new MutationObserver((_, observer) => {
                if (!root.querySelector(".t")?.textContent.startsWith("P")) return;
                observer.disconnect();
                requestAnimationFrame(() => { setTimeout(() => resolve(performance.now() - from)); });
            }).observe(root, { subtree: true, childList: true, characterData: true });
            // What a browser says of a paste before it makes it; the editor makes long ones itself.
            const pasted = { data: text, inputType: "insertFromPaste", cancelable: true, bubbles: true };
            editor.dispatchEvent(new InputEvent("beforeinput", pasted));
        })""",
        text,
    )
    page.wait_for_timeout(500)
    frames: list[float] = page.evaluate(SCROLL)
    page.context.close()
    return took, frames


def first_visit(browser: Browser, url: str) -> int:
    """Return the bytes transferred until nothing more is, in a fresh browser profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    received = [0]
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
    wire.on("Network.webSocketFrameReceived", lambda event: received.append(len(event["response"]["payloadData"])))
    page.goto(url)
    page.locator('[data-testid=stApp][data-test-script-state="notRunning"]').wait_for()
    page.get_by_role("button", name="share").wait_for()
    page.wait_for_load_state("networkidle")
    context.close()
    return sum(received)


def visit(browser: Browser, url: str, shown: str) -> float:
    """Return the seconds from navigation in a fresh browser profile until `shown`, a function's source, is true."""
    start = time.perf_counter()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(url)
    page.wait_for_function(shown)
    took = time.perf_counter() - start
    context.close()
    return took


def cold_start(browser: Browser, script: Path, shown: str) -> float:
    """Return the seconds from `streamlit run` until `shown` is true in a fresh browser profile."""
    start = time.perf_counter()
    app, port = start_streamlit(script)
    try:
        url = f"http://127.0.0.1:{port}/"
        wait_until_healthy(url, app)
        healthy = time.perf_counter() - start
        return healthy + visit(browser, url, shown)
    finally:
        stop(app)


def cold_starts(browser: Browser, pairs: int) -> list[tuple[float, float]]:
    """Return the seconds of each start of the app, and of a page of Streamlit's that says "hi", in turn."""
    with tempfile.TemporaryDirectory() as folder:
        hi = Path(folder, "hi.py")
        hi.write_text('import streamlit as st\n\nst.write("hi")\n', "utf-8")
        jobs = ((ROOT / "app.py", HAS_TOKENS), (hi, SAYS_HI))
        for script, shown in jobs:  # from the disk the first time
            cold_start(browser, script, shown)
        pages = [[cold_start(browser, script, shown) for script, shown in jobs] for _ in range(pairs)]
    return [(ours, theirs) for ours, theirs in pages]


def stop(app: "subprocess.Popen[bytes]") -> None:
    app.terminate()
    app.wait()


def main(presses: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=harness.chromium(),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        starts = cold_starts(browser, STARTS)
        app, port = start_app()
        url = f"http://127.0.0.1:{port}/"
        try:
            rows = []
            for size in SIZES:
                waits = sorted(key_presses(browser, url, size, presses))
                rows.append([f"{size // 1000} KB", f"{statistics.median(waits):.0f}", f"{waits[-2]:.0f}"])
            print(*harness.table(["text", "key press to frame, median ms", "second longest"], rows), sep="\n")
            pastes = [paste(browser, url, 1_000_000) for _ in range(3)]
            frames = [frame for _, scrolled in pastes for frame in scrolled]
            visits = [visit(browser, url, HAS_TOKENS) for _ in range(3)]
            sizes = {page: first_visit(browser, url + page) for page in PAGES}
        finally:
            stop(app)
        browser.close()
    print()
    rows = [
        [
            "paste of 1 MB to the first frame with its tokens",
            f"{statistics.median(one for one, _ in pastes) / 1000:.2f} s",
        ],
        ["then a frame while scrolling, median / longest", f"{statistics.median(frames):.0f} / {max(frames):.0f} ms"],
        ["`streamlit run` to the first colored tokens", f"{statistics.median(ours for ours, _ in starts):.1f} s"],
        [
            'the same against a page that says "hi"',
            f"{statistics.median(ours / theirs for ours, theirs in starts):.2f} times",
        ],
        ["a first visit to a running app, to colored tokens", f"{statistics.median(visits):.1f} s"],
        *([f"a first visit to /{page}, on the wire", f"{size / 1e6:.2f} MB"] for page, size in sizes.items()),
    ]
    print(*harness.table(["what", "median"], rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=30)
    main(parser.parse_args().presses)
