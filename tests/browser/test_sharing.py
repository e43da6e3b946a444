"""Sharing: links, QR codes, files, and presenter mode."""

import random
import re
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from browsing import expect_accessible
from playwright.sync_api import BrowserContext, Page, expect
from tabs import Tab, Watched

from pages import TokensPage, expect_large_type, header, packed

ROOT = Path(__file__).parent.parent.parent
TEXTS = {
    "nasty": "</script><img src=x onerror=alert(1)> &amp; #tokenizer=gpt2&text=x :red[x] $\\alpha$",
    "scripts": "नमस्ते 🍕 مرحبا 你好\ttab ﬁ e\u0301",
    "invisible": "\x00 a\u200bb\u202ec \ufeff",
    "lines": "\n\n  \n",
    "carriage returns": "one\r\ntwo\r",
}
WITHOUT_PICTURE = {"invisible"}


@pytest.fixture
def tokens(page: Page, widgets_url: str) -> TokensPage:
    return TokensPage.open(page, widgets_url)


# Links


@pytest.mark.parametrize("name", TEXTS)
def test_a_link_restores_text_tokenizer_and_view(tokens: TokensPage, tab: Tab, watched: Watched, name: str) -> None:
    # A text box cannot hold carriage returns, so this text is written with escapes.
    if name == "carriage returns":
        tokens.page.get_by_role("switch", name="read \\n as a line break").check()
        tokens.editor.fill(TEXTS[name].replace("\r", "\\r").replace("\n", "\\n"))
    else:
        tokens.editor.fill(TEXTS[name])
    tokens.page.get_by_role("combobox", name="Tokenizer").fill("gpt2")
    tokens.page.keyboard.press("Enter")
    tokens.page.get_by_label("Color by").select_option("bytes")
    tokens.page.get_by_role("switch", name="marks").uncheck()
    expect(tokens.page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")
    link = tokens.share()
    if name in WITHOUT_PICTURE:
        expect(tokens.page.get_by_text("There is no picture of this")).to_be_visible()
        watched.problems.clear()  # the refusal
    assert tab.clean()
    opened = TokensPage.open(tokens.page, link)
    expect(opened.page.get_by_role("combobox", name="Tokenizer")).to_have_value("GPT-2")
    expect(opened.page.get_by_label("Color by")).to_have_value("bytes")
    expect(opened.page.get_by_role("switch", name="marks")).not_to_be_checked()
    expect(opened.page.locator('[data-count="bytes"]')).to_have_text(f"{len(TEXTS[name].encode()):,}")
    assert opened.sent_text() == TEXTS[name]


def test_link_text_is_not_sent_to_any_server_and_is_removed_from_the_address(
    tokens: TokensPage, context: BrowserContext
) -> None:
    tokens.write("a secret text")
    link = tokens.share()
    assert urlsplit(link).query == ""
    other = context.new_page()
    addresses: list[str] = []
    other.on("request", lambda request: addresses.append(request.url))
    opened = TokensPage.open(other, link)
    expect(opened.editor).to_have_value("a secret text")
    text = dict(part.split("=") for part in urlsplit(link).fragment.split("&"))["text"]
    assert not [address for address in addresses if text in address]
    assert urlsplit(other.url).fragment == ""


def test_a_link_to_an_example_names_it(tokens: TokensPage, tab: Tab) -> None:
    tokens.page.get_by_label("Examples").select_option("prose-ja")
    expect(tokens.page.locator(".t").first).to_contain_text("わ")
    link = tokens.share()
    assert "sample=prose-ja" in link
    assert "text=" not in link
    assert tab.clean()
    opened = TokensPage.open(tokens.page, link)
    expect(opened.page.get_by_label("Examples")).to_have_value("prose-ja")


def test_link_with_the_words_tokenizer_learns_its_vocabulary_from_the_text(tokens: TokensPage) -> None:
    tokens.write("other words")
    tokens.page.get_by_role("combobox", name="Tokenizer").fill("words")
    tokens.page.keyboard.press("Enter")
    expect(tokens.page.locator('[data-count="tokens"]')).to_have_text("3")
    tokens.page.goto(f"{tokens.page.url}#{urlencode({'text': packed(b'a cat and a dog'), 'tokenizer': 'words'})}")
    expect(tokens.editor).to_have_value("a cat and a dog")
    expect(tokens.page.locator('[data-count="tokens"]')).to_have_text("9")
    expect(tokens.page.get_by_text("<unk>")).to_have_count(0)


def test_link_opened_over_another_text_marks_no_token(tokens: TokensPage) -> None:
    tokens.page.clock.install()
    tokens.write("a text of my own")
    tokens.editor.press("Home")
    tokens.page.clock.run_for(1000)  # the caret's token is marked with a delay
    marked = tokens.text.locator(".on")
    expect(marked).to_have_text("a")
    tokens.page.goto(f"{tokens.page.url}#{urlencode({'text': packed(b' Emma'), 'tokenizer': 'gpt2'})}")
    expect(tokens.editor).to_have_value(" Emma")
    expect(tokens.page.locator(".token-view .t")).to_have_count(1)
    tokens.page.clock.run_for(1000)
    expect(marked).to_have_count(0)
    expect(tokens.card).to_be_hidden()


def test_link_opened_over_another_text_can_be_undone(tokens: TokensPage) -> None:
    tokens.write("my own words")
    expect(tokens.page.locator('[data-count="tokens"]')).to_have_text("3")
    tokens.page.evaluate("location.hash = 'sample=numbers-digits'")
    expect(tokens.editor).not_to_have_value("my own words")
    tokens.editor.press("Control+z")
    expect(tokens.editor).to_have_value("my own words")


@pytest.mark.parametrize(
    ("hash", "says"),
    [
        ("text=AAAA_not-deflate", "This link is damaged"),
        ("text=%F0%9F", "This link is damaged"),
        ("tokenizer=no-such", "tokenizer that is not here"),
        ("sample=%3Cimg%20src=x%3E", "example that is not here"),
    ],
)
def test_a_broken_link_opens_the_page_with_a_note(page: Page, widgets_url: str, hash: str, says: str) -> None:
    opened = TokensPage.open(page, f"{widgets_url}#{hash}")
    expect(opened.problem.filter(has_text=says)).to_be_visible()
    expect(opened.editor).not_to_have_value("")


def test_link_that_unpacks_to_an_oversized_text_is_refused(page: Page, widgets_url: str) -> None:
    opened = TokensPage.open(page, f"{widgets_url}#text={packed(b'a' * 10_000_001)}")
    expect(opened.problem.filter(has_text="more than 10 MB")).to_be_visible()


def test_a_text_too_long_for_a_link_is_offered_as_a_file(tokens: TokensPage) -> None:
    text = "".join(f"{number**7} " for number in range(2000))
    tokens.write(text)
    tokens.page.get_by_role("button", name="share").click()
    expect(tokens.page.get_by_text("too long for a link")).to_be_visible()
    with tokens.page.expect_download() as download:
        tokens.page.get_by_role("button", name="save the text").click()
    assert Path(download.value.path()).read_text() == text


def test_sharing_begins_with_a_picture_of_what_is_in_sight(tokens: TokensPage, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    lines = [f"line {number} of many" for number in range(200)]
    tokens.write("\n".join(lines))
    tokens.text.evaluate("view => view.scrollTo(0, view.scrollHeight / 2)")
    tokens.page.get_by_role("button", name="share").click()
    image = tokens.page.get_by_alt_text("What is in sight, as a picture")
    expect(image).to_be_visible()
    picture, link = image.bounding_box(), tokens.link.bounding_box()
    assert picture and link and picture["y"] < link["y"]
    with tokens.page.expect_download() as download:
        tokens.page.get_by_role("button", name="SVG").click()
    drawn = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", Path(download.value.path()).read_text()))
    assert "·of·many" in drawn
    assert "line·0·" not in drawn
    tokens.page.get_by_role("button", name="Copy the picture").click()
    expect(tokens.page.get_by_text("The picture is copied.")).to_be_visible()
    read = "async () => (await navigator.clipboard.read())[0].types"
    assert tokens.page.evaluate(read) == ["image/png"]


def test_a_link_too_long_for_a_code_says_nothing_of_one(tokens: TokensPage) -> None:
    tokens.write("".join(f"{number**7} " for number in range(400)))
    tokens.page.get_by_role("button", name="share").click()
    expect(tokens.link).to_be_visible()
    assert 2953 < len(tokens.link.input_value()) < 6000
    expect(tokens.page.get_by_role("dialog").get_by_text(re.compile("code", re.IGNORECASE))).to_have_count(0)


# Sharing with a room


def test_dialog_offers_a_reachable_address_and_its_qr_code(tokens: TokensPage) -> None:
    tokens.page.get_by_role("button", name="share").click()
    host = urlsplit(tokens.link.input_value()).hostname
    offered = tokens.page.get_by_text("For everybody in the same network")
    alone = tokens.page.get_by_text("works only on this computer")
    expect(offered.or_(alone)).to_be_visible()
    assert (host not in ("localhost", "127.0.0.1")) == offered.is_visible()
    code = tokens.page.get_by_alt_text("QR code of the link")
    expect(code).to_be_visible()
    box = code.bounding_box()
    assert box and box["width"] == box["height"] > 400
    expect_accessible(tokens.page)


def test_link_is_copied_without_the_clipboard_api(tokens: TokensPage) -> None:
    tokens.page.get_by_role("button", name="share").click()
    expect(tokens.link).to_be_visible()
    tokens.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    tokens.page.get_by_role("button", name="copy the link").click()
    expect(tokens.page.get_by_text("Copied.")).to_be_visible()
    link = tokens.link.input_value()
    tokens.page.keyboard.press("Escape")
    tokens.editor.focus()
    tokens.page.keyboard.press("Control+a")
    tokens.page.keyboard.press("Control+v")
    expect(tokens.editor).to_have_value(link)


def test_ids_are_copied_without_the_clipboard_api(tokens: TokensPage) -> None:
    tokens.write("Hello, world!", 4)
    tokens.page.get_by_role("button", name="share").click()
    tokens.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    tokens.page.get_by_role("button", name="Copy the ids").click()
    expect(tokens.page.get_by_text("Copied.")).to_be_visible()
    tokens.page.keyboard.press("Escape")
    tokens.editor.fill("")
    tokens.editor.press("Control+v")
    expect(tokens.editor).to_have_value("[9906, 11, 1917, 0]")


# Files


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_file_with_a_clear_encoding_opens_at_once(tokens: TokensPage, encoding: str) -> None:
    tokens.drop("a.txt", "Grüße, 世界 🍕".encode(encoding))
    expect(tokens.editor).to_have_value("Grüße, 世界 🍕")
    tokens.editor.press("Control+z")
    expect(tokens.editor).not_to_have_value("Grüße, 世界 🍕")


@pytest.mark.parametrize(
    ("data", "seems", "encoding"),
    [
        ("Größe: 5 €".encode("windows-1252"), "an older encoding", None),
        ("Привет, мир".encode("windows-1251"), "an older encoding", None),
        ("日本語のテキスト".encode("shift_jis"), "an older encoding", "shift_jis"),
        ("plain letters".encode("utf-16-le"), "UTF-16", None),
        ("plain letters".encode("utf-16-be"), "UTF-16", None),
    ],
)
def test_unclear_encoding_is_asked_for(tokens: TokensPage, data: bytes, seems: str, encoding: str | None) -> None:
    tokens.choose_file("old.txt", data)
    dialog = tokens.page.get_by_role("dialog")
    expect(dialog.locator("p").first).to_contain_text(seems)
    if encoding:
        dialog.get_by_label("Read it as").select_option(encoding)
    likely = encoding or dialog.get_by_label("Read it as").input_value()
    text = data.decode(likely)
    expect(dialog.locator(".preview")).to_have_text(text)
    dialog.get_by_role("button", name="open").click()
    expect(tokens.editor).to_have_value(text)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"%PDF-1.7\n\xe2\xe3\xcf\xd3", "a PDF document"),
        ("a.docx", b"PK\x03\x04\x14\x00\x06\x00", "a ZIP archive, or a document of an office program"),
        ("a.png", (ROOT / "tests/screenshots/tokens.png").read_bytes()[:2000], "a picture"),
        ("a.raw", bytes(range(256)) * 8 + b"\0" * 100, "no text"),
        ("a.dat", random.Random(0).randbytes(5000), "no text"),
    ],
)
def test_non_text_files_are_refused_by_name(tokens: TokensPage, name: str, data: bytes, says: str) -> None:
    before = tokens.editor.input_value()
    tokens.drop(name, data)
    expect(tokens.problem.filter(has_text=f"“{name}” seems to be {says}")).to_be_visible()
    expect(tokens.editor).to_have_value(before)


def test_ten_megabytes_open_and_more_are_refused(tokens: TokensPage, tmp_path: Path) -> None:
    line = "Ten megabytes of a text are a long text. \n"
    long = tmp_path / "long.txt"
    long.write_text(line * (10_000_000 // len(line)))
    tokens.page.get_by_label("A text file").set_input_files(long)
    expect(tokens.page.locator('[data-count="bytes"]')).to_have_text(f"{long.stat().st_size:,}")
    expect(tokens.page.locator(".t").first).to_have_text("Ten")
    long.write_text("x" * 10_000_001)
    tokens.page.get_by_label("A text file").set_input_files(long)
    expect(tokens.problem.filter(has_text="has 10 MB, and 10 MB is the most that fits")).to_be_visible()


def test_a_paste_that_makes_the_text_too_long_is_refused(tokens: TokensPage) -> None:
    before = tokens.editor.input_value()
    tokens.editor.evaluate(
        """(box) => {
            const data = "x".repeat(10_000_000);
            const event = { data, inputType: "insertFromPaste", cancelable: true, bubbles: true };
            box.dispatchEvent(new InputEvent("beforeinput", event));
        }"""
    )
    expect(tokens.problem.filter(has_text="longer than 10 MB")).to_be_visible()
    expect(tokens.editor).to_have_value(before)


# Presenter mode


def test_presenter_mode_by_key_has_large_type(tokens: TokensPage) -> None:
    tokens.page.set_viewport_size({"width": 1280, "height": 720})
    tokens.write("cut 🍕 and ﷺ नमस्ते")
    tokens.page.locator(".t").first.click()
    tokens.page.locator(".token-view").press("f")
    expect(header(tokens.page)).to_be_hidden()
    expect(tokens.page.locator(".merge-tree")).to_be_visible()
    expect_large_type(tokens.page)
    tokens.page.locator(".token-view").press("f")
    expect(header(tokens.page)).to_be_visible()


def test_presenter_mode_survives_a_reload_and_is_not_in_the_address(tokens: TokensPage) -> None:
    tokens.page.get_by_role("button", name="present").click()
    expect(header(tokens.page)).to_be_hidden()
    tokens.page.reload()
    expect(tokens.page.locator(".t").first).to_be_visible()
    expect(header(tokens.page)).to_be_hidden()
    tokens.page.get_by_role("button", name="leave").click()
    expect(header(tokens.page)).to_be_visible()
    tokens.page.get_by_role("button", name="present").click()
    assert "present" not in tokens.page.url


def test_escape_leaves_presenter_mode_too(tokens: TokensPage) -> None:
    tokens.page.get_by_role("button", name="present").click()
    tokens.page.locator(".t").first.click()
    tokens.page.keyboard.press("Escape")  # the first closes the token's drawer
    tokens.page.keyboard.press("Escape")
    expect(header(tokens.page)).to_be_visible()


def test_presented_tokens_fill_the_screen_and_controls_come_with_the_mouse(tokens: TokensPage) -> None:
    tokens.write("Emma")
    tokens.page.set_viewport_size({"width": 1280, "height": 720})
    tokens.text.press("f")
    expect(tokens.page.locator(".tokviz.present.idle")).to_have_count(1)
    expect(tokens.editor).to_be_hidden()
    name = tokens.text.locator(".t").first
    size = name.evaluate("token => parseFloat(getComputedStyle(token).fontSize)")
    assert size > 100
    assert tokens.text.evaluate("view => view.getBoundingClientRect().bottom <= innerHeight")
    tokens.page.mouse.move(300, 300)
    expect(tokens.editor).to_be_visible()


def test_presenter_key_is_ignored_while_typing(tokens: TokensPage) -> None:
    tokens.write("")
    tokens.editor.press_sequentially("f")
    expect(tokens.editor).to_have_value("f")
    expect(header(tokens.page)).to_be_visible()
