"""Analysis tables over a stream of texts: time compared with plain encoding, and peak memory.

`python tests/benchmarks/measuring.py` prints them for 10 and 100 MB of texts of 2 KB under cl100k_base; `--rounds N`
sets the number of rounds (default 3). Texts are generated lazily, so that the memory is that of the work itself.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial

import harness

import tokviz

NAME = "cl100k_base"
TEXT = 2000  # code points
CORPUS = 4_000_000  # bytes that the texts are cut from, cyclically


def stream(size: int) -> Iterator[str]:
    """Yield texts of `size` bytes in total."""
    corpus = harness.corpus(CORPUS)
    at = 0
    while size > 0:
        text = corpus[at : at + TEXT]
        size -= len(text.encode())
        at = (at + TEXT) % (len(corpus) - TEXT)
        yield text


def encode(size: int) -> None:
    tok = tokviz.load(NAME)
    for text in stream(size):
        tok.encode(text)


JOBS: dict[str, Callable[[int], object]] = {
    "encode": encode,
    "measure": lambda size: tokviz.measure(stream(size), [NAME]),
    "compression_curve": lambda size: tokviz.compression_curve(stream(size), NAME),
    "token_frequencies": lambda size: tokviz.token_frequencies(stream(size), NAME),
}


def main(rounds: int) -> None:
    sizes = (10, 100)
    jobs = [[name, str(size)] for size in sizes for name in JOBS]
    figures = harness.run_in_turn(__file__, jobs, rounds)
    rows = []
    for name, size in jobs:
        its = figures[name, size]
        ratio = harness.ratio(its, figures["encode", size])
        median = harness.median(its)
        rows.append([name, f"{size} MB", f"{median.seconds:.1f}", f"{ratio:.2f}", f"{median.megabytes:.0f}"])
    print(*harness.table(["work", "texts", "seconds", "seconds / encode's", "peak MB"], rows), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in JOBS:
        tokviz.load(NAME).encode("ready")
        print(json.dumps(harness.seconds(partial(JOBS[sys.argv[1]], int(sys.argv[2]) * 1_000_000))))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--rounds", type=int, default=3)
        main(parser.parse_args().rounds)
