"""Ten thousand hostile split patterns against the server's pattern processes: survival and memory growth.

    python tests/benchmarks/patterns.py [patterns] [seconds]

The patterns are sent to `SplitMatcher`, as a visitor's patterns are, from this process, which acts as the server. The
criteria are that it survives, that it handles harmless patterns correctly throughout, and how much its peak memory
grows. Not on Windows.
"""

import json
import random
import resource
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS.parent), str(_TESTS)]

from nasty_patterns import nasty_pattern  # noqa: E402

from tokviz.app.shields.processes.patterns import SplitMatcher  # noqa: E402
from tokviz.pretokens import splitting  # noqa: E402

_TEXT = "The cat, 12 hats\n\n  and ABC (a(b)c) e\u0301 🍕 " + "ab" * 200
_LIMIT = 0.1  # seconds per pattern, low so that many can be tried
_HARMLESS_EVERY = 20


@dataclass(frozen=True)
class Result:
    """Number of patterns answered, their outcomes, and the growth of peak memory in MB."""

    answered: int
    outcomes: dict[str, int]
    grown_by: float
    slowest: float
    took: float


def attack(patterns: int, seconds: float) -> Result:
    """Send generated patterns until the number is reached or the time is over."""
    matcher = SplitMatcher()
    splitting.set_matcher(matcher)
    assert splitting.split("ab cd", r"\w+|\s+") == ["ab", " ", "cd"]
    outcomes: Counter[str] = Counter()
    before, begun, slowest = _peak(), time.monotonic(), 0.0
    for number in range(patterns):
        if time.monotonic() - begun > seconds:
            break
        sent = time.monotonic()
        outcomes[_outcome(nasty_pattern(random.Random(number)))] += 1
        slowest = max(slowest, time.monotonic() - sent)
        if number % _HARMLESS_EVERY == 0:
            assert splitting.split("ab cd", r"\w+|\s+") == ["ab", " ", "cd"]
        if number % 500 == 499:
            print(number + 1, dict(outcomes), f"{_peak() - before:.0f} MB", file=sys.stderr, flush=True)
    matcher.pool.close()
    took = time.monotonic() - begun
    return Result(outcomes.total(), dict(outcomes), _peak() - before, round(slowest, 2), round(took, 1))


def _outcome(pattern: str) -> str:
    try:
        with splitting.time_limit(_LIMIT):
            pieces = splitting.split(_TEXT, pattern)
    except ValueError as error:
        assert len(str(error)) < 500, error
        kinds = (
            "too many repetitions",
            "does not compile",
            "takes longer",
            "more than the 288 MB of memory",
            "characters",
            "backwards",
        )
        return next((kind for kind in kinds if kind in str(error)), str(error))
    assert "".join(pieces) == _TEXT
    return "cut"


def _peak() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    count, most_seconds, *_ = [*sys.argv[1:], *("10000", "7200")[len(sys.argv) - 1 :]]
    print(json.dumps(asdict(attack(int(count), float(most_seconds)))))
