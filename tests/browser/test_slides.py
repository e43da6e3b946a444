"""The lesson's slides: keys, figures, what fits on a screen, and the teacher's notes beside them."""

import re

import pytest
from browsing import expect_accessible
from playwright.sync_api import Locator, Page, ViewportSize, expect
from tabs import Watched

from pages import expect_large_type, expect_no_scrolling, header, looks
from tokviz.lesson.steps import Step, lesson

STEPS = lesson().steps

# True if the slides' buttons cover the clock, as they may cover a long title while the mouse moves.
COVERED = """() => {
    const slides = document.querySelector("#widget").shadowRoot;
    const box = (part) => slides.querySelector(part).getBoundingClientRect();
    return box(".slides-bar").left < box(".timer").right;
}"""

PROJECTOR = ViewportSize(width=1280, height=720)


def open_slides(page: Page, url: str) -> Locator:
    """Open the slides, at the first question."""
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{url}lesson")
    expect(page.get_by_role("button", name="present")).to_be_visible()
    page.keyboard.press("f")
    expect(slides(page)).to_be_visible()
    return slides(page)


def slides(page: Page) -> Locator:
    return page.get_by_role("region", name="Slides")


def expect_question(page: Page, step: Step) -> None:
    expect(slides(page).locator(".question")).to_have_text(step.question.replace("`", ""))
    expect(slides(page).locator(".right")).to_have_count(0)
    expect(slides(page).locator(".told")).to_have_text(re.sub("[`*]", "", step.say))


def expect_answer(page: Page, step: Step) -> None:
    expect(slides(page).locator(".question")).to_have_text(step.question.replace("`", ""))
    right = [step.choices[answer].replace("`", "") for answer in step.answers]
    expect(slides(page).locator(".choice.right > b + span")).to_have_text(right)
    expect(slides(page).locator(".told")).to_have_text(step.reveal.replace("`", ""))


def test_a_clicker_shows_each_question_and_then_its_answer(page: Page, widgets_url: str) -> None:
    open_slides(page, widgets_url)
    for step in STEPS:
        expect_question(page, step)
        page.keyboard.press("PageDown")
        expect_answer(page, step)
        page.keyboard.press("PageDown")
    expect_answer(page, STEPS[-1])  # there is nothing after it


def test_all_tokens_of_each_row_can_be_counted(page: Page, widgets_url: str) -> None:
    """The rows of "How long is a text?": a token stands in each, also where all cut alike."""
    opened = open_slides(page, widgets_url)
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(opened.locator(".compared .layer")).to_have_count(5)
    pieces = opened.locator(".compared .layer :is(.t, .cut)")
    expect(pieces.last).to_be_visible()
    shown = pieces.evaluate_all("(all) => all.map((each) => each.checkVisibility({ visibilityProperty: true }))")
    assert len(shown) > 20 and all(shown)


def test_keys_go_on_back_and_reveal_and_escape_gives_the_document_back(page: Page, app_url: str) -> None:
    open_slides(page, app_url)
    expect(header(page)).to_be_hidden()
    for key in ("Space", "ArrowRight"):
        page.keyboard.press(key)
    expect_question(page, STEPS[1])
    page.keyboard.press("r")
    expect_answer(page, STEPS[1])
    page.keyboard.press("r")
    expect_question(page, STEPS[1])
    page.keyboard.press("ArrowLeft")
    expect_answer(page, STEPS[0])
    page.keyboard.press("PageDown")
    page.reload()
    expect_question(page, STEPS[1])
    page.keyboard.press("Escape")
    expect(slides(page)).to_be_hidden()
    expect(header(page)).to_be_visible()
    expect(page.locator(".lesson .step")).to_have_count(len(STEPS))


def test_keys_belong_to_the_figure_while_it_has_the_focus(page: Page, widgets_url: str) -> None:
    open_slides(page, widgets_url)
    number = next(number for number, step in enumerate(STEPS) if step.id == "learning")
    for _ in range(2 * number):
        page.keyboard.press("ArrowRight")
    replay = slides(page).locator(".replay")
    expect(replay).to_be_visible()
    expect(replay.get_by_role("button", name="Next")).to_have_count(0)  # it would show the answer
    expect(slides(page).get_by_role("link", name="Open the page")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "1")
    replay.get_by_role("button", name="Next", exact=True).click()
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "3")
    expect_answer(page, STEPS[number])
    slides(page).locator(".question").click()
    page.keyboard.press("ArrowRight")
    expect_question(page, STEPS[number + 1])


def test_every_slide_fits_a_projector_in_large_type_and_hides_its_answer(page: Page, widgets_url: str) -> None:
    shown = open_slides(page, widgets_url)
    for step in STEPS:
        figure = shown.locator(".figure:not([aria-busy])")
        for isRevealed in (False, True):
            expect(figure).to_be_visible()
            expect_no_scrolling(page, covered="stMain")
            expect_large_type(page)
            assert page.evaluate(COVERED) is False, (step.id, isRevealed)
            boxes = [box.bounding_box() for box in shown.locator(".slide-choices > .choice").all()]
            assert len(boxes) == len(step.choices)
            assert all(box and box["height"] >= 72 for box in boxes), step.id
            if step.covering == "covered" and not isRevealed:
                expect(shown.locator(".figure .colored > p, .figure .totals").first).to_be_hidden()
            if step.id == "lengths" and isRevealed:
                painted = shown.locator(".compared .layer:last-child .t:not(.alike)").first
                expect(painted).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
            page.keyboard.press("ArrowRight")


def test_the_figures_of_an_answer_are_opened_by_their_names_beside_the_page(page: Page, widgets_url: str) -> None:
    shown = open_slides(page, widgets_url)
    page.keyboard.press("r")
    expect(shown.get_by_text(re.compile("^8 tokens of cl100k"))).to_be_visible()
    shown.get_by_role("button", name="The word alone").click()
    expect(shown.get_by_text(re.compile("^3 tokens of cl100k"))).to_be_visible()
    expect(shown.get_by_role("button", name="The word alone", pressed=True)).to_be_focused()
    link = shown.get_by_role("link", name="Open the page")
    expect(link).to_have_attribute("href", re.compile(r"^/#tokenizer=cl100k_base&view=all&text="))


def test_notes_in_another_window_follow_the_slides(page: Page, widgets_url: str) -> None:
    open_slides(page, widgets_url)
    notes = page.context.new_page()
    notes.goto(f"{widgets_url}lesson?for=notes")
    expect(notes.get_by_text("These notes follow the slides.")).to_be_visible()
    expect(notes.get_by_role("heading", name=STEPS[0].title)).to_be_visible()
    for _ in range(2):
        page.keyboard.press("PageDown")
    expect(notes.get_by_role("heading", name=STEPS[1].title)).to_be_visible()
    expect(notes.get_by_text(STEPS[1].reveal.replace("`", ""))).to_be_visible()
    expect(notes.get_by_text(f"Then: {STEPS[2].title}")).to_be_visible()
    expect(notes.get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d of 4 min$"))
    page.keyboard.press("Escape")
    expect(notes.get_by_text("Open the slides in this browser")).to_be_visible()
    page.keyboard.press("f")
    expect(notes.get_by_text("These notes follow the slides.")).to_be_visible()
    page.goto("about:blank")
    expect(notes.get_by_text("Open the slides in this browser")).to_be_visible()
    notes.close()


@pytest.mark.parametrize(("query", "module"), [("notes", "notes"), ("question", "asked")])
def test_a_module_that_does_not_arrive_is_reported(
    page: Page, widgets_url: str, query: str, module: str, watched: Watched
) -> None:
    page.route(f"**/slides/{module}.js*", lambda route: route.abort())
    page.goto(f"{widgets_url}lesson?for={query}")
    expect(page.get_by_role("alert")).to_have_text(re.compile("could not start. Reload the page to try again.$"))
    watched.problems.clear()  # the browser's own


@pytest.mark.parametrize("query", ["", "?for=notes"], ids=["slides", "notes"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(page: Page, app_url: str, widgets_url: str, query: str) -> None:
    page.goto(f"{app_url if query else widgets_url}lesson{query}")
    if query:
        expect(page.get_by_role("heading", name=STEPS[0].title)).to_be_visible()
    else:
        expect(page.get_by_role("button", name="present")).to_be_visible()
        page.keyboard.press("f")
        expect(slides(page)).to_be_visible()
        page.keyboard.press("r")
        expect(slides(page).locator(".figure:not([aria-busy])")).to_be_visible()
    for look in looks(page):
        expect_accessible(page, look, colors_only=look.startswith("dark"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), look
