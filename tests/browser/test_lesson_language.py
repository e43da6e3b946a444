"""The lesson in another language: whatever a class sees is in the one file of texts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from pseudo_language import english_in, spoken, translated
from widget_pages import widget_page

from tokviz.course.chapters import contents
from tokviz.course.pack import class_pack
from tokviz.lesson.exercises import EXERCISES
from tokviz.lesson.steps import Words, lesson

# Texts in sight, and what screen readers and tooltips say. Left out is what is no language (pieces of text, addresses,
# samples on paper, but not their titles), and what is of the app: figures, the course, the frame that all pages have.
SAID = """() => {
    const skipped = "code, .mono, .figure, .address, .tools, .presenter > .button, dialog, script, style, "
        + ".st-key-intro, #course";
    const found = [];
    const visit = (node) => {
        const sampled = node.parentNode instanceof Element && node.parentNode.matches(".lesson pre.sample");
        if (node.nodeType === Node.TEXT_NODE && !sampled) found.push(node.data);
        if (!(node instanceof Element || node instanceof ShadowRoot)) return;
        if (node instanceof Element) {
            if (node.matches(skipped)) return;
            for (const name of ["aria-label", "title", "alt", "placeholder"]) found.push(node.getAttribute(name) ?? "");
            if (node.shadowRoot) visit(node.shadowRoot);
        }
        for (const child of node.childNodes) visit(child);
    };
    visit(document.body);
    return [document.title, ...found].join("\\n");
}"""


@pytest.fixture
def words() -> Iterator[dict[str, Words]]:
    """The words of the lesson's pages in that language, while they are in it."""
    widget_page.cache_clear()
    with spoken():
        yield {**lesson().words}
    widget_page.cache_clear()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=ViewportSize(width=375, height=700))
    yield context.new_page()
    context.close()


def expect_no_english(page: Page, where: str) -> None:
    assert english_in(page.evaluate(SAID)) == [], where


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def test_slides_phones_and_notes(
    page: Page, phone: Page, context: BrowserContext, widgets_url: str, words: dict[str, Words]
) -> None:
    slides, phones = words["slides"], words["phones"]
    page.goto(f"{widgets_url}lesson")
    expect_no_english(page, "sheet")
    press(page, "present")
    press(page, slides["open_room"])
    id = page.locator(".joining .id").inner_text()
    expect_no_english(page, "the way into the room")
    notes = context.new_page()
    notes.goto(f"{widgets_url}lesson?for=notes")
    notes.get_by_text(slides["on_phone"]).click()
    link = notes.get_by_label(slides["on_phone"])
    expect(link).not_to_have_value("")
    expect_no_english(notes, "notes")
    notes.goto(link.input_value().replace(link.input_value().partition("/notes/")[0] + "/", widgets_url))
    phone.goto(f"{widgets_url}r/{id}")
    expect(phone.get_by_role("heading")).to_be_visible()
    expect(page.get_by_text(slides["here"]["one"].format(count=1))).to_be_visible()
    page.keyboard.press("ArrowRight")
    for step in lesson().steps[:2]:
        expect(phone.get_by_role("heading")).to_have_text(step.question.replace("`", ""))
        expect_no_english(phone, f"phone: {step.id}")
        phone.locator(".choice").first.click()
        expect(phone.get_by_text(phones["chose"].format(vote="A"))).to_be_visible()
        page.keyboard.press("ArrowRight")
        press(page, slides["again"])
        expect(phone.get_by_text(phones["second_chose"].partition("{")[0])).to_be_visible()
        expect_no_english(phone, f"second vote: {step.id}")
        phone.locator(".choice").nth(1).click()
        expect(phone.get_by_text(phones["chose"].format(vote="B"))).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".vote-legend")).to_be_visible()
        expect_no_english(page, f"votes: {step.id}")
        page.keyboard.press("ArrowRight")
        expect(phone.locator(".reveal")).to_be_visible()
        for shown in (page, phone, notes):
            expect_no_english(shown, f"answer: {step.id}")
        page.keyboard.press("ArrowRight")
    phone.get_by_label(phones["your_name"]).fill("Nguyễn")
    phone.get_by_role("button", name=phones["send_tokens"]["other"].format(count=6)).click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".vote-row").first).to_be_visible()
    for shown in (page, phone, notes):
        expect_no_english(shown, "numbers")
    press(page, slides["room"])
    press(page, slides["close_room"])
    for shown, said in ((phone, phones["closed"]), (notes, slides["notes_closed"])):
        expect(shown.get_by_text(said)).to_be_visible()
        expect_no_english(shown, "closed")


def test_every_slide(page: Page, widgets_url: str, words: dict[str, Words]) -> None:
    page.goto(f"{widgets_url}lesson")
    press(page, "present")
    for step in lesson().steps:
        expect(page.locator(".slides .question")).to_have_text(step.question.replace("`", ""))
        expect_no_english(page, step.id)
        page.keyboard.press("r")
        expect(page.locator(".slides .told")).to_have_text(step.reveal.replace("`", ""))
        expect_no_english(page, step.id)
        page.keyboard.press("ArrowRight")


def test_sheets_exercises_and_questions_about_pages(page: Page, widgets_url: str, words: dict[str, Words]) -> None:
    page.goto(f"{widgets_url}sheet")
    page.locator(".choice").first.click()
    expect(page.locator(".reveal")).to_be_visible()
    expect_no_english(page, "the sheet alone")
    page.goto(f"{widgets_url}r/k7m")
    expect(page.get_by_text(words["phones"]["incomplete"])).to_be_visible()
    expect_no_english(page, "an address that is not complete")

    page.goto(f"{widgets_url}lesson?for=exercises")
    expect(page.locator(".exercise")).to_have_count(len(EXERCISES))
    for exercise, asked in zip(page.locator(".exercise").all(), EXERCISES, strict=True):
        exercise.get_by_role("button").last.click()
        expect(exercise.get_by_role("status")).not_to_be_empty()
        expect_no_english(page, asked.id)
    page.get_by_role("textbox").fill("one")
    page.keyboard.press("Enter")
    expect(page.get_by_text(words["exercises"]["write_more"])).to_be_visible()
    expect_no_english(page, "a text that is written")

    for link in ("page=&tokenizer=gpt2&sample=code-python", "page=compare&compare=gpt2,cl100k_base&sample=code-python"):
        page.goto(f"{widgets_url}lesson?for=question#{link}")
        expect(page.get_by_text(words["slides"]["asked"])).to_be_visible()
        press(page, "present")
        page.keyboard.press("r")
        expect(page.locator(".choice.right")).to_have_count(1)
        expect_no_english(page, link)
        page.keyboard.press("f")


def test_the_class_pack(page: Page, tmp_path: Path, words: dict[str, Words], monkeypatch: pytest.MonkeyPatch) -> None:
    course = {"chapters": contents(), "answers": {}}  # not read here, and its answers take seven seconds
    monkeypatch.setattr("tokviz.course.pack.packed_course", lambda: course)
    path = tmp_path / "pack.html"
    path.write_text(class_pack(), "utf-8")
    page.goto(path.as_uri())
    expect(page.get_by_role("button", name=words["slides"]["show_slides"])).to_be_visible()
    expect_no_english(page, "the sheet")
    page.keyboard.press("f")
    page.locator(".hands").first.fill("3")
    page.keyboard.press("Escape")
    expect_no_english(page, "hands")


def test_every_text_is_translated() -> None:
    assert english_in(translated("Cut `the cat` in {count} pieces, GPT-2")) == ["the", "cat", "count"]
