"""Training on the Train page's code path: seconds, and the peak memory of the largest process, by size of text.

`python tests/benchmarks/training_page.py` prints the tables; `--rounds N` sets the number of rounds (default 3). A file
of each size is decoded, every tenth line is held out, a child process trains with the page's default settings,
measures, and returns the tokenizer. For comparison, the table has the seconds of training alone. The second table
shows the effect on others: two people upload 20 MB each and train in a browser while 30 others type.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import harness
from playwright.sync_api import Browser, FilePayload, sync_playwright
from serving import start_app, type_together

SIZES_MB = (1, 10, 50)
VOCABULARY = 8192


def train_through_page(text: str) -> None:
    from tokviz.analysis.training.holdout import hold_out
    from tokviz.app.answers.visitors.text_files import decode_all
    from tokviz.app.shields.fairness.visitors import Visitor
    from tokviz.app.shields.processes.training_queue import Jobs
    from tokviz.app.shields.processes.training_recipes import Recipe

    texts, held_out = hold_out(decode_all([("corpus.txt", text.encode())]))
    job = Jobs().start(Visitor(""), texts, Recipe(VOCABULARY), held_out)
    while not job.ended:
        time.sleep(0.05)
    assert job.tokenizer is not None and job.report is not None, job.problem


def train_alone(text: str) -> None:
    import tokviz
    from tokviz.analysis.training.holdout import hold_out

    tokviz.train(hold_out([text]).learn, vocab_size=VOCABULARY, split_pattern="cl100k")


def one_job(how: str, megabytes: int) -> None:
    """Train once, by one of the two ways, and print the seconds."""
    data = harness.corpus(30_000_000).encode() * 4  # the standard library has less than 50 MB
    text = data[: megabytes * 1_000_000].decode("utf-8", "ignore")
    print(json.dumps(harness.seconds(partial(WAYS[how], text))))


WAYS = {"page": train_through_page, "alone": train_alone}


def begin_training(browser: Browser, port: int) -> None:
    """Upload a file on the page, and start training."""
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{port}/train?size=100000")
    file = FilePayload(name="corpus.txt", mimeType="text/plain", buffer=harness.corpus(20_000_000).encode())
    page.get_by_label("Text files to learn from").set_input_files(file)
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="cancel").wait_for()


def typing_beside(port: int, seconds: float) -> list[list[str]]:
    """Return rows with the latency of key presses of 30 people, before and while two others train."""
    rows = [_row("nobody trains", asyncio.run(type_together(30, seconds, port)))]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=harness.chromium(), args=["--no-sandbox", "--disable-gpu"])
        for _ in range(2):
            begin_training(browser, port)
        # Playwright's event loop runs in this thread.
        with ThreadPoolExecutor(1) as pool:
            waits = pool.submit(lambda: asyncio.run(type_together(30, seconds, port))).result()
        rows.append(_row("two train", waits))
        browser.close()
    return rows


def _row(what: str, waits: list[float]) -> list[str]:
    p95 = statistics.quantiles(waits, n=20)[-1]
    return [what, f"{len(waits):,}", f"{statistics.median(waits):.1f}", f"{p95:.1f}", f"{waits[-1]:.1f}"]


def main(rounds: int) -> None:
    heads = ["text", "page s", "training alone s", "page / alone", "page MB", "training alone MB"]
    rows = []
    for megabytes in SIZES_MB:
        figures = harness.run_in_turn(__file__, [[how, str(megabytes)] for how in WAYS], rounds)
        page, plain = (figures[how, str(megabytes)] for how in WAYS)
        ours, theirs = harness.median(page), harness.median(plain)
        seconds = [f"{ours.seconds:.1f}", f"{theirs.seconds:.1f}", f"{harness.ratio(page, plain):.2f}"]
        rows.append([f"{megabytes} MB", *seconds, f"{ours.megabytes:.0f}", f"{theirs.megabytes:.0f}"])
        print(".", end="", file=sys.stderr, flush=True)
    print(*harness.table(heads, rows), sep="\n")
    app, port = start_app()
    try:
        rows = typing_beside(port, 10)
    finally:
        app.terminate()
        app.wait()
    heads = ["30 people type while", "key presses", "median ms", "95th percentile ms", "longest ms"]
    print("", *harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("job", nargs="*", help="page or alone, and megabytes, to run just that")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.job:
        one_job(arguments.job[0], int(arguments.job[1]))
    else:
        main(arguments.rounds)
