"""Streamlit's page lists the modules of a page's widget; all other responses stay as they are."""

import posixpath
import re
from html.parser import HTMLParser

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from streamlit.file_util import get_static_dir
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from tokviz.app.http.module_preloads import HOST_MODULES, WIDGETS, ModulePreloads
from tokviz.widgets import FOLDER

STREAMLIT = create_streamlit_static_handler(get_static_dir(), None)
PLAIN = TestClient(STREAMLIT)


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/gone/train", lambda _: HTMLResponse("<head></head>", 404)),
        Mount("/", STREAMLIT),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(ModulePreloads), Middleware(GZipMiddleware)]))


class Preloads(HTMLParser):
    """The addresses that a page preloads as modules."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "link" and values["rel"] == "modulepreload":
            self.found.append(values["href"] or "")


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


@pytest.mark.parametrize("name", WIDGETS)
def test_a_page_lists_all_modules_of_its_widget_once(client: TestClient, name: str) -> None:
    answer = client.get(f"/{name}?tokenizer=gpt2")
    before = Preloads(PLAIN.get("/").text).found
    listed = Preloads(answer.text).found
    assert listed[: len(before)] == before
    ours = [path.removeprefix("./_tokviz/static/") for path in listed[len(before) :]]
    assert sorted(ours) == sorted(reached_from(f"{WIDGETS[name]}/widget.js", *HOST_MODULES))
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 2
    plain = client.get(f"/{name}", headers={"accept-encoding": "identity"})
    assert (plain.text, int(plain.headers["content-length"])) == (answer.text, len(answer.content))
    assert "etag" not in answer.headers  # a list that an update changed would be taken for unchanged


@pytest.mark.parametrize("path", ["/nothing", "/favicon.png", "/static/js/tokens", "/gone/train"])
def test_other_responses_stay_as_they_are(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert "_tokviz" not in answer.text
    if path == "/favicon.png":
        assert (answer.content, answer.headers["etag"]) == (PLAIN.get(path).content, PLAIN.get(path).headers["etag"])
