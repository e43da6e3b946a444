"""Latencies on the Merge replay page: opening a text, a seek, a frame during playback, a key press while merges are
learned from what is typed; and the bytes sent. And those of the slider of merges known on Tokens.

`python tests/benchmarks/replay.py` starts the app, opens headless Chromium and prints the table; `--seeks N` (default
30) sets the number of seeks, and `--only NAME` measures one kind of text. "Tower" is a text that is drawn as a tower:
of 300 bytes, as is without asking, or of 1,000; the others flow. Seeks are spread over the replay, most of them to
another part of the text. A seek's work is the time until everything is laid out; "painted" is when the browser has
finished that frame and is idle again, which should be within 17 ms, the time of one frame. Frames are those of two
seconds of playback at 60 merges per second.
"Sent" is the compressed size of the data sent to the page; "taken away" is the page that plays without a network.
"Learn" requests 5,000 merges over 20 KB without a split; there, after as many steps as the table shows, no pair occurs
twice. With "pre-token", each join is a separate step.

"Learn while typing" is a key pressed within a text that merges are learned from: until its request is answered, and
until the tower or the running text of all merges is painted anew.

"Merges known" is the Tokens page with its slider open, in both of its views with letters. Jumps go to another part of
the scale each, and before each the tokens rest: what is drawn then is no part of it. A drag moves by half a percent of
the scale in each frame.
"""

import argparse
import statistics
from itertools import product
from typing import Any

import harness
from browser import stop
from playwright.sync_api import Browser, Page, sync_playwright
from serving import start_app

import tokviz
from tokviz.bpe.merge_replay import Order
from tokviz.widgets import columns, replays

TOKENIZER = "cl100k_base"
KNOWN = "merges known"
TYPED = "learn while typing"
VIEWS = ("Text", "Text + ids")
MERGES = 5_000
JOBS = [
    *(("tower", size) for size in (300, 1_000)),
    *(("apply", size) for size in (1_000, 20_000, 100_000)),
    ("pre-token", 20_000),
    ("learn", 20_000),
]
KNOWN_SIZES = (1_000, 10_000, 100_000)
TYPED_SIZES = (300, 1_000, 5_000, 20_000)
REST_MS = 200
"""Pause between two jumps, in which the tokens rest, and between two key presses."""

# The widget is in a shadow root.
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
        widget.getBoundingClientRect();
        const worked = performance.now() - from;
        const { port1, port2 } = new MessageChannel();  // its message is read once the frame is painted
        port1.onmessage = () => resolve([worked, performance.now() - from]);
        port2.postMessage(0);
    });
})"""

# Between two frames, as a pointer's moves are handled. Painted: the work, and the next frame without waiting for it.
MOVE = """([place, rest]) => new Promise((resolve) => {
    const track = widget.querySelector(".fewer .track");
    const [between, painted] = [new MessageChannel(), new MessageChannel()];
    let begun;
    between.port1.onmessage = () => {
        requestAnimationFrame(() => { begun = performance.now(); });
        const from = performance.now();
        track.value = place;
        track.dispatchEvent(new InputEvent("input", { bubbles: true }));
        const worked = performance.now() - from;
        painted.port1.onmessage = () => resolve([worked, worked + performance.now() - begun]);
        requestAnimationFrame(() => painted.port2.postMessage(0));
    };
    setTimeout(() => requestAnimationFrame(() => between.port2.postMessage(0)), rest);
})"""

# The page is marked while an answer is to come.
PRESS = """([key, rest]) => new Promise((resolve) => setTimeout(() => {
    const box = widget.querySelector(`[aria-label="Text to learn from"]`);
    const middle = Math.round(box.value.length / 2);
    box.setRangeText(key, middle, middle, "end");
    const from = performance.now();
    let answered;
    const { port1, port2 } = new MessageChannel();  // its message is read once the frame is painted
    port1.onmessage = () => resolve([answered, performance.now() - from]);
    new MutationObserver((_, observer) => {
        if (widget.hasAttribute("data-asking")) return;
        observer.disconnect();
        answered = performance.now() - from;
        requestAnimationFrame(() => port2.postMessage(0));
    }).observe(widget, { attributeFilter: ["data-asking"] });
    box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
}, rest))"""

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
    page.locator(".stage").wait_for()
    page.evaluate(FIND)
    if story in ("learn", TYPED):
        page.get_by_label("What to watch").select_option("learn")
    if story == TYPED:
        return page
    page.get_by_role("button", name="Settings", exact=True).click()
    folded = page.locator(".folded")
    if story == "learn":
        folded.get_by_label("Merges").fill(str(MERGES))
        folded.get_by_label("Merges").press("Tab")
    elif story == "pre-token":
        folded.get_by_label("Order").select_option("pretoken")
    page.get_by_role("switch", name="tower").uncheck()
    if story == "tower":
        page.get_by_role("switch", name="tower").check()  # asked for, for longer texts as well
    page.wait_for_timeout(500)
    page.get_by_label("Speed").select_option("60")
    return page


def measure(browser: Browser, url: str, story: str, size: int, seeks: int) -> dict[str, float]:
    """Return the milliseconds and bytes for one text."""
    page = open_page(browser, url, story)
    sent: list[int] = []
    page.on("response", lambda answer: sent.append(_size(answer)) if "_tokviz/replay" in answer.url else None)
    label = "Text to learn from" if story == "learn" else "Your text"
    opened = page.evaluate(OPEN, [label, harness.corpus(size)])
    page.wait_for_timeout(1000)
    took = [page.evaluate(SEEK, (number * 0.618) % 1) for number in range(seeks)]
    page.evaluate(SEEK, 0.3)
    frames = sorted(page.evaluate(PLAY))
    steps = page.evaluate("Number(widget.querySelector('.step-track').max)")
    page.context.close()
    painted = sorted(whole for _, whole in took)
    return {
        "steps": steps,
        "open": opened,
        "work": statistics.median(work for work, _ in took),
        "painted": statistics.median(painted),
        "painted95": painted[int(len(painted) * 0.95)],
        "frame": statistics.median(frames),
        "frame95": frames[int(len(frames) * 0.95)],
        "sent": sent[-1] / 1000,
        "taken": len(saved_page(story, harness.corpus(size)).encode()) / 1000,
    }


def measure_typed(page: Page, size: int, presses: int) -> dict[str, float]:
    """Return the milliseconds of key presses within a text that merges are learned from."""
    page.get_by_label("Text to learn from").fill(harness.corpus(size))
    page.wait_for_timeout(1000)
    took = [page.evaluate(PRESS, ["etaoin"[number % 6], REST_MS]) for number in range(presses)]
    painted = sorted(whole for _, whole in took)
    return {
        "answered": statistics.median(answered for answered, _ in took),
        "painted": statistics.median(painted),
        "painted95": painted[int(len(painted) * 0.95)],
    }


def measure_known(page: Page, size: int, view: str, seeks: int) -> dict[str, float]:
    """Return the milliseconds of jumps and drags of the slider of merges known."""
    page.get_by_role("radio", name=view, exact=True).check(force=True)
    page.get_by_label("Your text").fill(harness.corpus(size).encode()[:size].decode(errors="ignore"))
    page.get_by_label("Your text").blur()
    page.wait_for_timeout(1000)
    found: dict[str, float] = {}
    for name, rest, places in (
        ("jump", REST_MS, [(number * 0.618) % 1 for number in range(seeks)]),
        ("drag", 0, [0.4 + 0.005 * number for number in range(seeks)]),
    ):
        took = [page.evaluate(MOVE, [place, rest]) for place in places]
        painted = sorted(whole for _, whole in took)
        found |= {f"{name}: work": statistics.median(work for work, _ in took)}
        found |= {f"{name}: painted": statistics.median(painted), f"{name}: 95": painted[int(len(painted) * 0.95)]}
    return found


def open_slider(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(url)
    page.locator(".t").first.wait_for()
    page.get_by_text("Settings", exact=True).click()
    page.get_by_role("slider", name="Merges known").focus()
    page.locator(".fewer b", has_text="000").wait_for()  # the merges of the text are known
    page.evaluate(FIND.replace(".replay", ".tokens"))
    return page


def saved_page(story: str, text: str) -> str:
    """Return the page that "take it away" saves."""
    if story == "learn":
        trained = tokviz.train(text, num_merges=MERGES, split_pattern=None)
        return replays.page(*columns.learn_columns(trained.replay(text)))
    order: Order = "pretoken" if story == "pre-token" else "rank"
    return replays.page(*columns.apply_columns(tokviz.load(TOKENIZER).replay(text, order=order)))


def _size(answer: Any) -> int:
    return int(answer.headers.get("content-length", 0))


def main(seeks: int, only: str | None) -> None:
    app, port = start_app()
    rows, known, typed = [], [], []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=harness.chromium(),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            )
            for story, size in (job for job in JOBS if only in (None, job[0])):
                found = measure(browser, f"http://127.0.0.1:{port}/", story, size, seeks)
                kilobytes = f"{size // 1000} KB" if size >= 1000 else f"{size} bytes"
                rows.append([f"{story}, {kilobytes}", *(f"{value:,.0f}" for value in found.values())])
            if only in (None, TYPED):
                page = open_page(browser, f"http://127.0.0.1:{port}/", TYPED)
                for size in TYPED_SIZES:
                    found = measure_typed(page, size, seeks)
                    typed.append([f"{size:,} bytes", *(f"{value:,.0f}" for value in found.values())])
            if only in (None, KNOWN):
                page = open_slider(browser, f"http://127.0.0.1:{port}/")
                for size, view in product(KNOWN_SIZES, VIEWS):
                    found = measure_known(page, size, view, seeks)
                    known.append([f"{size // 1000} KB, {view}", *(f"{value:,.0f}" for value in found.values())])
            browser.close()
    finally:
        stop(app)
    heads = ["text", "steps", "open, ms", "a seek's work, ms", "painted", "95 %", "frame while playing, ms", "95 %"]
    if rows:
        print(*harness.table([*heads, "sent, KB", "taken away, KB"], rows), sep="\n")
    if typed:
        print(*harness.table([TYPED, "answered, ms", "painted", "95 %"], typed), sep="\n")
    if known:
        heads = [
            KNOWN,
            *(f"{name}: {what}" for name in ("a jump", "a drag") for what in ("work, ms", "painted", "95 %")),
        ]
        print(*harness.table(heads, known), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeks", type=int, default=30)
    parser.add_argument("--only", choices=sorted({KNOWN, TYPED, *(story for story, _ in JOBS)}))
    chosen = parser.parse_args()
    main(chosen.seeks, chosen.only)
