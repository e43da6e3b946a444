"""The data that components send to widgets, read in Streamlit's AppTest."""

import json

from app_test import AppTest


def script() -> None:
    import streamlit as st

    from tokviz.app.streamlit.components import _mount, _Shown

    for name in ("lattice", "matches"):
        _mount(name, name, _Shown(name, {"query": {"name": st.session_state["name"]}}, ()), {})


def numbers(app: AppTest) -> list[int]:
    return [json.loads(each.proto.json)[0] for each in app.get("bidi_component")]


def test_data_are_numbered_so_that_the_browser_knows_the_newest() -> None:
    app = AppTest.from_function(script)
    app.session_state["name"] = "before"
    before = numbers(app.run())
    assert numbers(app.run()) == before
    app.session_state["name"] = "after"
    after = numbers(app.run())
    assert all(new > old for new, old in zip(after, before, strict=True))
    # A session that replaces another on the same page begins no lower.
    other = AppTest.from_function(script)
    other.session_state["name"] = "before"
    assert all(new >= old for new, old in zip(numbers(other.run()), after, strict=True))
