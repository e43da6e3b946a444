"""The Tokens page: typing, choosing tokenizers, trying changes, copying, looking up, losing the connection."""

import re
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Request, expect
from tabs import Watched
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

import tokviz
from pages import HeldRequests, TokensPage, code_of, count, paste, resting_box, size_of
from tokviz.pretrained import open_models
from tokviz.samples import sample

TOKENIZE = re.compile(r"_tokviz/tokenize\?")
NOT_CONNECTED = "Not connected: your text is safe, colors will catch up"


@pytest.fixture
def tokens(page: Page, widgets_url: str) -> TokensPage:
    """The Tokens page, opened for the first time, with its text colored."""
    tokens = TokensPage.open(page, widgets_url)
    expect(tokens.count("tokens")).to_have_text("24")
    return tokens


def top_of(part: Locator) -> float:
    """Return the upper edge of a part of the page, in pixels."""
    top: float = part.evaluate("node => node.getBoundingClientRect().top")
    return top


def expect_doors_in_sight(page: Page) -> None:
    doors = page.get_by_role("navigation", name="What next").get_by_role("link")
    expect(doors).to_have_count(3)
    for door in doors.all():
        expect(door).to_be_in_viewport(ratio=1)


# What is in sight


def test_a_pasted_text_opens_no_card_and_the_ways_on_stay_in_sight(tokens: TokensPage) -> None:
    tokens.page.set_viewport_size({"width": 1280, "height": 720})
    tokens.page.get_by_text("Settings", exact=True).click()  # which the fixture unfolds
    text = "A text from elsewhere.\nIt has two lines."
    tokens.editor.evaluate(
        """(box, text) => {
            box.focus();
            box.setRangeText(text, 0, box.value.length, "end");
            box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", data: text, bubbles: true }));
        }""",
        text,
    )
    expect(tokens.count("tokens")).to_have_text(str(count("cl100k_base", text)))
    expect(tokens.card).to_be_hidden()
    expect_doors_in_sight(tokens.page)
    tokens.text.locator(".t").first.click()
    expect(tokens.card).to_be_visible()


def test_both_panes_show_the_end_of_a_text_pasted_to_its_end(tokens: TokensPage) -> None:
    tokens.editor.focus()
    tokens.page.keyboard.press("ControlOrMeta+End")
    text = sample("prose-en").text * 8
    tokens.page.keyboard.insert_text(text)
    expect(tokens.count("bytes")).to_have_text(f"{79 + len(text):,}")
    for pane in (tokens.editor, tokens.text):
        tokens.page.wait_for_function(
            "pane => pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight > 0.97 * pane.scrollHeight",
            arg=pane.element_handle(),
        )
    expect(tokens.card).to_be_hidden()


def test_the_panel_is_of_one_height_and_the_ways_on_stand_beneath(tokens: TokensPage) -> None:
    page = tokens.page
    page.get_by_text("Settings", exact=True).click()  # which the fixture unfolds
    panel = page.locator(".sides")
    english, hindi = sample("prose-en").text, sample("prose-hi").text
    for height in (720, 1080):
        page.set_viewport_size({"width": 1280, "height": height})
        heights: set[float] = set()
        places: set[str] = set()
        for text in ("", "Two lines.\nNo more.", "".join(hindi.splitlines(True)[:3]), english * 12):
            tokens.write(text)
            heights.add(resting_box(panel)["height"])
            places.add(str([resting_box(page.locator(part)) for part in (".presets select", ".field", "textarea")]))
        (tall,) = heights
        assert len(places) == 1
        assert tall > height - 290
        if height > 720:  # in the app, whose header is lower, from 720 on
            expect_doors_in_sight(page)


def test_on_a_phone_a_picker_keeps_its_place_when_the_count_has_more_digits(tokens: TokensPage) -> None:
    tokens.page.set_viewport_size({"width": 375, "height": 812})
    places = set()
    for text in ("a cat", "a cat " * 4_000):
        tokens.write(text)
        picker = resting_box(tokens.page.locator(".reading .field"))
        places.add((picker["x"], picker["width"]))
    assert len(places) == 1


# Elements that stay while what is around them scrolls.
STICKY = """() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    return inside(document.querySelector("#widget, [data-testid=stMain]"))
        .filter((element) => element.checkVisibility() && getComputedStyle(element).position === "sticky")
        .map((element) => element.className);
}"""


@pytest.mark.parametrize("size", [(375, 812), (1280, 800), (1920, 1080)])
def test_nothing_is_sticky(tokens: TokensPage, size: tuple[int, int]) -> None:
    tokens.page.set_viewport_size({"width": size[0], "height": size[1]})
    tokens.write(sample("code-python").text * 5)
    tokens.text.locator(".t").first.click()
    assert tokens.page.evaluate(STICKY) == []


# Sizes of the type of both panes, and the places of all parts of the page.
LOOK = """node => {
    const sizes = [...node.querySelectorAll(".editor, .token-view")].map((pane) => getComputedStyle(pane).fontSize);
    return [String(sizes), JSON.stringify([...node.children].map((each) => each.getBoundingClientRect()))];
}"""


def test_typing_changes_no_size_and_no_place(tokens: TokensPage) -> None:
    page, node = tokens.page, tokens.page.locator(".tokviz")
    tokens.write("", 0)
    large = size_of(tokens.editor)
    sizes: set[str] = set()
    places: set[str] = set()
    tokens.editor.focus()
    for letter in "It was a bright cold day in April,\n" * 4 + "and the clocks were “13”":
        if letter in "“”":
            page.keyboard.insert_text(letter)
        else:
            page.keyboard.press("Enter" if letter == "\n" else letter)
        for found, look in zip((sizes, places), node.evaluate(LOOK), strict=True):
            found.add(look)
    assert len(sizes) == len(places) == 1
    page.keyboard.insert_text("and more\n" * 12)  # as a paste does
    expect(page.locator(".tokviz")).to_have_attribute("data-type", "long")
    small = size_of(tokens.editor)
    assert small < large
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("x")
    expect(tokens.count("bytes")).to_have_text("1")
    assert size_of(tokens.editor) == small
    tokens.editor.blur()
    expect(page.locator(".tokviz")).to_have_attribute("data-type", "short")
    assert size_of(tokens.editor) == large


# A long text


def test_a_long_text_reads_as_in_an_editor(tokens: TokensPage) -> None:
    page, view = tokens.page, tokens.text
    strip = view.locator(".id-strip")
    page.set_viewport_size({"width": 1500, "height": 800})
    tokens.write(code_of(200))
    tokens.editor.press("ControlOrMeta+Home")
    for pane in (tokens.editor, view):
        expect(pane).to_have_css("line-height", "28px")
        expect(pane).to_have_js_property("scrollTop", 0)
    before = view.locator(".t").nth(30).bounding_box()
    line = view.get_by_text("price").nth(3)
    line.hover()
    expect(strip.locator("text")).to_contain_text(str(tokviz_ids("    total_3")[-1]))
    over = strip.locator("text").bounding_box()
    assert over and 28 - 2 <= over["y"] - resting_box(line)["y"] + 28 - resting_box(line)["height"] <= 56
    assert view.locator(".t").nth(30).bounding_box() == before
    page.mouse.move(0, 0)
    tokens.editor.press("ArrowDown")
    expect(strip.locator("text")).to_contain_text(str(tokviz_ids("    total_1")[-1]))
    # A pointer in the text field is at no line of the tokens, nor is one that rests while a key is pressed elsewhere.
    page.mouse.move(resting_box(tokens.editor)["x"] + 150, over["y"])
    expect(strip.locator("text")).to_contain_text(str(tokviz_ids("    total_1")[-1]))
    line.hover()
    expect(strip.locator("text")).to_contain_text(str(tokviz_ids("    total_3")[-1]))
    tokens.editor.press("x")
    expect(strip.locator("text")).not_to_contain_text(str(tokviz_ids("    total_3")[-1]))
    tokens.show("All ids")
    expect(strip).to_be_hidden()
    expect(view.locator(".chunk .drawn-ids text").first).to_contain_text(re.compile(r"\d"))


def tokviz_ids(text: str) -> list[int]:
    return list(tokviz.load("cl100k_base").encode(text))


def test_both_panes_of_a_long_text_show_the_same_lines(tokens: TokensPage) -> None:
    page, panes = tokens.page, (tokens.editor, tokens.text)
    tokens.write(code_of(200) + sample("prose-en").text)
    tokens.editor.hover()
    page.mouse.wheel(0, 2800)
    page.wait_for_function("pane => pane.scrollTop > 2000", arg=tokens.text.element_handle())

    def expect_same_lines() -> None:
        page.wait_for_function(
            """panes => {
                const line = (pane) => pane.scrollTop / parseFloat(getComputedStyle(pane).lineHeight);
                return Math.abs(line(panes[0]) - line(panes[1])) < 0.5;
            }""",
            arg=[pane.element_handle() for pane in panes],
        )

    expect_same_lines()
    for width in (1024, 1920, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        expect_same_lines()
    tokens.show("Text")
    expect_same_lines()
    tokens.show("Text + ids")
    expect_same_lines()


@pytest.mark.parametrize("end", ["\n", "\n# done"])
def test_at_the_end_of_a_long_text_no_pane_moves_and_both_show_the_same_lines(tokens: TokensPage, end: str) -> None:
    page, view = tokens.page, tokens.text
    text = "".join(f"total_{line} = price * {line}\n" for line in range(150)).rstrip() + end
    tokens.editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)  # the caret is at its end
    strip = view.locator(".id-strip text")
    expect(strip).to_contain_text(str(tokviz_ids(text)[-1]))
    expect(strip).to_be_in_viewport(ratio=0.99)
    panes = [pane.element_handle() for pane in (tokens.editor, view)]
    page.wait_for_function("([one, other]) => one.scrollTop > 0 && one.scrollTop === other.scrollTop", arg=panes)

    def expect_stillness() -> None:
        places = "panes => panes.map((pane) => [pane.scrollTop, pane.scrollHeight - pane.clientHeight])"
        before = page.evaluate(places, panes)
        assert before[0] == before[1]
        for token in view.locator(".t", has_text="price").all()[-7::2]:
            box = resting_box(token)
            page.mouse.move(box["x"] + 3, box["y"] + 3)
            expect(token).to_have_class(re.compile(r"\bsame\b"))
            assert resting_box(token) == box
            assert page.evaluate(places, panes) == before

    expect_stillness()
    for pane, wheel, left in ((tokens.editor, 9000, 0), (view, -30, 30), (view, 9000, 0)):
        pane.hover()
        page.mouse.wheel(0, wheel)
        scrolled_so = (
            "([panes, left]) => panes.every((pane) => pane.scrollHeight - pane.clientHeight - pane.scrollTop === left)"
        )
        page.wait_for_function(scrolled_so, arg=[panes, left])
        expect_stillness()
    for look in ("Text", "All ids", "Text + ids"):
        tokens.show(look)
        expect(page.locator(".tokviz")).to_have_attribute("data-view", "text" if look == "Text" else "both")
        page.wait_for_function(
            "([one, other]) => one.scrollTop === other.scrollTop && one.scrollHeight === other.scrollHeight", arg=panes
        )


def test_a_map_shows_where_a_text_is_expensive_and_goes_there(tokens: TokensPage) -> None:
    cheap = "the same words again and again and again\n" * 60
    tokens.write(cheap + "xq7 zzk9 qqj3 vvx8 wwq1 zx0 qk4\n" + cheap)
    page, found = tokens.page, tokens.page.locator(".map")
    expect(found).to_be_visible()
    dark = found.evaluate(
        """map => [...map.querySelectorAll("path")].flatMap((path, level) =>
            [...path.getAttribute("d").matchAll(/M0 (\\d+)/g)].map(([, row]) => [level, Number(row)]))"""
    )
    assert max(dark)[1] == 60 and len(dark) == 121
    box = found.bounding_box()
    assert box
    found.click(position={"x": 8, "y": box["height"] / 2})
    expect(tokens.text.get_by_text("zzk")).to_be_in_viewport()
    page.wait_for_function("pane => pane.scrollTop > 500", arg=tokens.editor.element_handle())
    found.click(position={"x": 8, "y": 2})
    door = page.get_by_role("link", name="Line 61 costs most")
    expect(door).to_contain_text("tokens per character")
    door.click()
    expect(tokens.text.get_by_text("zzk")).to_be_in_viewport()


def test_the_card_says_hex_where_it_shows_hex(tokens: TokensPage) -> None:
    tokens.write("!", 1)
    tokens.text.locator(".t").click()
    expect(tokens.card.locator("dt", has_text="hex").locator("+ dd")).to_have_text("21")


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_large_counts_do_not_wrap_the_toolbar(tokens: TokensPage, width: int) -> None:
    tokens.page.set_viewport_size({"width": width, "height": 800})
    tokens.write("a cat " * 4_000)
    expect(tokens.count("tokens")).to_have_text(re.compile("^[0-9]+,[0-9]{3}$"))
    head = tokens.page.locator(".reading .head")
    total, picker = head.locator(".counts").bounding_box(), head.locator(".field").bounding_box()
    assert total and picker
    assert total["y"] < picker["y"] + picker["height"] and picker["y"] < total["y"] + total["height"]
    assert picker["x"] >= total["x"] + total["width"]


@pytest.mark.parametrize("width", [375, 800, 1280, 1920])
def test_settings_open_where_they_are_clicked(tokens: TokensPage, width: int) -> None:
    tokens.page.set_viewport_size({"width": width, "height": 800})
    summary = tokens.page.get_by_text("Settings", exact=True)
    places = []
    for _ in range(2):
        summary.click()
        places.append(summary.evaluate("({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop]"))
    assert places[0] == places[1]
    expect(tokens.page.get_by_label("Color by")).to_be_visible()


def test_the_picker_looks_like_one_on_a_phone(tokens: TokensPage) -> None:
    tokens.page.set_viewport_size({"width": 375, "height": 800})
    arrow = tokens.page.locator(".head .field").evaluate("""field => {
        const { content, width, clipPath, backgroundColor } = getComputedStyle(field, "::after");
        return [content, parseFloat(width) > 8, clipPath.startsWith("polygon"), backgroundColor !== "rgba(0, 0, 0, 0)"];
    }""")
    assert arrow == ['""', True, True, True]


# A token's card

# Boxes of all that is drawn, but for the bubble, the drawer and the line under the pointed-at text.
BOXES = """() => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    return inside(document.body)
        .filter((element) => !element.closest(".info-bubble, .drawer, .spoken, .underline"))
        .filter((element) => element.checkVisibility())
        .map((element) => [element, element.getBoundingClientRect()])
        .map(([{ localName }, { x, y, width, height }]) => `${localName} ${[x, y, width, height]}`);
}"""


def bubble(page: Page) -> Locator:
    return page.locator(".info-bubble")


@pytest.mark.parametrize("width", [375, 1280, 1920])
def test_a_card_moves_nothing(tokens: TokensPage, width: int) -> None:
    page = tokens.page
    page.set_viewport_size({"width": width, "height": 1080 if width == 1920 else 800})
    page.evaluate("document.fonts.ready")
    tokens.write("The cat sat on the mat.\nIt was supercalifragilistic.")
    token = tokens.text.locator(".t", has_text="istic")
    token.hover()  # scrolls it into view
    page.mouse.move(0, 0)
    expect(bubble(page)).to_be_hidden()
    expect(page.get_by_role("link", name=re.compile("GPT-2 takes .* tokens"))).to_be_visible()  # all is computed
    expect(page.locator(".known")).to_have_text("100,000 merges known")
    before = page.evaluate(BOXES)
    token.hover()
    expect(bubble(page)).to_contain_text("merge 4,378 joins ist and ic")
    expect(bubble(page)).to_have_css("width", "260px")
    assert page.evaluate(BOXES) == before
    token.click()
    expect(tokens.card).to_contain_text("merge 4,378 of 100,000")
    expect(bubble(page)).to_be_hidden()
    assert page.evaluate(BOXES) == before
    tokens.text.press("ArrowLeft")
    expect(tokens.card).to_contain_text("321")
    assert page.evaluate(BOXES) == before
    tokens.text.press("Escape")
    expect(tokens.card).to_be_hidden()
    assert page.evaluate(BOXES) == before


@pytest.mark.parametrize("text", ["a line that is wide " * 60, "هذا سطر طويل من الكلمات " * 60, "narrow\n" * 40])
def test_the_drawer_never_covers_the_line_of_its_token(tokens: TokensPage, text: str) -> None:
    tokens.write(text)
    page = tokens.page
    tokens.text.press("Home")
    tokens.text.press("Enter")
    for _ in range(12):
        drawer, line = resting_box(tokens.card), resting_box(tokens.text.locator(".t.on").first)
        assert (
            line["y"] + line["height"] <= drawer["y"]
            or drawer["y"] + drawer["height"] <= line["y"]
            or (line["x"] + line["width"] <= drawer["x"])
        )
        page.keyboard.press("ArrowDown")
    assert tokens.card.evaluate(COVERED) == []


# What lies under the drawer, of tokens and controls.
COVERED = """drawer => {
    const { left, right, top, bottom } = drawer.getBoundingClientRect();
    const parts = drawer.closest(".tokviz").querySelectorAll(".t, .map, .field, select, .rail, .play, .known, .door");
    return [...parts].filter((part) => !drawer.contains(part) && [...part.getClientRects()].some((box) =>
        box.left < right && box.right > left && box.top < bottom && box.bottom > top)).map((part) => part.className);
}"""


def test_the_tab_key_goes_from_the_text_to_the_drawer_and_closing_it_goes_back(tokens: TokensPage) -> None:
    page = tokens.page
    tokens.text.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Let go of this token")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tokens.card).to_be_hidden()
    expect(tokens.text).to_be_focused()


# Typing


def test_typing_recolors_and_counts(tokens: TokensPage) -> None:
    tokens.write("", 0)
    tokens.editor.press_sequentially("hello world")
    expect(tokens.count("tokens")).to_have_text("2")
    expect(tokens.count("characters")).to_have_text("11")
    expect(tokens.count("bytes per token")).to_have_text("5.50")


def test_no_counts_before_the_first_response(page: Page, widgets_url: str) -> None:
    held = HeldRequests(page, re.compile("_tokviz/tokenize"))
    page.goto(widgets_url)
    tokens = TokensPage(page)
    first = held.take()
    for name in ("tokens", "bytes", "characters"):
        expect(tokens.count(name)).to_have_text("–")
    first.continue_()
    expect(tokens.count("tokens")).to_have_text("24")


def test_empty_text_has_no_bytes_per_token(tokens: TokensPage) -> None:
    tokens.write("", 0)
    expect(tokens.count("bytes per token")).to_have_text("–")


def test_counts_of_a_text_with_emoji_and_chinese(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    tokens.write("Hello, 🌍! 你好!", 12)
    expect(tokens.count("characters")).to_have_text("13")
    expect(tokens.count("bytes")).to_have_text("20")


def test_words_are_left_out_for_scripts_without_spaces(tokens: TokensPage) -> None:
    expect(tokens.count("words")).to_be_visible()
    tokens.editor.fill("今日は雨が降っています。")
    expect(tokens.count("words")).to_be_hidden()


def test_input_method_composition_is_colored_and_never_overwritten(tokens: TokensPage) -> None:
    tokens.write("", 0)
    tokens.editor.focus()
    ime = tokens.page.context.new_cdp_session(tokens.page)
    tokens.editor.evaluate("""box => {
        window.sets = 0;
        const { set, get } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
        Object.defineProperty(box, "value", { get, set(value) { window.sets++; set.call(this, value); } });
    }""")
    for composed in ("k", "ka", "か", "かn", "かな"):
        ime.send(
            "Input.imeSetComposition",
            {"text": composed, "selectionStart": len(composed), "selectionEnd": len(composed)},
        )
    expect(tokens.count("bytes")).to_have_text("6")
    expect(tokens.editor).to_have_value("かな")
    ime.send("Input.insertText", {"text": "仮名"})
    expect(tokens.editor).to_have_value("仮名")
    expect(tokens.count("characters")).to_have_text("2")
    assert tokens.page.evaluate("window.sets") == 0


def test_the_tab_key_leaves_the_editor(tokens: TokensPage) -> None:
    before = tokens.editor.input_value()
    tokens.editor.focus()
    expect(tokens.editor).to_be_focused()
    tokens.page.keyboard.press("Tab")
    expect(tokens.editor).not_to_be_focused()
    expect(tokens.editor).to_have_value(before)


def test_the_editor_leaves_spelling_and_capitals_alone(tokens: TokensPage) -> None:
    for attribute, value in {"autocapitalize": "off", "autocorrect": "off", "spellcheck": "false"}.items():
        expect(tokens.editor).to_have_attribute(attribute, value)


def test_keys_in_the_widget_trigger_no_page_shortcuts(tokens: TokensPage) -> None:
    tokens.page.evaluate("window.leaked = []; document.addEventListener('keydown', (event) => leaked.push(event.key))")
    tokens.editor.press("r")
    tokens.page.get_by_role("switch", name="capitals").press("c")
    assert tokens.page.evaluate("window.leaked") == []


def test_outdated_response_is_dropped(tokens: TokensPage) -> None:
    tokens.count("tokens").evaluate("""count => {
        window.shown = [];
        new MutationObserver(() => shown.push(count.textContent)).observe(count, { childList: true });
    }""")
    asked = HeldRequests(tokens.page, TOKENIZE)
    tokens.editor.fill("one")
    first = asked.take()
    tokens.editor.fill("one two")
    tokens.editor.fill("one two three")
    # The first is running, the second was replaced while waiting; only the newest is shown.
    first.continue_()
    second = asked.take()
    assert [first.request.post_data, second.request.post_data] == ["one", "one two three"]
    second.continue_()
    asked.end()  # a busy server has the page ask again
    expect(tokens.count("tokens")).to_have_text("3")
    assert tokens.page.evaluate("window.shown") == ["3"]


def test_long_texts_are_counted_in_a_later_request(tokens: TokensPage) -> None:
    asked: list[bool] = []
    tokens.page.on("request", lambda request: asked.extend(_asked_counts(request)))
    tokens.editor.fill("word " * 5000)
    expect(tokens.count("characters")).to_have_text("25,000")
    assert asked == [False, True]


def _asked_counts(request: Request) -> list[bool]:
    """Return whether a request asks for counts; nothing if it is not for tokens of the page's tokenizer."""
    fields = parse_qs(urlsplit(request.url).query)
    is_of_page = TOKENIZE.search(request.url) and fields["tokenizer"] == ["cl100k_base"]
    return [fields.get("counts") == ["1"]] if is_of_page else []


def test_a_text_of_over_a_million_characters_is_kept_on_leaving(tokens: TokensPage) -> None:
    page, text = tokens.page, "words " * 166_667
    tokens.editor.focus()
    paste(tokens.editor, text)
    expect(tokens.count("bytes")).to_have_text("1,000,002")
    tokens.editor.press("Control+End")
    tokens.editor.press_sequentially("!")
    page.goto(urljoin(page.url, "compression?chart=Merges"))
    page.get_by_role("textbox", name="Text", exact=True).focus()  # which opens it
    expect(page.get_by_text("1,000,003 code points", exact=True)).to_be_visible()


# Links between the editor and the tokens


def test_a_caret_that_is_moved_marks_its_token_and_an_open_card_follows_it(tokens: TokensPage) -> None:
    tokens.write("Hello, world!", 4)
    chosen = tokens.text.locator(".t.on")
    expect(chosen).to_have_count(0)
    tokens.editor.press("ArrowLeft")
    expect(chosen).to_have_text("!")
    expect(tokens.card).to_be_hidden()
    tokens.text.get_by_text("world").click()
    expect(tokens.card).to_contain_text("1917")
    tokens.editor.press("Home")
    expect(tokens.card).to_contain_text("9906")


def test_a_click_on_a_token_selects_its_text(tokens: TokensPage) -> None:
    tokens.write("Hello, world!", 4)
    tokens.text.get_by_text("world").click()
    expect(tokens.card).to_contain_text("1917")
    assert tokens.selected() == " world"
    # Looking at a token must not let the next key overwrite its text.
    tokens.page.keyboard.press("f")
    expect(tokens.editor).to_have_value("Hello, world!")


def test_a_double_click_on_a_token_goes_to_its_text(tokens: TokensPage) -> None:
    tokens.write("Hello, world!", 4)
    tokens.text.get_by_text("world").dblclick()
    expect(tokens.editor).to_be_focused()
    assert tokens.selected() == " world"


def test_selection_is_exact_with_escapes(tokens: TokensPage) -> None:
    tokens.page.get_by_role("switch", name="read \\n as a line break").check()
    tokens.editor.fill(r"caf\u00e9\n\n world")
    expect(tokens.count("tokens")).to_have_text("4")
    tokens.text.locator(".t", has_text="world").click()
    assert tokens.selected() == " world"
    tokens.select(r"\n")
    expect(tokens.card).to_contain_text("U+000A")


def test_marked_token_keeps_its_position_when_the_tokenizer_changes(tokens: TokensPage) -> None:
    tokens.write("Hello, world!", 4)
    tokens.text.get_by_text("world").click()
    expect(tokens.card).to_contain_text("1917")
    tokens.choose("gpt2")
    expect(tokens.card).to_contain_text("995")
    assert tokens.selected() == " world"


def test_card_is_reset_when_its_token_is_gone(tokens: TokensPage) -> None:
    escapes = tokens.page.get_by_role("switch", name="read \\n as a line break")
    tokens.write(r"x\x00", 3)
    tokens.text.get_by_text("00").click()
    expect(tokens.card).to_contain_text("410")
    escapes.check()
    expect(tokens.card).to_be_hidden()
    tokens.text.locator(".t").last.click()
    expect(tokens.card).to_contain_text("U+0000")
    escapes.uncheck()
    expect(tokens.card).to_be_hidden()


def test_card_requests_nothing_for_a_removed_token_while_waiting_for_the_caret(tokens: TokensPage) -> None:
    page = tokens.page
    page.clock.install()  # first, so that all later timers use the mocked clock
    tokens.write("Hello, world!", 4)
    tokens.text.get_by_text("Hello").click()
    tokens.editor.press("End")
    expect(tokens.card).to_contain_text("EXCLAMATION MARK")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "_tokviz/token?" in request.url else None)
    # The frame in which the card follows the caret never comes, and the bubble's request is due before it.
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.evaluate("window.requestAnimationFrame = (draw) => (window.frame = draw, 0)")
    tokens.text.get_by_text("world").hover()
    expect(bubble(page)).to_contain_text("1917")
    tokens.write("", 0)
    expect(bubble(page)).to_be_hidden()
    page.clock.run_for(1000)
    page.evaluate("window.requestAnimationFrame = (draw) => setTimeout(draw); window.frame()")
    expect(tokens.card).to_be_hidden()
    page.clock.resume()
    assert ["1917"] not in [parse_qs(urlsplit(url).query)["id"] for url in asked]


def test_card_is_updated_when_special_tokens_are_enabled(tokens: TokensPage) -> None:
    tokens.write("a<|endoftext|>", 8)
    tokens.text.get_by_text("end").click()
    expect(tokens.card).to_contain_text("e U+0065")
    tokens.page.get_by_role("switch", name="special tokens").check()
    expect(tokens.card).to_contain_text("a special token is put in by hand")


def test_token_count_is_shown_only_for_the_current_text(tokens: TokensPage) -> None:
    tokens.write("hello hello", 2)
    tokens.open_look_up()
    tokens.look_up.fill("hello")
    tokens.page.get_by_role("button", name="15339 hello").click()
    expect(tokens.page.get_by_text("1 time in this text")).to_be_visible()
    tokens.write("goodbye", 2)
    expect(tokens.page.locator(".lookup").get_by_text("in this text")).to_have_count(0)


def test_special_token_count_is_shown_only_for_the_current_tokens(tokens: TokensPage) -> None:
    special = tokens.page.get_by_role("switch", name="special tokens")
    special.check()
    tokens.write("a<|endoftext|>b", 3)
    tokens.open_look_up()
    tokens.look_up.fill("<|endoftext|>")
    tokens.page.get_by_role("button", name="100257 <|endoftext|>").click()
    expect(tokens.page.get_by_text("1 time in this text")).to_be_visible()
    special.uncheck()
    expect(tokens.page.locator(".lookup").get_by_text("in this text")).to_have_count(0)


# Views


def test_a_key_goes_from_view_to_view_but_not_while_typing_or_behind_a_dialog(tokens: TokensPage) -> None:
    page = tokens.page
    expect(page.get_by_role("radio", name="Text + ids", exact=True)).to_be_checked()
    expect(tokens.text.locator(".drawn-ids text").first).to_contain_text(re.compile("^791 "))
    tokens.text.press("v")
    expect(page.get_by_role("radio", name="All ids", exact=True)).to_be_checked()
    tokens.text.press("v")
    expect(page.get_by_role("radio", name="Ids only", exact=True)).to_be_checked()
    expect(tokens.text.locator(".t").first).to_have_text("791")
    tokens.editor.press("End")
    tokens.editor.press_sequentially("v")
    page.get_by_role("button", name="share").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("f")
    page.keyboard.press("v")
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", name="Ids only", exact=True)).to_be_checked()
    expect(page.locator(".tokviz.present")).to_have_count(0)
    page.reload()
    expect(tokens.text.locator(".t").first).to_have_text("791")


def test_the_text_and_its_reading_have_the_same_lines(tokens: TokensPage) -> None:
    """Side by side in the view of the text: they wrap at the same places."""
    tokens.page.get_by_role("radio", name="Text", exact=True).check(force=True)
    tokens.write("The quick brown fox jumps over the lazy dog, again and again. " * 12)
    expect(tokens.text.locator(".t").last).to_be_visible()
    heights = """([box, view]) => {
        const style = getComputedStyle(box);
        const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
        const chunk = view.querySelector(".chunk").getBoundingClientRect().height;
        box.style.minHeight = box.style.height = "0";
        const inBox = box.scrollHeight - padding;
        return [inBox, chunk].map((height) => Math.round(height / (parseFloat(style.lineHeight))));
    }"""
    in_box, in_view = tokens.page.evaluate(heights, [tokens.editor.element_handle(), tokens.text.element_handle()])
    assert in_box == in_view > 5


def test_pointing_at_a_token_underlines_its_text_in_the_editor(tokens: TokensPage) -> None:
    page, mark = tokens.page, tokens.page.locator(".underline mark")
    page.get_by_role("radio", name="Text", exact=True).check()
    tokens.write("The quick brown fox jumps over the lazy dog, again and again. " * 4)
    token = tokens.text.locator(".t").nth(25)
    token.hover()
    expect(mark).to_have_text(token.inner_text(), use_inner_text=True)
    # In this view, both have the same lines, so the mark is where the token is.
    left = "element => element.getBoundingClientRect().left"
    in_editor = mark.evaluate(left) - tokens.editor.evaluate(left)
    assert in_editor == pytest.approx(token.evaluate(left) - tokens.text.evaluate(left), abs=2)
    page.mouse.move(0, 0)
    expect(mark).to_be_hidden()


def test_the_way_to_the_comparison_says_what_the_other_takes(tokens: TokensPage) -> None:
    text = "if x:\n        return 1234567"
    assert count("gpt2", text) != count("cl100k_base", text)
    tokens.write(text)
    takes = f"GPT-2 takes {count('gpt2', text)} tokens. Where, and why?"
    expect(tokens.page.locator(".door").nth(1)).to_have_text(f"{takes} →")
    tokens.choose("gpt2")
    other = f"GPT-4’s tokenizer takes {count('cl100k_base', text)} tokens"
    expect(tokens.page.locator(".door").nth(1)).to_contain_text(other)


# Curly quotes and escapes


def test_curly_quotes_are_detected_and_straightened(tokens: TokensPage) -> None:
    tokens.write("don’t “panic”", 5)
    expect(tokens.page.get_by_text("3 curly quotes")).to_be_visible()
    tokens.select("panic")
    tokens.page.get_by_role("button", name="make straight").click()
    expect(tokens.editor).to_have_value('don\'t "panic"')
    assert tokens.selected() == "panic"
    expect(tokens.page.get_by_text("3 curly quotes")).to_have_count(0)
    tokens.page.keyboard.press("Control+z")
    expect(tokens.editor).to_have_value("don’t “panic”")


def test_escapes_are_read_as_the_characters_they_stand_for(tokens: TokensPage) -> None:
    tokens.editor.fill(r"a\n\t\u00e9\x41\u{1f355}\\n\ud83c\udf55")
    tokens.page.get_by_role("switch", name="read \\n as a line break").check()
    expect(tokens.count("characters")).to_have_text("9")
    expect(tokens.count("bytes")).to_have_text("16")


def test_an_invalid_escape_stays_as_typed(tokens: TokensPage) -> None:
    tokens.page.get_by_role("switch", name="read \\n as a line break").check()
    written = r"\q \x4 \u12 \ud800 \u{110000} \\"
    tokens.editor.fill(written)
    expect(tokens.count("characters")).to_have_text(str(len(written) - 1))


def test_a_text_with_carriage_returns_is_written_with_escapes(tokens: TokensPage) -> None:
    tokens.examples.select_option("whitespace-line-ends")
    expect(tokens.page.get_by_role("switch", name="read \\n as a line break")).to_be_checked()
    expect(tokens.editor).to_have_value(re.compile(r"\\r"))


# Presets, and things to try


def test_a_preset_is_undone_by_ctrl_z(tokens: TokensPage) -> None:
    tokens.write("my own words", 3)
    tokens.examples.select_option(label="Hindi · हिन्दी")
    expect(tokens.editor).to_have_value(re.compile("नदी|स्कूल|विद्यालय"))
    tokens.page.keyboard.press("Control+z")
    expect(tokens.editor).to_have_value("my own words")
    expect(tokens.count("tokens")).to_have_text("3")


def test_an_example_that_comes_after_the_next_was_chosen_is_dropped(tokens: TokensPage) -> None:
    tokens.editor.evaluate("""box => {
        window.shown = [];
        box.addEventListener("input", () => shown.push(box.value));
    }""")
    asked = HeldRequests(tokens.page, re.compile("_tokviz/sample"))
    tokens.examples.select_option("prose-ja")
    first = asked.take()
    tokens.examples.select_option("prose-de")
    asked.take().continue_()
    expect(tokens.editor).to_have_value(sample("prose-de").text)
    with tokens.page.expect_response(lambda response: response.request == first.request):
        first.continue_()
    tokens.examples.select_option("prose-es")
    asked.take().continue_()
    expect(tokens.editor).to_have_value(sample("prose-es").text)
    shown = tokens.page.evaluate("shown")
    assert [lang for lang in ("ja", "de", "es") if sample(f"prose-{lang}").text in shown] == ["de", "es"]


def test_a_large_change_is_undone_by_ctrl_z(tokens: TokensPage) -> None:
    curly = "don’t\n" * 5000
    paste(tokens.editor, curly)
    expect(tokens.count("bytes")).to_have_text("40,000")
    tokens.page.get_by_role("button", name="make straight").click()
    expect(tokens.editor).to_have_value("don't\n" * 5000)
    tokens.page.keyboard.press("Control+z")
    expect(tokens.editor).to_have_value(curly)


LINE = "A line of eight words, and a number: 12345.\n"
LONG = "First. " + LINE * 5_000 + "Last."
"""Seven times what the box holds."""


@pytest.fixture
def long(tokens: TokensPage) -> TokensPage:
    """A page whose text was replaced by pasting a long one."""
    tokens.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tokens.page.evaluate("text => navigator.clipboard.writeText(text)", LONG)
    tokens.editor.select_text()
    tokens.page.keyboard.press("Control+v")
    expect(tokens.count("bytes")).to_have_text(f"{len(LONG):,}")
    expect(tokens.text.locator(".t").first).to_have_text("First")  # colored, not only counted
    return tokens


def test_a_long_text_is_shown_from_its_beginning_and_edited_in_parts(long: TokensPage) -> None:
    expect(long.text.locator(".t").first).to_have_text("First")
    assert len(long.editor.input_value()) < 64_000
    long.page.keyboard.type("Z")
    expect(long.count("bytes")).to_have_text(f"{len(LONG) + 1:,}")
    for _ in range(3):
        long.page.get_by_role("button", name="later").click()
    assert not long.editor.input_value().startswith("ZFirst")
    long.editor.press("Control+Home")
    long.page.keyboard.type("YY")
    expect(long.count("bytes")).to_have_text(f"{len(LONG) + 3:,}")
    assert long.editor.input_value().startswith("YY")


def test_whole_long_text_is_selected_copied_and_replaced_though_only_a_part_is_in_the_box(long: TokensPage) -> None:
    long.editor.press("Control+a")
    long.page.keyboard.press("Control+c")
    copied = long.page.evaluate("navigator.clipboard.readText()")
    assert copied == LONG
    long.page.keyboard.press("Control+a")
    long.page.keyboard.type("x")
    expect(long.count("bytes")).to_have_text("1")
    long.page.keyboard.press("Control+z")
    expect(long.count("bytes")).to_have_text(f"{len(LONG):,}")
    long.page.keyboard.press("Control+a")
    ime = long.page.context.new_cdp_session(long.page)
    for composed in ("k", "か"):
        ime.send("Input.imeSetComposition", {"text": composed, "selectionStart": 1, "selectionEnd": 1})
    ime.send("Input.insertText", {"text": "香"})
    expect(long.editor).to_have_value("香")
    expect(long.count("bytes")).to_have_text("3")
    long.page.keyboard.press("Control+z")
    expect(long.count("bytes")).to_have_text(f"{len(LONG):,}")
    long.editor.press("End")
    long.page.keyboard.type("!")
    expect(long.count("bytes")).to_have_text(f"{len(LONG) + 1:,}")
    long.page.keyboard.press("Control+a")
    long.page.keyboard.press("Control+z")  # undoes what was typed, and replaces nothing
    expect(long.count("bytes")).to_have_text(f"{len(LONG):,}")


def test_keys_go_to_the_ends_of_a_long_text(long: TokensPage) -> None:
    long.editor.press("Control+End")
    long.editor.press_sequentially("!")
    expect(long.editor).to_have_value(re.compile(r"Last\.!$"))
    long.editor.press("Control+Home")
    long.editor.press_sequentially("?")
    expect(long.editor).to_have_value(re.compile(r"^\?"))


def test_a_click_far_away_in_a_long_text_edits_there(long: TokensPage) -> None:
    # What is drawn on the way may be higher than it was estimated to be: scrolling goes on until the end stays in view.
    scroll_on = """view => {
        const isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
        view.framesAtEnd = isAtEnd ? (view.framesAtEnd ?? 0) + 1 : 0;
        view.scrollTo(0, view.scrollHeight);
        return view.framesAtEnd > 20;
    }"""
    long.page.wait_for_function(scroll_on, arg=long.text.element_handle())
    long.text.locator(".t", has_text="Last").click()
    assert long.selected() == "Last"
    assert long.editor.input_value().endswith("Last.")


def test_one_token_is_singular(tokens: TokensPage) -> None:
    tokens.write(" Emma", 1)
    labels = tokens.page.locator(".counts dt")
    expect(labels).to_have_text(["token", "characters", "word", "bytes", "bytes per token", "of a 128k context"])


def test_a_space_in_front_makes_another_token(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    tokens.write("hello", 1)
    tokens.page.get_by_role("switch", name="a space").click()
    expect(tokens.editor).to_have_value(" hello")
    says = "“hello” was 1 token (31373); with a space in front it is another one (23748)."
    expect(tokens.page.get_by_text(says)).to_be_visible()
    tokens.page.get_by_role("switch", name="a space").uncheck()
    expect(tokens.editor).to_have_value("hello")
    expect(tokens.page.get_by_text(says)).to_be_hidden()


def test_selected_word_is_capitalized(tokens: TokensPage) -> None:
    tokens.write("the cat", 2)
    tokens.select("cat")
    capital = tokens.page.get_by_role("switch", name="capitals")
    for changed in ("the Cat", "the cat"):
        capital.click()
        expect(tokens.editor).to_have_value(changed)
    capital.check()
    tokens.editor.press("End")
    tokens.editor.press("!")
    expect(capital).not_to_be_checked()  # of another text


def test_another_language_for_a_known_word(tokens: TokensPage) -> None:
    tokens.write("a cat", 2)
    tokens.page.get_by_role("switch", name="translate").click()
    expect(tokens.editor).to_have_value("a बिल्ली")
    expect(tokens.page.get_by_text("“·cat” was 1 token (8415); in Hindi it is")).to_be_visible()


def test_another_language_keeps_a_text_without_translation(tokens: TokensPage) -> None:
    tokens.write("xyzzy", 2)
    tokens.page.get_by_role("switch", name="translate").click()
    expect(tokens.page.get_by_text("Only a few words can be translated here")).to_be_visible()
    expect(tokens.editor).to_have_value("xyzzy")


def test_another_language_of_a_sample_is_the_same_passage(tokens: TokensPage) -> None:
    tokens.examples.select_option("prose-hi")
    expect(tokens.text).to_contain_text("है")
    tokens.page.get_by_role("switch", name="translate").click()
    expect(tokens.examples).to_have_value("prose-ru")


def test_another_language_that_fails_to_load_is_not_announced(tokens: TokensPage, watched: Watched) -> None:
    before = sample("prose-en").text
    tokens.examples.select_option("prose-en")
    expect(tokens.editor).to_have_value(before)
    tokens.page.route("**/_tokviz/sample*", lambda route: route.abort())
    tokens.page.get_by_role("switch", name="translate").click()
    expect(tokens.page.get_by_text("This text could not be loaded.")).to_be_visible()
    expect(tokens.page.get_by_text("The same passage")).to_have_count(0)
    tokens.examples.select_option("prose-ja")
    expect(tokens.examples).to_have_value("prose-en")  # the menu says what is shown
    expect(tokens.editor).to_have_value(before)
    watched.problems.clear()  # the browser's own


def test_result_of_a_try_is_in_whole_tokens_and_only_until_the_text_changes(tokens: TokensPage) -> None:
    tokens.write("🍕", 3)
    tokens.page.get_by_role("switch", name="a space").click()
    says = tokens.page.get_by_text("“🍕” was 3 tokens; with a space in front it is 3 as well, but not the same ones.")
    expect(says).to_be_visible()
    tokens.editor.press_sequentially("!")
    expect(says).to_have_count(0)
    expect(tokens.page.get_by_role("switch", name="a space")).not_to_be_checked()


# Which tokenizer


def test_a_tokenizer_is_found_by_the_model_that_uses_it(tokens: TokensPage) -> None:
    tokens.tokenizer.fill("gpt-4o")
    options = tokens.page.get_by_role("option").filter(has_text="vocabulary")
    expect(options.first).to_contain_text("o200k")
    tokens.page.keyboard.press("Enter")
    expect(tokens.tokenizer).to_have_value(re.compile("o200k"))
    about = tokens.page.locator(
        ".about", has_text="Tokenizer: vocabulary of 200,000 tokens, used by GPT-5"
    )  # not the closing list
    expect(about).to_be_visible()


def test_closed_model_is_explained(tokens: TokensPage) -> None:
    for closed in ("claude", "gemini"):
        tokens.tokenizer.fill(closed)
        expect(tokens.page.get_by_text("so their tokens can't be counted here.")).to_be_visible()
        expect(tokens.page.get_by_text(f"“{closed}”")).to_be_visible()
    tokens.page.keyboard.press("Escape")
    expect(tokens.tokenizer).to_have_value(re.compile("cl100k"))


def test_tokenizer_list_keyboard_navigation(tokens: TokensPage) -> None:
    tokens.tokenizer.focus()
    tokens.page.keyboard.press("ArrowDown")
    expect(tokens.tokenizer).to_have_attribute("aria-expanded", "true")
    tokens.page.keyboard.press("ArrowDown")
    active = tokens.tokenizer.get_attribute("aria-activedescendant")
    expect(tokens.page.locator(f"#{active}")).to_contain_text("o200k")
    tokens.page.keyboard.press("Enter")
    expect(tokens.tokenizer).to_have_attribute("aria-expanded", "false")
    expect(tokens.tokenizer).to_have_value(re.compile("o200k"))


def test_switching_keeps_the_place_and_the_selection(tokens: TokensPage) -> None:
    tokens.editor.fill("\n".join(f"line {number}" for number in range(300)))
    expect(tokens.count("characters")).to_have_text("2,589")
    tokens.select("line 250")
    scroll_up = """([box, reading]) => {
      box.dispatchEvent(new WheelEvent("wheel", {bubbles: true}));
      box.scrollTop = 3000;
      return new Promise(resolve => reading.addEventListener("scroll", () => resolve(box.scrollTop), {once: true}));
    }"""
    place = tokens.page.evaluate(scroll_up, [tokens.editor.element_handle(), tokens.text.element_handle()])
    before = tokens.count("tokens").inner_text()
    tokens.choose("gpt2")
    expect(tokens.count("tokens")).not_to_have_text(before)
    assert tokens.editor.evaluate("box => box.scrollTop") == place
    assert tokens.selected() == "line 250"


def test_words_learned_from_the_text_and_unknown_ones(tokens: TokensPage) -> None:
    tokens.write("a cat", 2)
    tokens.choose("words")
    expect(tokens.count("tokens")).to_have_text("3")
    tokens.write("a cat and a dog", 9)
    expect(tokens.page.get_by_text("2 tokens here are <unk>")).to_be_visible()
    tokens.page.get_by_role("button", name="learn the words of this text").click()
    expect(tokens.page.get_by_text("are <unk>")).to_have_count(0)


# Counts on demand


def test_share_of_context_windows(tokens: TokensPage) -> None:
    share = tokens.page.locator(".counting .minor").last
    tokens.choose("bytes")
    tokens.write("x" * 671, 671)
    expect(share).to_have_text("of a 128k context0.52 %")
    tokens.page.get_by_label("Context window").select_option("Own value")
    tokens.page.get_by_label("tokens in a window").fill("50")
    expect(share).to_have_attribute("title", re.compile("the text takes 14 windows"))
    tokens.page.get_by_label("Context window").select_option("1M")
    expect(share).to_have_text("of a 1M context0.07 %")
    expect(share).to_have_attribute("title", "0.07 % of one window of 1,000,000 tokens; the text fits in one window.")


# Look-up


def test_the_last_tokens_card_says_which_may_change(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    tokens.write("say hello wor", 3)
    marked = tokens.text.locator(".unsettled")
    tokens.text.get_by_text("hello").click()
    expect(tokens.card).to_contain_text("hello")
    expect(tokens.card).not_to_contain_text("What if more text follows?")
    tokens.text.get_by_text("wor").click()
    expect(tokens.card).to_contain_text("The last token, ·wor, is not settled yet.")
    expect(marked).to_have_text([" wor"])
    tokens.text.press("Escape")
    expect(marked).to_have_count(0)
    expect(tokens.text.locator(".t")).to_have_count(3)


def test_a_token_is_found_by_its_id_and_by_its_text(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    tokens.open_look_up()
    tokens.look_up.fill("31373")
    expect(tokens.page.get_by_role("button", name="31373 hello")).to_be_visible()
    tokens.look_up.fill(" supercal")
    expect(tokens.page.get_by_text("No token has just the text")).to_be_visible()
    tokens.look_up.fill(" hello")
    expect(tokens.page.get_by_text("This text is one token:")).to_be_visible()
    expect(tokens.page.get_by_role("button", name="23748 ·hello")).to_be_visible()


def test_outdated_look_up_response_is_dropped(tokens: TokensPage) -> None:
    tokens.open_look_up()
    results = tokens.page.locator(".lookup .results")
    results.evaluate("""results => {
        window.found = [];
        new MutationObserver(() => found.push(results.textContent)).observe(results, { childList: true });
    }""")
    asked = HeldRequests(tokens.page, re.compile("_tokviz/find"))
    tokens.look_up.fill("qqqa")
    first = asked.take()
    tokens.look_up.fill("qqqb")
    asked.take().continue_()
    expect(results).to_contain_text("No token has just the text “qqqb”.")
    with tokens.page.expect_response(lambda response: response.request == first.request):
        first.continue_()
    tokens.look_up.fill("qqqc")
    asked.take().continue_()
    expect(results).to_contain_text("No token has just the text “qqqc”.")
    assert [re.findall("“(.*?)”", found) for found in tokens.page.evaluate("found")] == [["qqqb"], ["qqqc"]]


def test_unused_id_is_explained(tokens: TokensPage, watched: Watched) -> None:
    tokens.open_look_up()
    with tokens.page.expect_console_message(lambda message: "404" in message.text):  # the browser's own
        tokens.look_up.fill("999999")
    expect(tokens.page.get_by_text("token id 999999 is not in use")).to_be_visible()
    watched.problems.clear()


@pytest.mark.parametrize("written", ["1234567890", "123456789012345678901234", "[1, 123456789012345678901234]"])
def test_oversized_id_is_refused_with_a_message(tokens: TokensPage, written: str) -> None:
    tokens.open_look_up()
    tokens.look_up.fill(written)
    expect(tokens.page.get_by_text("An id has at most nine digits.")).to_be_visible()


def test_look_up_without_a_connection_is_reported(
    tokens: TokensPage, context: BrowserContext, watched: Watched
) -> None:
    tokens.open_look_up()
    context.set_offline(True)
    tokens.look_up.fill("hello")
    expect(tokens.page.get_by_text("Not connected: try again in a moment.")).to_be_visible()
    context.set_offline(False)
    watched.problems.clear()  # the browser's own


@pytest.mark.parametrize("written", ["[15496, 11, 995]", "15496 11 995", "15496,11,995"])
def test_ids_become_the_text_they_stand_for(tokens: TokensPage, written: str) -> None:
    tokens.choose("gpt2")
    tokens.open_look_up()
    tokens.look_up.fill(written)
    tokens.page.get_by_role("button", name="put into the editor").click()
    expect(tokens.editor).to_have_value("Hello, world")
    expect(tokens.editor).to_have_attribute("lang", "")  # the example's was another


# Stages


def test_the_fold_shows_each_stage_of_the_library(tokens: TokensPage) -> None:
    pieces = open_models.read("bert-base-uncased").decode().split("\n")[:-1]
    library = BertWordPieceTokenizer({piece: token for token, piece in enumerate(pieces)})
    fold = tokens.page.locator("details.stages")
    tokens.choose("BERT")
    expect(fold).to_be_visible()
    fold.locator("summary").click()
    for text in ("Café, naïvely", "The mice"):
        tokens.write(text)
        normalized = library.normalize(text)
        stages = fold.get_by_role("listitem").filter(has=tokens.page.locator("h2"))
        expect(stages).to_have_count(5)
        expect(stages.nth(0)).to_contain_text(text.replace(" ", "·"))
        expect(stages.nth(1)).to_contain_text(normalized.replace(" ", "·"))
        cut = [piece for piece, _ in library.pre_tokenizer.pre_tokenize_str(normalized)]
        alone, around = (library.encode(text, add_special_tokens=whole).tokens for whole in (False, True))
        for place, expected in ((2, cut), (3, alone), (4, around)):
            expect(stages.nth(place).locator(".chips bdi")).to_have_text(expected)
    tokens.choose("gpt2")
    expect(fold.get_by_role("listitem").first).to_contain_text("Nothing is changed before the text is cut.")
    expect(fold.locator("h2")).to_have_text(["The text", "Cut into pre-tokens 2 pieces", "Tokens 2 tokens"])


def test_the_card_says_what_was_done_to_the_token_at_its_place(tokens: TokensPage) -> None:
    tokens.choose("BERT")
    tokens.write("É 中 embedding 🍕")
    for token, says in {
        "É": "this tokenizer first removes accents and makes all letters lower case",
        "bed": "it continues a word; ## is not part of the text",
        "🍕": "[UNK] stands for it",
    }.items():
        tokens.text.locator(".t", has_text=token).first.click()
        expect(tokens.card).to_contain_text(says)
    expect(tokens.card).not_to_contain_text("code point")


def test_a_model_that_is_not_included_is_answered_beside_what_is_still_shown(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    examples = tokens.page.get_by_label("Examples")
    usual = top_of(examples)
    tokens.choose("llama")
    notice = tokens.page.get_by_role("alert").filter(has_text="Llama's tokenizers are not included")
    expect(notice).to_contain_text("Still shown here: GPT-2.")
    expect(tokens.tokenizer).to_have_value("GPT-2")
    # The notice makes its pane's head high. What stands in the other head stays beside the tokenizer, not the notice.
    assert abs(top_of(examples) - top_of(tokens.tokenizer)) < 10
    assert top_of(examples) < top_of(notice)
    tokens.choose("gpt2")
    expect(notice).to_have_count(0)
    assert top_of(examples) == usual


# Long pastes

PASTE = """(editor, [text, start, end]) => {
    editor.focus();
    editor.setSelectionRange(start, end);
    // What a browser says of a paste before it makes it; the editor makes long ones itself.
    const pasted = { data: text, inputType: "insertFromPaste", cancelable: true, bubbles: true };
    editor.dispatchEvent(new InputEvent("beforeinput", pasted));
}"""


def numbered(lines: int, word: str) -> str:
    """Return a text whose lines can be told apart."""
    return "".join(f"{word} {line}\n" for line in range(lines))


def scrolled(pane: Locator) -> float:
    """Return by how many pixels a pane is scrolled."""
    top: float = pane.evaluate("node => node.scrollTop")
    return top


def test_both_panes_show_the_same_lines_after_a_long_paste(tokens: TokensPage) -> None:
    view = tokens.text
    first = numbered(1000, "first")
    tokens.editor.evaluate(PASTE, [first, 0, 1000])
    expect(view.locator(".t").first).to_contain_text("first")
    expect(view.locator(".t.on")).to_have_count(0)  # no token of a pasted text is of more interest than the others
    tokens.editor.hover()
    tokens.page.mouse.wheel(0, 800)
    expect(view).to_have_js_property("scrollTop", 800)
    # In place of the whole text: from its beginning.
    second = numbered(1200, "second")
    tokens.editor.evaluate(PASTE, [second, 0, len(first)])
    expect(view.locator(".t").first).to_contain_text("second")
    expect(view).to_have_js_property("scrollTop", 0)
    assert scrolled(tokens.editor) == 0
    # Into it: where the caret is after the paste.
    tokens.editor.evaluate(PASTE, [numbered(500, "third"), 100, 100])
    expect(view).not_to_have_js_property("scrollTop", 0)
    line: float = tokens.editor.evaluate("editor => parseFloat(getComputedStyle(editor).lineHeight)")
    assert scrolled(tokens.editor) > 400 * line
    tokens.page.wait_for_function(
        "([editor, view, most]) => Math.abs(editor.scrollTop - view.scrollTop) < most",
        arg=[tokens.editor.element_handle(), view.element_handle(), 3 * line],
    )


def test_both_panes_show_the_caret_of_a_text_whose_ids_make_its_lines_higher(tokens: TokensPage) -> None:
    tokens.editor.press("ControlOrMeta+a")
    tokens.page.keyboard.insert_text("القطة جلست على السجادة اليوم؟\nذهبت إلى المدرسة مع صديقي والعائلة.\n" * 3)
    tokens.page.wait_for_function(
        "([editor, view]) => editor.scrollTop > 0 && Math.abs(editor.scrollTop - view.scrollTop) < 48",
        arg=[tokens.editor.element_handle(), tokens.text.element_handle()],
    )


def test_a_frame_draws_what_is_on_screen_and_at_most_one_chunk_out_of_sight(tokens: TokensPage) -> None:
    view = tokens.text
    tokens.editor.evaluate(PASTE, [numbered(20_000, "a line of the text with number"), 0, 1000])
    expect(view.locator(".t").first).to_contain_text("a")
    frames = view.evaluate(
        """async (view) => {
            const drawn = new Set();
            const observer = new MutationObserver((records) => {
                for (const { target, addedNodes } of records)
                    if ([...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE)) drawn.add(target);
            });
            observer.observe(view, { subtree: true, childList: true });
            const frames = [];
            view.scrollTop = view.scrollHeight / 2;
            const { top, bottom } = view.getBoundingClientRect();
            const isOnScreen = (chunk) => {
                const box = chunk.getBoundingClientRect();
                return box.bottom > top && box.top < bottom;
            };
            // What is drawn takes other heights than were estimated, and may push away what was on screen before it.
            const onScreen = () => new Set([...view.querySelectorAll(".chunk")].filter(isOnScreen));
            for (let before = onScreen(), idle = 0; idle < 5 || !frames.some((frame) => frame.length);) {
                await new Promise(requestAnimationFrame);
                const after = onScreen();
                idle = drawn.size ? 0 : idle + 1;
                frames.push([...drawn].map((chunk) => before.has(chunk) || after.has(chunk)));
                drawn.clear();
                before = after;
            }
            observer.disconnect();
            return frames;
        }"""
    )
    assert sum(len(frame) for frame in frames) > 2
    assert all(frame.count(False) <= 1 for frame in frames), frames


def test_many_short_lines_fill_the_editor_as_fast_as_a_plain_box(tokens: TokensPage) -> None:
    """With `dir="auto"`, which is quadratic in the number of lines, the editor would take twenty times as long."""
    took = tokens.editor.evaluate(
        """(editor, texts) => texts.map((text) => {
            const plain = document.createElement("textarea");
            document.body.append(plain);
            const began = performance.now();
            plain.value = text;
            plain.getBoundingClientRect();
            const filled = performance.now();
            plain.remove();
            editor.focus();
            editor.value = text;
            editor.dispatchEvent(new InputEvent("input", { bubbles: true }));
            editor.getBoundingClientRect();
            return [filled - began, performance.now() - filled];
        })""",
        [f"{letter}\n" * 30_000 for letter in "abc"],
    )
    plain, editor = map(min, zip(*took, strict=True))
    assert editor < 3 * plain


def test_color_by_rank_under_another_librarys_merges(tokens: TokensPage) -> None:
    """What it is for qwen3 is said by the legend, which has a row for each color in the text."""
    tokens.choose("qwen3")
    tokens.write(" the", 1)
    tokens.page.get_by_label("Color by").select_option("rank")
    legend = tokens.page.locator(".legend")
    expect(legend).to_contain_text("merge 1 to 1,000")
    expect(legend).not_to_contain_text("not merged")
    tokens.write(" the\u0001", 2)
    expect(legend).to_contain_text("not merged")
    expect(legend).to_contain_text("merge 1 to 1,000")


# Persistence


def test_a_reload_restores_text_tokenizer_and_view(tokens: TokensPage) -> None:
    tokens.choose("gpt2")
    tokens.write("kept as it was\n", 5)
    tokens.page.get_by_role("switch", name="marks").uncheck()
    tokens.page.get_by_label("Color by").select_option("bytes")
    tokens.page.reload()
    expect(tokens.editor).to_have_value("kept as it was\n")
    expect(tokens.tokenizer).to_have_value("GPT-2")
    expect(tokens.count("tokens")).to_have_text("5")
    expect(tokens.page.get_by_role("switch", name="marks")).not_to_be_checked()
    expect(tokens.page.get_by_label("Color by")).to_have_value("bytes")


def test_fifteen_seconds_offline_while_typing(tokens: TokensPage, context: BrowserContext, watched: Watched) -> None:
    tokens.page.clock.install()
    places = [tokens.text.bounding_box(), tokens.page.locator(".doors").bounding_box()]
    context.set_offline(True)
    tokens.editor.press("End")
    for _ in range(15):
        tokens.editor.press_sequentially(" so on")
        tokens.page.clock.run_for(1000)
        expect(tokens.page.get_by_text(NOT_CONNECTED)).to_be_visible()
    assert [tokens.text.bounding_box(), tokens.page.locator(".doors").bounding_box()] == places
    expect(tokens.count("tokens")).to_have_text("24")
    context.set_offline(False)
    tokens.page.clock.run_for(1000)
    expect(tokens.page.get_by_text(NOT_CONNECTED)).to_have_count(0)
    expect(tokens.count("tokens")).not_to_have_text("24")
    expect(tokens.editor).to_have_value(re.compile(" so on"))
    # The browser reports every failed request.
    watched.problems = [problem for problem in watched.problems if "ERR_INTERNET_DISCONNECTED" not in problem]
