"""What a class waits for on the Merge replay page: opening a text, a seek, a frame while it plays; and the bytes sent.

`python tests/benchmarks/replay.py` starts the app, opens headless Chromium and prints the table; `--seeks N` (default
30) for more patience. A seek is timed from the slider's event to the first frame after it, so 17 ms is the least; its
own work, without waiting for that frame, stands beside it. Frames are those of two seconds of playing, 60 merges a
second. "Learn" is 5,000 merges over 20 KB without a split.
"""

import argparse
import statistics
from typing import Any

import harness
from browser import stop
from playwright.sync_api import Browser, Page, sync_playwright
from serving import start_app

SIZES = (1_000, 20_000, 100_000)

# The widget stands in a shadow root.
FIND = """() => { window.widget = [...document.querySelectorAll("*")]
    .map((element) => element.shadowRoot?.querySelector(".replay")).find(Boolean); }"""

OPEN = """([label, text]) => new Promise((resolve) => {
    const box = widget.querySelector(`[aria-label="${label}"]`);
    const from = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => { setTimeout(() => resolve(performance.now() - from)); });
    }).observe(widget.querySelector(".step-track"), { attributeFilter: ["max"] });
    box.value = text;
    box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
})"""

SEEK = """share => new Promise((resolve) => {
    const track = widget.querySelector(".step-track");
    track.value = Math.round(share * track.max);
    requestAnimationFrame(() => {
        const from = performance.now();
        track.dispatchEvent(new InputEvent("input", { bubbles: true }));
        const worked = performance.now() - from;
        requestAnimationFrame(() => { setTimeout(() => resolve([worked, performance.now() - from])); });
    });
})"""

PLAY = """() => new Promise((resolve) => {
    const frames = [];
    let before = null;
    const begin = performance.now();
    widget.querySelector(".main").click();
    const frame = (now) => {
        if (before !== null) frames.push(now - before);
        before = now;
        if (now - begin < 2000) requestAnimationFrame(frame);
        else { widget.querySelector(".main").click(); resolve(frames); }
    };
    requestAnimationFrame(frame);
})"""


def open_page(browser: Browser, url: str, story: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{url}replay")
    page.locator(".symbols > *").first.wait_for()
    page.evaluate(FIND)
    if story == "learn":
        page.get_by_role("radio", name="Learn").check()
        page.locator(".learn").get_by_label("Merges").fill("5000")
        page.locator(".learn").get_by_label("Merges").press("Tab")
        page.wait_for_timeout(500)
    page.get_by_label("Speed").select_option("60")
    return page


def measure(browser: Browser, url: str, story: str, size: int, seeks: int) -> dict[str, Any]:
    """Milliseconds and bytes for one text."""
    page = open_page(browser, url, story)
    sent: list[int] = []
    page.on("response", lambda answer: sent.append(_size(answer)) if "_tokviz/replay" in answer.url else None)
    label = "Your text" if story == "apply" else "Text to learn from"
    opened = page.evaluate(OPEN, [label, harness.corpus(size)])
    page.wait_for_timeout(1000)
    took = [page.evaluate(SEEK, (number * 0.618) % 1) for number in range(seeks)]
    page.evaluate(SEEK, 0.3)
    frames = sorted(page.evaluate(PLAY))
    page.context.close()
    return {
        "open": opened,
        "work": statistics.median(work for work, _ in took),
        "seek": statistics.median(whole for _, whole in took),
        "slowest": max(whole for _, whole in took),
        "frame": statistics.median(frames),
        "frame95": frames[int(len(frames) * 0.95)],
        "sent": sent[-1],
    }


def _size(answer: Any) -> int:
    return int(answer.headers.get("content-length", 0))


def main(seeks: int) -> None:
    app, port = start_app()
    rows = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=harness.chromium(),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            )
            url = f"http://127.0.0.1:{port}/"
            for story, size in [("apply", size) for size in SIZES] + [("learn", 20_000)]:
                found = measure(browser, url, story, size, seeks)
                figures = [f"{found[name]:.0f}" for name in ("open", "work", "seek", "slowest", "frame", "frame95")]
                rows.append([f"{story}, {size // 1000} KB", *figures, f"{found['sent'] / 1000:.0f}"])
            browser.close()
    finally:
        stop(app)
    heads = ["text", "open, ms", "a seek's work", "to its frame", "slowest", "frame while playing", "95 %", "sent, KB"]
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeks", type=int, default=30)
    main(parser.parse_args().seeks)
