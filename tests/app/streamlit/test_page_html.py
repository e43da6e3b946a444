"""Each page has its own HTML: what a chat shows of a link to it, and the modules of its widget."""

import posixpath
import re
import struct
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from tokviz.app.answers.link_cards import CARD_SIZE
from tokviz.app.answers.page_list import PAGES, Page
from tokviz.app.answers.routes import pictures
from tokviz.app.streamlit import files
from tokviz.app.streamlit.files import HOST_MODULE, StreamlitFiles
from tokviz.lesson.steps import lesson
from tokviz.widgets import FOLDER

STREAMLIT = create_streamlit_static_handler(get_static_dir(), None)
PLAIN = TestClient(STREAMLIT)


def client_at(root: str) -> TestClient:
    """A client of an app whose root is at a path, which is "" or begins with a slash."""
    routes = [
        Mount(f"{root}/_tokviz", routes=[pictures.files]),
        Route(f"{root}/gone/train", lambda _: HTMLResponse("<head></head>", 404)),
        Mount(root or "/", STREAMLIT),
    ]
    return TestClient(
        Starlette(routes=routes, middleware=[Middleware(StreamlitFiles), Middleware(GZipMiddleware)]),
        base_url="http://tokviz.example.org:8501",
    )


@pytest.fixture(params=["", "/my/app"])
def root(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(files, "get_option", {"server.baseUrlPath": request.param}.get)
    return str(request.param)


@pytest.fixture
def client(root: str) -> TestClient:
    return client_at(root)


class Head(HTMLParser):
    """What a page's HTML says before any script runs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title, self.language = "", ""
        self.meta: dict[str, str] = {}
        self.links: dict[str, list[str]] = {}
        self.anchors: list[str] = []
        self._in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in_title = tag == "title"
        if tag == "html":
            self.language = values["lang"]
        if tag == "meta" and "content" in values:
            self.meta[values.get("property") or values["name"]] = values["content"]
        if tag == "link":
            self.links.setdefault(values["rel"], []).append(values["href"])
        if tag == "a":
            self.anchors.append(values["href"])

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""


def reached_from(*paths: str) -> set[str]:
    """All modules that these import, followed one by one."""
    found, waiting = set(paths), list(paths)
    while waiting:
        path = waiting.pop()
        source = re.sub(r"/\*.*?\*/|//.*", "", (FOLDER / path).read_text("utf-8"), flags=re.DOTALL)
        for imported in re.findall(r'from\s*"(\.[^"]+)"', source):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def png_size(data: bytes) -> tuple[int, int]:
    """Read the width and height of a PNG file."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chat_shows_each_page_by_its_own_words_and_picture(client: TestClient, root: str, page: Page) -> None:
    answer = client.get(f"{root}/{page.path}", headers={"x-forwarded-proto": "https"})
    head = Head(answer.text)
    assert "Streamlit" not in head.title + "".join(head.meta.values())
    assert head.title.endswith(" · tokviz")
    assert head.meta["og:title"] == head.meta["og:image:alt"]
    assert head.meta["og:description"] == head.meta["description"]
    assert 40 <= len(head.meta["description"]) <= 160  # more is cut off
    assert head.meta["twitter:card"] == "summary_large_image"
    assert head.meta["og:image"].startswith(f"https://tokviz.example.org:8501{root}/_tokviz/")  # chats read no other
    picture = client.get(head.meta["og:image"].replace("https", "http"))
    size = int(head.meta["og:image:width"]), int(head.meta["og:image:height"])
    assert png_size(picture.content) == size == CARD_SIZE
    assert len(picture.content) <= 40_000
    for icon in (*head.links["shortcut icon"], *head.links["apple-touch-icon"]):
        assert png_size(client.get(urljoin(f"{root}/{page.path}", icon)).content) == (192, 192)


def test_pages_differ_in_what_a_chat_shows(client: TestClient, root: str) -> None:
    heads = [Head(client.get(f"{root}/{page.path}").text) for page in PAGES]
    for shown in ("og:title", "og:description", "og:image"):
        assert len({head.meta[shown] for head in heads}) == len(PAGES)
    assert len({head.title for head in heads}) == len(PAGES)


def test_the_lesson_is_called_by_its_own_texts(client: TestClient, root: str) -> None:
    head = Head(client.get(f"{root}/lesson").text)
    assert head.meta["og:title"] == lesson().words["page"]["title"]
    assert head.language == lesson().language


def test_a_host_name_is_text(client: TestClient, root: str) -> None:
    page = client.get(f"{root}/compare", headers={"host": 'a"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_lists_all_modules_of_its_widget_once(client: TestClient, root: str, page: Page) -> None:
    answer = client.get(f"{root}/{page.path}?tokenizer=gpt2")
    before = Head(PLAIN.get("/").text).links["modulepreload"]
    listed = Head(answer.text).links["modulepreload"]
    assert listed[: len(before)] == before
    ours = [path.removeprefix("./_tokviz/static/") for path in listed[len(before) :]]
    assert sorted(ours) == sorted(reached_from(f"{page.widget or page.name}/widget.js", HOST_MODULE))
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 2
    plain = client.get(f"{root}/{page.path}", headers={"accept-encoding": "identity"})
    assert (plain.text, int(plain.headers["content-length"])) == (answer.text, len(answer.content))
    assert "etag" not in answer.headers  # a list that an update changed would be taken for unchanged
    head = client.head(f"{root}/{page.path}", headers={"accept-encoding": "identity"})
    assert head.headers["content-length"] == plain.headers["content-length"]


@pytest.mark.parametrize("path", ["/favicon.png", "/gone/train", "/_stcore/health"])
def test_other_responses_stay_as_they_are(client: TestClient, root: str, path: str) -> None:
    answer = client.get(root + path)
    assert "_tokviz" not in answer.text
    if path == "/favicon.png":
        assert (answer.content, answer.headers["etag"]) == (PLAIN.get(path).content, PLAIN.get(path).headers["etag"])


@pytest.mark.parametrize("path", ["/nothing", "/static/js/tokens", "/a/b%2Fc", "/tokens/compare", "/%3Cscript%3Ex"])
def test_an_address_that_does_not_exist_has_a_page_with_ways_on(client: TestClient, root: str, path: str) -> None:
    answer = client.get(root + path)
    assert answer.status_code == 404
    assert "<script" not in answer.text
    assert "Streamlit" not in answer.text
    head = Head(answer.text)
    here = f"http://tokviz.example.org:8501{root}"
    ways = {urljoin(here + path, anchor) for anchor in head.anchors}
    assert ways == {f"{here}/{page.path}" for page in PAGES if not page.is_hidden}
    assert client.get(urljoin(here + path, head.links["icon"][0])).status_code == 200


def test_the_page_that_was_meant_comes_first(client: TestClient, root: str) -> None:
    for wrong, meant in {"comprae": "compare", "a/merge-replay": "replay", "chats": "chat"}.items():
        answer = client.get(f"{root}/{wrong}")
        assert Head(answer.text).anchors[0].endswith(f"/{meant}")
        assert "Did you mean" in answer.text
    assert "Did you mean" not in client.get(f"{root}/nothing").text


def test_a_long_address_is_not_repeated(client: TestClient, root: str) -> None:
    assert len(client.get(f"{root}/{'x' * 5_000}").text) < 5_000


def test_outside_the_apps_folder_ways_lead_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "get_option", {"server.baseUrlPath": "my/app"}.get)
    for path in ("/", "/my", "/other/compare"):
        answer = client_at("/my/app").get(path)
        assert answer.status_code == 404
        assert "/my/app/compare" in Head(answer.text).anchors


@pytest.mark.parametrize("path", ["tokens", "index.html", "Compare", "CHAT"])
def test_other_names_lead_to_the_page(client: TestClient, root: str, path: str) -> None:
    answer = client.get(f"{root}/{path}?tokenizer=gpt2", follow_redirects=False)
    assert answer.status_code == 308  # browsers keep what follows #, in which a text is
    page = "" if path in ("tokens", "index.html") else path.lower()
    address = f"http://tokviz.example.org:8501{root}/"
    assert urljoin(f"{address}{path}", answer.headers["location"]) == f"{address}{page}?tokenizer=gpt2"


def test_each_page_has_its_picture_and_nothing_else_is_stored() -> None:
    names = {Path(page.name).with_suffix(".png").name for page in PAGES}
    assert {file.name for file in pictures.FOLDER.iterdir()} == names | {"icon.png"}
