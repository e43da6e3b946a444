"""Time of comparing four tokenizers on 1 MB: against encoding the text four times, and with the reasons.

`python tests/benchmarks/comparison.py` prints the table; `--rounds N` sets the number of rounds (default 5).
"""

import argparse
import statistics
from itertools import combinations

import harness

import tokviz

NAMES = ("gpt2", "p50k_base", "cl100k_base", "o200k_base")
PAIRS = list(combinations(range(len(NAMES)), 2))


def compare_without_reasons(text: str) -> tokviz.Comparison:
    """Compute the figures that a page shows immediately: segments, agreement of every pair, classes of every token."""
    comparison = tokviz.compare(text, NAMES)
    _ = comparison.differing, comparison.class_counts, comparison.segment_classes
    for first, second in PAIRS:
        comparison.agreement(first, second)
    return comparison


def time_round(text: str) -> tuple[float, float, float]:
    """Return the seconds to encode the text four times, to compare, and to find the reasons of every segment."""
    encoding = harness.seconds(lambda: [tokviz.load(name).encode(text) for name in NAMES])
    comparing = harness.seconds(lambda: compare_without_reasons(text))
    comparison = tokviz.compare(text, NAMES)
    reasons = harness.seconds(lambda: [comparison.reasons(other) for other in range(1, len(NAMES))])
    return encoding, comparing, reasons


def main(rounds: int) -> None:
    rows = []
    for size in (100_000, 1_000_000):
        text = harness.corpus(size)
        taken = [time_round(text) for _ in range(rounds + 1)][1:]
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
