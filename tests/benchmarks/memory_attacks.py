"""Attacks on the promise of memory: all budgets filled at once (see `attacks`)."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

from attacks import ATTACKER, ENGINES, MAX_TEXT, NAMES, OTHERS, SHIPPED, TOKENIZE, Run, attack, corpus, head
from file_attacks import ask_of_vocabulary, large
from streamlit_session import Session
from websockets.exceptions import WebSocketException


@attack
async def full_budgets(run: Run) -> None:
    """All that the server keeps for visitors, filled from six addresses, while they have it work on long texts."""
    sessions: list[Session] = []
    keeping = [_keep_tokenizers(run, number, address) for number, address in enumerate(OTHERS)]
    typing = [_open_pages(run, address, sessions) for address in OTHERS]
    # The server reads engines' vocabularies when somebody asks.
    reading = [run.ask(f"/_tokviz/replay?tokenizer={name}&order=rank", b"the cat") for name in ENGINES]
    await asyncio.gather(*map(_quietly, (*keeping, *typing, *reading)))
    busy, body = Run(run.port, run.seconds, run.outcome), head(TOKENIZE, MAX_TEXT) + b"a" * (MAX_TEXT - 1)
    await asyncio.gather(
        *(_quietly(_wait_for_trainings(run, address)) for address in OTHERS),
        *(busy.stall([body] * 5, address=address) for address in OTHERS),
        *(_work(busy, address) for address in OTHERS),
    )
    for session in sessions:
        with suppress(WebSocketException, OSError):
            await session.leave()


async def _quietly(work: Awaitable[object]) -> None:
    with suppress(OSError, EOFError, WebSocketException, TimeoutError, StopIteration, RuntimeError):
        async with asyncio.timeout(45):
            await work


async def _keep_tokenizers(run: Run, number: int, address: str) -> None:
    opened = await run.open(large((260_000, 120_000)[number % 2]), "large.model", address=address)
    for name in (opened, SHIPPED[number]):
        await ask_of_vocabulary(run, name, address)


async def _open_pages(run: Run, address: str, sessions: list[Session]) -> None:
    for _ in range(2):
        page = await Session.open(run.port, address)
        sessions.append(page)
        await page.visit("")
        run.count("page opened")


async def _wait_for_trainings(run: Run, address: str) -> None:
    for _ in range(2):
        await run.train("size=5000&pattern=gpt2", corpus(25_000_000), address=address)


async def _work(run: Run, address: str) -> None:
    requests = (
        (TOKENIZE, corpus(MAX_TEXT), "POST"),
        (f"/_tokviz/compare?tokenizers={NAMES}&reasons=1", corpus(1_200_000), "POST"),
        ("/_tokviz/export?format=json&tokenizer=cl100k_base", corpus(MAX_TEXT), "POST"),
    )
    await run.repeat(1, *requests, address=address)


@attack
async def learned_pages(run: Run) -> None:
    """Ten clients that save what is learned from a text of 100 KB that says everything twice, as pages."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 16_000))).encode()
    query = "pattern=none&merges=5000&alphabet=characters&ties=first-seen&page=1&step=1&symbols=text"
    await run.repeat(10, (f"/_tokviz/replay/learn?{query}", letters * 2, "POST"), address=ATTACKER)
