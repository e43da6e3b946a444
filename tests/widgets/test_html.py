"""Widgets as pages of their own: everything is inside, nothing breaks out, nothing is fetched."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from tokviz.widgets import FOLDER
from tokviz.widgets.html import standalone_page

WIDGETS = sorted(path.parent.name for path in FOLDER.glob("*/widget.js"))
NASTY = "</script><!--<script>\u2028 & < > \\ \" ' \x00 🍕 {style} %s"


class Reader(HTMLParser):
    """What a page's elements hold, and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.open = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))
        self.open = True

    def handle_data(self, data: str) -> None:
        if self.open:
            self.elements[-1][2].append(data)

    def handle_endtag(self, tag: str) -> None:
        self.open = False

    def texts(self, tag: str, **wanted: str) -> list[str]:
        return [
            "".join(text)
            for name, attributes, text in self.elements
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]


def modules_of(page: str) -> list[list[str | int]]:
    found: list[list[str | int]] = json.loads(Reader(page).texts("script", id="modules")[0])
    return found


@pytest.mark.parametrize("widget", WIDGETS)
def test_every_module_that_is_imported_is_inside_and_comes_first(widget: str) -> None:
    for number, module in enumerate(modules_of(standalone_page(widget, {}, "title"))):
        imported = [part for part in module if isinstance(part, int)]
        assert all(each < number for each in imported)
        # Put together, nothing is left that a browser would have to find by itself.
        source = "".join(f"blob:{part}" if isinstance(part, int) else part for part in module)
        named = re.findall(r"""^\s*(?:import|export|\}).*?(?:from|import) ["']([^"']+)["'];$""", source, re.MULTILINE)
        assert named == [f"blob:{part}" for part in imported]


@pytest.mark.parametrize("widget", WIDGETS)
def test_modules_are_those_on_disk_each_once(widget: str) -> None:
    modules = modules_of(standalone_page(widget, {}, "title"))
    sources = {file: re.sub(r'(?<=")\.{1,2}/[^"]+(?=";)', "", file.read_text("utf-8")) for file in FOLDER.rglob("*.js")}
    joined = ["".join(part for part in module if isinstance(part, str)) for module in modules]
    assert len(set(joined)) == len(joined)
    assert set(joined) <= set(sources.values())
    assert joined[-1] == sources[FOLDER / widget / "widget.js"]


def test_data_arrives_whatever_stands_in_it() -> None:
    data = {"text": NASTY, "more": [None, 1, {"bytes": b"\x00\xff</script>"}]}
    reader = Reader(standalone_page("colored", data, "title"))
    found = json.loads(reader.texts("script", id="data")[0])
    assert found["text"] == NASTY
    assert base64.b64decode(found["more"][2]["bytes"]["$base64"]) == b"\x00\xff</script>"
    assert len(reader.texts("script")) == 3


def test_a_title_is_text() -> None:
    reader = Reader(standalone_page("colored", {}, NASTY))
    assert reader.texts("h1") == reader.texts("title") == [NASTY]


def test_the_policy_allows_our_own_script_and_style_and_no_address() -> None:
    reader = Reader(standalone_page("colored", {}, "title"))
    (policy,) = [
        attributes["content"]
        for _, attributes, _ in reader.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy
    for text in (reader.texts("script", type="module")[0], reader.texts("style")[0]):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"https?:|unsafe|\*", policy)


def test_nothing_in_a_page_names_another_host() -> None:
    page = standalone_page("tokens", {}, "title")
    addresses = set(re.findall(r"https?://[^\s\\\"'`)]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_what_is_not_json_is_refused() -> None:
    unfit: dict[str, Any] = {"when": object()}
    with pytest.raises(TypeError, match="a page's data is JSON and bytes, not object"):
        standalone_page("colored", unfit, "title")
