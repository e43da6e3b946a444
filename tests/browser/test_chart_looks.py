"""Every chart of the Compression page: in both themes and widths, on paper, and on a presenter's screen."""

from typing import Any, Literal

import pytest
from browsing import expect_accessible
from playwright.sync_api import Page, expect

from pages import (
    ANSWERS,
    CHARTS_MS,
    MATTERS,
    CompressionPage,
    expect_large_type,
    expect_no_scrolling,
    expect_no_sideways_scrolling,
    header,
    next_frame,
    rest,
    resting_box,
    size_of,
)

Theme = Literal["light", "dark"]
LOOKS: tuple[tuple[Theme, int], ...] = (("light", 1280), ("light", 375), ("dark", 375), ("dark", 1280))
"""Themes and widths, each with one of both changed."""
HEIGHT = 1600
"""High enough for all of a question's page, because axe judges no contrast of what is scrolled out of sight."""

# Whether each chart is drawn for the width that it has on the page, where a text may stand beside it.
FITTED = """node => [...node.querySelectorAll(".chart .main-svg:first-child")].every((drawing) =>
    Math.abs(Math.min(860, drawing.closest(".chart").clientWidth) - drawing.getBoundingClientRect().width) < 2)"""

# Texts of charts that overlap others of the same chart, or reach out of it.
COLLISIONS = """node => [...node.querySelectorAll(".js-plotly-plot")].flatMap((chart) => {
    const around = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")]
        .map((node) => [node.textContent, node.getBoundingClientRect()])
        .filter(([text, box]) => text.trim() && box.width > 0);
    const isOut = (box) => box.left < around.left - 2 || box.right > around.right + 2;
    const out = texts.filter(([, box]) => isOut(box)).map(([text]) => `out: ${text}`);
    const touching = texts.flatMap(([text, a], k) => texts.slice(k + 1)
        .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * a.height)
        .map(([other]) => `${text} and ${other}`));
    return [...out, ...touching];
})"""


def test_every_chart_on_a_page_on_paper_and_on_a_screen(page: Page, app_url: str) -> None:
    """Each question is asked once, because answering and drawing take longest."""
    compression = CompressionPage.open(page, f"{app_url}compression")
    for question, (name, heading, number) in ANSWERS.items():
        page.emulate_media(color_scheme="light")
        compression.answer(question)
        expect(page.get_by_role("figure", name="?")).to_have_count(number)
        for scheme, width in LOOKS:
            expect_look(compression, question, scheme, width)
        expect_printed(compression, name, number)
        present_charts(page, name, heading, number)


def test_type_of_a_chart_grows_with_the_page(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    compression = CompressionPage.open(page, f"{app_url}compression")
    compression.expect_charts(1)
    tick = page.locator(".js-plotly-plot .xtick text").first
    large = tick.evaluate("text => parseFloat(getComputedStyle(text).fontSize)")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(tick).to_have_css("font-size", f"{large / 1.25:g}px", timeout=CHARTS_MS)


def expect_look(compression: CompressionPage, question: str, scheme: Theme, width: int) -> None:
    """Expect the charts of a question to fit, and axe to find nothing, in a theme and at a width."""
    page, number = compression.page, ANSWERS[question][2]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": HEIGHT})
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
    next_frame(page)
    compression.expect_charts(number)
    expect_no_sideways_scrolling(page)
    if (scheme, width) != ("dark", 375):  # colors change with the theme, not with the width
        expect_accessible(page, f"{question}, {scheme}, {width} px wide", colors_only=scheme == "dark")
    page.wait_for_function(FITTED, arg=compression.node.element_handle())
    assert compression.node.evaluate(COLLISIONS) == []


PAPER = 680
"""Width of A4 within margins of 15 mm, in pixels."""
LEGIBLE = 12
"""Size in pixels of the smallest type on paper: 9 pt."""

# For each chart, its width, how far its text reaches, the smallest type in it, and what cuts it off.
PRINTED = """node => {
    dispatchEvent(new Event("beforeprint"));
    const box = (node) => node.getBoundingClientRect();
    const above = (node) => (node ? [node, ...above(node.parentElement ?? node.getRootNode().host)] : []);
    return [...node.querySelectorAll(".chart .main-svg:first-child")].map((drawing) => {
        const { left, right, bottom, width } = box(drawing);
        const texts = [...drawing.parentElement.querySelectorAll("text")].filter((text) => box(text).width);
        const isCut = (node) => box(node).right < right - 1 || box(node).bottom < bottom - 1;
        const cutting = above(drawing.parentElement)
            .filter((node) => getComputedStyle(node).overflow !== "visible" && isCut(node));
        const scale = width / drawing.width.baseVal.value;
        return {
            width, cutting: cutting.map((node) => node.cloneNode().outerHTML),
            reach: Math.max(...texts.map((text) => box(text).right)) - left,
            type: Math.min(...texts.map((text) => scale * parseFloat(getComputedStyle(text).fontSize))),
            colors: texts.map((text) => getComputedStyle(text).fill),
        };
    });
}"""


def expect_printed(compression: CompressionPage, name: str, number: int) -> None:
    """Expect the charts to be complete and legible on paper, on which a dark page is white."""
    page = compression.page
    page.emulate_media(media="print")
    printed: list[dict[str, Any]] = compression.node.evaluate(PRINTED)
    assert len(printed) == number, name
    for chart in printed:
        assert chart["cutting"] == []
        assert 0.8 * PAPER < chart["width"] <= PAPER
        assert 0 < chart["reach"] <= chart["width"] + 1
        assert chart["type"] >= LEGIBLE
        assert set(chart["colors"]) == {"rgb(27, 31, 36)"}
    page.emulate_media(media="screen")


def present_charts(page: Page, name: str, heading: str, number: int) -> None:
    """Present the charts from the top, a screen for each."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 900)")
    expect(page.get_by_role("button", name="present")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".js-plotly-plot .xtick text").first).to_have_css("font-size", "22px", timeout=CHARTS_MS)
    rest(page, CHARTS_MS)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    expect(page.get_by_role("heading", name=heading)).to_be_in_viewport(ratio=1)
    if name == "Languages":
        expect_all_languages_in_two_columns(page)
    expect_large_type(page)
    expect_full_screens(page, name, number)
    expect_uncovered_chart(page)
    page.mouse.move(-1, -1)
    page.keyboard.press("f")
    expect(header(page)).to_be_visible()


SCREEN = 720 - 2.3 * 23
"""Height of a screen beneath the presenter's controls."""

HALVES = {"lengths", "ranks", "code", "digits"}
"""The charts that share a screen with another while they are presented."""


def expect_full_screens(page: Page, name: str, number: int) -> None:
    shown = page.locator("section.drawn")
    expect(shown).to_have_count(number)
    for stage in shown.all():
        stage.evaluate("stage => stage.scrollIntoView()")
        box, chart = resting_box(stage), resting_box(stage.locator(".main-svg").first)
        assert (box["y"], box["height"]) == pytest.approx((720 - SCREEN, SCREEN), abs=0.5)
        assert chart["y"] + chart["height"] <= 720
        if stage.get_attribute("data-name") == "merges":  # above a slider, and beside the text with fewer merges
            assert chart["height"] > 0.5 * 720 and chart["width"] > 700
        else:
            is_half = stage.get_attribute("data-name") in HALVES
            assert chart["height"] > 0.6 * 720 and chart["width"] > (570 if is_half else 1200)
        assert size_of(stage.get_by_role("heading")) >= MATTERS
    main = page.get_by_test_id("stMain")
    screens = number - (number == 3)  # of three charts, two share a screen
    assert main.evaluate("main => main.scrollHeight") == pytest.approx(screens * SCREEN, abs=2)


def expect_uncovered_chart(page: Page) -> None:
    """Expect the controls to come above a chart, which keeps its size."""
    stage = page.locator("section.drawn").last  # scrolled to
    chart = stage.locator(".main-svg").first
    before = resting_box(chart)
    page.mouse.move(300, 300)
    expect(page.locator("html.tokviz-idle")).to_have_count(0)
    assert resting_box(chart) == before
    leave = resting_box(page.get_by_role("button", name="leave"))
    assert leave["y"] + leave["height"] <= resting_box(stage)["y"]
    middle = (before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    page.mouse.move(*middle, steps=3)
    assert resting_box(chart) == before  # whatever is pointed at


def expect_all_languages_in_two_columns(page: Page) -> None:
    names = page.locator(".js-plotly-plot :is(.ytick, .y2tick) text")
    expect(page.locator(".js-plotly-plot .y2tick text")).to_have_count(16, timeout=CHARTS_MS)
    expect(names).to_have_count(32)
    rest(page, CHARTS_MS)
    expect_no_scrolling(page)
    boxes = [box for name in names.all() if (box := name.bounding_box())]
    assert len(boxes) == 32
    for box in boxes:
        assert 0 <= box["x"] < box["x"] + box["width"] <= 1280 and 0 < box["y"] < box["y"] + box["height"] < 720
    left = sorted((box for box in boxes if box["x"] < 400), key=lambda box: box["y"])
    assert len(left) == 16
    # A name may not touch the next.
    assert all(above["y"] + 20 <= below["y"] for above, below in zip(left, left[1:], strict=False))
