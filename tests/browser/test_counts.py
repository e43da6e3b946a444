"""Counted costs in the browser of a key press, a step, a frame of scrolling and a hover, free of a machine's noise.

A bound is a little above what is needed. Who exceeds one makes the browser do more with each key press: see whether
the page needs that, before raising the bound. Common causes: a rule with `:has()` above the text's tokens, which styles
all of them again; an attribute that is set though it stays the same; elements that are drawn again though nothing about
them changed.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from browsing import TIMEOUT_MS
from counting import Counting, Counts
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from tabs import VIEWPORT

from pages import ChatPage, ComparePage, ReplayPage, TokensPage, TrainPage
from tokviz.samples import sample, samples

KEYS = "etaoi"
TEXTS = {
    "lines": sample("code-python").text + "\n",
    "paragraph": " ".join(sample("prose-en").text.split()) + " ",
    "scripts": "".join(f"{each.text}\n" for each in samples() if each.kind in ("prose", "emoji")),
}
"""Repeated to texts of any size."""

# Pastes over everything, as the browser would: it announces the paste, and makes it unless the editor does so itself.
PASTE = """(box, text) => {
    box.focus();
    box.select();
    const pasted = { data: text, inputType: "insertFromPaste", cancelable: true, bubbles: true };
    if (!box.dispatchEvent(new InputEvent("beforeinput", pasted))) return;
    box.setRangeText(text, 0, box.value.length, "start");
    box.dispatchEvent(new InputEvent("input", pasted));
}"""

# About a finger's width per frame, like a fast mouse wheel.
SCROLL = """(view, frames) => new Promise((done) => {
    const frame = () => {
        view.scrollTop += 100;
        if (--frames) requestAnimationFrame(frame);
        else done();
    };
    requestAnimationFrame(frame);
})"""
FRAMES = 60

# Where some tokens at the beginning are, once that is in sight.
MIDDLES = """(all) => {
    all[0].scrollIntoView({ block: "center" });
    return all.slice(4, 11).map((one) => one.getClientRects()[0])
        .map(({ left, width, top, height }) => [left + width / 2, top + height / 2]);
}"""


class Tabs:
    """Opens pages in a browser profile where nothing moves by itself; the last one stays open for the next test."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._context, self._url = context, url
        self._path: str | None = None
        self._counting: Counting | None = None

    def counting(self, path: str, ready: str) -> Counting:
        """Open a page in a new tab, unless it is open, and wait until it has what `ready` selects, and for rest."""
        if path != self._path or not self._counting:
            if self._counting:
                self._counting.page.close()
            self._path, self._counting = path, Counting(self._context.new_page())
            self._counting.page.goto(self._url + path)
            expect(self._counting.page.locator(ready).first).to_be_visible()
            self._counting.hold()
        return self._counting


@pytest.fixture(scope="module")
def tabs(browser: Browser, widgets_url: str) -> Iterator[Tabs]:
    context = browser.new_context(viewport=VIEWPORT, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    yield Tabs(context, widgets_url)
    context.close()


@pytest.fixture
def counting(tabs: Tabs) -> Counting:
    """The Tokens page."""
    return tabs.counting("", ".t")


def of_size(kind: str, size: int) -> str:
    """Return a text of a kind, of `size` bytes, or less by a part of a character."""
    text = TEXTS[kind].encode()
    return (text * (size // len(text) + 1))[:size].decode(errors="ignore")


def put(counting: Counting, editor: Locator, text: str, caret: int) -> None:
    """Paste a text over everything, and put the caret into it."""
    editor.evaluate(PASTE, text)
    counting.pause()
    editor.evaluate("(box, caret) => box.setSelectionRange(caret, caret)", caret)
    counting.pause()


def show(counting: Counting, view: str) -> None:
    """Choose a view of the Tokens page."""
    TokensPage(counting.page).open_settings()
    counting.page.get_by_role("radio", name=view, exact=True).check(force=True)
    counting.pause()


def presses(page: Page) -> list[Callable[[], None]]:
    return [partial(page.keyboard.press, key) for key in KEYS]


# Key presses

VIEWS = ("Text", "Text + ids", "Ids only")

KEY_PRESS = {
    "Text": Counts(30, 4, 80, 26, 1),
    "Text + ids": Counts(30, 5, 90, 26, 1),
    "Ids only": Counts(30, 4, 80, 26, 1),
}
"""At most, per key press in each view of the Tokens page and in texts of any size. Needed are:

| count | figure | why |
| --- | --- | --- |
| styled | 14 to 23 | the new token or two, the token at the caret before and after, the counts |
| layouts | 3, or 4 of a text of which the box holds a part; 1 more with ids | the box and its caret; the tokens; ids |
| laid out | 40 to 65 | the pieces that move; all ids of a line are one text |
| added nodes | 10 to 19 | the new token or two, the texts of the counts |
| requests | 1 | for the tokens; the rest waits for a pause |
"""


@pytest.mark.parametrize(
    ("kind", "size", "view"),
    [(kind, 1_000 * 10**k, VIEWS[(k + i) % 3]) for i, kind in enumerate(TEXTS) for k in range(3)],
)
def test_key_press(counting: Counting, kind: str, size: int, view: str) -> None:
    """The cost does not depend on how long the text is: each view with each kind of text, and with each size."""
    put(counting, TokensPage(counting.page).editor, of_size(kind, size), caret=200)
    show(counting, view)
    TokensPage(counting.page).editor.press("ArrowRight")  # the card follows who has moved the caret
    counting.pause()
    counting.median(*presses(counting.page)).check(KEY_PRESS[view])


PAUSE = Counts(190, 6, 520, 270, 3)
"""At most, when typing pauses on the Tokens page. Needed are 3 requests, for the details of the caret's token, for the
pre-tokens, and for the counts of a text above 20 KB; and 210 to 240 nodes for the card with its tree."""


def test_pause(counting: Counting) -> None:
    show(counting, "Text")
    put(counting, TokensPage(counting.page).editor, of_size("lines", 100_000), caret=200)
    TokensPage(counting.page).editor.press("ArrowRight")
    steps = [step for press in presses(counting.page)[:3] for step in (press, counting.pause)]
    Counts.median(counting.count(*steps)[1::2]).check(PAUSE)


DRAGGED = Counts(65, 3, 150, 90, 0)
"""At most, where the slider of merges known is dragged by 8 pixels, in texts of any size, before the tokens rest.
Needed are the tokens in sight that changed, and 6 styled for the sentence and the count."""
JUMPED = Counts(760, 3, 1500, 1450, 0)
"""The same from anywhere to anywhere on it: all tokens in sight are others."""


@pytest.mark.parametrize("view", ["Text", "Text + ids"])
def test_seek_of_merges(counting: Counting, view: str) -> None:
    for size in (1_000, 10_000, 99_000):
        put(counting, TokensPage(counting.page).editor, of_size("paragraph", size), caret=0)
        show(counting, view)
        slider = counting.page.get_by_role("slider", name="Merges known")
        slider.focus()
        counting.pause()
        seek = "(track, place) => { track.value = place; track.dispatchEvent(new Event('input', { bubbles: true })); }"
        width = slider.evaluate("track => track.clientWidth")
        for at_most, step in ((DRAGGED, 8 / width), (JUMPED, 0.618)):
            slider.evaluate(seek, 0.5)
            counting.pause()
            places = [(0.5 + number * step) % 1 for number in range(1, 10)]
            counting.median(*(partial(slider.evaluate, seek, place) for place in places)).check(at_most)
        slider.press("End")
        counting.pause()


COMPARED = Counts(30, 4, 120, 45, 1)
"""At most, per key press on the Compare page and texts of any size. Needed are 19 styled, 2 or 3 layouts, 76 to 88 laid
out, 36 added nodes and 1 request: the new token or two in each layer, and the counts."""


@pytest.mark.parametrize("kind", TEXTS)
def test_key_press_on_compare(tabs: Tabs, kind: str) -> None:
    counting = tabs.counting("compare", ".compared .t")
    for size in (1_000, 10_000, 100_000):
        put(counting, ComparePage(counting.page).editor, of_size(kind, size), caret=200)
        counting.median(*presses(counting.page)).check(COMPARED)


TRAINED = Counts(5, 2, 30, 5, 0)
"""At most, per key press on the Train page: 3 styled, 2 layouts, 3 added nodes. The rest waits for a pause."""
TRIED = Counts(15, 3, 60, 170, 1)
"""At most, when typing pauses there. Needed are 8 styled, 2 layouts, 44 laid out, 134 added nodes and 1 request, for
how the text is cut."""


def test_key_press_on_train(tabs: Tabs) -> None:
    counting = tabs.counting("train", ".outcome .t")
    for size in (1_000, 10_000):
        put(counting, TrainPage(counting.page).text, of_size("lines", size), caret=200)
        counting.median(*presses(counting.page)).check(TRAINED)
        (pause,) = counting.count(counting.pause)
        pause.check(TRIED)


CHATTED = Counts(25, 4, 125, 38, 1)
"""At most, per key press on the Chat page. Needed are 15 to 18 styled, 3 layouts, 76 to 95 laid out, 23 to 28 added
nodes and 1 request: the new token or two, the bars of the lanes and the counts."""
CHATTED_TWICE = Counts(75, 5, 210, 130, 2)
"""At most while the chat is compared with another model: 60 styled, 4 layouts, 168 laid out, 103 added nodes for a
table of seven rows, and 2 requests."""


def test_key_press_on_chat(tabs: Tabs) -> None:
    counting = tabs.counting("chat", ".lanes .lane")
    box = ChatPage(counting.page).message(4)
    for size in (1_000, 10_000):
        put(counting, box, of_size("paragraph", size), caret=200)
        counting.median(*presses(counting.page)).check(CHATTED)
    counting.page.locator("summary", has_text="Compare with another model").click()
    expect(counting.page.locator(".against table")).to_be_visible()
    box.focus()
    counting.median(*presses(counting.page)).check(CHATTED_TWICE)


# Steps of the tower

SEEK = Counts(130, 3, 270, 170, 0)
"""At most, per step of a tower: the blocks that it adds or removes and the pair that comes next, the sentence above it
(154 nodes with the list of the newest merges), the track and the curve."""


@pytest.mark.parametrize("size", [300, 1_000])
def test_step_of_the_tower(tabs: Tabs, size: int) -> None:
    counting = tabs.counting("replay", ".stage")
    replay = ReplayPage(counting.page)
    replay.text.evaluate(PASTE, of_size("paragraph", size))
    counting.pause()
    replay.switch("tower").check()
    seek = "(track, step) => { track.value = step; track.dispatchEvent(new Event('input', { bubbles: true })); }"
    replay.track.evaluate(seek, 40)
    counting.pause()
    assert replay.stage.get_attribute("data-drawing") == "tower"
    steps = [partial(replay.track.evaluate, seek, step) for step in range(41, 50)]
    counting.median(*steps).check(SEEK)


LEARNED = {"tower": Counts(950, 4, 1_550, 1_500, 1), "flow": Counts(390, 3, 350, 300, 1)}
"""At most, per key press after a pause, within a text of any size that merges are learned from: 1 request, and all its
merges anew. In running text of up to 1,200 symbols in the page, tokens before the key and after it keep their elements,
of which some get another tint: needed are 107 to 361 styled, 210 to 335 laid out and 167 to 285 added nodes, for the
merges, the pairs and what the key changed. A tower of 200 symbols is built anew, with 7 nodes for each."""


@pytest.mark.parametrize("size", [200, 1_000, 5_000, 20_000])
def test_key_press_in_a_text_that_is_learned_from(tabs: Tabs, size: int) -> None:
    counting = tabs.counting("replay", ".stage")
    replay = ReplayPage(counting.page)
    replay.watch("learn")
    put(counting, replay.learn_text, of_size("paragraph", size), caret=size // 2)
    steps = [step for press in presses(counting.page) for step in (press, counting.pause)]
    learned = Counts.median(counting.count(*steps)[::2])
    drawing = replay.stage.get_attribute("data-drawing") or ""
    assert drawing == ("tower" if size < 300 else "flow")
    learned.check(LEARNED[drawing])


# Scrolling and pointing

SCROLLED = Counts(130, 1, 255, 250, 0)
"""At most, per frame of scrolling by 100 pixels through 1 MB, on average over 60 frames: the pieces of the four lines
that come near, drawn once, in some of the frames; on a slow machine one chunk more or less, 5 to 10 nodes a frame."""


def scroll(counting: Counting) -> Counts:
    """Scroll, and return the costs of a frame."""
    (scrolled,) = counting.count(partial(TokensPage(counting.page).text.evaluate, SCROLL, FRAMES))
    return scrolled.each_of(FRAMES)


def paste_a_megabyte(page: Page, kind: str) -> None:
    """Paste 1 MB over a short text, and wait until its tokens are shown."""
    tokens = TokensPage(page)
    tokens.editor.evaluate(PASTE, of_size(kind, 1_000_000))
    expect(tokens.count("tokens")).to_have_text(re.compile(r"\d\d\d,\d\d\d"))


@pytest.mark.parametrize(("kind", "view"), [*zip(TEXTS, VIEWS, strict=True)])
def test_frame_of_scrolling(counting: Counting, kind: str, view: str) -> None:
    show(counting, view)
    put(counting, TokensPage(counting.page).editor, "Short.", caret=0)
    paste_a_megabyte(counting.page, kind)
    scroll(counting).check(SCROLLED)  # while what is near, but out of sight, is still being drawn
    counting.pause()
    scroll(counting).check(SCROLLED)


# Counts the elements that are observed, and those of which the browser itself found whether they are near.
WATCH = """() => {
    window.observed = new Set();
    window.found = new Set();
    const { observe, unobserve } = IntersectionObserver.prototype;
    Object.assign(IntersectionObserver.prototype, {
        observe(target) { observed.add(target); observe.call(this, target); },
        unobserve(target) { observed.delete(target); unobserve.call(this, target); },
    });
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
        const root = attachShadow.call(this, options);
        root.addEventListener("contentvisibilityautostatechange", ({ target }) => found.add(target));
        return root;
    };
}"""
WATCHED = 200
"""At most, elements of a text of 1 MB whose places the browser computes in each frame: some 70 sections, and the chunks
of those that are near, of some 2,100 chunks in all."""


def test_few_elements_of_a_long_text_are_watched(browser: Browser, widgets_url: str) -> None:
    context = browser.new_context(viewport=VIEWPORT, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    context.add_init_script(f"({WATCH})()")
    counting = Counting(context.new_page())
    counting.page.goto(widgets_url)
    expect(counting.page.locator(".t").first).to_be_visible()
    paste_a_megabyte(counting.page, "lines")
    scroll(counting)
    observed, found = counting.page.evaluate("[observed.size, found.size]")
    context.close()
    assert max(observed, found) <= WATCHED


HOVER = {
    "Text": Counts(100, 3, 290, 18, 0),
    "Text + ids": Counts(105, 3, 300, 18, 0),
    "Ids only": Counts(75, 3, 90, 18, 0),
}
"""At most, per token that is pointed at. Needed are the tokens on screen with its id and with that of the one before
(up to 90 of either in these texts), the bubble (13 nodes), and the ids of its line. Unknown details wait for a
pause."""


@pytest.mark.parametrize("kind", TEXTS)
def test_hover(counting: Counting, kind: str) -> None:
    put(counting, TokensPage(counting.page).editor, of_size(kind, 10_000), caret=200)
    for view in VIEWS:
        show(counting, view)
        middles = TokensPage(counting.page).text.locator(".t").evaluate_all(MIDDLES)
        counting.pause()
        pointed = counting.median(*(partial(counting.page.mouse.move, x, y) for x, y in middles))
        assert pointed.styled
        pointed.check(HOVER[view])
