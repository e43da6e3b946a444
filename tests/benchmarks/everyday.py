"""Speed of everyday functions compared with tiktoken: batches, counting, and streamed texts.

`python tests/benchmarks/everyday.py` prints the seconds and their ratio for each tokenizer; `--rounds N` sets the
number of rounds (default 7). Batches are 2 MB in texts of about 2 KB, encoded by as many threads as there are cores.
"""

import argparse
import os
import statistics
from functools import partial

import harness
from encoding import NAMES, Task, tiktoken_encoding, time_in_turn

import tokviz

SIZE = 2_000_000
TEXT_SIZE = 2_000


def tasks(name: str, text: str) -> dict[str, tuple[Task, Task]]:
    """Return our work and tiktoken's, by what is done."""
    ours, theirs = tokviz.load(name), tiktoken_encoding(name)
    texts = [text[start : start + TEXT_SIZE] for start in range(0, len(text), TEXT_SIZE)]
    lines = text.splitlines(keepends=True)
    threads = os.cpu_count() or 1
    batch = theirs.encode_ordinary_batch(texts)
    return {
        "encode_batch": (
            partial(ours.encode_batch, texts),
            partial(theirs.encode_ordinary_batch, texts, num_threads=threads),
        ),
        "decode_batch": (partial(ours.decode_batch, batch), partial(theirs.decode_batch, batch, num_threads=threads)),
        "count": (partial(tokviz.count, text, ours), lambda: len(theirs.encode_ordinary(text))),
        "encode_iter, of lines": (lambda: list(ours.encode_iter(lines)), partial(theirs.encode_ordinary, text)),
    }


def rows(text: str, rounds: int) -> list[list[str]]:
    """Measure in turn."""
    found = []
    for name in NAMES:
        for what, (ours, theirs) in tasks(name, text).items():
            taken = time_in_turn({"tokviz": ours, "tiktoken": theirs}, rounds)
            ratio = statistics.median(a / b for a, b in zip(taken["tokviz"], taken["tiktoken"], strict=True))
            medians = [f"{statistics.median(taken[peer]):.3f}" for peer in ("tokviz", "tiktoken")]
            found.append([name, what, *medians, f"{ratio:.2f}"])
    return found


def main(rounds: int) -> None:
    """Print the table."""
    heads = ["tokenizer", "task", "tokviz s", "tiktoken s", "tokviz / tiktoken"]
    print(*harness.table(heads, rows(harness.corpus(SIZE), rounds)), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    main(parser.parse_args().rounds)
