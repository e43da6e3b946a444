"""Attacks on the promise of memory, and with what visitors' engines make of little, run by `hostile.py`."""

import asyncio
import json
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import harness
import hostile_files
from attacks import ATTACKER, ENGINES, NAMES, ask, connect, head
from streamlit_session import Session
from websockets.exceptions import WebSocketException

Outcome = Counter[str]

OTHERS = [f"127.0.0.{number}" for number in range(3, 9)]
"""Addresses besides the attacker's, since budgets are shared among addresses."""

SHIPPED = [name for name in NAMES.split(",") if name not in ("code-points", "bytes")]

TOKENIZE = "/_tokviz/tokenize?tokenizer="


async def open_file(
    port: int, data: bytes, outcome: Outcome, name: str = "tokenizer.json", address: str = ATTACKER
) -> str:
    """Open a tokenizer file. Returns the tokenizer's id; "" if it is refused."""
    status, answer = await ask(port, address, f"/_tokviz/tokenizer-file?name={name}", data)
    outcome[f"file: {status}"] += 1
    return str(json.loads(answer)["name"]) if status == 200 else ""


def word_level(vocab: dict[str, int], **parts: Any) -> bytes:
    """Return a tokenizer.json of words."""
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}
    return hostile_files.unigram(model=model, pre_tokenizer={"type": "Whitespace"}, **parts)


# Budgets


def _large(size: int) -> bytes:
    """Return a vocabulary in the format of minbpe, whose merges are all different."""
    pairs = (divmod(number, 256) for number in range(size - 256))
    lines = "\n".join(f"{left} {right}" for left, right in pairs)
    return f"minbpe v1\n\n0\n{lines}\n".encode()


async def full_budgets(port: int, seconds: float) -> Outcome:
    """All that the server keeps for visitors, filled from six addresses, while they have it work on long texts."""
    outcome: Outcome = Counter()
    sessions: list[Session] = []
    async with asyncio.TaskGroup() as group:
        for number, address in enumerate(OTHERS):
            group.create_task(_quietly(_keep_tokenizers(port, address, (260_000, 120_000)[number % 2], outcome)))
            group.create_task(_quietly(_keep_texts(port, address, sessions, outcome)))
        for name in ENGINES:  # the server reads them when somebody asks
            group.create_task(_quietly(ask(port, ATTACKER, f"/_tokviz/replay?tokenizer={name}&order=rank", b"the cat")))
    async with asyncio.TaskGroup() as group:
        for address in OTHERS:
            group.create_task(_quietly(_wait_for_trainings(port, address, outcome)))
            group.create_task(_quietly(_hold_bodies(port, address, seconds)))
            group.create_task(_quietly(_work(port, address, seconds, outcome)))
    for session in sessions:
        with suppress(WebSocketException, OSError):
            await session.leave()
    return outcome


async def _quietly(work: Awaitable[object]) -> None:
    with suppress(OSError, EOFError, WebSocketException, TimeoutError, StopIteration, RuntimeError):
        async with asyncio.timeout(45):
            await work


async def _keep_tokenizers(port: int, address: str, size: int, outcome: Outcome) -> None:
    opened = await open_file(port, _large(size), outcome, "large.model", address)
    for name in (opened, SHIPPED[OTHERS.index(address)]):
        for path in ("trained", "trained/vocabulary", "trained/files", "find"):
            query = f"/_tokviz/{path}?tokenizer={name}&by=text&order=rank&from=0"
            method = "POST" if path in ("trained/vocabulary", "find") else "GET"
            status, _ = await ask(port, address, query, b"a" if method == "POST" else b"", method)
            outcome[f"{path}: {status}"] += 1


async def _keep_texts(port: int, address: str, sessions: list[Session], outcome: Outcome) -> None:
    for _ in range(2):
        page = await Session.open(port, address)
        sessions.append(page)
        await page.visit("")
        await page.run(typed="a" * 9_000_000 + "🍕")
        outcome["text typed"] += 1


async def _wait_for_trainings(port: int, address: str, outcome: Outcome) -> None:
    text = harness.corpus(25_000_000).encode()
    for _ in range(2):
        path = "/_tokviz/train?size=5000&pattern=gpt2&measure="
        status, _ = await ask(port, address, path, text)
        outcome[f"training: {status}"] += 1


async def _hold_bodies(port: int, address: str, seconds: float) -> None:
    writers = []
    for _ in range(5):
        _, writer = await connect(port, address)
        writer.write(head(f"{TOKENIZE}cl100k_base", 9_900_000) + b"a" * 9_899_999)
        writers.append(writer)
    await asyncio.sleep(seconds)
    for writer in writers:
        writer.close()


async def _work(port: int, address: str, seconds: float, outcome: Outcome) -> None:
    end = time.monotonic() + seconds
    long, shorter = harness.corpus(9_900_000).encode()[:9_900_000], harness.corpus(1_200_000).encode()[:1_200_000]
    while time.monotonic() < end:
        for path, body in (
            (f"{TOKENIZE}o200k_base&counts=1", long),
            (f"/_tokviz/compare?tokenizers={NAMES}&reasons=1", shorter),
            ("/_tokviz/export?format=json&tokenizer=cl100k_base", long),
        ):
            with suppress(OSError, EOFError):
                status, _ = await ask(port, address, path, body)
                outcome[f"{path.split('?')[0].rpartition('/')[2]}: {status}"] += 1


async def learned_pages(port: int, seconds: float) -> Outcome:
    """Ten clients that save what is learned from a text of 100 KB that says everything twice, as pages."""
    outcome: Outcome = Counter()
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 16_000))).encode()
    query = "pattern=none&merges=5000&alphabet=characters&ties=first-seen&page=1&step=1&symbols=text"
    end = time.monotonic() + seconds

    async def client() -> None:
        while time.monotonic() < end:
            with suppress(OSError, EOFError):
                status, _ = await ask(port, ATTACKER, f"/_tokviz/replay/learn?{query}", letters * 2)
                outcome[f"page: {status}"] += 1

    await asyncio.gather(*(client() for _ in range(10)))
    return outcome


async def long_questions(port: int, seconds: float) -> Outcome:
    """Two addresses that ask about texts of 9.9 MB on the Compression page, and leave; a third asks about a word."""
    outcome: Outcome = Counter()
    text = harness.corpus(9_900_000).encode()[:9_900_000]

    async def leave(address: str) -> None:
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(4):
                await ask(port, address, "/_tokviz/compression?question=Merges&tokenizers=o200k_base", text)

    await asyncio.gather(*(leave(address) for address in (ATTACKER, ATTACKER, OTHERS[0], OTHERS[0])))
    begun = time.monotonic()
    path = "/_tokviz/compression?question=This%20text&tokenizers=gpt2&scale=0"
    status, _ = await ask(port, OTHERS[1], path, b"hello")
    outcome[f"the third waits {time.monotonic() - begun:.1f} s: {status}"] += 1
    return outcome


# Engines


async def decoders(port: int, seconds: float) -> Outcome:
    """A decoder that makes 90,000 characters of an emoji and others of each token, and lists of 600 ids."""
    outcome: Outcome = Counter()
    replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "🤡" + "x" * 90_000}
    opened = await open_file(port, word_level({"[UNK]": 0, "a": 1}, decoder=replace), outcome)
    for _ in range(4):
        for path, body in (("decode", json.dumps({"ids": [1] * 600}).encode()), ("trained/read", b"a " * 600)):
            status, _ = await ask(port, ATTACKER, f"/_tokviz/{path}?tokenizer={opened}", body)
            outcome[f"{path}: {status}"] += 1
    return outcome


async def sparse_ids(port: int, seconds: float) -> Outcome:
    """Three pieces of which one has the id 3,800,000, and 40,000,000: their list."""
    outcome: Outcome = Counter()
    for highest in (3_800_000, 40_000_000):
        opened = await open_file(port, word_level({"[UNK]": 0, "a": 1, "b": highest}), outcome)
        begun = time.monotonic()
        path = f"/_tokviz/trained/pieces?tokenizer={opened}&order=id&from=0"
        status, _ = await ask(port, ATTACKER, path, b"")
        outcome[f"pieces: {status}, {time.monotonic() - begun:.1f} s"] += 1
    return outcome


async def doubling_tokens(port: int, seconds: float) -> Outcome:
    """Files of minbpe with 8 to 22 tokens, each twice as long as the one before, and what pages ask about them."""
    outcome: Outcome = Counter()
    for count in (8, 11, 14, 18, 22):
        lines = ["0 0", *(f"{255 + number} {255 + number}" for number in range(1, count))]
        data = "\n".join(["minbpe v1", "", "0", *lines, ""]).encode()
        opened = await open_file(port, data, outcome, "doubling.model")
        for show in ("all", "unreachable", "across%20words") if opened else ():
            begun = time.monotonic()
            path = f"/_tokviz/trained/vocabulary?tokenizer={opened}&by=text&order=rank&from=0&show={show}"
            status, _ = await ask(port, ATTACKER, path, b"")
            outcome[f"{show}: {status}, {time.monotonic() - begun:.0f} s"] += 1
    return outcome


async def long_text_of_words(port: int, seconds: float) -> Outcome:
    """A text of 3 MB for a visitor's list of words."""
    outcome: Outcome = Counter()
    opened = await open_file(port, word_level({"[UNK]": 0, "the": 1}), outcome)
    begun = time.monotonic()
    status, answer = await ask(port, ATTACKER, f"{TOKENIZE}{opened}&counts=1", b"the " * 750_000)
    outcome[f"text: {status} after {time.monotonic() - begun:.1f} s, {answer[:60]!r}"] += 1
    return outcome


async def slow_engines(port: int, seconds: float) -> Outcome:
    """Two addresses whose normalizer makes 50,000 letters of each, again and again; a third types with an engine's."""
    outcome: Outcome = Counter()
    long = {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 50_000}
    attackers = [ATTACKER, OTHERS[0]]
    opened = [
        await open_file(port, hostile_files.unigram(normalizer=long), outcome, address=each) for each in attackers
    ]
    typed = await open_file(port, hostile_files.unigram(), outcome, address=OTHERS[1])
    end = time.monotonic() + seconds

    async def attack(address: str, tokenizer: str) -> None:
        while time.monotonic() < end:
            with suppress(OSError, EOFError):
                path = f"/_tokviz/rewriting?tokenizer={tokenizer}&start=0&end=1"
                status, _ = await ask(port, address, path, b"a" * 400)
                outcome[f"rewriting: {status}"] += 1

    async def type_on() -> None:
        waits = []
        while time.monotonic() < end:
            begun = time.monotonic()
            await ask(port, OTHERS[1], f"{TOKENIZE}{typed}&counts=1", b"the cat " * 20)
            waits.append(1000 * (time.monotonic() - begun))
            await asyncio.sleep(0.1)
        outcome[f"the third waits {statistics.median(waits):.0f} ms, at most {max(waits):.0f}"] += 1

    await asyncio.gather(type_on(), *(attack(*each) for each in zip(attackers * 3, opened * 3, strict=True)))
    return outcome


async def silent_hub(port: int, seconds: float) -> Outcome:
    """Two addresses that fetch models from a hub that never answers; a third opens a file."""
    outcome: Outcome = Counter()

    async def fetch(address: str) -> None:
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(seconds):
                status, _ = await ask(port, address, "/_tokviz/hub-tokenizer?name=hf:owner/name", b"")
                outcome[f"fetched: {status}"] += 1

    fetching = [asyncio.create_task(fetch(address)) for address in (ATTACKER, ATTACKER, OTHERS[0], OTHERS[0])]
    await asyncio.sleep(2)
    begun = time.monotonic()
    await open_file(port, hostile_files.file(), outcome, address=OTHERS[1])
    outcome[f"the third waits {time.monotonic() - begun:.1f} s"] += 1
    await asyncio.gather(*fetching)
    return outcome


async def busy_children(port: int, seconds: float) -> Outcome:
    """Trainings whose library holds Python's lock, still running when the server is killed."""
    outcome: Outcome = Counter()
    text = "".join(chr(97 + number * number % 26) for number in range(900_000)).encode()
    for address in (ATTACKER, OTHERS[0]):
        path = "/_tokviz/train?size=30000&algorithm=wordpiece&pattern=none&measure="
        status, _ = await ask(port, address, path, text)
        outcome[f"training: {status}"] += 1
    await asyncio.sleep(4)
    return outcome


ATTACKS: dict[str, Callable[[int, float], Awaitable[Outcome | None]]] = {
    each.__name__: each
    for each in (
        *(full_budgets, learned_pages, long_questions, decoders, sparse_ids, doubling_tokens, long_text_of_words),
        *(slow_engines, silent_hub, busy_children),
    )
}
