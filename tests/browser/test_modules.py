"""The modules that a page loads are those of its widget and those that all share."""

from playwright.sync_api import Page, expect

REQUESTED = """() => performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => /_tokviz\\/static\\/.*\\.js$/.test(name)).map((name) => name.split("_tokviz/static/")[1])"""


def test_tokens_asks_for_no_module_of_another_page(page: Page, app_url: str) -> None:
    page.goto(app_url)
    expect(page.locator(".t").first).to_be_visible()
    requested: list[str] = page.evaluate(REQUESTED)
    assert len(requested) == len(set(requested))
    assert {name.split("/")[0] for name in requested} == {"tokens", "token_view", "seek", "shared", "streamlit"}
