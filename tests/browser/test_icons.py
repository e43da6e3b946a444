"""Streamlit's icon font, 0.4 MB, is loaded once an icon is shown that is not one of the arrows drawn instead."""

from playwright.sync_api import Page, ViewportSize, expect

from pages import TrainPage, rest

STATUS = '[...document.fonts].find((font) => font.family.includes("Material Symbols")).status'


def test_the_icon_font_is_loaded_with_the_first_icon(page: Page, app_url: str) -> None:
    page.set_viewport_size(ViewportSize(width=375, height=800))
    TrainPage.open(page, app_url)
    rest(page)
    button = page.get_by_test_id("stExpandSidebarButton")
    expect(button).to_be_visible()
    arrow = button.get_by_test_id("stIconMaterial")
    assert "svg" in arrow.evaluate("icon => getComputedStyle(icon, '::before').maskImage")
    assert page.evaluate(STATUS) == "unloaded"
    arrow.evaluate("icon => document.body.append(Object.assign(icon.cloneNode(), { textContent: 'upload' }))")
    page.wait_for_function(f"() => {STATUS} === 'loaded'")
