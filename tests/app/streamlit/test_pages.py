"""The pages in Streamlit's AppTest: their texts, the data of their widgets, and their shared state."""

import tomllib
from pathlib import Path

import pytest
from app_test import open_page, widget_data
from streamlit.web.server.app_discovery import discover_asgi_app

from tokviz.app.answers.page_list import PAGES
from tokviz.app.answers.routes import replay
from tokviz.app.streamlit import files
from tokviz.samples import samples
from tokviz.widgets import replays

ROOT = Path(__file__).parents[3]


def test_the_tokens_page_has_its_introduction_and_widget() -> None:
    data = widget_data(open_page("tokens"))
    assert data["widget"] == "tokens" and data["page"] == ""
    assert data["headline"].startswith("A language model never sees letters.")


def test_data_of_the_tokens_widget() -> None:
    data = widget_data(open_page("tokens"))
    assert data["base"] == "/"
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
    data = widget_data(open_page("replay"))
    assert data["widget"] == data["page"] == "replay"
    assert data["limits"] == {"bytes": replays.LIMIT, "merges": replay.MAX_MERGES}


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
