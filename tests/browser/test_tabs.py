"""The tab that tests use one after the other: nothing of a test reaches the next."""

import re
from collections.abc import Callable

import pytest
from browsing import TIMEOUT_MS
from playwright.sync_api import Browser, Request, Route, expect
from tabs import PLAIN, VIEWPORT, Tab

from pages import TokensPage

LEAVE_TRACES = """async () => {
    localStorage.setItem("a", "b");
    sessionStorage.setItem("a", "b");
    document.cookie = "a=b";
    window.name = "a";
    await caches.open("a");
    await new Promise((done) => { indexedDB.open("a").onsuccess = done; });
    addEventListener("pagehide", () => localStorage.setItem("late", "b"));
    history.pushState({}, "", "?a");
}"""
TRACES = """async () => ({
    stored: [localStorage.length, sessionStorage.length, document.cookie, window.name],
    databases: [(await caches.keys()).length, (await indexedDB.databases()).length],
    screen: [innerWidth, innerHeight],
    media: ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "print"].map((query) =>
        matchMedia(query).matches),
})"""


def test_a_used_tab_is_as_a_new_one(browser: Browser, widgets_url: str) -> None:
    tab = Tab(browser, TIMEOUT_MS)
    address = f"{widgets_url}{PLAIN}"
    tab.page.goto(address)
    new = tab.page.evaluate(TRACES)
    assert new["stored"] == [0, 0, "", ""] and new["screen"] == [VIEWPORT["width"], VIEWPORT["height"]]
    tab.page.emulate_media(media="print", color_scheme="dark", reduced_motion="reduce")
    tab.page.set_viewport_size({"width": 375, "height": 700})
    tab.page.evaluate(LEAVE_TRACES)
    tab.context.new_page().goto(address)
    assert all(before != after for before, after in zip(new.values(), tab.page.evaluate(TRACES).values(), strict=True))
    assert tab.clean()
    assert tab.context.pages == [tab.page]
    tab.page.goto(address)
    assert tab.page.evaluate(TRACES) == new
    tab.close()


WHEN_LOADED = "performance.timeOrigin"


def test_a_widget_starts_anew_without_loading_its_page(browser: Browser, widgets_url: str) -> None:
    tab = Tab(browser, TIMEOUT_MS)
    loaded = set()
    for text, link, tokenizer in (
        ("of one test", "", "cl100k (GPT-4, GPT-3.5)"),
        ("of another", "", "cl100k (GPT-4, GPT-3.5)"),
        ("of the last", "#tokenizer=gpt2", "GPT-2"),
    ):
        tokens = TokensPage.open(tab.page, f"{widgets_url}{link}")
        expect(tokens.editor).to_have_value(re.compile("^The cat sat on the mat"))
        expect(tokens.tokenizer).to_have_value(tokenizer)
        loaded.add(tab.page.evaluate(WHEN_LOADED))
        tokens.write(text)
        assert tab.clean()
    assert len(loaded) == 1
    tab.close()


@pytest.mark.parametrize(
    "change",
    [
        "window.a = 1",
        "Element.prototype.animate = null",
        "document.documentElement.className = 'a'",
        "document.querySelector('main').replaceChildren()",
        "history.pushState({}, '', '?a')",
    ],
)
def test_a_changed_page_is_loaded_again(browser: Browser, widgets_url: str, change: str) -> None:
    tab = Tab(browser, TIMEOUT_MS)
    TokensPage.open(tab.page, widgets_url)
    loaded = tab.page.evaluate(WHEN_LOADED)
    tab.page.evaluate(change)
    assert tab.clean()
    TokensPage.open(tab.page, widgets_url)
    assert tab.page.evaluate(WHEN_LOADED) != loaded
    tab.close()


def test_requests_are_neither_held_nor_heard_of_any_more(browser: Browser, widgets_url: str) -> None:
    tab = Tab(browser, TIMEOUT_MS)
    heard: list[Request] = []
    held: list[Route] = []
    tab.page.on("request", lambda request: heard.append(request))
    tab.context.on("request", lambda request: heard.append(request))
    tab.page.route("**/*", lambda route: held.append(route))
    tab.context.route("**/*", lambda route: route.abort())
    with tab.page.expect_request("**/*"):
        tab.page.evaluate("address => void fetch(address)", f"{widgets_url}{PLAIN}")
    assert len(heard) == 2
    assert tab.clean()
    tab.page.goto(f"{widgets_url}{PLAIN}")
    expect(tab.page.locator("body")).to_contain_text("{")
    assert len(heard) == 2
    tab.close()


@pytest.mark.parametrize(
    "alter",
    [
        lambda tab, _: tab.page.clock.install(),
        lambda tab, _: tab.context.set_offline(True),
        lambda tab, _: tab.context.grant_permissions(["clipboard-read"]),
        lambda tab, _: tab.page.mouse.down(),
        lambda tab, _: tab.page.close(),
        lambda tab, url: tab.page.goto(url.replace("127.0.0.1", "localhost") + PLAIN),
    ],
    ids=["clock", "offline", "permission", "mouse", "closed", "another site"],
)
def test_what_cannot_be_undone_costs_the_tab(
    browser: Browser, widgets_url: str, alter: Callable[[Tab, str], object]
) -> None:
    tab = Tab(browser, TIMEOUT_MS)
    tab.page.goto(f"{widgets_url}{PLAIN}")
    alter(tab, widgets_url)
    assert not tab.clean()
    tab.close()
