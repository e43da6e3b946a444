"""How many Python functions the server calls for a key press: the same number on every machine.

The whole request is counted, as the server hands it to the app: middleware, route, the lane's thread, response.
Left out are the event loop, its futures and threads, which wake up more or less often from run to run.

Python looks at no token and no line; that is numpy's and tiktoken's work. What grows with the text, words that are
counted and differences that are explained, is asked for only in texts of up to 20 KB. Each step of a generator or of a
coroutine is a call.
"""

import asyncio
import concurrent.futures
import selectors
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import FrameType
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.types import Message

import tokviz
from tokviz.app import server
from tokviz.app.shields.fairness import lanes
from tokviz.samples import samples

KINDS = {
    "lines": "".join(f"{each.text}\n" for each in samples() if each.kind == "code"),
    "paragraph": " ".join(each.text for each in samples() if each.lang == "en").replace("\n", " "),
    "scripts": "".join(f"{each.text}\n" for each in samples() if each.kind == "prose"),
}
SIZES = (1_000, 10_000, 100_000)

THREE = "gpt2,cl100k_base,o200k_base"
RECIPE = {"alphabet": "bytes", "ties": "first-seen", "pattern": "gpt2"}
MOST: dict[str, tuple[str, dict[str, object], int, int]] = {
    "tokens": ("tokenize", {"tokenizer": "gpt2"}, 480, 0),
    "tokens, with counts": ("tokenize", {"tokenizer": "gpt2", "counts": 1}, 490, 30),
    "pre-tokens": ("pretokens", {"tokenizer": "gpt2"}, 520, 530),
    "comparison": ("compare", {"tokenizers": THREE}, 1_260, 0),
    "comparison, with reasons": ("compare", {"tokenizers": THREE, "reasons": 1}, 15_000, 12_500),
    "how a training cuts": ("train/try", RECIPE | {"length": 1_000}, 1_500, 0),
}
"""The route, its query, and at most how many calls: for any text, and for each 1,000 bytes. Needed are:

| request | for any text | for each 1,000 bytes |
| --- | --- | --- |
| tokens | 370, or 465 in a lane, which charges its time: 220 for middleware, route, headers; packing | 0 |
| the same with counts, of texts of up to 20 KB | 440 to 485 | 0 to 27: two for each run of combining marks |
| pre-tokens, where tokens are colored by them | 380 | 270 to 520: one for each, and one for each different one |
| comparison of three tokenizers | 1,045 to 1,200: encodings, where they differ, columns and a color for each | 0 |
| the same with reasons, of up to 20 KB | 14,000 | 1,000 to 12,200: one explanation for each difference |
| how a training cuts, as typing pauses on Train | 1,300: pieces; a child process tries what fits | 0 |
"""

MOST_AROUND = 370
"""At most how many calls for the tokens of a single letter: what every request pays, however short its text."""

MOST_FILES = 18
"""At most how many files of the package a key press passes."""

PACKAGE = str(Path(tokviz.__file__).parent)

MOST_OF_A_PASTE = {"tokens": 750, "tokens, with counts": 38_000, "pre-tokens": 350_000}
"""At most how many calls for a text of a million characters. Needed are 620 to 700, 880 to 34,500 (one for each change
of script), 270,000 to 325,000 (one for each pre-token, and one for each different one).
"""

TIMED = (
    str(Path(asyncio.__file__).parent),
    str(Path(concurrent.futures.__file__).parent),
    threading.__file__,
    selectors.__file__,
)
"""Python's own files whose calls depend on which thread is first."""


class Calls:
    """Counts the calls of Python functions in every thread that profiles with `note`."""

    def __init__(self) -> None:
        self.number = 0
        self.files: set[str] = set()
        self.pools: list[ThreadPoolExecutor] = []

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and not frame.f_code.co_filename.startswith(TIMED):
            self.number += 1
            if frame.f_code.co_filename.startswith(PACKAGE):
                self.files.add(frame.f_code.co_filename)

    def await_lanes(self) -> None:
        """Wait until the lanes have given up the turns of requests that were answered."""
        for pool in self.pools:
            pool.submit(int).result()


@pytest.fixture(scope="module")
def calls() -> Iterator[Calls]:
    """Calls in the lanes, which get new threads for this test."""
    calls = Calls()
    with pytest.MonkeyPatch.context() as patch:
        for lane in (lanes.short_texts, lanes.middle_texts, lanes.long_texts, lanes.replays):
            calls.pools.append(ThreadPoolExecutor(1, initializer=sys.setprofile, initargs=(calls.note,)))
            patch.setattr(lane, "_pool", calls.pools[-1])
        yield calls
        for pool in calls.pools:
            pool.shutdown()


async def post(app: Starlette, visitor: str, route: str, query: dict[str, object], body: bytes) -> int:
    """Hand a request to the app as a server does, and return the status of the response."""
    arriving: asyncio.Queue[Message] = asyncio.Queue()  # nothing comes after the body: the visitor stays
    arriving.put_nowait({"type": "http.request", "body": body, "more_body": False})
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/_tokviz/{route}",
        "query_string": urlencode(query).encode(),
        "headers": [(b"host", b"localhost"), (b"accept-encoding", b"gzip"), (b"content-length", b"%d" % len(body))],
        "client": (visitor, 1),
    }
    await app(scope, arriving.get, send)
    return int(sent[0]["status"])


@pytest.fixture(scope="module")
def app() -> Starlette:
    return Starlette(routes=server.routes, middleware=server.middleware)


VISITORS = count(1)


def count_calls(calls: Calls, app: Starlette, name: str, text: str) -> int:
    """Send a text to one of the routes of MOST, as a new visitor: nobody has to wait because of requests before."""
    route, query, *_ = MOST[name]
    calls.number = 0
    with asyncio.Runner() as runner:
        request = post(app, f"visitor {next(VISITORS)}", route, query, text.encode())
        runner.get_loop()
        sys.setprofile(calls.note)
        try:
            status = runner.run(request)
        finally:
            sys.setprofile(None)
        calls.await_lanes()
    assert status == 200
    return calls.number


def text_of(kind: str, size: int) -> str:
    sample = KINDS[kind]
    return (sample * (size // len(sample) + 1))[:size]


@pytest.mark.parametrize("name", MOST)
def test_calls_per_key_press(name: str, calls: Calls, app: Starlette) -> None:
    *_, fixed, growing = MOST[name]
    for kind in KINDS:
        for size in SIZES[: 2 if growing else 3]:
            text = text_of(kind, size)
            count_calls(calls, app, name, text)  # loads what is loaded once
            for key in "ab":
                number = count_calls(calls, app, name, text[:500] + key + text[500:])
                assert number <= fixed + growing * size // 1_000, f"{kind} of {size:,} bytes"


def test_calls_around_the_work(calls: Calls, app: Starlette) -> None:
    count_calls(calls, app, "tokens", "a")  # loads what is loaded once
    calls.files.clear()
    assert count_calls(calls, app, "tokens", "b") <= MOST_AROUND
    assert len(calls.files) <= MOST_FILES


@pytest.mark.parametrize("name", MOST_OF_A_PASTE)
def test_calls_per_paste_of_a_million_characters(name: str, calls: Calls, app: Starlette) -> None:
    for kind in KINDS:
        count_calls(calls, app, name, text_of(kind, 1_000))  # loads what is loaded once
        assert count_calls(calls, app, name, text_of(kind, 1_000_000)) <= MOST_OF_A_PASTE[name], kind
