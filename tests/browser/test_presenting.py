"""Presenter mode on every page: it fills the screen, in type that the last row can read, and controls come and go."""

import pytest
from playwright.sync_api import Locator, Page, expect
from tabs import Watched

from pages import (
    ANSWERS,
    CHARTS_MS,
    MATTERS,
    TRAINING_MS,
    ChatPage,
    ComparePage,
    CompressionPage,
    ReplayPage,
    TokensPage,
    TrainPage,
    count,
    expect_large_type,
    expect_no_scrolling,
    header,
    let_controls_stay,
    present,
    resting_box,
    resting_boxes,
    size_of,
)
from tokviz.lesson.steps import lesson

STEPS = lesson().steps

SCREENS = [(1280, 720), (1920, 1080)]


def bottom_of(part: Locator) -> float:
    box = resting_box(part)
    return box["y"] + box["height"]


def right_of(part: Locator) -> float:
    box = resting_box(part)
    return box["x"] + box["width"]


def transparency(part: Locator) -> str:
    """The opacity that an element is going to have, as a transition may be under way."""
    return str(
        part.evaluate("node => (node.getAnimations().forEach((each) => each.finish()), getComputedStyle(node).opacity)")
    )


def expect_transparent(part: Locator) -> None:
    """Wait until an element, or one around it, has become fully transparent."""
    part.page.wait_for_function("node => !node.checkVisibility({ opacityProperty: true })", arg=part.element_handle())


# Any page


def test_a_bubble_has_room_for_a_token_in_large_type(page: Page, app_url: str) -> None:
    tokens = TokensPage.visit(page, app_url)  # in the app, which alone enlarges the type of all that is presented
    present(page, 1920, 1080)
    tokens.text.locator(".t", has_text="rag").first.hover()
    named = page.locator(".info-bubble:popover-open .named > :first-child")
    expect(named).to_have_text("rag")
    assert named.evaluate("chip => chip.scrollWidth <= chip.clientWidth")


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


@pytest.mark.parametrize("path", ["", "replay"])
def test_the_first_escape_closes_the_drawer_of_a_token(page: Page, widgets_url: str, path: str) -> None:
    page.goto(f"{widgets_url}{path}")
    page.get_by_role("button", name="present").click()
    page.locator(".t, .tower .block").first.click()
    drawer = page.get_by_role("region", name="Token", exact=True)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
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


# Boxes of everything that is in sight, with its text, but for what is only there while there is input.
IN_SIGHT = """() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (each) => [each, ...(each.shadowRoot ? inside(each.shadowRoot) : [])]);
    return inside(document.querySelector("[data-testid=stMain]"))
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((each) => [each, each.getBoundingClientRect()])
        .filter(([, { width, height, top }]) => width && height && top < innerHeight);
}"""
BOXES = (
    f"() => new Map(({IN_SIGHT})().map(([each, {{ x, y, width, height }}]) => [each, [x, y, width, height].join()]))"
)
MOVED = """before => [...before].filter(([each, box]) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].join() !== box;
}).map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${box}`)"""
# What of a page's content stands where one of the controls does. What is scrolled out of sight stands nowhere.
COVERED = f"""() => {{
    const found = ({IN_SIGHT})();
    const around = (each) => each.parentElement ?? each.getRootNode().host;
    const inSight = (each, {{ left, right, top, bottom }}) => {{
        for (let clip = each; clip; clip = getComputedStyle(clip).position === "fixed" ? null : around(clip)) {{
            if (clip === each || getComputedStyle(clip).overflowY === "visible") continue;
            const box = clip.getBoundingClientRect();
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }}
        return {{ left, right, top, bottom }};
    }};
    const boxOf = (each) => {{
        const range = document.createRange();
        range.selectNodeContents(each);
        const isWhole = each.matches(".button, select, input, svg, label");
        return inSight(each, (isWhole ? each : range).getBoundingClientRect());
    }};
    const meet = (one, other) => Math.min(one.right, other.right) > Math.max(one.left, other.left)
        && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);
    const controls = found.filter(([each]) => each.matches(".presenter .button, .presenter ~ .segments"));
    const content = found.filter(([each]) => !each.closest(".presenter") && each.matches(
        ".t, .cut, p, li, h1, h2, h3, td, th, output, select, input, textarea, summary, svg, .timer, .where, .button"));
    return content
        .filter(([each]) => controls.every(([control]) => !control.contains(each)))
        .filter(([each]) => controls.some(([control]) => meet(boxOf(each), boxOf(control))))
        .map(([each]) => each.outerHTML.slice(0, 90));
}}"""
# Scroll the page to its end, and a part of it that is scrolled instead.
TO_THE_END = f"() => ({IN_SIGHT})().forEach(([each]) => each.matches('.replay, .slides') && each.scrollTo(0, 1e6))"

MATTER = {
    "": ".reading .t",
    "compare": ".compared .t",
    "replay": ".stage .now .label",
    "train": ".picture .t",
    "chat": ".reading .t",
    "compression": ".drawn .main-svg",
    "course": ".tokviz.course li",
    "course#chapter=pairs": ".tokviz.course .chapter p",
    "lesson": ".slides .choice",
}
"""Selectors of the main content of each page, by address."""


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("path", MATTER)
def test_a_movement_of_the_pointer_shows_controls_that_lie_over_nothing_and_moves_nothing(
    page: Page, widgets_url: str, path: str, width: int, height: int
) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{widgets_url}{path}")
    page.wait_for_function("() => isAnswered()")
    present(page, width, height)
    matters = page.locator(MATTER[path])
    expect(matters.first).to_be_visible(timeout=CHARTS_MS)
    page.wait_for_function("() => isAnswered()")
    leave = page.get_by_role("button", name="Leave")
    expect_transparent(leave)
    last = resting_box(matters.last)
    before = page.evaluate_handle(BOXES)
    let_controls_stay(page)
    page.mouse.move(2, height - 2)
    page.wait_for_function("node => node.checkVisibility({ opacityProperty: true })", arg=leave.element_handle())
    assert page.evaluate(MOVED, before) == []
    assert page.evaluate(COVERED) == []
    box, rem = resting_box(leave), 23 * height / 720
    assert (box["y"], width - box["x"] - box["width"]) == pytest.approx((0.15 * rem, 0.5 * rem), abs=1)
    if path in ("", "compare", "train", "chat"):
        assert last["y"] + last["height"] < height
        view = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(token.closest('.token-view'))"
        assert matters.first.evaluate(f"token => {view}") <= 0  # a long word's last letter neither
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    page.evaluate(TO_THE_END)
    assert page.evaluate(COVERED) == []


# Compare


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_compared_name_fills_the_screen(page: Page, widgets_url: str, width: int, height: int) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write("Emma")
    present(page, width, height)
    expect_large_type(page)
    expect_no_scrolling(page)
    assert size_of(compare.layer(0).first) > 2 * MATTERS * height / 720
    assert bottom_of(compare.text) <= height
    expect_transparent(page.get_by_role("button", name="text, tokenizers"))
    let_controls_stay(page)
    page.mouse.move(300, 300)
    following, preparing = (page.get_by_role("button", name=name) for name in ("Next difference", "text, tokenizers"))
    expect(following).to_be_in_viewport(ratio=1)
    expect(compare.editor).to_be_hidden()
    preparing.click()
    expect(compare.editor).to_be_in_viewport(ratio=1)
    expect_large_type(page)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_presented_difference_stands_beside_the_text_and_moves_nothing(
    page: Page, widgets_url: str, width: int, height: int
) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")  # with its example, all of whose lines are in sight
    present(page, width, height)
    parts = [compare.text, page.locator(".flipper"), page.locator(".dock"), page.locator(".spending")]
    alone = [resting_box(part) for part in parts]
    let_controls_stay(page)
    page.mouse.move(300, 300)
    for _ in range(13):
        page.get_by_role("button", name="Next difference").click()
        expect(compare.card.locator(".tag").first).to_be_visible()
        assert [resting_box(part) for part in parts] == alone
        chosen = compare.chosen.filter(visible=True).first
        expect(chosen).to_be_in_viewport(ratio=1)
        assert size_of(chosen) >= MATTERS
    text, card, dock = resting_box(compare.text), resting_box(compare.card), alone[2]
    assert card["x"] >= text["x"] + text["width"]
    assert card["y"] + card["height"] <= alone[3]["y"] + 1
    assert dock["y"] + dock["height"] <= height
    page.mouse.move(0, 300)
    expect(page.locator("html.tokviz-idle")).to_have_count(1)
    assert [resting_box(part) for part in parts] == alone
    expect_no_scrolling(page, "drawer")  # whose explanation may be long
    expect_large_type(page)
    page.mouse.move(300, 300)
    page.get_by_role("button", name="text, tokenizers").click()
    assert compare.text.evaluate(CUT_OFF) == []


CUT_OFF = """text => {
    const end = text.getBoundingClientRect().bottom - 1;
    return [...text.querySelectorAll(".layer:first-child > *")].filter((token) => {
        const { top, bottom } = token.getBoundingClientRect();
        return top < end - 1 && bottom > end + 1;
    }).map((token) => token.textContent);
}"""
"""Tokens of which the lower edge of what scrolls shows a part."""


def test_a_presented_token_that_a_line_ends_in_is_one_block(page: Page, widgets_url: str) -> None:
    """Its ends at the line break are open, so that GPT-2's 18 tokens are not taken for 19."""
    text = "Zoë Müller-Okonkwo was here and we are so happy today"
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write(text)
    page.get_by_role("radio", name="flip").check()
    present(page)
    tokens = compare.layer(0).locator(".t")
    assert tokens.count() == count("gpt2", text) == 18
    wrapped = tokens.evaluate_all(
        "all => all.filter((one) => one.getClientRects().length > 1)"
        ".map((one) => [one.textContent, getComputedStyle(one).boxDecorationBreak])"
    )
    assert wrapped
    for token, ends in wrapped:
        assert token.startswith(" ") and ends == "slice"


@pytest.mark.parametrize("view", ["aligned", "flip", "side by side"])
def test_a_compared_text_fits_in_each_layout(page: Page, widgets_url: str, view: str) -> None:
    compare = ComparePage.open(page, f"{widgets_url}compare")
    compare.write("There were 1234567 crumbs.")
    page.get_by_role("radio", name=view).check()
    present(page)
    expect_no_scrolling(page)
    assert min(size_of(part) for part in compare.pieces.all()) >= MATTERS
    assert bottom_of(compare.text) <= 720


# Chat


def test_a_chat_is_presented_by_its_prompt_and_what_two_models_take(page: Page, widgets_url: str) -> None:
    chat = ChatPage.open(page, widgets_url)
    page.locator("summary", has_text="Compare with another model").click()
    expect(page.locator(".against table")).to_be_visible()
    for width, height in SCREENS:
        present(page, width, height)
        expect_large_type(page)
        assert size_of(chat.prompt) >= MATTERS * height / 720
        assert bottom_of(chat.prompt.locator(".t").last) <= height  # all of it is in sight
        for part in page.locator(".foot > .segments, .made-of > :is(.shares, p)").all():  # and what it is made of
            assert bottom_of(chat.prompt) < resting_box(part)["y"]
            assert bottom_of(part) <= height
        before = resting_boxes(page.locator(".tokviz.chat"))
        let_controls_stay(page)
        page.mouse.move(width - 20, height / 2)
        expect(page.locator("html.tokviz-idle")).to_have_count(0)
        assert resting_boxes(page.locator(".tokviz.chat")) == before
        leave = resting_box(page.get_by_role("button", name="Leave"))
        assert leave["y"] + leave["height"] <= resting_box(chat.prompt)["y"]
        for part in page.locator(".head :is(dl, input, select)").all():
            assert resting_box(part)["x"] + resting_box(part)["width"] <= leave["x"]
        page.keyboard.press("f")
        expect(page.locator(".tokviz.present")).to_have_count(0)
    present(page)
    expect(page.locator(".against table")).to_be_visible()
    expect(page.get_by_role("combobox", name="Other tokenizer")).to_be_hidden()
    first, size = chat.message(1), size_of(chat.prompt)  # beneath
    first.fill("You are a cheerful cook!")
    expect(chat.prompt).to_contain_text("cook!")
    assert size_of(chat.prompt) == size
    assert bottom_of(page.locator(".foot")) <= resting_box(first)["y"]


# Merge replay


def test_replay_keeps_still_while_its_settings_hide_and_its_player_stays(page: Page, widgets_url: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    replay = ReplayPage.open(page, f"{widgets_url}replay")
    replay.seek(1)
    present(page)
    expect_no_scrolling(page)
    expect_large_type(page)
    fold = page.get_by_role("button", name="Settings", exact=True)
    before = resting_box(replay.stage)
    expect_transparent(fold)
    for part in (replay.play, replay.track, page.locator(".signs")):
        assert part.evaluate("node => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })")
        expect(part).to_be_in_viewport(ratio=1)
    let_controls_stay(page)
    page.keyboard.press("ArrowRight")
    replay.at(2)
    expect(page.locator("html.tokviz-idle")).to_have_count(0)
    assert fold.evaluate("node => node.checkVisibility({ opacityProperty: true })") or transparency(fold) != "0"
    assert resting_box(replay.stage) == before
    for k in (0, 8, 16):
        replay.seek(k)
        letters = replay.stage.locator(".now .label").filter(has_not_text=" ")  # bytes beside a letter take its room
        for part in (page.locator(".figures dd").first, *letters.all()):
            assert size_of(part) >= MATTERS
        expect_large_type(page)
        expect_no_scrolling(page)
    replay.switch("tower").uncheck()
    assert size_of(replay.stage.locator(".sym").first) >= MATTERS


# Charts


def open_question(page: Page, app_url: str, question: str) -> CompressionPage:
    page.goto(f"{app_url}compression?chart={question.replace(' ', '+')}")
    compression = CompressionPage(page)
    compression.expect_charts(1)
    return compression


def test_chart_returns_to_its_size_after_presenting(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    compression = open_question(page, app_url, "This text")
    label = page.locator(".js-plotly-plot .ytick text").first
    controls = page.locator(".controls")
    expect(label).to_have_css("font-size", "16px", timeout=CHARTS_MS)
    present(page)
    expect(label).to_have_css("font-size", "22px", timeout=CHARTS_MS)
    let_controls_stay(page)
    choosing = page.get_by_role("button", name="Question, tokenizers")
    choosing.click()
    expect(controls).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("radiogroup", name="Question")).to_be_in_viewport(ratio=1)
    compression.ask("Which tokens does this text use?")
    choosing.click()
    expect(controls).to_be_hidden()
    expect(page.get_by_role("heading", name="Which tokens does this text use?")).to_be_visible(timeout=CHARTS_MS)
    page.mouse.move(310, 310)  # the chart may have taken longer than the controls stay
    page.get_by_role("button", name="Leave").click()
    expect(label).to_have_css("font-size", "16px", timeout=CHARTS_MS)
    expect(header(page)).to_be_visible()


def test_a_training_is_presented_by_its_text_in_tokens(page: Page, app_url: str, watched: Watched) -> None:
    page.emulate_media(reduced_motion="reduce")
    train = TrainPage.open(page, app_url)
    for width, height in ((1280, 720), (1920, 1080)):
        present(page, width, height)
        expect(page.locator(".tokviz.train.idle")).to_be_visible()
        expect(train.text).to_be_hidden()
        expect_large_type(page)
        assert size_of(page.locator(".total b")) >= MATTERS
        text = page.locator(".picture .token-view")
        expect(text.locator(".t").first).to_have_text("The")
        assert size_of(text) >= MATTERS * height / 720
        page.wait_for_function("view => view.scrollHeight <= view.clientHeight", arg=text.element_handle())
        edge = page.get_by_role("slider", name="Merges learned").bounding_box()
        below = bottom_of(text)
        assert edge and 0.7 * height < below < edge["y"], "it fills the screen above the slider"
        for part in (train.button, train.newest.first, page.get_by_role("slider", name="Merges learned")):
            expect(part).to_be_in_viewport()
        let_controls_stay(page)
        page.mouse.move(300, height / 2)
        expect(page.locator(".tokviz.train.idle")).to_have_count(0)
        page.keyboard.press("f")
    present(page)
    train.button.click()
    expect(page.get_by_role("slider", name="Merges learned")).to_be_visible(timeout=TRAINING_MS)
    expect(page.get_by_text("tokens, from 211 bytes")).to_be_visible(timeout=TRAINING_MS)
    expect(train.newest.first).to_be_in_viewport()


def test_a_text_to_train_on_is_presented_whole_beneath_the_band_and_beside_the_drawer(
    page: Page, app_url: str, watched: Watched
) -> None:
    """Nothing of it is cut, and what is said of a token stands where the merges will."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 720})
    train = TrainPage.open(page, app_url)
    page.get_by_role("button", name="present").click()
    train.text.fill("我喜欢在下雨天读书，窗外的河流很安静。\n今天的天气怎么样？我们一起去吃披萨吧！")
    train.button.click()
    text, drawer = page.locator(".picture .token-view"), page.locator(".picture .drawer")
    expect(page.get_by_text("tokens, from 115 bytes")).to_be_visible(timeout=TRAINING_MS)
    expect(text).to_contain_text("披萨")
    page.get_by_test_id("stMain").evaluate("main => main.scrollTop = 0")  # from the field beneath
    for part in (train.button, page.locator(".total"), text.locator(".t").first, text.locator(".t").last):
        expect(part).to_be_in_viewport(ratio=1)
    text.locator(".t").first.click()
    expect(drawer).to_be_visible()
    box = resting_box(drawer)
    assert box["x"] >= right_of(text)
    assert right_of(drawer) == pytest.approx(right_of(train.button), abs=1)
    assert box["y"] >= bottom_of(train.button)


def test_a_clicker_moves_the_slides_of_the_lesson_at_once(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}lesson")
    expect(page.locator(".lesson .step")).to_have_count(len(STEPS))
    present(page)
    slides = page.get_by_role("region", name="Slides")
    expect(slides).to_be_focused()
    expect(slides).to_have_css("outline-style", "none")
    page.keyboard.press("PageDown")
    expect(slides.locator(".right")).to_have_count(len(STEPS[0].answers))


def test_what_chooses_lies_over_no_text_of_a_comparison(page: Page, widgets_url: str) -> None:
    ComparePage.open(page, f"{widgets_url}compare")
    present(page)
    page.get_by_role("button", name="Text, tokenizers").press("Enter")
    shown = resting_box(page.locator(".compared").first)
    for panel in page.locator(".asking .choices").filter(visible=True).all():
        box = resting_box(panel)
        assert box["y"] + box["height"] <= shown["y"] + 1 or box["y"] >= shown["y"] + shown["height"] - 1


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_what_chooses_a_question_moves_nothing_and_lies_beside_the_languages(
    page: Page, app_url: str, width: int, height: int
) -> None:
    compression = CompressionPage.open(page, f"{app_url}compression")
    present(page, width, height)
    compression.expect_charts(1)
    expect(page.locator(".ytick text").first).to_have_css("font-size", f"{22 * height / 720:g}px")
    section = page.locator("section.drawn")
    before = resting_boxes(section)
    page.get_by_role("button", name="Question, tokenizers").press("Enter")
    title = resting_box(section.get_by_role("heading"))
    assert resting_box(compression.tokenizers)["height"] <= title["y"] + 1
    panel = resting_box(compression.questions)
    assert (panel["x"] + panel["width"], panel["y"]) == pytest.approx((width, title["y"]), abs=1)
    dots = section.locator(".points path").all()
    assert panel["y"] + panel["height"] <= min(dot.bounding_box()["y"] for dot in dots)  # type: ignore[index]
    assert resting_box(section.locator(".says"))["x"] < panel["x"]
    tops = [
        resting_box(each)["y"] for each in compression.questions.locator("label, summary").filter(visible=True).all()
    ]
    assert tops == sorted(set(tops)) and len(tops) == 5  # a line each
    page.get_by_text("More questions").press("Enter")
    expect(compression.questions.get_by_role("radio")).to_have_count(len(ANSWERS))
    assert resting_boxes(section) == before
