"""Comparing four tokenizers on 1 MB: what it takes beside encoding the text four times, and what the reasons take.

`python tests/benchmarks/comparison.py` prints the table; `--rounds N` (default 5) for more patience.
"""

import argparse
import statistics
from itertools import combinations

import harness

import tokviz

NAMES = ("gpt2", "p50k_base", "cl100k_base", "o200k_base")
PAIRS = list(combinations(range(len(NAMES)), 2))


def everything_but_reasons(text: str) -> tokviz.Comparison:
    """Every figure that a page shows at once: segments, agreement of every pair, classes of every token."""
    comparison = tokviz.compare(text, NAMES)
    _ = comparison.differing, comparison.class_counts, comparison.segment_classes
    for first, second in PAIRS:
        comparison.agreement(first, second)
    return comparison


def round_of(text: str) -> tuple[float, float, float]:
    """Seconds to encode the text four times, to compare, and to find the reasons of every segment."""
    encoding = harness.seconds(lambda: [tokviz.load(name).encode(text) for name in NAMES])
    comparing = harness.seconds(lambda: everything_but_reasons(text))
    comparison = tokviz.compare(text, NAMES)
    reasons = harness.seconds(lambda: [comparison.reasons(other) for other in range(1, len(NAMES))])
    return encoding, comparing, reasons


def main(rounds: int) -> None:
    rows = []
    for size in (100_000, 1_000_000):
        text = harness.corpus(size)
        taken = [round_of(text) for _ in range(rounds + 1)][1:]
        encoding, comparing, reasons = (statistics.median(column) for column in zip(*taken, strict=True))
        rows.append(
            [f"{size // 1000:,} KB", *(f"{took:.2f}" for took in (encoding, comparing, comparing - encoding, reasons))]
        )
    heads = ["text", "to encode four times, s", "to compare, s", "more than encoding, s", "reasons of all segments, s"]
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    main(parser.parse_args().rounds)
