"""The pages in Streamlit's AppTest: their texts, the data of their widgets, and their shared state."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from app_test import AppTest
from streamlit.web.server.app_discovery import discover_asgi_app

from tokviz.app.answers.page_list import PAGES
from tokviz.app.answers.routes import replay
from tokviz.app.answers.visitors.kept_texts import KeptText
from tokviz.app.streamlit import files, state
from tokviz.samples import samples
from tokviz.widgets import replays

ROOT = Path(__file__).parents[3]
APP = str(ROOT / "app.py")


def run_app() -> AppTest:
    return AppTest.from_file(APP, default_timeout=20).run()


def component_data(app: AppTest) -> dict[str, Any]:
    (component,) = app.get("bidi_component")
    (data,) = json.loads(component.proto.json)
    assert isinstance(data, dict)
    return data


def test_the_tokens_page_has_its_introduction_and_widget() -> None:
    app = run_app()
    assert not app.exception
    assert [title.value for title in app.title] == [
        "A language model never sees letters. It sees these pieces, and of them only the numbers."
    ]
    (component,) = app.get("bidi_component")
    assert component.proto.component_name == "tokviz_tokens"


def test_data_of_the_tokens_widget() -> None:
    data = component_data(run_app())
    assert data["base"] == "/"
    assert data["state"] is None
    assert data["start"] in {sample["name"] for sample in data["samples"]}
    assert [sample["name"] for sample in data["samples"]] == [sample.name for sample in samples()]
    assert {sample["kind"] for sample in data["samples"]} == set(data["kinds"])
    offers = {offer["name"]: offer for offer in data["tokenizers"]}
    assert offers["gpt2"] == {
        **{
            "name": "gpt2",
            "label": "GPT-2",
            "vocabSize": 50257,
            "numTokens": 50257,
            "models": ["gpt2", "gpt-2"],
            "kind": "bpe",
            "algorithm": "bpe",
        },
        **{side: {"texts": [], "more": 0} for side in ("before", "after")},  # nothing around a text
        "usedBy": ["GPT-2"],
        "thinks": None,  # no chat template
        "recipe": None,  # available to everyone
    }
    assert offers["words"]["vocabSize"] is None


def test_the_replay_page_has_its_widget_and_limits() -> None:
    app = AppTest.from_file(str(ROOT / "pages" / "replay.py"), default_timeout=20).run()
    assert not app.exception
    (component,) = app.get("bidi_component")
    assert component.proto.component_name == "tokviz_replay"
    assert component_data(app)["limits"] == {"bytes": replays.LIMIT, "merges": replay.MAX_MERGES}


def test_text_and_view_are_shared_between_pages() -> None:
    app = AppTest.from_file(APP, default_timeout=20)
    app.session_state[state._TEXT] = KeptText("typed before")
    app.run()
    assert component_data(app)["state"] == {"text": "typed before"}
    app.session_state[state._VIEW] = {"tokenizer": "gpt2"}
    app.run()
    assert component_data(app)["state"] == {"text": "typed before", "tokenizer": "gpt2"}


def test_a_link_from_another_page_selects_a_tokenizer() -> None:
    app = AppTest.from_file(APP, default_timeout=20)
    app.query_params["tokenizer"] = "gpt2"
    app.run()
    assert component_data(app)["state"] == {"tokenizer": "gpt2"}
    assert "tokenizer" not in app.query_params


def test_the_widgets_state_is_kept() -> None:
    def script() -> None:
        import streamlit as st

        from tokviz.app.streamlit import state

        state.keep_text(None)
        state.keep_view(None)
        assert state.shared() is None
        state.keep_text("typed")
        state.keep_view({"tokenizer": "gpt2", "marks": False, "unheard of": 1})
        state.keep_text(None)
        shown = state.shared()
        assert shown is not None
        st.json(shown)

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert json.loads(app.json[0].value) == {"text": "typed", "tokenizer": "gpt2", "marks": False}


def test_what_no_widget_reports_is_not_kept() -> None:
    def script() -> None:
        import streamlit as st

        from tokviz.app.streamlit import state

        for text in (["a list"] * 1_000, {"a": "dict"}, "a" * 10_000_001, "é" * 5_000_001):
            state.keep_text(text)
        for view in (["a list"], "a text", {"tokenizer": "a" * 1_000, "marks": [[]] * 1_000, "special": 1}):
            state.keep_view(view)
        assert state.shared() is None
        state.keep_text("é" * 5_000_000)
        st.text(str(len(state.text() or "")))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert app.text[0].value == "5000000"


def test_a_long_text_is_named_by_its_id() -> None:
    def script() -> None:
        import streamlit as st

        from tokviz.app.answers.visitors import kept_texts
        from tokviz.app.streamlit import state

        longest = "a" * state.MAX_SENT
        state.keep_text(longest)
        assert state.shared() == {"text": longest}
        longer = longest + "b"
        state.keep_text(longer)
        named = state.shared() or {}
        assert set(named) == {"textId"}
        assert kept_texts.find(named["textId"]) == longer == state.text()
        st.text("done")

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert app.text[0].value == "done"


@pytest.mark.parametrize(("setting", "base"), [("", "/"), ("app", "/app/"), ("/my/app/", "/my/app/")])
def test_the_base_path(setting: str, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "get_option", {"server.baseUrlPath": setting}.get)
    assert files.base() == base


def test_the_pages_that_are_listed_exist() -> None:
    assert {page.name for page in PAGES} == {file.stem for file in (ROOT / "pages").glob("*.py")}


def test_streamlit_finds_the_app_in_its_source() -> None:
    found = discover_asgi_app(ROOT / "app.py")
    assert found.is_asgi_app and found.app_name == "app"


def test_streamlit_settings_keep_data_on_the_server() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["showEmailPrompt"] is False
    assert settings["client"]["showSidebarNavigation"] is False
    assert settings["client"]["showErrorDetails"] == "none"
