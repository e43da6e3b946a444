"""What was worked out of texts is kept by its arguments, within a limit."""

import pytest

from tokviz.app.compression import results
from tokviz.app.compression.results import Results, kept

TIMES: list[tuple[int, str]] = []


@kept
def twice(number: int, text: str = "") -> list[int]:
    TIMES.append((number, text))
    return [number, number]


def test_results_are_kept_by_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "results", Results())
    TIMES.clear()
    for number, text in ((1, ""), (2, ""), (1, ""), (1, "a")):
        found = twice(number, text=text)
        assert found == [number, number]
        found.append(7)  # those who ask later don't see this
    assert TIMES == [(1, ""), (2, ""), (1, "a")]


def test_the_least_recently_used_result_is_evicted() -> None:
    small = Results(limit=10)
    for key in (b"first", b"second"):
        small.put(key, b"1234")
    assert small.get(b"first") == b"1234"
    small.put(b"third", b"5678")
    assert [small.get(b"first"), small.get(b"second"), small.get(b"third")] == [b"1234", None, b"5678"]
    small.put(b"first", b"12")  # replaces the first result
    small.put(b"fourth", b"5678")
    assert [small.get(b"first"), small.get(b"third"), small.get(b"fourth")] == [b"12", b"5678", b"5678"]
    small.put(b"too large", b"12345678901")
    assert small.get(b"too large") is None and small.get(b"first") == b"12"


def test_results_go_a_while_after_their_last_use(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("tokviz.app.compression.results.time.monotonic", lambda: now)
    kept_for_a_while = Results(seconds=60)
    kept_for_a_while.put(b"used", b"1")
    kept_for_a_while.put(b"unused", b"2")
    now += 50
    assert kept_for_a_while.get(b"used") == b"1"
    now += 50
    kept_for_a_while.tidy()
    assert [kept_for_a_while.get(b"used"), kept_for_a_while.get(b"unused")] == [b"1", None]
    now += 61
    kept_for_a_while.tidy()
    assert kept_for_a_while.get(b"used") is None
