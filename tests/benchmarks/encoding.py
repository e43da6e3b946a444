"""Encoding speed in megabytes per second compared with tiktoken, and the time to create a replay.

`python tests/benchmarks/encoding.py` prints both tables; `--rounds N` sets the number of rounds (default 7).
"""

import argparse
import statistics
from collections.abc import Callable, Mapping
from functools import partial

import harness
import tiktoken
from tiktoken_ext import openai_public

import tokviz

Task = Callable[[], object]

NAMES = ("gpt2", "cl100k_base", "o200k_base")


def tiktoken_encoding(name: str) -> tiktoken.Encoding:
    """Return tiktoken's encoding with our copy of the vocabulary, because tiktoken would download its own."""
    tok = tokviz.load(name)
    specials = set(tok.special_tokens.values())
    ids = {data: token for token, data in tok.vocab.items() if token not in specials}
    openai_public.load_tiktoken_bpe = lambda *_, **__: ids
    openai_public.data_gym_to_mergeable_bpe_ranks = lambda **_: ids
    return tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())


def time_in_turn(tasks: Mapping[str, Task], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each task, all run once per round, after a warm-up round."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            took = harness.seconds(task)
            if number:
                taken[name].append(took)
    return taken


def encoding_rows(text: str, rounds: int) -> list[list[str]]:
    megabytes = len(text.encode()) / 1e6
    trained = tokviz.train(text[:200_000], vocab_size=8192, split_pattern="gpt2")
    no_split = tokviz.train(text[:200_000], vocab_size=1024)
    tasks: dict[str, tuple[Task, Task]] = {}
    for name in NAMES:
        ours, theirs = tokviz.load(name), tiktoken_encoding(name)
        tasks[name] = (partial(ours.encode, text), partial(theirs.encode_ordinary, text))
    for name, tok in (("trained, 8,192", trained), ("trained without a split, 1,024", no_split)):
        theirs = tiktoken.Encoding(
            "trained",
            pat_str=tok.split_pattern or "(?s:.+)",
            mergeable_ranks={data: token for token, data in tok.vocab.items()},
            special_tokens={},
        )
        tasks[name] = (partial(tok.encode, text), partial(theirs.encode_ordinary, text))
    rows = []
    for name, (ours_work, theirs_work) in tasks.items():
        taken = time_in_turn({"tokviz": ours_work, "tiktoken": theirs_work}, rounds)
        ratio = statistics.median(a / b for a, b in zip(taken["tokviz"], taken["tiktoken"], strict=True))
        speeds = [f"{megabytes / statistics.median(taken[peer]):.1f}" for peer in ("tokviz", "tiktoken")]
        rows.append([name, *speeds, f"{ratio:.2f}"])
    return rows


def replay_rows(text: str, rounds: int) -> list[list[str]]:
    rows = []
    for name in NAMES:
        tok = tokviz.load(name)
        for size in (10_000, 100_000):
            part = text[:size]
            replay = tok.replay(part)
            steps = len(replay)
            tasks: dict[str, Task] = {"make": partial(tok.replay, part), "seek": partial(replay.state, steps // 2)}
            taken = {name: statistics.median(took) * 1000 for name, took in time_in_turn(tasks, rounds).items()}
            rows.append([name, f"{size // 1000} KB", f"{steps:,}", f"{taken['make']:.0f}", f"{taken['seek']:.2f}"])
    return rows


def main(rounds: int) -> None:
    text = harness.corpus(2_000_000)
    heads = ["tokenizer", "tokviz MB/s", "tiktoken MB/s", "seconds, tokviz / tiktoken"]
    print(*harness.table(heads, encoding_rows(text, rounds)), sep="\n")
    print()
    heads = ["replay under", "text", "steps", "to make, ms", "to seek, ms"]
    print(*harness.table(heads, replay_rows(text, rounds)), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    main(parser.parse_args().rounds)
