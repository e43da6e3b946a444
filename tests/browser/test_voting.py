"""A class votes: slides on a projector, and phones that follow them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from shipped import encoding_of

from tokviz.lesson.steps import STEPS

PROJECTOR = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=375, height=700)


@pytest.fixture
def phones(browser: Browser) -> Iterator[list[Page]]:
    """Phones, each a browser profile of its own."""
    contexts = [browser.new_context(viewport=PHONE) for _ in range(3)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def slides(page: Page) -> Locator:
    return page.get_by_role("region", name="Slides")


def open_room(page: Page, url: str) -> str:
    """Open the slides and a room. Returns the address for phones."""
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{url}lesson")
    expect(page.get_by_role("button", name="present")).to_be_visible()
    page.keyboard.press("f")
    page.get_by_role("button", name="Open a room").click()
    address = slides(page).locator(".address")
    expect(address).to_have_text(re.compile(r"/r/\w{3}-\w{3}-\w{3}$"))
    expect(slides(page).get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    return f"{url}r/{address.inner_text().rpartition('/')[2]}"


def choose(phone: Page, letter: str) -> None:
    phone.get_by_role("button", name=re.compile(f"^{letter}\\b")).click()


def expect_votes(page: Page, *counts: int) -> None:
    expect(slides(page).locator(".vote-bar b")).to_have_text([str(count) for count in counts])


def test_phones_vote_twice_and_get_the_answer_with_the_projector(page: Page, app_url: str, phones: list[Page]) -> None:
    address = open_room(page, app_url)
    for phone in phones:
        phone.goto(address)
    expect(slides(page).get_by_text("3 phones here")).to_be_visible()
    page.keyboard.press("ArrowRight")  # from the code to the question
    status = slides(page).locator(".vote-status")
    expect(status).to_have_text("0 of 3 phones have voted")
    for phone, letter in zip(phones, "ABB", strict=True):
        choose(phone, letter)
    choose(phones[0], "C")  # a vote can be changed
    expect(status).to_have_text("3 of 3 phones have voted")
    expect(slides(page).locator(".vote-bar")).to_have_count(0)
    page.keyboard.press("PageDown")
    expect_votes(page, 0, 2, 1)
    page.keyboard.press("v")
    expect(status).to_have_text("Second vote: 0 of 3 phones have voted")
    for phone in phones[:2]:
        choose(phone, "A")
    expect(status).to_have_text("Second vote: 2 of 3 phones have voted")
    page.keyboard.press("PageDown")
    expect_votes(page, 0, 2, 2, 0, 1, 0)  # of each choice, the first vote and the second
    page.keyboard.press("PageDown")
    expect(slides(page).locator(".choice.right")).to_have_count(1)
    expect(phones[0].get_by_text("Right: A.")).to_be_visible()
    expect(phones[2].get_by_text(STEPS[0].reveal.replace("`", ""))).to_be_visible()


def test_phones_go_on_with_the_slides_and_return_to_them(page: Page, app_url: str, phones: list[Page]) -> None:
    phone = phones[0]
    phone.goto(open_room(page, app_url))
    expect(slides(page).get_by_text("1 phone here")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")
    expect(phone.get_by_role("heading", name=STEPS[1].question.replace("`", ""))).to_be_visible()
    choose(phone, "B")
    expect(slides(page).locator(".vote-status")).to_have_text("1 of 1 phone has voted")
    phone.reload()
    expect(phone.get_by_text("You chose B.")).to_be_visible()
    page.reload()  # the projector goes on with its room
    expect(slides(page).locator(".vote-status")).to_have_text("1 of 1 phone has voted")
    page.get_by_role("button", name="Room").click()
    page.get_by_role("button", name="Close the room").click()
    expect(page.get_by_role("button", name="Open a room")).to_be_visible()
    expect(phone.get_by_text("The room is closed.")).to_be_visible()


def test_phones_count_names_and_the_slide_shows_numbers_by_script(page: Page, app_url: str, phones: list[Page]) -> None:
    address = open_room(page, app_url)
    names = ("Emma", "Nguyễn", "李小龙")
    for phone in phones:
        phone.goto(address)
    expect(slides(page).get_by_text("3 phones here")).to_be_visible()
    page.keyboard.press("ArrowRight")
    for _ in range(2):
        page.keyboard.press("r")
        page.keyboard.press("ArrowRight")
    expect(slides(page).locator(".question")).to_have_text("How many tokens is your own name in GPT-2?")
    counts = [len(encoding_of("gpt2").encode_ordinary(name)) for name in names]
    for phone, name, count in zip(phones, names, counts, strict=True):
        phone.get_by_role("textbox").fill(name)
        phone.get_by_role("button", name=f"send {count} tokens").click()
    expect(slides(page).locator(".vote-status")).to_have_text("3 of 3 phones have sent a number")
    page.keyboard.press("ArrowRight")
    expect(slides(page).locator(".numbers figcaption")).to_have_text(["Latin: 2 phones", "Han: 1 phone"])
    expect(slides(page)).not_to_contain_text(names[0])
