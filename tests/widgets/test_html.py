"""Standalone widget pages: every module is included, data can't escape its element, and nothing is fetched."""

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


class PageParser(HTMLParser):
    """Collect a page's elements with their attributes and text."""

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


def page_modules(page: str) -> list[list[str | int]]:
    modules: list[list[str | int]] = json.loads(PageParser(page).texts("script", id="modules")[0])
    return modules


@pytest.mark.parametrize("widget", WIDGETS)
def test_imported_modules_are_included_in_dependency_order(widget: str) -> None:
    for index, module in enumerate(page_modules(standalone_page(widget, {}, "title"))):
        imported = [part for part in module if isinstance(part, int)]
        assert all(each < index for each in imported)
        # Every import in the assembled source is a Blob URL, so the browser resolves no path.
        source = "".join(f"blob:{part}" if isinstance(part, int) else part for part in module)
        specifiers = re.findall(
            r"""(?:^\s*(?:import|export|\}).*?(?:from|import) |(?:=> |await )import\()["']([^"']+)["'](?:;$|\))""",
            source,
            re.MULTILINE,
        )
        assert specifiers == [f"blob:{part}" for part in imported]


def without_documentation(source: str) -> str:
    kept, inside = [], False
    for line in source.splitlines(keepends=True):
        one_line = "*/" in line and not line.endswith("*/\n")  # code follows
        inside = inside or (line.lstrip(" ").startswith("/**") and not one_line)
        kept += [] if inside else [line]
        inside = inside and not line.endswith("*/\n")
    return "".join(kept)


@pytest.mark.parametrize("widget", WIDGETS)
def test_modules_match_the_files_on_disk_without_duplicates(widget: str) -> None:
    modules = page_modules(standalone_page(widget, {}, "title"))
    static, later = r'(?<=")\.{1,2}/[^"]+(?=";)', r'((?:=> |await )import\(")\.{1,2}/[^"]+(?="\))'
    sources = {
        file: re.sub(later, r"\1", re.sub(static, "", without_documentation(file.read_text("utf-8"))))
        for file in FOLDER.rglob("*.js")
    }
    joined = ["".join(part for part in module if isinstance(part, str)) for module in modules]
    assert len(set(joined)) == len(joined)
    assert set(joined) <= set(sources.values())
    assert joined[-1] == sources[FOLDER / widget / "widget.js"]


def test_data_round_trips_through_the_page() -> None:
    data = {"text": NASTY, "more": [None, 1, {"bytes": b"\x00\xff</script>"}]}
    parser = PageParser(standalone_page("colored", data, "title"))
    parsed = json.loads(parser.texts("script", id="data")[0])
    assert parsed["text"] == NASTY
    assert base64.b64decode(parsed["more"][2]["bytes"]["$base64"]) == b"\x00\xff</script>"
    assert len(parser.texts("script")) == 4


def test_title_is_escaped() -> None:
    parser = PageParser(standalone_page("colored", {}, NASTY))
    assert parser.texts("h1") == parser.texts("title") == [NASTY]


def test_content_security_policy_allows_only_inline_script_and_style() -> None:
    parser = PageParser(standalone_page("colored", {}, "title"))
    (policy,) = [
        attributes["content"]
        for _, attributes, _ in parser.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy
    for text in (parser.texts("script", type="module")[0], parser.texts("style")[0]):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"https?:|unsafe|\*", policy)


def test_page_contains_no_external_address() -> None:
    page = standalone_page("tokens", {}, "title")
    addresses = set(re.findall(r"https?://[^\s\\\"'`)]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_data_that_is_not_json_raises_type_error() -> None:
    invalid: dict[str, Any] = {"when": object()}
    with pytest.raises(TypeError, match="a page's data is JSON and bytes, not object"):
        standalone_page("colored", invalid, "title")
