"""The light pages for phones: a room's, and the lesson's questions without a room."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from clients import client as client
from starlette.testclient import TestClient

from tokviz.app.shields.admission import content_security_policy
from tokviz.lesson.steps import lesson

STEPS = lesson().steps


class Page(HTMLParser):
    """Scripts and links of a page, and the data in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self._is_script = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if name in ("src", "href") and value]
        self._is_script = tag == "script" and "src" not in dict(attrs)

    def handle_data(self, data: str) -> None:
        if self._is_script and data.strip():
            self.inline.append(data)


@pytest.mark.parametrize("base", ["/", "/folder/"])
@pytest.mark.parametrize("path", ["sheet", "r/k7m-p2x-9qd", "notes/k7m-p2x-9qd"])
def test_all_that_a_page_loads_is_there(client: TestClient, base: str, path: str) -> None:
    page = Page(client.get(base + path).text)
    files = [link for link in page.links if not link.startswith("data:")]
    assert 10 < len(files) < 35  # light: what few need, such as figures, is loaded when it is wanted
    for file in files:
        assert client.get(urljoin(base + path, file)).status_code == 200, file
    # The policy allows no inline script, but data.
    assert "'unsafe-inline'" not in re.sub("style-src[^;]*;", "", content_security_policy())
    assert [json.loads(each)["up"] for each in page.inline] == ["../" if "/" in path else "./"]


@pytest.mark.parametrize("path", ["sheet", "r/k7m-p2x-9qd"])
def test_a_chat_shows_the_lesson_of_a_link_to_the_class(client: TestClient, path: str) -> None:
    page = client.get(f"/folder/{path}", headers={"host": "localhost:8501"}).text
    shown = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', page))
    assert shown["og:title"] == lesson().words["page"]["title"]
    assert client.get(shown["og:image"]).headers["content-type"] == "image/png"
    assert shown["og:image"].startswith("http://localhost:8501/folder/")


def test_the_sheet_has_the_lessons_questions_with_answers_and_links(client: TestClient) -> None:
    (data,) = Page(client.get("/folder/sheet").text).inline
    questions = json.loads(data)["questions"]
    assert [each["title"] for each in questions] == [step.title for step in STEPS]
    for question, step in zip(questions, STEPS, strict=True):
        assert client.post("/folder/_tokviz/figure", content=json.dumps(question["figure"])).status_code == 200
        assert question["answers"] == list(step.answers)
        assert [link["label"] for link in question["links"]] == [link.label for link in (*step.links, *step.afterwards)]
        assert all(link["href"].startswith("/folder/") for link in question["links"])
    assert len({each["id"] for each in questions}) == len(questions)


def test_the_earlier_address_of_the_sheet_leads_there(client: TestClient) -> None:
    answer = client.get("/folder/lesson?for=students", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "sheet")
    assert client.get("/folder/lesson?for=students").status_code == 200
    assert client.get("/lesson").status_code == 404  # left to Streamlit
