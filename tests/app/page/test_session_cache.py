"""The session cache: results are kept per session, within a limit, and dropped with the session."""

import pytest
from app_test import AppTest
from garbage import collect_until

from tokviz.app.fairness.budgets import Budget, Kept
from tokviz.app.page import session_cache

TIMES: list[tuple[int, str]] = []


def page() -> None:
    import streamlit as st
    from test_session_cache import TIMES

    from tokviz.app.page.session_cache import kept_for_session

    @kept_for_session("Adding")
    def twice(number: int, text: str = "") -> list[int]:
        TIMES.append((number, text))
        return [number, number]

    for number, text in ((1, ""), (2, ""), (1, ""), (1, "a")):
        assert twice(number, text=text) == [number, number]
    st.text(str(len(TIMES)))


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def test_results_are_cached_per_arguments_and_session() -> None:
    TIMES.clear()
    run(run(AppTest.from_function(page)))
    assert TIMES == [(1, ""), (2, ""), (1, "a")]
    run(AppTest.from_function(page))
    assert TIMES == [(1, ""), (2, ""), (1, "a")] * 2


def test_results_are_dropped_with_their_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_cache, "results", Kept(Budget()))  # without results of earlier tests' sessions
    app = run(AppTest.from_function(page))
    assert len(session_cache.results) == 3
    del app
    collect_until(lambda: len(session_cache.results) == 0)


def test_the_least_recently_used_result_is_evicted() -> None:
    results: Kept[str, int] = Kept(Budget(10, oldest_first=True))
    for key in ("first", "second"):
        results.put(key, 1, 4)
    assert results.get("first") == 1
    results.put("third", 2, 4)
    assert [results.get("first"), results.get("second")] == [1, None]
    results.put("first", 3, 2)  # replaces the first result
    results.put("fourth", 2, 4)
    assert len(results) == 3
    results.put("too large", 2, 11)
    assert results.get("too large") is None
    results.drop("third")
    assert [results.get("first"), results.get("third"), len(results)] == [3, None, 2]
