"""The slider of the merges that a tokenizer knows, by mouse, touch and keyboard: on Tokens, and beneath the curve."""

import re
from collections.abc import Iterator

import pytest
from browsing import TIMEOUT_MS, expect_accessible
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

import tokviz
from pages import RECTANGLES, CompressionPage, TokensPage
from tokviz.samples import sample
from tokviz.tokenizers.bpe import BPETokenizer

SEEK = re.compile("_tokviz/replay/seek")
SECOND = "2nd text: überraschend 🍕\n  viele Stücke"


# Presses a key, and reads the ids beneath the text before anything else can happen.
PRESS = """(slider) => {
    slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    const layers = [...slider.getRootNode().querySelectorAll(".drawn-ids")];
    return layers.flatMap(({ shadowRoot }) => shadowRoot.textContent.trim().split(/\\s+/).map(Number));
}"""


def cut(k: int, text: str) -> list[int]:
    """Return the tokens of a text with the first k merges of the page's tokenizer."""
    tokenizer = tokviz.load("cl100k_base")
    assert isinstance(tokenizer, BPETokenizer)
    return tokenizer.cut(k).encode(text)


def changes(text: str) -> list[int]:
    """Return the numbers of merges at which a text changes."""
    tokenizer = tokviz.load("cl100k_base")
    assert isinstance(tokenizer, BPETokenizer)
    return sorted({int(rank) + 1 for rank in tokenizer.replay(text).ranks})


class Merges:
    """The slider on the Tokens page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tokens = TokensPage(page)
        self.play = page.locator(".fewer .play")
        self.slider = page.get_by_role("slider", name="Merges known")
        self.says = page.locator(".newest-join")
        self.count = page.locator("[data-count=tokens]")

    def open(self) -> None:
        """Come to the slider, which asks for the merges of the text."""
        self.slider.focus()
        expect(self.slider).not_to_have_attribute("aria-busy", "true")
        expect(self.page.locator(".known")).to_have_text("100,000 merges known")

    def known(self) -> int:
        """Return how many merges the slider says are known."""
        expect(self.slider).to_have_attribute("aria-valuetext", re.compile(r"[\d,]+ of"))
        found = re.match(r"([\d,]+) of", self.slider.get_attribute("aria-valuetext") or "")
        assert found
        return int(found[1].replace(",", ""))

    def expect_chips(self, k: int, text: str) -> None:
        """Expect the tokens with k merges: their number, and their chips, of an ASCII text."""
        tokenizer, ids = tokviz.load("cl100k_base"), cut(k, text)
        expect(self.count).to_have_text(f"{len(ids):,}")
        assert self.page.locator(".chunk .t").all_text_contents() == [tokenizer.decode([token]) for token in ids]

    def expect_written(self, written: list[int], k: int, text: str) -> None:
        """Expect ids that were written beneath the chips to be those with k merges, but for those in brackets."""
        counts = self.page.locator(".bracket").evaluate_all("all => all.map((each) => parseInt(each.title))")
        ids = cut(k, text)
        assert len(written) + sum(counts) == len(ids)
        rest = iter(ids)
        assert all(token in rest for token in written)  # in this order

    def expect_ids(self, k: int, text: str) -> None:
        """Expect the ids of the tokens with k merges, in their own view."""
        TokensPage(self.page).expect_ids(cut(k, text))
        self.page.get_by_role("radio", name="Text + ids", exact=True).check(force=True)


def letters(tokens: Locator) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = tokens.locator(".chunk").first.evaluate(RECTANGLES)
    return found


@pytest.fixture
def merges(page: Page, widgets_url: str) -> Merges:
    tokens = TokensPage.open(page, f"{widgets_url}")
    expect(tokens.count("tokens")).to_have_text("24")
    page.set_viewport_size({"width": 1280, "height": 1400})  # where nothing is scrolled out of sight
    return Merges(page)


def test_typing_asks_nothing_and_by_keys_it_goes_from_change_to_change(merges: Merges) -> None:
    asked: list[Request] = []
    expect(merges.page.locator(".known")).to_have_text("100,000 merges known")  # after a pause, with its ticks
    merges.page.on("request", lambda request: asked.append(request) if SEEK.search(request.url) else None)
    merges.page.clock.install()  # no pause comes
    merges.tokens.editor.press("ArrowRight")
    merges.tokens.write("The cat sat on the mat!\nIt was supercalifragilistic.")
    text = merges.tokens.editor.input_value()
    assert not asked
    expect(merges.page.locator(".ticks path").first).to_be_visible()
    merges.open()
    places = letters(merges.tokens.text)
    expected = changes(text)
    merges.slider.focus()
    for k in expected[:-4:-1]:  # all of them are known at the last
        written = merges.slider.evaluate(PRESS)
        assert merges.known() == k
        merges.expect_written(written, k, text)
    merges.slider.press("Home")
    assert merges.known() == 0
    expect(merges.says).to_have_text("No merge yet: each byte is a token, and each letter is one byte.")
    merges.expect_chips(0, text)
    merges.expect_ids(0, text)
    for k in expected[:3]:
        merges.slider.press("ArrowRight")
        assert merges.known() == k
        expect(merges.says).to_have_text(re.compile(rf": merge {k:,}, "))
        merges.expect_chips(k, text)
        for (letter, place), (same, before) in zip(letters(merges.tokens.text), places, strict=True):
            assert letter == same and abs(place - before) <= 1  # places are rounded
    merges.slider.press("ArrowLeft")
    assert merges.known() == expected[1]
    merges.slider.press("End")
    assert merges.known() == 100_000
    expect(merges.count).to_have_text(str(len(cut(100_000, text))))
    assert len(asked) == 1


def test_dragged_by_the_mouse_while_the_text_is_typed(merges: Merges) -> None:
    merges.open()
    box = merges.slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    merges.page.mouse.move(box["x"] + box["width"] - 12, middle)
    merges.page.mouse.down()
    for share in (0.8, 0.5, 0.3):
        merges.page.mouse.move(box["x"] + share * box["width"], middle)
        merges.expect_chips(merges.known(), merges.tokens.editor.input_value())
    merges.page.mouse.up()
    expect_accessible(merges.page)
    k = merges.known()
    ticks = merges.page.locator(".ticks").bounding_box()
    assert ticks
    expected = changes(merges.tokens.editor.input_value())
    place = merges.slider.evaluate(
        "(track, k) => track.max * (Math.log10(k / 0.4) / Math.log10(1e5 / 0.4))", expected[0]
    )
    merges.page.mouse.click(ticks["x"] + place * ticks["width"] + 3, ticks["y"] + 1)  # beside a tick, at its top
    assert merges.known() == expected[0]
    merges.page.mouse.click(box["x"] + 0.3 * box["width"], middle)
    k = merges.known()
    assert 3 < k < 100
    merges.tokens.editor.fill(SECOND)
    merges.expect_ids(k, SECOND)
    merges.tokens.editor.press("End")
    merges.tokens.editor.press("!")
    merges.expect_ids(k, f"{SECOND}!")
    merges.page.reload()  # the tab keeps it
    expect(merges.slider).to_be_visible()
    assert merges.known() == k
    merges.expect_ids(k, f"{SECOND}!")
    merges.slider.press("End")
    expect(merges.count).to_have_text(str(len(cut(100_000, f"{SECOND}!"))))


def test_a_link_sets_it(merges: Merges, widgets_url: str) -> None:
    merges.page.goto("about:blank")
    merges.page.goto(f"{widgets_url}#sample=prose-en&merges=300&view=text")
    expect(merges.slider).to_be_visible()
    expect(merges.page.locator(".known")).to_have_text("300 merges known")
    TokensPage(merges.page).open_settings()
    merges.expect_ids(300, sample("prose-en").text)
    assert "merges=300" in merges.tokens.share()


def test_where_there_is_no_slider_a_sentence_says_why(merges: Merges, widgets_url: str) -> None:
    merges.tokens.editor.fill("a " * 50_001)
    expect(merges.page.locator(".fewer")).to_contain_text("Texts of up to 100 KB")
    expect(merges.slider).not_to_be_visible()
    merges.tokens.editor.fill("a b")
    expect(merges.slider).to_be_visible()
    merges.page.goto("about:blank")
    merges.page.goto(f"{widgets_url}#tokenizer=bert-base-uncased&merges=300")
    expect(merges.page.locator(".fewer")).to_contain_text("it takes the longest piece in its vocabulary")
    expect(merges.slider).not_to_be_visible()
    expect(merges.play).to_be_disabled()


@pytest.fixture(params=["no-preference", "reduce"])
def phone(request: pytest.FixtureRequest, browser: Browser, widgets_url: str) -> Iterator[Merges]:
    """A phone that opens the page for the first time, with motion or without."""
    context = browser.new_context(
        viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True, reduced_motion=request.param
    )
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(widgets_url)
    expect(page.locator(".t").first).to_be_visible()
    yield Merges(page)
    context.close()


# Writes down where the slider comes to stand, as far as it says so, and presses the button once it stands at `last`.
STOPS = """(watch, last) => {
    window.stops = [];
    const track = watch.getRootNode().querySelector(".fewer .track");
    const read = () => {
        stops.push(parseInt(track.getAttribute("aria-valuetext").replaceAll(",", "")));
        if (stops.at(-1) !== last) return;
        observer.disconnect();
        watch.click();
    };
    const observer = new MutationObserver(read);
    observer.observe(track, { attributeFilter: ["aria-valuetext"] });
}"""


PLACE = "({ offsetLeft, offsetTop, offsetWidth }) => [offsetLeft, offsetTop, offsetWidth]"


# Presses the button as soon as the film has ended, as one does who meant to stop it.
LATE = """(watch) => new MutationObserver(() => watch.textContent === "Play" && watch.click())
    .observe(watch, { childList: true })"""

SAYS = """(watch) => {
    window.says = [];
    new MutationObserver(() => says.push(watch.textContent)).observe(watch, { childList: true });
}"""


def test_watched_on_a_phone_and_touched(phone: Merges) -> None:
    """With reduced motion, it goes from change to change, and can be stopped."""
    expected = changes(phone.tokens.editor.input_value())
    is_calm = phone.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    phone.play.evaluate(STOPS, expected[1] if is_calm else None)
    if not is_calm:
        phone.play.evaluate(LATE)
    phone.play.tap()
    place = phone.play.evaluate(PLACE)
    if is_calm:
        expect(phone.slider).to_have_attribute("aria-valuetext", re.compile(f"^{expected[1]:,} of"))
        assert phone.page.evaluate("stops.filter((k) => k !== 100_000)") == [0, *expected[:2]]
    else:
        phone.page.wait_for_function("new Set(stops).size > 3")  # before the film, all are known as well
        expect(phone.slider).to_have_attribute("aria-valuetext", re.compile(r"^100,000 of"), timeout=TIMEOUT_MS)
    expect(phone.play).to_have_text("Play")
    assert phone.play.evaluate(PLACE) == place
    for part in (phone.slider, phone.play):
        box = part.bounding_box()
        assert box
        assert box["height"] >= 44
    phone.slider.tap()  # its middle
    k = phone.known()
    assert 50 < k < 1_000
    expect(phone.count).to_have_text(str(len(cut(k, phone.tokens.editor.input_value()))))
    width = phone.page.evaluate(
        "document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth"
    )
    assert width <= 0
    if is_calm:  # also where nothing merges
        phone.tokens.editor.fill("7")
        expect(phone.count).to_have_text("1")
        phone.play.evaluate(SAYS)
        phone.play.tap()
        phone.page.wait_for_function("says.join() === 'Pause,Play'")


# Compression

# How far the line of the place is from the thumb's middle, and its dot from the share of the bytes left on the axis.
OFF = """(line, share) => {
    const root = line.getRootNode(), thumb = parseFloat(getComputedStyle(line).fontSize) * 0.75;
    const track = root.querySelector(".merge-slider .track"), rail = track.getBoundingClientRect();
    const middle = rail.left + thumb + track.value * (rail.width - 2 * thumb);
    const dot = line.firstChild.getBoundingClientRect(), plot = root.querySelector(".nsewdrag").getBoundingClientRect();
    const [low, high] = root.querySelector(".js-plotly-plot").layout.yaxis.range;
    const height = plot.bottom - plot.height * (100 * share - low) / (high - low);
    return [line.getBoundingClientRect().left - middle, (dot.top + dot.bottom) / 2 - height];
}"""


UNDER_FOLD = 720 - 233
"""Pixels of a low screen for the curve, its slider and the sentence, beneath the app's header and the tokenizers."""
LINE = 30
"""Height of a line of the sentence, in pixels."""


def test_the_curve_is_a_handle(page: Page, widgets_url: str) -> None:
    compression = CompressionPage.open(page, f"{widgets_url}compression?chart=Merges")
    merges, place = Merges(page), page.locator(".curve-place")
    count, known = page.locator(".tokens-left b"), page.locator(".merge-handle .known")
    expect(place).to_be_visible()
    compression.write(SECOND)
    expect(count).to_have_text(str(len(cut(100_000, SECOND))))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for key, k in (("Home", 0), ("ArrowRight", changes(SECOND)[0]), ("ArrowRight", changes(SECOND)[1])):
        merges.slider.press(key)
        assert merges.known() == k
        expect(count).to_have_text(str(len(cut(k, SECOND))))
        off = place.evaluate(OFF, len(cut(k, SECOND)) / len(SECOND.encode()))
        assert max(map(abs, off)) < 2, off
    box = compression.charts.first.locator(".nsewdrag").bounding_box()
    beside = page.locator(".cut-text").bounding_box()
    assert box and beside
    assert beside["x"] > box["x"] + box["width"] and beside["y"] < box["y"] + box["height"]
    answers, sentence = page.locator(".answers").bounding_box(), page.locator(".newest-join").bounding_box()
    assert answers and sentence
    assert sentence["y"] + LINE - answers["y"] <= UNDER_FOLD
    page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    k = merges.known()
    assert 200 < k < 3_000
    expect(count).to_have_text(str(len(cut(k, SECOND))))
    expect(page.locator(".hoverlayer")).to_be_hidden()  # nothing is said of another place
    assert not [url for url in asked if "_tokviz" in url]
    expect_accessible(page)
    handle = page.locator(".merge-handle")
    waiting: list[Route] = []
    page.route(SEEK, lambda route: waiting.append(route))
    handle.get_by_role("radio", name="GPT-2").check(force=True)
    expect(handle).to_have_attribute("aria-busy", "true")
    expect(page.locator(".cut-text")).to_have_css("opacity", "0.35")  # of the tokenizer before
    expect(place).to_have_css("opacity", "0.35")
    for route in waiting:
        route.continue_()
    page.unroute(SEEK)
    gpt2 = tokviz.load("gpt2")
    assert isinstance(gpt2, BPETokenizer)
    expect(place).to_have_css("opacity", "1")
    expect(count).to_have_text(str(len(gpt2.cut(k).encode(SECOND))))
    page.get_by_role("button", name="share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto("about:blank")
    page.goto(widgets_url + link.split("/", 3)[3])
    expect(count).to_have_text(str(len(gpt2.cut(k).encode(SECOND))))
    expect(known).to_have_text(f"{k:,} merges known")


def test_the_curve_is_a_handle_on_a_phone(browser: Browser, widgets_url: str) -> None:
    context = browser.new_context(
        viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    compression = CompressionPage.open(page, f"{widgets_url}compression?chart=Merges")
    merges, text = Merges(page), compression.text.input_value()
    count = page.locator(".tokens-left b")
    expect(count).to_have_text(f"{len(cut(100_000, text)):,}")
    merges.slider.tap()
    k = merges.known()
    assert 50 < k < 1_000
    expect(count).to_have_text(f"{len(cut(k, text)):,}")
    compression.charts.first.locator(".nsewdrag").tap()
    assert merges.known() not in (k, 100_000)
    expect(count).to_have_text(f"{len(cut(merges.known(), text)):,}")
    slider, beneath = merges.slider.bounding_box(), page.locator(".cut-text").bounding_box()
    assert slider and beneath and beneath["y"] > slider["y"] + slider["height"]
    below = beneath["y"] - slider["y"]
    compression.write("a")
    expect(count).to_have_text("1")
    slider, beneath = merges.slider.bounding_box(), page.locator(".cut-text").bounding_box()
    assert slider and beneath and beneath["y"] - slider["y"] == below
    context.close()
