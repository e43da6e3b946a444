"""Files offered by pages: a button keeps its id, under which the route sends the file."""

import json

from app_test import AppTest
from clients import client as client
from garbage import collect_until
from starlette.testclient import TestClient

from tokviz.app.fairness.budgets import Budget, Kept
from tokviz.app.fairness.visitors import Visitor
from tokviz.app.visitors.downloads import downloads


def page() -> None:
    import streamlit as st

    from tokviz.app.page.download_button import download_button
    from tokviz.app.visitors.downloads import Download

    number = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    download_button("Save", Download("a.csv", "text/csv", str(number).encode), "numbers")
    download_button("Save", Download("b.txt", "text/plain", b"other".lower), "words", explained="Words")


def ids(app: AppTest) -> list[str]:
    assert not app.exception
    return [json.loads(component.proto.json)[0]["id"] for component in app.get("bidi_component")]


def test_a_button_on_screen_downloads_the_newest_file(client: TestClient) -> None:
    app = AppTest.from_function(page).run()
    shown = ids(app)
    assert len(set(shown)) == 2
    app.run()
    assert ids(app) == shown
    numbers, words = (client.get(f"/_tokviz/download?id={each}") for each in shown)
    assert (numbers.content, words.content) == (b"2", b"other")
    assert numbers.headers["content-disposition"] == 'attachment; filename="a.csv"'
    assert numbers.headers["content-type"].startswith("text/csv")


def test_visitors_do_not_share_their_files() -> None:
    first, second = (ids(AppTest.from_function(page).run()) for _ in range(2))
    assert not set(first) & set(second)


def test_files_are_removed_with_their_session() -> None:
    app = AppTest.from_function(page).run()
    shown = ids(app)
    assert all(map(downloads.get, shown))
    del app
    collect_until(lambda: not any(map(downloads.get, shown)))


def test_a_file_no_longer_offered_is_not_found(client: TestClient) -> None:
    answer = client.get("/_tokviz/download?id=gone")
    assert answer.status_code == 404
    assert answer.json()["error"] == "This file is no longer offered. Reload the page and try again."


def test_the_oldest_file_is_evicted() -> None:
    kept: Kept[str, str] = Kept(Budget(100, 2))
    for id in ("first", "second", "first", "third"):
        kept.put(id, id, 1)
    assert [kept.get(id) is not None for id in ("first", "second", "third")] == [True, False, True]


def test_an_address_with_many_files_evicts_only_its_own() -> None:
    kept: Kept[str, str] = Kept(Budget(100, 4))
    ids = ["theirs", *(str(number) for number in range(10))]
    for number, id in enumerate(ids):
        visitor = Visitor("10.0.0.2" if id == "theirs" else "10.0.0.1", str(number))
        kept.put(id, id, 0, visitor)
    assert [id for id in ids if kept.get(id)] == ["theirs", "7", "8", "9"]


def test_bytes_kept_for_files_are_limited() -> None:
    kept: Kept[str, str] = Kept(Budget(100, 9))
    anna, ben = Visitor("10.0.0.1"), Visitor("10.0.0.2")
    for id, visitor, size in (("light", anna, 0), ("1", anna, 39), ("b", ben, 30), ("2", anna, 30), ("3", anna, 20)):
        kept.put(id, id, size, visitor)
    assert [id for id in ("light", "1", "b", "2", "3") if kept.get(id)] == ["light", "b", "2", "3"]
    kept.put("huge", "huge", 500, anna)
    assert [id for id in ("light", "b", "2", "3", "huge") if kept.get(id)] == ["light", "b", "2", "3"]
