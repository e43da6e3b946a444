"""A class that votes: a projector and five phones, through votes, changes of mind, second votes and answers.

The projector is the slides, or for what is rare the module that they use, on a page that needs no slides. The phones
are browser profiles of their own on the page that the server sends them.
"""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import Any

import pytest
import uvicorn
from browsing import TIMEOUT_MS, expect_accessible
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect
from running_app import free_port
from starlette.applications import Starlette
from tabs import Watched

from pages import count, looks
from tokviz.app.http import server
from tokviz.app.rooms.names import ID
from tokviz.app.rooms.rooms import rooms
from tokviz.lesson.steps import STEPS

PHONES = 5
LETTERS = "ABCD"
PHONE = ViewportSize(width=375, height=740)
PIZZA = {
    "id": "pizza",
    "title": "One character",
    "question": "How many tokens is `🍕` to GPT-4?",
    "choices": ["1, for it is one character", "2, of two bytes each", "3: two join, two stay alone", "4"],
    "answers": [2],
    "reveal": "3: `f0 9f` join, the last two bytes stay alone.",
    "links": [{"label": "Open the emoji", "href": "/#text=x"}],
}
NAME = {
    "id": "name",
    "question": "How many tokens is your name in GPT-2?",
    "number": {"tokenizer": "gpt2", "scripts": True, "label": "Your name"},
}


class Site:
    """A server with the app's routes, which can be restarted under its address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"

    @contextmanager
    def running(self) -> Iterator[None]:
        config = uvicorn.Config(
            Starlette(routes=server.routes), lifespan="off", ws="none", log_level="warning", timeout_graceful_shutdown=1
        )
        running = uvicorn.Server(config)
        with socket.create_server(("127.0.0.1", self.port)) as listening:
            thread = Thread(target=running.run, kwargs={"sockets": [listening]}, name="rooms", daemon=True)
            thread.start()
            yield
            running.should_exit = True
            thread.join()
        rooms._rooms.clear()  # what a process loses when it ends


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    with ExitStack() as stack:
        stack.enter_context(site.running())
        yield site


class Projector:
    """The projector's side of a room, as the slides call it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.goto(f"{url}sheet")
        page.evaluate(
            """async () => {
                const { Host } = await import("/_tokviz/static/room/host.js");
                window.said = [];
                const connection = (sentence) => window.said.push(sentence);
                window.host = new Host("/", { changed: (state) => (window.state = state), connection });
                if (!(await host.resume())) await host.open();
            }"""
        )

    def do(self, what: str, question: dict[str, Any] | None = None) -> None:
        self.page.evaluate(f"question => host.{what}(question)", question)

    @property
    def id(self) -> str:
        return str(self.page.evaluate("state.id"))

    def expect(self, **fields: Any) -> None:
        """Wait until the projector's state has these fields."""
        self.page.wait_for_function(
            "fields => Object.entries(JSON.parse(fields)).every(([name, value]) =>"
            " JSON.stringify(state?.[name]) === JSON.stringify(value))",
            arg=json.dumps(fields),
        )


@pytest.fixture
def phones(browser: Browser, watched: Watched) -> Iterator[list[Page]]:
    """Phones, each in a browser profile of its own."""
    contexts: list[BrowserContext] = []
    for _ in range(PHONES):
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


def test_a_class_votes_twice_and_sees_the_answer(page: Page, site: Site, phones: list[Page]) -> None:
    projector = Projector(page, site.url)
    projector.do("ask", PIZZA)
    for number, phone in enumerate(phones):
        id = projector.id.upper().replace("-", "") if number else projector.id  # as it may be typed
        phone.goto(f"{site.url}r/{id}")
        expect(phone.get_by_role("heading")).to_have_text("How many tokens is 🍕 to GPT-4?")
    projector.expect(here=PHONES, voted=0)
    for phone, letter in zip(phones, "ABCDA", strict=True):
        vote(phone, letter)
    vote(phones[4], "C")  # changes its mind
    projector.expect(voted=PHONES, votes=[{"counts": [1, 1, 2, 1]}])
    assert all("3: f0 9f" not in phone.content() for phone in phones)
    projector.do("show")
    said(phones[0], "The votes are on the screen.")

    projector.do("again")
    phones[1].reload()
    said(phones[1], "or tap B again to keep it")  # it is still known
    for phone in phones[:4]:
        vote(phone, "C")
    projector.expect(voted=4, votes=[{"counts": [1, 1, 2, 1]}, {"counts": [0, 0, 4, 0]}])

    phones[0].context.set_offline(True)
    projector.do("reveal", PIZZA)
    said(phones[1], "Right: C.")
    said(phones[4], "Right: C.")  # by its first vote
    expect(choice(phones[1], "A")).to_be_disabled()
    expect(phones[1].get_by_role("link", name="Open the emoji")).to_be_visible()
    phones[0].context.set_offline(False)
    phones[0].evaluate("dispatchEvent(new Event('online'))")
    said(phones[0], "Right: C.")

    projector.do("ask", NAME)
    phones[0].get_by_label("Your name").fill("Nguyễn")
    tokens = count("gpt2", "Nguyễn")
    phones[0].get_by_role("button", name=f"send {tokens} tokens").tap()
    said(phones[0], f"You sent {tokens}.")
    projector.expect(voted=1, votes=[{"numbers": [[tokens, 1]], "scripts": {"Latin": [[tokens, 1]]}}])
    projector.do("close")
    for phone in phones:
        expect(phone.get_by_text("The room is closed.")).to_be_visible()


def test_slides_take_a_class_through_the_whole_lesson(page: Page, widgets_url: str, phones: list[Page]) -> None:
    page.set_viewport_size(ViewportSize(width=1280, height=720))
    page.goto(f"{widgets_url}lesson")
    page.get_by_role("button", name="present").click()
    page.get_by_role("button", name="Open a room").click()
    address = page.get_by_role("region", name="Join this room").get_by_text(ID)
    id = address.inner_text().rpartition("/")[2]
    for phone in phones:
        phone.goto(f"{widgets_url}r/{id}")
    expect(page.get_by_text(f"{PHONES} phones here")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    for number, step in enumerate(STEPS):
        voting = phones[:2] if number else phones
        for phone in voting:
            expect(phone.get_by_role("heading")).to_have_text(step.question.replace("`", ""))
            vote(phone, "B")
        expect(page.get_by_text(f"{len(voting)} of {PHONES} phones have voted")).to_be_visible()
        page.keyboard.press("ArrowRight")
        said(phones[0], "The votes are on the screen.")
        counts = [len(voting) if choice == "B" else 0 for choice in LETTERS[: len(step.choices)]]
        expect(page.locator(".vote-bars:visible b")).to_have_text(list(map(str, counts)))
        if number == 0:
            vote_again(page, phones)
        page.keyboard.press("ArrowRight")
        for phone in voting:
            expect(phone.get_by_text(step.reveal.replace("`", ""))).to_be_visible()
        page.keyboard.press("ArrowRight")
        if step.title == "Your own name":
            skip_the_names(page)


def skip_the_names(page: Page) -> None:
    """Go past the slide on which phones send numbers, which is in rooms only."""
    question = page.locator(".slides .question")
    names = question.inner_text()
    for _ in ("the numbers", "what they say", "the next step"):
        expect(question).to_have_text(names)
        page.keyboard.press("ArrowRight")
    expect(question).not_to_have_text(names)


def vote_again(page: Page, phones: list[Page]) -> None:
    """Take a second vote, in which all phones but the first choose something else."""
    page.get_by_role("button", name="Vote again").click()
    said(phones[0], "or tap B again to keep it")
    for phone in phones[1:]:
        vote(phone, "A")
    expect(page.get_by_text(f"Second vote: {PHONES - 1} of {PHONES} phones have voted")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".vote-bars:visible b")).to_have_text(["0", str(PHONES - 1), str(PHONES), "0", "0", "0"])


def test_a_room_comes_back_after_the_server_was_restarted(page: Page, phones: list[Page], watched: Watched) -> None:
    site, phone = Site(), phones[0]
    with site.running():
        projector = Projector(page, site.url)
        projector.do("ask", PIZZA)
        phone.goto(f"{site.url}r/{projector.id}")
        vote(phone, "B")
    vote_unsent = choice(phone, "D")
    vote_unsent.tap()
    said(phone, "Not sent yet")
    said(phone, "No connection.")
    with site.running():
        projector.page.wait_for_function("said.some((sentence) => sentence.includes('restarted'))")
        said(phone, "You chose D.")  # what waited is sent
        projector.expect(voted=1, votes=[{"counts": [0, 0, 0, 1]}])
        projector = Projector(page, site.url)  # reloaded
        projector.expect(voted=1, phase="voting")
        assert all("server" not in each or "restarted" in each for each in page.evaluate("said"))
    watched.problems.clear()  # refused connections


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
    for look in looks(page, (375, 1280)):
        expect_accessible(page, look, colors_only=look.startswith("dark"))
    page.set_viewport_size(PHONE)
    expect(page.get_by_text(f"Question 1 of {len(STEPS)}")).to_be_visible()
    expect(page.get_by_role("link")).to_have_count(0)
    choice(page, "B").click()
    said(page, "Not B: the answer is A.")
    expect(page.get_by_text(step.reveal.replace("`", ""))).to_be_visible()
    expect(page.get_by_role("listbox", name="Tokens of the text")).to_be_visible()  # the figure
    links = [link.label for link in (*step.links, *step.afterwards)]
    expect(page.get_by_role("link")).to_have_text(links)
    for look in looks(page, (375, 1280)):
        expect_accessible(page, look, colors_only=look.startswith("dark"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), look
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
