"""How many Python functions the server calls for a key press: the same number on every machine.

Python looks at no token and no line; that is numpy's and tiktoken's work. What grows with the text, words that are
counted and differences that are explained, is asked for only in texts of up to 20 KB. A generator's next item is a
call. The function of the route is called itself, without Starlette and the lanes around it.
"""

import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

from tokviz.app.http.routes import compare, tokens
from tokviz.samples import samples

KINDS = {
    "lines": "".join(f"{each.text}\n" for each in samples() if each.kind == "code"),
    "paragraph": " ".join(each.text for each in samples() if each.lang == "en").replace("\n", " "),
    "scripts": "".join(f"{each.text}\n" for each in samples() if each.kind == "prose"),
}
SIZES = (1_000, 10_000, 100_000)

THREE = "gpt2,cl100k_base,o200k_base"
MOST: dict[str, tuple[Callable[..., object], dict[str, object], int, int]] = {
    "tokens": (tokens.tokenize, {"tokenizer": "gpt2"}, 155, 0),
    "tokens, with counts": (tokens.tokenize, {"tokenizer": "gpt2", "counts": 1}, 170, 330),
    "comparison": (compare.comparison, {"tokenizers": THREE}, 850, 0),
    "comparison, with reasons": (compare.comparison, {"tokenizers": THREE, "reasons": 1}, 20_000, 13_000),
}
"""The route, its query, and at most how many calls: for any text, and for each 1,000 bytes. Needed are:

| request | for any text | for each 1,000 bytes |
| --- | --- | --- |
| tokens | 139: the query, one call of tiktoken, columns over the tokens, their packing | 0 |
| the same with counts, of texts of up to 20 KB | 145 | 150 to 310: one for each word |
| comparison of three tokenizers | 770: three encodings, where they differ, columns for each | 0 |
| the same with reasons, of up to 20 KB | 15,000 | 1,000 to 12,200: one explanation for each difference |
"""


def calls_of(work: Callable[..., object], *given: object) -> int:
    """Call a function, and return how many Python functions that calls, itself included."""
    calls = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        work(*given)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", MOST)
def test_calls_per_key_press(name: str) -> None:
    route, query, fixed, growing = MOST[name]
    work = inspect.unwrap(route)

    def press(text: str) -> int:
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/",
            "query_string": urlencode(query).encode(),
            "headers": [(b"accept-encoding", b"gzip")],
        }
        return calls_of(work, Request(scope), text.encode())

    for kind, sample in KINDS.items():
        for size in SIZES[: 2 if growing else 3]:
            text = (sample * (size // len(sample) + 1))[:size]
            press(text)  # loads what is loaded once
            for key in "ab":
                calls = press(text[:500] + key + text[500:])
                assert calls <= fixed + growing * size // 1_000, f"{kind} of {size:,} bytes"
