"""The session cache: results are kept per session, within a limit, and dropped with the session."""

import pytest
from app_test import AppTest
from garbage import collect_until

from tokviz.app.page import session_cache
from tokviz.app.page.session_cache import Results

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
    monkeypatch.setattr(session_cache, "results", Results())  # without results of earlier tests' sessions
    app = run(AppTest.from_function(page))
    assert len(session_cache.results) == 3
    del app
    collect_until(lambda: len(session_cache.results) == 0)


def test_the_least_recently_used_result_is_evicted() -> None:
    results = Results(limit=10)
    for key in ("first", "second"):
        results.put("anna", key, b"1234")
    assert results.get("anna", "first") == b"1234"
    results.put("ben", "first", b"5678")
    assert [results.get("anna", "first"), results.get("anna", "second")] == [b"1234", None]
    results.put("anna", "first", b"12")  # replaces the first result
    results.put("ben", "second", b"5678")
    assert len(results) == 3
    results.put("ben", "too large", b"12345678901")
    assert results.get("ben", "too large") is None
    results.forget("ben")
    assert [results.get("anna", "first"), results.get("ben", "first"), len(results)] == [b"12", None, 1]
