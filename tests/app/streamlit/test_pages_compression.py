"""The Compression page in Streamlit's AppTest: the data of its widget."""

import json
from pathlib import Path
from typing import Any

import pytest
from app_test import AppTest

from tokviz.app.answers.compression.questions import QUESTIONS
from tokviz.app.answers.visitors.kept_texts import KeptText
from tokviz.app.streamlit import state
from tokviz.samples import sample

APP = str(Path(__file__).parents[3] / "app.py")


def widget(text: str | None = None) -> dict[str, Any]:
    app = AppTest.from_file(APP, default_timeout=120)
    if text is not None:
        app.session_state[state._TEXT] = KeptText(text)
    app.switch_page("pages/compression.py").run()
    assert not app.exception
    [data] = json.loads(app.get("bidi_component")[0].proto.json)
    assert isinstance(data, dict)
    return data


def test_the_page_begins_with_the_example_that_it_names() -> None:
    data = widget()
    assert data["given"]["name"] == data["start"] and data["given"]["text"].startswith(sample("prose-en").text)
    listed = {each["name"]: each["title"] for each in data["samples"]}
    assert listed[data["start"]] == data["given"]["title"] and "prose-ja" in listed
    assert data["state"] is None
    assert [each["title"] for each in data["questions"]] == [question.title for question in QUESTIONS]


@pytest.mark.parametrize(("text", "named"), [(sample("prose-ja").text, "prose-ja"), ("typed on another page", "")])
def test_an_example_that_another_page_left_is_named_as_one(text: str, named: str) -> None:
    data = widget(text)
    assert data["state"] == {"text": text} and data["sample"] == named
