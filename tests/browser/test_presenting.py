"""Presenter mode on every page: it fills the screen, in type that the last row can read, and controls come and go."""

import pytest
from playwright.sync_api import Locator, Page, expect
from tabs import Watched

from pages import (
    ANSWERS,
    CHARTS_MS,
    ComparePage,
    CompressionPage,
    ReplayPage,
    TokensPage,
    TrainPage,
    expect_large_type,
    expect_no_scrolling,
    header,
    present,
    rest,
)
from tokviz.lesson.steps import STEPS

SCREENS = [(1280, 720), (1920, 1080)]
MATTERS = 40
"""Least size of what matters on a screen of 1280 x 720, in pixels."""


def size_of(part: Locator) -> float:
    size: float = part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    return size


def bottom_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"] + box["height"]


def left_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["x"]


def transparency(part: Locator) -> str:
    """The opacity that an element is going to have, as a transition may be under way."""
    return str(
        part.evaluate("node => (node.getAnimations().forEach((each) => each.finish()), getComputedStyle(node).opacity)")
    )


# Any page


def test_controls_stay_while_somebody_types(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    page.get_by_role("button", name="present").click()
    page.clock.install()
    tokens.editor.fill("Emma")
    page.clock.run_for(60_000)
    expect(page.locator(".tokviz.present.idle")).to_have_count(0)
    expect(tokens.editor).to_be_focused()
    page.keyboard.press("Escape")
    expect(tokens.editor).not_to_be_focused()
    page.clock.run_for(60_000)
    expect(tokens.editor).to_be_hidden()
    expect(header(page)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(header(page)).to_be_visible()


def test_type_grows_with_the_screen(page: Page, widgets_url: str) -> None:
    TokensPage.open(page, widgets_url).write("word " * 400)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if width == SCREENS[0][0]:
            page.get_by_role("button", name="present").click()
        expect(page.locator(".token-view")).to_have_css("font-size", f"{MATTERS * height / 720:g}px")


# Compare


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_compared_name_fills_the_screen(page: Page, widgets_url: str, width: int, height: int) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write("Emma")
    present(page, width, height)
    expect_large_type(page)
    expect_no_scrolling(page)
    assert size_of(compare.score.locator(".source")) > 2 * MATTERS * height / 720
    assert bottom_of(compare.score) <= height
    for control in (compare.editor, compare.page.get_by_role("button", name="next ▶")):
        assert not control.evaluate("node => node.checkVisibility({ opacityProperty: true })")
    page.mouse.move(300, 300)
    for control in (compare.editor, compare.page.get_by_role("button", name="next ▶")):
        expect(control).to_be_in_viewport(ratio=1)
    expect_large_type(page)


def test_a_presented_difference_stands_beside_the_text(page: Page, widgets_url: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write("were 1234567 crumbs")
    present(page)
    alone = compare.score.bounding_box()
    page.mouse.move(300, 300)
    page.get_by_role("button", name="next ▶").click()
    expect(compare.card.locator(".causes")).to_be_visible()
    beside, card = compare.score.bounding_box(), compare.card.bounding_box()
    assert alone and beside and card
    assert beside["width"] < alone["width"] and card["x"] >= beside["x"] + beside["width"]
    assert card["y"] + card["height"] <= 720
    chosen = compare.score.locator(".block.chosen").first
    expect(chosen).to_be_in_viewport(ratio=1)
    assert min(size_of(part) for part in compare.card.locator(".piece b").all()) >= MATTERS
    assert size_of(chosen) >= MATTERS
    page.mouse.move(0, 300)
    expect(page.locator("html.tokviz-idle")).to_have_count(1)
    expect_no_scrolling(page)
    expect_large_type(page)


@pytest.mark.parametrize("view", ["aligned", "side by side"])
def test_blocks_stand_under_their_characters_after_fitting(page: Page, widgets_url: str, view: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write("There were 1234567 crumbs.")
    page.get_by_role("radio", name=view).check()
    present(page)
    expect_no_scrolling(page)
    if view == "side by side":
        assert min(size_of(part) for part in page.locator(".side .t").all()) >= MATTERS
        return
    text, blocks = compare.score.locator(".source").bounding_box(), compare.score.locator(".block")
    boxes = [box for block in blocks.all() if (box := block.bounding_box())]
    assert text and len(boxes) == blocks.count()
    assert min(box["x"] for box in boxes) == pytest.approx(text["x"], abs=1)
    assert all(box["x"] + box["width"] <= text["x"] + text["width"] + 1 for box in boxes)


# Merge replay


def test_replay_keeps_still_while_its_controls_hide(page: Page, widgets_url: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    replay = ReplayPage.open(page, f"{widgets_url}replay")
    replay.seek(1)
    present(page)
    expect_no_scrolling(page)
    expect_large_type(page)
    play = page.get_by_role("button", name="Play", exact=True)
    before = replay.stage.bounding_box()
    assert not play.evaluate("node => node.checkVisibility({ opacityProperty: true })")
    page.keyboard.press("ArrowRight")
    replay.at(2)
    expect(page.locator("html.tokviz-idle")).to_have_count(0)
    assert play.evaluate("node => node.checkVisibility({ opacityProperty: true })") or transparency(play) != "0"
    assert replay.stage.bounding_box() == before
    for k in (0, 8, 16):
        replay.seek(k)
        letters = replay.stage.locator(".now .label").filter(has_not_text=" ")  # bytes beside a letter take its room
        for part in (page.locator(".figures dd").first, *letters.all()):
            assert size_of(part) >= MATTERS
        expect_large_type(page)
        expect_no_scrolling(page)
    replay.page.get_by_role("switch", name="tower").uncheck()
    assert size_of(replay.stage.locator(".sym").first) >= MATTERS


# Lesson


def test_each_step_of_the_lesson_fills_a_screen(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}lesson")
    steps = page.locator(".lesson .step")
    expect(steps).to_have_count(len(STEPS))
    present(page)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        expect(steps.first).to_have_css("height", f"{height}px")
        expect_large_type(page)
        for step in steps.all():
            step.evaluate("step => step.scrollIntoView()")
            box = step.bounding_box()
            assert box and (round(box["y"]), round(box["height"])) == (0, height)
            assert size_of(step.locator(".question")) >= MATTERS * height / 720
        scrolled = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
        assert scrolled < (len(STEPS) + 0.1) * height
        expect(page.get_by_text("For you who teach it").first).to_be_hidden()
        for step in steps.all():
            step.locator("summary").evaluate("summary => summary.click()")
            expect(step.locator("details p")).to_be_visible()
            assert round((step.bounding_box() or {"height": 0})["height"]) == height
            step.locator("summary").evaluate("summary => summary.click()")


# Charts, in the app


def open_question(page: Page, app_url: str, question: str) -> CompressionPage:
    page.goto(f"{app_url}compression?chart={question.replace(' ', '+')}")
    compression = CompressionPage(page)
    expect(compression.charts.first).to_be_visible(timeout=CHARTS_MS)
    expect(compression.questions.get_by_text("…", exact=True)).to_have_count(0, timeout=CHARTS_MS)
    rest(page, CHARTS_MS)
    return compression


def test_each_chart_fills_a_screen(page: Page, app_url: str) -> None:
    """From the top, and four of them are in sight between the controls as well."""
    compression = CompressionPage.open(page, f"{app_url}compression")
    page.set_viewport_size({"width": 1280, "height": 720})
    for question, (name, heading, number) in ANSWERS.items():
        assert compression.answer(question) == number
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
        expect_full_screens(page, number)
        if name in ("This text", "Merges", "Vocabulary size", "Languages"):
            expect_chart_between_controls(page)
        page.keyboard.press("f")
        expect(header(page)).to_be_visible()


def expect_full_screens(page: Page, number: int) -> None:
    shown = page.locator("[class*=st-key-presented]")
    expect(shown).to_have_count(number)
    for stage in shown.all():
        stage.evaluate("stage => stage.scrollIntoView()")
        box, chart = stage.bounding_box(), stage.locator(".main-svg").first.bounding_box()
        assert box and chart
        assert (round(box["y"]), round(box["height"])) == (0, 720)
        assert chart["y"] + chart["height"] <= 720
        assert chart["height"] > 0.6 * 720 and chart["width"] > 1200
        assert size_of(stage.get_by_role("heading")) >= MATTERS
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollHeight") == pytest.approx(number * 720, abs=2)


def expect_chart_between_controls(page: Page) -> None:
    page.mouse.move(300, 300)
    expect(page.locator("html.tokviz-idle")).to_have_count(0)
    above, below = (page.locator(f".st-key-{name}").bounding_box() for name in ("questions", "controls"))
    heading = page.locator("[class*=st-key-presented]").get_by_role("heading").bounding_box()
    chart = page.locator(".js-plotly-plot").bounding_box()
    assert above and below and heading and chart
    assert above["y"] + above["height"] <= heading["y"] < chart["y"]
    assert chart["y"] + chart["height"] <= below["y"]
    assert chart["height"] > 0.3 * 720


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


def test_chart_returns_to_its_size_after_presenting(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    compression = open_question(page, app_url, "This text")
    label = page.locator(".js-plotly-plot .ytick text").first
    controls = page.locator(".st-key-controls")
    expect(label).to_have_css("font-size", "16px", timeout=CHARTS_MS)
    present(page)
    expect(label).to_have_css("font-size", "22px", timeout=CHARTS_MS)
    assert transparency(controls) == "0"
    page.mouse.move(300, 300)
    expect(page.locator("html.tokviz-idle")).to_have_count(0)
    assert transparency(controls) == "1"
    compression.ask("Which tokens does this text use?")
    expect(page.get_by_role("heading", name="Which tokens does this text use?")).to_be_visible(timeout=CHARTS_MS)
    page.mouse.move(310, 310)  # the chart may have taken longer than the controls stay
    page.get_by_role("button", name="leave").click()
    expect(label).to_have_css("font-size", "16px", timeout=CHARTS_MS)
    expect(header(page)).to_be_visible()


def test_a_training_is_presented_by_its_result(page: Page, app_url: str, watched: Watched) -> None:
    page.emulate_media(reduced_motion="reduce")
    train = TrainPage.open(page, app_url, "?size=300")
    train.train()
    present(page)
    expect(page.locator(".tokviz.train.idle")).to_be_visible()
    expect(train.text).to_be_hidden()
    expect(train.button).to_be_hidden()
    expect_large_type(page)
    total = page.locator(".total b")
    assert size_of(total) >= MATTERS
    for part in (page.locator(".tower-box"), train.newest.last):  # side by side
        assert bottom_of(part) <= 720
    assert left_of(page.locator(".tower-box")) < left_of(train.newest.first)
    legend = page.locator(".legend")
    expect(legend).to_have_text("The number in a block is its merge. The number beneath a token is its id.")
    for part in legend.locator("span").all():
        expect(part).to_be_visible()
    block = page.locator(".tower .block.now:not(.symbol)").first
    merge, token = (int(block.locator(name).inner_text()) for name in ("small", "b"))
    assert token == 255 + merge
    page.mouse.move(300, 300)
    expect(train.button).to_be_visible()


def test_a_clicker_turns_the_pages_of_the_lesson_at_once(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}lesson")
    expect(page.locator(".lesson .step")).to_have_count(len(STEPS))
    present(page)
    main = page.get_by_test_id("stMain")
    expect(main).to_be_focused()
    expect(main).to_have_css("outline-style", "none")
    page.keyboard.press("PageDown")
    page.wait_for_function("main => main.scrollTop > 100", arg=main.element_handle())
