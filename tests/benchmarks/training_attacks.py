"""Attacks with the requests of the Train page, run by `hostile.py`."""

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import harness
from attacks import ATTACKER, NAMES, ask

SHIPPED = tuple(name for name in NAMES.split(",") if name not in ("code-points", "bytes"))
SLOW_PATTERNS = ("(?:a|aa)+$", r"(?:\w+\s?)+!", "(?:.*.*)*x", r"(\p{L}+)+\d")
TRAIN = "/_tokviz/train"

Requests = Iterator[tuple[str, bytes, str]]


async def _repeat(port: int, seconds: float, clients: int, requests: Requests) -> Counter[str]:
    """Send requests (path, body, method) one after the other, from several clients, and count the statuses."""
    outcome: Counter[str] = Counter()
    end = time.monotonic() + seconds

    async def client() -> None:
        while time.monotonic() < end:
            path, body, method = next(requests)
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(end + 1 - time.monotonic()):
                    status, _ = await ask(port, ATTACKER, path, body, method)
                    outcome[str(status)] += 1

    await asyncio.gather(*(client() for _ in range(clients)))
    return outcome


async def vocabulary_searches(port: int, seconds: float) -> Counter[str]:
    """Twenty clients that search all shipped vocabularies with slow regular expressions."""
    searches = (
        (f"{TRAIN}ed/vocabulary?tokenizer={name}&by=regex&order=length&from=0", pattern.encode(), "POST")
        for name, pattern in itertools.cycle(itertools.product(SHIPPED, SLOW_PATTERNS))
    )
    return await _repeat(port, seconds, 20, searches)


async def vocabulary_files(port: int, seconds: float) -> Counter[str]:
    """Twenty clients that ask for the figures and files of all shipped tokenizers."""
    paths = itertools.cycle(itertools.product(("trained", "trained/files"), SHIPPED))
    wanted = ((f"/_tokviz/{path}?tokenizer={name}", b"", "GET") for path, name in paths)
    return await _repeat(port, seconds, 20, wanted)


async def recipe_tries(port: int, seconds: float) -> Counter[str]:
    """Twenty clients that try recipes with slow patterns, or on letters that are all different."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000))).encode()
    words = harness.corpus(20_000).encode()
    tries = (
        (f"{TRAIN}/try?alphabet=characters&merges=fit&length=999999999999&{query}", body, "POST")
        for query, body in itertools.cycle(
            [("pattern=none", letters), *((f"own={pattern.replace('+', '%2B')}", words) for pattern in SLOW_PATTERNS)]
        )
    )
    return await _repeat(port, seconds, 20, tries)


async def shared_trainings(port: int, seconds: float) -> Counter[str]:
    """Links to trainings, opened again and again: one by everybody, and others that differ in their text."""
    links = (
        (f"{TRAIN}?merges=fit&pattern=gpt2&measure=&shared=1", f"the cat {number % 2 * number}".encode(), "POST")
        for number in itertools.count()
    )
    return await _repeat(port, seconds, 20, links)


async def trained_one_after_another(port: int, seconds: float) -> Counter[str]:
    """Small trainings, each followed to its end and then forgotten, as fast as they go."""
    outcome: Counter[str] = Counter()
    end = time.monotonic() + seconds
    for number in itertools.count():
        status, answer = await ask(port, ATTACKER, f"{TRAIN}?size=300&pattern=gpt2&measure=", f"ab {number}".encode())
        outcome[f"start: {status}"] += 1
        state = json.loads(answer) if status == 200 else {}
        while time.monotonic() < end and state.get("state", "waiting") in ("waiting", "running") and "id" in state:
            await asyncio.sleep(0.05)
            path = f"{TRAIN}/state?id={state['id']}&merges=0"
            state |= json.loads((await ask(port, ATTACKER, path, b"", "GET"))[1])
        outcome[str(state.get("state"))] += 1
        if time.monotonic() >= end:
            break
    return outcome


async def held_trainings(port: int, seconds: float) -> Counter[str]:
    """Two addresses that hold both places, and queue small trainings that are slow; a third's small training."""
    outcome: Counter[str] = Counter()
    text = "".join(chr(97 + number * number * number % 26) for number in range(900_000)).encode()
    slow, quick = f"{TRAIN}?size=30000&algorithm=wordpiece&measure=", f"{TRAIN}?size=260&pattern=gpt2&measure="
    for size in (900_000, 90_000):
        for address in (ATTACKER, "127.0.0.3"):
            status, _ = await ask(port, address, slow, text[:size])
            outcome[f"start: {status}"] += 1
    begun = time.monotonic()
    state = {"state": "waiting"} | json.loads((await ask(port, "127.0.0.4", quick, b"the cat in the hat"))[1])
    while state["state"] in ("waiting", "running") and time.monotonic() < begun + seconds:
        await asyncio.sleep(0.05)
        state |= json.loads((await ask(port, "127.0.0.4", f"{TRAIN}/state?id={state['id']}&merges=0", b"", "GET"))[1])
    outcome[f"the third's: {state['state']} after {time.monotonic() - begun:.1f} s"] += 1
    return outcome


Attack = Callable[[int, float], Awaitable[Counter[str]]]

ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (
        *(vocabulary_searches, vocabulary_files, recipe_tries, shared_trainings, trained_one_after_another),
        held_trainings,
    )
}
