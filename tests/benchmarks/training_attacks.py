"""Attacks with the requests of the Train page: see `attacks`."""

import asyncio
import itertools
from collections.abc import Iterator

from attacks import ATTACKER, MAX_TEXT, OTHERS, SHIPPED, TRAIN, Request, Run, attack, corpus

SLOW_PATTERNS = ("(?:a|aa)+$", r"(?:\w+\s?)+!", "(?:.*.*)*x", r"(\p{L}+)+\d")
LETTERS = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))


@attack
async def uploads(run: Run) -> None:
    """Files over the limit and files within it, of tokenizers; and texts to train on, likewise."""
    for size in (60, *([18] * 40)):
        await run.ask(f"/_tokviz/tokenizer-file?name={size}.model", bytes(size * 1_000_000), what=f"{size} MB file")
    for size in (60, *([40] * 40)):
        await run.ask(f"{TRAIN}?size=300&pattern=gpt2&measure=", b"a " * (size * 500_000), what=f"{size} MB text")


@attack
async def repeated_passages(run: Run) -> None:
    """Two trainings whose tokens get gigabytes long together: of texts that say the same twice."""
    query, text = "size=200000&pattern=none&alphabet=characters", f"{LETTERS}\n{LETTERS}".encode()
    await run.follow(*[await run.train(query, text) for _ in range(2)])


@attack
async def left_trainings(run: Run) -> None:
    """Two trainings on 9 MB with no split pattern, whose pages are closed at once."""
    for _ in range(2):
        await run.train("size=100000&pattern=none", corpus(MAX_TEXT))
    await asyncio.sleep(run.seconds)


@attack
async def vocabulary_searches(run: Run) -> None:
    """Twenty clients that search all shipped vocabularies with slow regular expressions."""
    searches = (
        (f"{TRAIN}ed/vocabulary?tokenizer={name}&by=regex&order=length&from=0", pattern.encode(), "POST")
        for name, pattern in itertools.cycle(itertools.product(SHIPPED, SLOW_PATTERNS))
    )
    await run.repeat(20, searches)


@attack
async def recipe_tries(run: Run) -> None:
    """Twenty clients that try recipes with slow patterns, or on letters that are all different."""
    slow = ((f"own={pattern.replace('+', '%2B')}", corpus(20_000)) for pattern in SLOW_PATTERNS)
    tries: Iterator[Request] = (
        (f"{TRAIN}/try?alphabet=characters&merges=fit&length=999999999999&{query}", body, "POST")
        for query, body in itertools.cycle([("pattern=none", LETTERS.encode()), *slow])
    )
    await run.repeat(20, tries)


@attack
async def shared_trainings(run: Run) -> None:
    """Links to trainings, opened again and again: one by everybody, and others that differ in their text."""
    links = (
        (f"{TRAIN}?merges=fit&pattern=gpt2&measure=&shared=1", f"the cat {number % 2 * number}".encode(), "POST")
        for number in itertools.count()
    )
    await run.repeat(20, links)


@attack
async def trained_one_after_another(run: Run) -> None:
    """Small trainings, each followed to its end and then forgotten, as fast as they go."""
    for number in itertools.takewhile(lambda _: not run.is_over, itertools.count()):
        for state in await run.follow(await run.train("size=300&pattern=gpt2", f"ab {number}".encode())):
            run.count(state)


@attack
async def held_trainings(run: Run) -> None:
    """Two addresses that hold both places, and queue small trainings that are slow; a third's small training."""
    text = "".join(chr(97 + number * number * number % 26) for number in range(900_000)).encode()
    for size in (900_000, 90_000):
        for address in (ATTACKER, OTHERS[0]):
            await run.train("size=30000&algorithm=wordpiece", text[:size], address=address)
    async with run.timed("the third"):
        quick = await run.train("size=260&pattern=gpt2", b"the cat in the hat", address=OTHERS[1])
        for state in await run.follow(quick, address=OTHERS[1]):
            run.count(f"the third's: {state}")


@attack
async def busy_children(run: Run) -> None:
    """Trainings whose library holds Python's lock, still running when the server is killed."""
    text = "".join(chr(97 + number * number % 26) for number in range(900_000)).encode()
    for address in (ATTACKER, OTHERS[0]):
        await run.train("size=30000&algorithm=wordpiece&pattern=none", text, address=address)
    await asyncio.sleep(4)
