"""Ten thousand hostile split patterns against a server's machinery for them: does it live, how much does it grow?

    python tests/benchmarks/patterns.py [patterns] [seconds]

The patterns go where a stranger's go, to `SplitWorkers`, from this process, which stands for the server. All that
counts is that it is there at the end, answers an innocent pattern rightly all the way, and how far its memory has grown
at its peak. Not on Windows.
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

from tokviz.app.processes.patterns import SplitWorkers  # noqa: E402
from tokviz.bpe import splitting  # noqa: E402

_TEXT = "The cat, 12 hats\n\n  and ABC (a(b)c) e\u0301 🍕 " + "ab" * 200
_LIMIT = 0.1  # seconds that a pattern gets, so that many have their turn
_INNOCENT_EVERY = 20


@dataclass(frozen=True)
class Result:
    """How many patterns were answered, what came of them, and by how many MB the peak of memory rose."""

    answered: int
    outcomes: dict[str, int]
    grown_by: float
    slowest: float
    took: float


def attack(patterns: int, seconds: float) -> Result:
    """Send generated patterns until there are that many, or the time is over."""
    workers = SplitWorkers()
    splitting.set_matcher(workers)
    assert splitting.split("ab cd", r"\w+|\s+") == ["ab", " ", "cd"]
    outcomes: Counter[str] = Counter()
    before, begun, slowest = _peak(), time.monotonic(), 0.0
    for number in range(patterns):
        if time.monotonic() - begun > seconds:
            break
        sent = time.monotonic()
        outcomes[_outcome(nasty_pattern(random.Random(number)))] += 1
        slowest = max(slowest, time.monotonic() - sent)
        if number % _INNOCENT_EVERY == 0:
            assert splitting.split("ab cd", r"\w+|\s+") == ["ab", " ", "cd"]
        if number % 500 == 499:
            print(number + 1, dict(outcomes), f"{_peak() - before:.0f} MB", file=sys.stderr, flush=True)
    workers.close()
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
            "takes more memory",
            "characters",
            "backwards",
        )
        return next((kind for kind in kinds if kind in str(error)), str(error))
    assert "".join(pieces) == _TEXT
    return "cut"


def _peak() -> float:
    """The highest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    count, most_seconds, *_ = [*sys.argv[1:], *("10000", "7200")[len(sys.argv) - 1 :]]
    print(json.dumps(asdict(attack(int(count), float(most_seconds)))))
