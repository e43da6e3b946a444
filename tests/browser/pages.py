"""Page objects for the browser tests: one class per page, which finds its parts by label and role."""

import re
import time
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from browsing import expect_accessible
from playwright.sync_api import (
    BrowserContext,
    FilePayload,
    FloatRect,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
)

import tokviz
from tokviz.widgets.svg import palette

TRAINING_MS = 60_000
"""Timeout for training: a new process starts and shares the processor with everything else."""

CHARTS_MS = 60_000
"""Timeout for the first charts of an app that has just started: vocabularies are loaded and curves computed."""

MATTERS = 40
"""Least size of what matters on a screen of 1280 x 720, in pixels."""

ANSWERS = {
    "Which languages pay more?": ("Languages", "Which languages pay more?", 1),
    "Which tokenizer suits this text?": ("This text", "Which tokenizer suits this text?", 1),
    "What does each merge buy?": ("Merges", "What does each merge buy?", 1),
    "Which formats pay more?": ("Formats", "Which formats pay more?", 3),
    "How large should the vocabulary be?": ("Vocabulary size", "How large should the vocabulary be?", 1),
    "What is in the vocabulary?": ("Vocabulary", "How long are the tokens?", 3),
    "Which tokens does this text use?": ("Token use", "Which tokens does this text use?", 1),
}
"""For each question of the Compression page, its name in links, the first heading of its answer, and the number of its
charts."""

CAT = "the cat in the hat"
"""The initial text of the Learn story of the Merge replay page."""

# Positions of the letters of a node, from its left edge. Letters without width are left out.
RECTANGLES = """(node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    const origin = node.getBoundingClientRect();
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (let k = 0; k < text.length; k++) {
            const range = document.createRange();
            range.setStart(text, k);
            range.setEnd(text, k + 1);
            const box = range.getBoundingClientRect();
            if (box.width) found.push([text.data[k], Math.round(box.left - origin.left)]);
        }
    }
    return found;
}"""


def count(tokenizer: str, text: str) -> int:
    """Return the number of tokens of a text."""
    return len(tokviz.load(tokenizer).encode(text))


def code_of(lines: int) -> str:
    """Return a program of so many lines, none of which is blank."""
    return "".join(f"    total_{line} = price_of(item_{line}) * {line}  # in cents\n" for line in range(lines))


def bytes_beneath(cut: Locator) -> tuple[float, float]:
    """Point at a cut character. Returns the left and right edges of the bytes that appear beneath it, in pixels."""
    cut.hover()
    session = cut.page.context.new_cdp_session(cut.page)
    unseen = [session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]]
    labels = []
    while unseen:
        node = unseen.pop()
        unseen += [*node.get("children", []), *node.get("shadowRoots", [])]
        attributes = node.get("attributes", [])
        if "cut" in dict(zip(attributes[::2], attributes[1::2], strict=True)).get("class", "").split():
            labels += [each for each in node.get("pseudoElements", []) if each["pseudoType"] == "after"]
    boxes = [session.send("DOM.getBoxModel", {"nodeId": label["nodeId"]})["model"]["border"] for label in labels]
    session.detach()
    (shown,) = [box for box in boxes if box[2] > box[0]]
    return shown[0], shown[2]


def packed(data: bytes) -> str:
    """Encode a text as in links: raw deflate, in URL-safe base64."""
    compressor = zlib.compressobj(wbits=-15)
    return urlsafe_b64encode(compressor.compress(data) + compressor.flush()).decode().rstrip("=")


def save(page: Page, label: str, folder: Path) -> Path:
    """Press a button with a key, because unfolding parts can move it away from a pointer. Returns the saved file."""
    button = page.get_by_role("button", name=label, exact=True).and_(page.locator(":not(.term)"))
    with page.expect_download() as saved:
        button.press("Enter")
    path = folder / saved.value.suggested_filename
    saved.value.save_as(path)
    return path


def open_offline_tab(context: BrowserContext) -> Page:
    """Open a new tab with the network off. Tabs of the app are closed, because they need the network."""
    for tab in context.pages:
        tab.close()
    context.set_offline(True)
    return context.new_page()


def open_file(context: BrowserContext, path: Path) -> Page:
    """Open a page from disk, with the network off."""
    page = open_offline_tab(context)
    page.goto(path.as_uri())
    return page


def drop_file(target: Locator, name: str, data: bytes) -> None:
    """Drop a file on an element."""
    drop_files(target, {name: data})


def drop_files(target: Locator, files: Mapping[str, bytes]) -> None:
    """Drop files on an element, all at once."""
    transfer = target.page.evaluate_handle(
        """(files) => {
            const transfer = new DataTransfer();
            for (const [name, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name));
            return transfer;
        }""",
        [[name, list(data)] for name, data in files.items()],
    )
    target.dispatch_event("drop", {"dataTransfer": transfer})


def paste(box: Locator, text: str) -> None:
    """Insert a long text at once, because typing it would take long."""
    box.evaluate(
        """(box, text) => { box.value = text; box.dispatchEvent(new Event("input", { bubbles: true })) }""", text
    )


def next_frame(page: Page) -> None:
    """Wait until the page has drawn its pending changes."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def css_color(theme: str, name: str) -> str:
    """Return a color of the palette as computed styles spell it."""
    return "rgb({}, {}, {})".format(*bytes.fromhex(palette(theme == "dark")[name].removeprefix("#")))


def expect_answers(page: Page) -> None:
    """Wait until the widget of a page without Streamlit has all answers that it asked for, and its figures."""
    page.wait_for_function("isAnswered()")


def go_to(page: Page, name: str) -> None:
    """Follow a link of the app's navigation."""
    page.get_by_role("link", name=name, exact=True).first.click()


def header(page: Page) -> Locator:
    """The app's own header, which is hidden while presenting."""
    return page.get_by_test_id("stHeader")


# All visible text that is smaller than 20 px.
SMALL_TYPE = """(() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    const says = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const zoom = (element) => element instanceof SVGElement ? element.getScreenCTM().a : element.currentCSSZoom ?? 1;
    return inside(document.body)
        .filter((element) => says(element) && element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => element.getBoundingClientRect().width > 1)
        .filter((element) => parseFloat(getComputedStyle(element).fontSize) * zoom(element) < 19.99)
        .map((element) => `${element.outerHTML.slice(0, 80)}: ${getComputedStyle(element).fontSize}`);
})()"""


# All visible elements that scroll, and by how many pixels.
SCROLLING = """(() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    const beyond = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        [scrollWidth - clientWidth, scrollHeight - clientHeight];
    const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
    return [document.scrollingElement, ...inside(document.body)]
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => [element, ...beyond(element), getComputedStyle(element)])
        .filter(([, x, y, style]) => (scrolls(style.overflowX) && x > 1) || (scrolls(style.overflowY) && y > 1))
        .map(([element, x, y]) => `${element.cloneNode().outerHTML.slice(0, 160)}: ${x}, ${y}`);
})()"""


# Lets the controls hide as soon as there is no input, until `restoreTimers()`.
HIDE_AT_ONCE = """() => {
    const usual = setTimeout;
    window.restoreTimers = () => { window.setTimeout = usual };
    window.setTimeout = (done, wait, ...rest) => usual(done, wait === 2500 ? 0 : wait, ...rest);
}"""


def present(page: Page, width: int = 1280, height: int = 720) -> None:
    """Present a page, and wait until its controls have hidden. They stay hidden until `let_controls_stay`."""
    page.set_viewport_size(ViewportSize(width=width, height=height))
    page.evaluate(HIDE_AT_ONCE)
    page.get_by_role("button", name="present").click()
    expect(page.locator("html.tokviz-idle")).to_have_count(1)


def let_controls_stay(page: Page) -> None:
    """Let the controls of a presented page stay for their usual time after input, from the next on."""
    page.evaluate("restoreTimers()")


def size_of(part: Locator) -> float:
    """Return the size of an element's type in pixels."""
    size: float = part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    return size


def expect_no_scrolling(page: Page, covered: str = "nothing") -> None:
    """Wait until nothing on the page scrolls, but for what is covered, of which the tag says this."""
    _expect_nothing(page, f"{SCROLLING}.filter((tag) => !tag.includes('{covered}'))")


def _expect_nothing(page: Page, search: str) -> None:
    """Wait until a script finds nothing: sizes that depend on each other take frames until they rest."""
    for _ in range(600):  # frames
        if page.evaluate(search) == []:
            return
        next_frame(page)
    assert page.evaluate(search) == []


def resting_box(part: Locator) -> FloatRect:
    """Return the box of a part of the page once it no longer changes from frame to frame."""
    before = None
    for _ in range(600):  # frames
        box = part.bounding_box()
        if box and box == before:
            return box
        before = box
        next_frame(part.page)
    raise AssertionError(f"still moves: {before}")


# Boxes of all that is drawn; a bubble, what it dims and a drawer lie over it.
BOXES = """part => [...part.querySelectorAll("*")]
    .filter((each) => each.checkVisibility() && !each.closest(".info-bubble, .veil, .drawer, .unseen, .spoken"))
    .map((each) => [each.className.baseVal ?? each.className, each.getBoundingClientRect()])
    .map(([name, { x, y, width, height }]) =>
        `${name.replace(/ (same|active|on)(?= |$)/g, "")} ${[x, y, width, height].map(Math.round)}`)"""


def resting_boxes(part: Locator) -> list[str]:
    """Return the boxes of everything in a part of the page once they no longer change from frame to frame."""
    before = None
    for _ in range(600):  # frames
        boxes: list[str] = part.evaluate(BOXES)
        if boxes == before:
            return boxes
        before = boxes
        next_frame(part.page)
    raise AssertionError("still moves")


def rest(page: Page, timeout: float | None = None) -> None:
    """Wait until the session has finished its run; `timeout` is in milliseconds."""
    app = page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=timeout)


def share(page: Page) -> str:
    """Return the share link to the current view, with an address that this computer can open."""
    page.get_by_role("button", name="share").click()
    shared = urlsplit(page.get_by_label("Link", exact=True).input_value())
    page.get_by_role("button", name="close").click()
    return shared._replace(netloc=urlsplit(page.url).netloc).geturl()


def expect_large_type(page: Page) -> None:
    """Wait until all visible text has 20 px or more."""
    _expect_nothing(page, SMALL_TYPE)


def small_touch_targets(part: Locator) -> list[str]:
    """List the touch targets in a part of a page, outside running text, that are smaller than 44 px.

    Of words that are explained, which stand in running text, those that can't be pressed within 24 px.
    """
    found: list[str] = part.evaluate(
        """part => {
            const inside = (root) => [...root.querySelectorAll("*")].flatMap(
                (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
            const isPressed = (word) => {
                word.scrollIntoView({ block: "center" });
                const { left, top, width, height } = word.getBoundingClientRect();
                const [x, y] = [left + width / 2, top + height / 2];
                return [[0, -11], [0, 11], [-11, 0], [11, 0]].every(
                    ([dx, dy]) => word.contains(word.getRootNode().elementFromPoint(x + dx, y + dy)));
            };
            return inside(part)
                .filter((element) => element.matches("button, select, summary, textarea, input, a[href]"))
                .map((element) => element.closest("label") ?? element)
                .map((element) => [element, element.getBoundingClientRect()])
                .filter(([, box]) => box.width && box.height && Math.min(box.width, box.height) < 43.5)
                .filter(([element]) => !(element.matches(".term") && isPressed(element)))
                .map(([element, box]) => `${element.outerHTML.slice(0, 80)}: ${box.width} x ${box.height}`);
        }"""
    )
    return found


def looks(page: Page, widths: Iterable[int] = (1280, 375), height: int = 800) -> Iterator[str]:
    """Show the page at several widths in both themes, one after the other. Yields a name for each."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for width in widths:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            next_frame(page)
            yield f"{scheme}, {width} px wide"


def expect_accessible_in_all_looks(page: Page, part: str = "") -> None:
    """Assert that nothing scrolls sideways, and axe-core finds nothing serious, in the dark theme in the colors."""
    for look in looks(page):
        expect_no_sideways_scrolling(page)
        expect(page.locator(".stale")).to_have_count(0)  # faded while an answer takes long
        expect_accessible(page, f"{part}, {look}", colors_only=look.startswith("dark"))


def expect_no_sideways_scrolling(page: Page) -> None:
    """Assert that neither the page nor its main column scrolls sideways."""
    columns = page.locator("html, [data-testid=stMain]")
    assert columns.evaluate_all("all => all.filter((each) => each.scrollWidth > each.clientWidth).length") == 0


class HeldRequests:
    """Holds back requests until the test releases them, so that the order of responses is deterministic."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self._page, self._address = page, address
        self._held: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self._held.append(route)

    def take(self) -> Route:
        """Return the oldest held request; wait for one if there is none."""
        begun = time.monotonic()
        while not self._held:
            assert time.monotonic() - begun < 15, f"nothing was asked of {self._address}"
            self._page.evaluate("0")  # lets Playwright process requests
        return self._held.pop(0)

    def end(self) -> None:
        """Let requests pass again."""
        self._page.unroute(self._address, self._hold)


class TokensPage:
    """The Tokens page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.editor = page.get_by_label("Your text")
        self.tokenizer = page.get_by_role("combobox", name="Tokenizer")
        self.examples = page.get_by_label("Examples")
        self.ids = page.locator(".chunk .t.id")
        self.card = page.get_by_role("region", name="Token", exact=True)
        self.text = page.locator(".token-view")
        self.look_up = page.get_by_label("A token's id, a text, or several ids")
        self.problem = page.get_by_role("alert")
        self.link = page.get_by_label("Link", exact=True)

    @classmethod
    def open(cls, page: Page, url: str) -> "TokensPage":
        """Open the page, or a link to it, wait until its text is colored, and unfold the settings."""
        tokens = cls.visit(page, url)
        tokens.open_settings()
        return tokens

    @classmethod
    def visit(cls, page: Page, url: str) -> "TokensPage":
        """Open the page as a visitor does, with its settings folded."""
        page.goto(url)
        tokens = cls(page)
        expect(tokens.text.locator(".t, .cut")).not_to_have_count(0)
        return tokens

    def open_settings(self) -> None:
        """Unfold the settings, which stay unfolded in this tab."""
        if not self.page.get_by_label("Color by").is_visible():
            self.page.get_by_text("Settings", exact=True).click()

    def show(self, view: str) -> None:
        """Choose a view in the settings, which are unfolded."""
        self.page.get_by_role("radio", name=view, exact=True).check(force=True)

    def count(self, name: str) -> Locator:
        return self.page.locator(f'[data-count="{name}"]')

    def write(self, text: str, tokens: int | str | None = None) -> None:
        """Replace the text, and wait until it is counted."""
        self.editor.fill(text)
        expect(self.count("bytes")).to_have_text(f"{len(text.encode()):,}")
        if tokens is not None:
            expect(self.count("tokens")).to_have_text(str(tokens))

    def choose(self, tokenizer: str) -> None:
        self.tokenizer.fill(tokenizer)
        self.page.keyboard.press("Enter")

    def expect_ids(self, ids: list[int]) -> None:
        """Expect these ids, in their own view."""
        self.open_settings()
        self.show("Ids only")
        expect(self.ids).to_have_text([str(token) for token in ids])

    def open_look_up(self) -> None:
        self.page.get_by_text("Look up a token").press("Enter")

    def select(self, word: str) -> None:
        """Select a word in the editor, as a double click does."""
        self.editor.evaluate(
            """(box, word) => { box.focus(); const at = box.value.indexOf(word);
                box.setSelectionRange(at, at + word.length) }""",
            word,
        )

    def selected(self) -> str:
        return str(self.editor.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)"))

    def sent_text(self) -> str:
        """Return the page's text, as sent to the server when a setting changes."""
        with self.page.expect_request(re.compile("_tokviz/tokenize")) as asked:
            self.page.get_by_role("switch", name="special tokens").click()
        return str(asked.value.post_data or "")

    def share(self) -> str:
        """Open the share dialog and return the link, with an address that this computer can open."""
        self.page.get_by_role("button", name="share").click()
        expect(self.link).to_be_visible()
        shared, here = urlsplit(self.link.input_value()), urlsplit(self.page.url)
        return shared._replace(netloc=here.netloc).geturl()

    def drop(self, name: str, data: bytes) -> None:
        """Drop a file on the colored text."""
        drop_file(self.text, name, data)

    def choose_file(self, name: str, data: bytes) -> None:
        self.page.get_by_label("A text file").set_input_files(FilePayload(name=name, mimeType="", buffer=data))


class ComparePage:
    """The Compare page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.editor = page.get_by_label("Your text", exact=True)
        self.text = page.get_by_role("group", name=re.compile("Compared text"))
        self.place = page.get_by_label("Difference", exact=True).first
        self.card = page.get_by_role("region", name="Difference", exact=True)
        self.pieces = page.locator(".compared :is(.t, .cut)")
        self.chosen = page.locator(".compared .on")

    @classmethod
    def open(cls, page: Page, url: str) -> "ComparePage":
        """Open the page, or a link to it, and wait until its tokens are drawn."""
        page.goto(url)
        compare = cls(page)
        expect(compare.pieces.first).to_be_visible()
        return compare

    def tokens(self, name: str) -> Locator:
        return self.page.locator(".counts > div").filter(has_text=f"{name} token").locator("dd")

    def fold(self, title: str) -> Locator:
        """Return the line beneath the view that opens to show the rest."""
        return self.page.locator(".fold > summary").filter(has=self.page.get_by_text(title, exact=True))

    def layer(self, tokenizer: int) -> Locator:
        """Return the text as the tokens of one of the tokenizers, chunk by chunk."""
        return self.page.locator(f".compared .layer[data-layer='{tokenizer}']")

    def bottoms(self, tokenizer: int) -> list[float]:
        """Return the lower edges of the lines of tokens of one of the tokenizers."""
        bottoms = (
            self.layer(tokenizer)
            .locator(":scope > *")
            .evaluate_all("all => all.map((one) => one.getClientRects()[0].bottom)")
        )
        return sorted({round(bottom, -1): bottom for bottom in bottoms}.values())

    def differing(self, text: str) -> Locator:
        """Return the tokens with this text that are cut differently."""
        return self.page.locator(".compared :is(.t, .cut):not(.alike)", has_text=text)

    def unfold(self, title: str) -> None:
        self.fold(title).click()
        expect(self.page.locator(".fold[open]", has=self.page.get_by_text(title, exact=True))).to_be_visible()

    def write(self, text: str) -> None:
        """Replace the text and wait until its tokens are drawn."""
        self.editor.fill(text)
        expect(self.tokens("GPT-2")).to_have_text(f"{count('gpt2', text):,}")
        expect(self.page.locator(".compared .chunks")).to_contain_text(text.split("\n")[-1][-3:])
        # Fonts may still be loading.
        self.page.evaluate("document.fonts.ready")


class ReplayPage:
    """The Merge replay page, or a standalone player."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.widget = page.locator(".replay")
        self.text = page.get_by_label("Your text")
        self.learn_text = page.get_by_label("Text to learn from")
        self.track = page.get_by_role("slider", name="Step")
        self.stage = page.get_by_role("group", name="The text at this step")
        self.caption = page.locator(".caption")
        self.player = page.get_by_role("region", name="Player")
        self.pairs = page.get_by_role("region", name="Pairs")
        self.next = page.get_by_role("button", name="Next", exact=True)
        self.card = page.get_by_role("region", name="Token", exact=True)
        self.back = page.get_by_role("button", name="Back", exact=True)
        self.play = page.get_by_role("button", name="Play", exact=True)
        self.watched = page.get_by_role("radio", name="Watch", exact=True)
        self.played = page.get_by_role("radio", name="Play it yourself")
        self.choices = page.locator(".choice")
        self.give = page.get_by_role("button", name="Show me")

    @classmethod
    def open(cls, page: Page, url: str) -> "ReplayPage":
        """Open the page, or a link to it, and wait until its first step is drawn."""
        page.goto(url)
        replay = cls(page)
        expect(replay.stage).to_be_visible()
        return replay

    def wait_for_answer(self) -> None:
        """Wait until the response to the latest request is on screen."""
        expect(self.page.locator(".replay:not([data-asking])")).to_be_visible()

    def write(self, text: str, steps: int) -> None:
        self.text.fill(text)
        self.wait_for_answer()
        expect(self.track).to_have_attribute("max", str(steps))

    def ask_with_choices(self) -> None:
        """Open the page again as the lesson's links do, which ask with choices on every screen."""
        link = self.share().replace("&text=", "&predict=1&text=")
        self.page.goto("about:blank")
        self.page.goto(link)
        expect(self.page.locator(".predict")).to_be_visible()

    def learn(self, example: str = CAT) -> None:
        self.watch("learn")
        self.page.get_by_role("combobox", name="Examples").select_option(example)
        self.wait_for_answer()
        expect(self.widget).to_have_attribute("data-story", "learn")

    def watch(self, story: Literal["apply", "learn"]) -> None:
        self.page.get_by_role("combobox", name="What to watch").select_option(story)

    def setting(self, label: str) -> Locator:
        """Unfold the settings, and return one of them."""
        self.unfold()
        return self.page.locator(".folded").get_by_label(label)

    def switch(self, name: str) -> Locator:
        self.unfold()
        return self.page.get_by_role("switch", name=name)

    def tool(self, name: str) -> Locator:
        self.unfold()
        return self.page.get_by_role("button", name=name)

    def unfold(self) -> None:
        fold = self.page.get_by_role("button", name="Settings", exact=True)
        if fold.get_attribute("aria-expanded") == "false":
            fold.click()

    def choose(self, tokenizer: str) -> None:
        self.page.get_by_role("combobox", name="Tokenizer").fill(tokenizer)
        self.page.keyboard.press("Enter")
        self.wait_for_answer()

    def seek(self, k: int) -> None:
        if k < 0:  # a scene before the merges
            self.track.press("Home")
            while self.step() < k:
                self.track.press("ArrowRight")
        else:
            self.track.fill(str(k))
        self.at(k)

    def step(self) -> int:
        return int(self.widget.get_attribute("data-step") or "")

    def at(self, k: int) -> None:
        expect(self.widget).to_have_attribute("data-step", str(k))

    def drawn(self, role: str = "now") -> list[tuple[int, int]]:
        """Return the tokens on the stage, or those with a role: their first symbols and their ids."""
        found: list[list[int]] = self.stage.evaluate(
            """(stage, role) => {
                const nodes = stage.dataset.drawing === "tower" || role !== "now"
                    ? [...stage.querySelectorAll(`.${role}`)] : [...stage.querySelector(".symbols").children];
                const tokens = nodes.map(({ dataset }) => [Number(dataset.at), Number(dataset.id)]);
                return tokens.sort(([one], [other]) => one - other);
            }""",
            role,
        )
        return [(at, token) for at, token in found]

    def labels(self, part: str = ".label") -> list[str]:
        """Return what is written on the tower's tokens, in the order of the text, or in another part of them."""
        found: list[str] = self.stage.evaluate(
            """(stage, part) => [...stage.querySelectorAll(".now")]
                .sort((one, other) => one.dataset.at - other.dataset.at)
                .map((block) => block.querySelector(part).textContent)""",
            part,
        )
        return found

    def use_flow(self) -> None:
        """Draw the text as running text."""
        self.switch("tower").uncheck()
        expect(self.stage).to_have_attribute("data-drawing", "flow")

    def bars(self) -> list[list[str]]:
        rows: list[list[str]] = self.page.locator(".bars").evaluate(
            "node => [...node.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))"
        )
        return rows

    def figure(self, name: str) -> Locator:
        return self.page.locator(f'[data-figure="{name}"]')

    def share(self) -> str:
        """Return the share link to the current view."""
        self.page.get_by_role("button", name="share").click()
        link = self.page.get_by_label("Link", exact=True).input_value()
        self.page.keyboard.press("Escape")
        return re.sub("^http://[^/]*", "http://" + self.page.url.split("/")[2], link)


class CompressionPage:
    """The Compression page: its widget, with or without Streamlit around it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.text = page.get_by_role("textbox", name="Text", exact=True)
        self.examples = page.get_by_label("Examples")
        self.tokenizers = page.get_by_role("group", name="Tokenizers")
        self.questions = page.get_by_role("radiogroup", name="Question")
        self.charts = page.locator(".js-plotly-plot:has(.overplot .trace)")
        self.node = page.locator(".tokviz.compression")

    @classmethod
    def open(cls, page: Page, url: str, charts: int = 1) -> "CompressionPage":
        """Open the page, or a link to it, and wait until its charts are drawn."""
        page.goto(url)
        compression = cls(page)
        compression.expect_charts(charts)
        return compression

    def ask(self, question: str) -> None:
        """Choose a question by its text."""
        asked = self.questions.get_by_role("radio", name=question, include_hidden=True)
        if not asked.is_visible():
            self.questions.get_by_text("More questions").click()
        asked.check(force=True)

    def answer(self, question: str) -> int:
        """Choose a question, and wait until it is answered. Returns the number of its charts."""
        _, heading, number = ANSWERS[question]
        self.ask(question)
        expect(self.page.get_by_role("heading", name=heading)).to_be_visible(timeout=CHARTS_MS)
        self.expect_charts(number)
        return number

    def expect_charts(self, number: int) -> None:
        """Expect this number of charts with data, and each question answered."""
        expect(self.page.locator(".answers")).to_have_attribute("aria-busy", "false", timeout=CHARTS_MS)
        expect(self.charts).to_have_count(number, timeout=CHARTS_MS)
        expect(self.questions.get_by_text("…", exact=True)).to_have_count(0, timeout=CHARTS_MS)

    def choose(self, *tokenizers: str) -> None:
        """Leave out tokenizers that are chosen, and add others."""
        for name in tokenizers:
            remove = self.tokenizers.get_by_role("button", name=f"Remove {name}", exact=True)
            if remove.count():
                remove.click()
            else:
                self.another.fill(name)
                self.another.press("Enter")

    @property
    def another(self) -> Locator:
        """The list of tokenizers that can be added."""
        return self.tokenizers.get_by_role("combobox", name="Add a tokenizer")

    @property
    def chosen(self) -> Locator:
        """The names of the chosen tokenizers."""
        return self.tokenizers.locator(".slots b")

    def write(self, text: str) -> None:
        """Replace the text, and leave the editor, upon which the session gets it."""
        self.text.fill(text)
        self.text.blur()


class ChatPage:
    """The Chat page: its widget, with or without Streamlit around it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.prompt = page.get_by_role("listbox", name=re.compile("^Tokens of the prompt"))
        self.total = page.locator("[data-count=tokens]")
        self.template = page.locator(".head .template").get_by_role("combobox")
        self.own = page.get_by_role("textbox", name="Your template")
        self.bubbles = page.locator(".bubbles > .bubble")

    @classmethod
    def open(cls, page: Page, url: str, link: str = "") -> "ChatPage":
        """Open the page, and wait for its prompt."""
        page.goto(f"{url}chat{link}")
        chat = cls(page)
        expect(page.locator(".lanes .lane").first).to_be_attached()
        return chat

    def message(self, number: int) -> Locator:
        """Return the box of a message's text, from 1."""
        return self.page.get_by_role("textbox", name=re.compile(f"^Message {number}, (?!its|other)"))

    def expect_prompt(self, expected: "tokviz.Chat") -> None:
        """Expect the tokens of a chat."""
        self.expect_text(expected.prompt, len(expected))

    def expect_text(self, prompt: str, tokens: int) -> None:
        """Expect a prompt, and how many tokens it has."""
        chunks = self.prompt.locator(".chunk")
        shown = ""
        for _ in range(600):  # frames
            shown = "".join(chunks.evaluate_all("chunks => chunks.map((chunk) => chunk.textContent)"))
            if shown == prompt:
                break
            next_frame(self.page)
        assert shown == prompt
        expect(self.total).to_have_text(f"{tokens:,}")


class TrainPage:
    """The Train page: its widget, with or without Streamlit around it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.button = page.get_by_role("button", name="Train", exact=True)
        self.text = page.get_by_role("textbox", name="Text to learn from")
        self.source = page.get_by_role("combobox", name="Learn from")
        self.count = page.get_by_role("spinbutton", name="How many")
        self.sum = page.locator(".sum")
        self.cut = page.get_by_label("How the text is cut")
        self.result = page.locator(".result")
        self.size = page.locator(".facts .size")
        self.chosen = page.get_by_role("combobox", name="Your tokenizers")
        self.newest = page.get_by_role("list", name="Newest merges").locator("li")

    @classmethod
    def open(cls, page: Page, url: str, settings: str = "") -> "TrainPage":
        """Open the page, and wait for its first sample: one that arrives while a test writes is mixed in."""
        page.goto(f"{url}train{settings}")
        train = cls(page)
        expect(train.button).to_be_visible()
        expect(train.text).not_to_have_value("")
        return train

    def write(self, text: str) -> None:
        """Write a text, and wait until it is known how it is cut."""
        self.text.fill(text)
        expect(self.cut).to_have_text(re.compile(f"^{re.escape(text[:1].replace(' ', '·'))}"))

    def drop(self, name: str, data: bytes) -> None:
        """Choose a file to learn from."""
        file = FilePayload(name=name, mimeType="text/plain", buffer=data)
        self.page.get_by_label("Text files to learn from").set_input_files(file)
        expect(self.source).to_have_value("files")
        expect(self.page.locator(".says")).to_contain_text(name)

    def train(self) -> None:
        """Train, and wait for the tokenizer."""
        self.button.click()
        self.expect_trained()

    def expect_trained(self) -> None:
        """Wait for a tokenizer, and for all that is said of it."""
        expect(self.result).to_be_visible(timeout=TRAINING_MS)
        expect(self.button).to_be_enabled()
        expect(self.page.get_by_role("button", name="minbpe's .model")).to_be_visible()

    def saved_as(self, title: str, folder: Path) -> Path:
        """Save the file of a button, and return its path."""
        folder.mkdir(exist_ok=True)
        return save(self.page, title, folder)

    def trained_file(self) -> bytes:
        """Train, and return the page's tokenizer.json."""
        self.train()
        return self.file()

    def file(self) -> bytes:
        """Return the page's tokenizer.json."""
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Hugging Face's tokenizer.json").click()
        return Path(download.value.path()).read_bytes()
