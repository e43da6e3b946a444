"""A class votes: slides on a projector, and phones that follow them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tokviz.lesson.steps import lesson

STEPS = lesson().steps

PROJECTOR = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=375, height=700)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone, in a browser profile of its own."""
    context = browser.new_context(viewport=PHONE)
    yield context.new_page()
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


def test_phones_go_on_with_the_slides_and_return_to_them(page: Page, app_url: str, phone: Page) -> None:
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


def test_the_first_printed_sheet_of_the_lesson_is_for_pupils(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}lesson")
    expect(page.get_by_role("button", name="present")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_text("Class:")).to_be_visible()
    expect(page.get_by_text("Press F for the slides;")).to_be_hidden()
