"""Streamlit's icon font, 0.4 MB, is loaded once an icon is shown that is not one of the arrows drawn instead."""

from playwright.sync_api import Page, ViewportSize, expect

from pages import TrainPage, rest

STATUS = '[...document.fonts].find((font) => font.family.includes("Material Symbols")).status'


def test_the_icon_font_is_loaded_with_the_first_icon(page: Page, app_url: str) -> None:
    page.set_viewport_size(ViewportSize(width=375, height=800))
    TrainPage.open(page, app_url)
    rest(page)
    fold = page.locator("summary", has_text="Open a tokenizer from a file")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    for arrow in (fold, page.get_by_test_id("stExpandSidebarButton")):
        assert "svg" in arrow.get_by_test_id("stIconMaterial").evaluate(
            "icon => getComputedStyle(icon, '::before').maskImage"
        )
    assert page.evaluate(STATUS) == "unloaded"
    fold.click()
    expect(page.get_by_test_id("stIconMaterial").get_by_text("upload")).to_be_visible()
    page.wait_for_function(f"() => {STATUS} === 'loaded'")
