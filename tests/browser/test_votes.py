"""A class that votes: a projector with the slides and five phones through the whole lesson, and phones on their own.

The phones are browser profiles of their own on the pages that the server sends them.
"""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest
import uvicorn
from browsing import TIMEOUT_MS
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect
from running_app import free_port
from tabs import Watched
from widget_pages import application

from pages import count, expect_accessible_in_all_looks
from tokviz.app.answers.rooms.rooms import rooms
from tokviz.lesson.steps import Step, lesson

STEPS = lesson().steps
PHONES = 5
PHONE = ViewportSize(width=375, height=740)


class Site:
    """A server with the pages of the widgets and the app's routes, which can be restarted under its address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"

    @contextmanager
    def running(self) -> Iterator[None]:
        config = uvicorn.Config(
            application(), lifespan="off", ws="none", log_level="warning", timeout_graceful_shutdown=1
        )
        running = uvicorn.Server(config)
        with socket.create_server(("127.0.0.1", self.port)) as listening:
            thread = Thread(target=running.run, kwargs={"sockets": [listening]}, name="rooms", daemon=True)
            thread.start()
            try:
                yield
            finally:
                running.should_exit = True
                thread.join()
        rooms._rooms.clear()  # what a process loses when it ends


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    with ExitStack() as stack:
        stack.enter_context(site.running())
        yield site


@pytest.fixture
def phones(browser: Browser, watched: Watched) -> Iterator[list[Page]]:
    """Phones of a class and one more, each in a browser profile of its own."""
    contexts: list[BrowserContext] = []
    for _ in range(PHONES + 1):
        context = browser.new_context(viewport=PHONE, has_touch=True)
        context.set_default_timeout(TIMEOUT_MS)
        watched.watch(context)
        contexts.append(context)
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def choice(phone: Page, letter: str) -> Locator:
    return phone.get_by_role("group", name="Choices").get_by_role("button", name=re.compile(f"^{letter} "))


def said(phone: Page, text: str | re.Pattern[str]) -> None:
    expect(phone.get_by_role("status").filter(has_text=text)).to_be_visible()


def vote(phone: Page, letter: str) -> None:
    choice(phone, letter).tap()
    said(phone, f"You chose {letter}.")
    expect(choice(phone, letter)).to_have_attribute("aria-pressed", "true")


def text_of(text: str) -> str:
    return text.replace("`", "")


class Projector:
    """The slides, and the phones of their room."""

    def __init__(self, page: Page, url: str, phones: list[Page]) -> None:
        page.set_viewport_size(ViewportSize(width=1280, height=720))
        page.goto(f"{url}lesson")
        page.get_by_role("button", name="present").click()
        page.get_by_role("button", name="Open a room").click()
        address = page.get_by_role("region", name="Join this room").get_by_text(re.compile(r"\w{3}-\w{3}-\w{3}"))
        self.page, self.phones = page, phones
        self.id = address.inner_text().rpartition("/")[2]
        for number, phone in enumerate(phones):
            typed = self.id.upper().replace("-", "") if number == 1 else self.id  # as it may be typed
            phone.goto(f"{url}r/{typed}")
        expect(page.get_by_text(f"{PHONES} phones here")).to_be_visible()

    def press(self, key: str = "ArrowRight") -> None:
        self.page.keyboard.press(key)

    def expect_voted(self, said: str) -> None:
        expect(self.page.locator(".vote-status")).to_have_text(said)

    def expect_votes(self, *counts: int) -> None:
        expect(self.page.locator(".vote-bars:visible b")).to_have_text([str(count) for count in counts])

    def open_notes(self, teacher: Page, url: str) -> None:
        """Bring the teacher's notes to a phone of their own, which may move the slides."""
        notes = self.page.context.new_page()
        notes.goto(f"{url}lesson?for=notes")
        notes.get_by_text("These notes on a phone of yours").click()
        link = notes.get_by_label("These notes on a phone of yours")
        expect(link).to_have_value(re.compile(rf"/notes/{self.id}#[\w-]{{22}}$"))
        expect(notes.get_by_role("img", name="QR code of the teacher's notes")).to_be_visible()
        teacher.goto(f"{url}notes/{self.id}#{link.input_value().partition('#')[2]}")
        expect(teacher.get_by_role("heading", name=STEPS[0].title)).to_be_visible()
        expect(teacher.get_by_role("navigation", name="Slides")).to_be_hidden()
        notes.get_by_label("it may move the slides").check()
        expect(teacher.get_by_role("button", name="Go on")).to_be_in_viewport(ratio=1)
        assert teacher.evaluate("document.documentElement.scrollWidth <= innerWidth")
        notes.close()


def test_a_class_goes_through_the_whole_lesson(page: Page, phones: list[Page], watched: Watched) -> None:
    site, teacher, names, rest = Site(), phones.pop(), STEPS[1], STEPS[4:]
    with site.running():
        projector = Projector(page, site.url, phones)
        projector.open_notes(teacher, site.url)
        projector.press()
        vote_twice(projector, STEPS[0])
        leave_and_return(projector, names)
        send_numbers(projector)
        move_by_notes(projector, teacher, STEPS[2])
        for phone in phones:
            expect(phone.get_by_role("heading")).to_have_text(text_of(STEPS[3].question))
        vote(phones[0], "A")
        projector.expect_voted(f"1 of {PHONES} phones have voted")
    vote_while_the_server_is_away(phones[0])
    expect(teacher.get_by_role("button", name="Go on")).to_be_hidden()
    with site.running():
        expect(page.get_by_text("The server was restarted.")).to_be_visible()
        said(phones[0], "You chose D.")  # what waited is sent
        expect(page.locator(".vote-status")).to_have_text(re.compile("^1 of "))
        for phone in phones:
            expect(phone.get_by_role("heading")).to_have_text(text_of(STEPS[3].question))
        expect(teacher.get_by_text(re.compile("^1 of "))).to_be_visible()  # in the room that was opened again
        move_by_notes(projector, teacher, STEPS[3])
        for step in rest:
            ask(projector, step)
        close(projector, teacher)
    watched.problems.clear()  # refused connections


def vote_twice(projector: Projector, step: Step) -> None:
    """Vote, change a vote, talk, vote again, and see the answer."""
    page, phones = projector.page, projector.phones
    projector.expect_voted(f"0 of {PHONES} phones have voted")
    for phone, letter in zip(phones, "ABBCA", strict=True):
        vote(phone, letter)
    vote(phones[4], "C")  # changes its mind
    projector.expect_voted(f"{PHONES} of {PHONES} phones have voted")
    expect(page.locator(".vote-bar")).to_have_count(0)
    projector.press()
    projector.expect_votes(1, 2, 2)
    said(phones[0], "The votes are on the screen.")
    assert all(text_of(step.reveal) not in phone.content() for phone in phones)
    page.get_by_role("button", name="Vote again").click()
    phones[1].reload()
    said(phones[1], "or tap B again to keep it")  # it is still known
    for phone in phones[:4]:
        vote(phone, "A")
    projector.expect_voted(f"Second vote: 4 of {PHONES} phones have voted")
    projector.press()
    projector.expect_votes(1, 4, 2, 0, 2, 0)  # of each choice, the first vote and the second
    phones[0].context.set_offline(True)
    projector.press()
    expect(page.locator(".choice.right")).to_have_count(len(step.answers))
    said(phones[1], "Right: A.")
    said(phones[4], "Not C: the answer is A.")  # by its first vote
    expect(choice(phones[1], "B")).to_be_disabled()
    expect(phones[1].get_by_text(text_of(step.reveal))).to_be_visible()
    expect(phones[1].get_by_role("link", name=step.links[0].label)).to_be_visible()
    phones[0].context.set_offline(False)
    phones[0].evaluate("dispatchEvent(new Event('online'))")
    said(phones[0], "Right: A.")
    projector.press()


def leave_and_return(projector: Projector, step: Step) -> None:
    """Vote with a phone that leaves, and comes back to its vote."""
    leaving, *others = projector.phones
    expect(leaving.get_by_role("heading")).to_have_text(text_of(step.question))
    vote(leaving, "B")
    address = leaving.url
    leaving.goto("about:blank")
    vote(others[0], "A")
    projector.press()
    leaving.goto(address)
    said(leaving, "You chose B. The votes are on the screen.")
    projector.expect_votes(1, 1, 0)
    late = others[1]
    late.context.set_offline(True)
    choice(late, "C").tap()
    said(late, "Not sent yet")
    projector.press()
    said(leaving, "Right: B.")
    late.context.set_offline(False)
    late.evaluate("dispatchEvent(new Event('online'))")
    said(late, "Your last vote came too late: it did not count. The answer is B.")
    projector.press()


def send_numbers(projector: Projector) -> None:
    """Send the numbers of tokens of names, never the names."""
    for phone, name in zip(projector.phones, ("Emma", "Nguyễn", "李小龙"), strict=False):
        phone.get_by_label("Your name").fill(name)
        tokens = count("gpt2", name)
        phone.get_by_role("button", name=f"send {tokens} tokens").tap()
        said(phone, f"You sent {tokens}.")
    projector.expect_voted(f"3 of {PHONES} phones have sent a number")
    projector.press()
    expect(projector.page.get_by_text("a number of tokens, and how many phones")).to_be_visible()
    expect(projector.page.locator(".numbers figcaption")).to_have_text(["Latin: 2 phones", "Han: 1 phone"])
    expect(projector.page.locator(".slides")).not_to_contain_text("Emma")
    projector.press()
    projector.press()


def move_by_notes(projector: Projector, teacher: Page, step: Step) -> None:
    """Move the slides from the question to the next one with the teacher's phone."""
    onward = teacher.get_by_role("button", name="Go on")
    expect(teacher.get_by_role("heading", name=step.title)).to_be_visible()
    expect(teacher.get_by_text(text_of(step.reveal))).to_be_visible()
    expect(teacher.get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d of \d min$"))
    onward.tap()
    expect(projector.page.locator(".vote-bars:visible")).not_to_have_count(0)
    expect(teacher.locator(".notes-body.revealed")).to_have_count(0)
    expect(onward).to_be_enabled()
    onward.tap()
    expect(projector.phones[1].get_by_text(text_of(step.reveal))).to_be_visible()
    expect(teacher.locator(".notes-body.revealed")).to_have_count(1)
    expect(onward).to_be_enabled()
    onward.tap()
    expect(teacher.get_by_role("heading", name=step.title)).to_be_hidden()


def vote_while_the_server_is_away(phone: Page) -> None:
    choice(phone, "D").tap()
    said(phone, "Not sent yet")
    said(phone, "No connection.")


def ask(projector: Projector, step: Step) -> None:
    """Take the votes of two phones on a step, and see them and the answer."""
    voting = projector.phones[:2]
    for phone in voting:
        expect(phone.get_by_role("heading")).to_have_text(text_of(step.question))
        vote(phone, "B")
    projector.expect_voted(f"2 of {PHONES} phones have voted")
    projector.press()
    projector.expect_votes(0, 2, *[0] * (len(step.choices) - 2))
    projector.press()
    for phone in voting:
        expect(phone.get_by_text(text_of(step.reveal))).to_be_visible()
    projector.press()


def close(projector: Projector, teacher: Page) -> None:
    """End the room."""
    projector.page.get_by_role("button", name="Room", exact=True).click()
    projector.page.get_by_role("button", name="Close the room").click()
    for phone in projector.phones:
        expect(phone.get_by_text("The room is closed.")).to_be_visible()
    expect(teacher.get_by_text("The room is closed.")).to_be_visible()


def test_a_room_that_is_not_there_says_so(page: Page, site: Site, watched: Watched) -> None:
    page.goto(f"{site.url}r/k7m-p2x-9qd")
    said(page, "This room is not open.")
    page.goto(f"{site.url}r/k7m")
    expect(page.get_by_text("This address is not complete.")).to_be_visible()
    watched.problems.clear()  # a 404


def test_the_sheet_alone_takes_choices_and_keeps_them(page: Page, site: Site) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}sheet")
    step = STEPS[0]
    expect_accessible_in_all_looks(page)
    page.set_viewport_size(PHONE)
    expect(page.get_by_text(f"Question 1 of {len(STEPS)}")).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(0)
    choice(page, "B").click()
    said(page, "Not B: the answer is A.")
    expect(page.get_by_text(step.reveal.replace("`", ""))).to_be_visible()
    expect(page.get_by_role("listbox", name="Tokens of the text")).to_be_visible()  # the figure
    links = [link.label for link in (*step.links, *step.afterwards)]
    expect(page.get_by_role("link")).to_have_text(links)
    expect_accessible_in_all_looks(page)
    page.set_viewport_size(PHONE)
    for target in (*page.get_by_role("button").all(), *page.get_by_role("link").all()):
        box = target.bounding_box()
        assert box and box["height"] >= 44
    page.get_by_role("button", name="next question").click()
    expect(page.get_by_role("heading")).to_have_text(STEPS[1].question.replace("`", ""))
    page.reload()
    expect(page.get_by_text(f"Question 2 of {len(STEPS)}")).to_be_visible()
    page.get_by_role("button", name="back").click()
    said(page, "Not B: the answer is A.")
