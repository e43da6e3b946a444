"""The Compression page in Streamlit's AppTest: the data of its widget."""

from pathlib import Path

from app_test import open_page, widget_data

from tokviz.app.answers.compression.questions import QUESTIONS
from tokviz.samples import sample

APP = str(Path(__file__).parents[3] / "app.py")


def test_the_page_begins_with_the_example_that_it_names() -> None:
    data = widget_data(open_page("compression"))
    assert data["given"]["name"] == data["start"] and data["given"]["text"].startswith(sample("prose-en").text)
    listed = {each["name"]: each["title"] for each in data["samples"]}
    assert listed[data["start"]] == data["given"]["title"] and "prose-ja" in listed
    assert [each["title"] for each in data["questions"]] == [question.title for question in QUESTIONS]
