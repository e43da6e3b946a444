"""The course as somebody reads it: chapter by chapter, with their own text, by keyboard, on paper and from links."""

import math
import re
import struct
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import expect_accessible
from playwright.sync_api import Locator, Page, expect
from shipped import encoding_of
from tabs import Watched

import tokviz
from pages import (
    expect_answers,
    expect_large_type,
    expect_no_sideways_scrolling,
    looks,
    paste,
    present,
    resting_box,
    resting_boxes,
    share,
)
from tokviz.course.chapters import CHAPTERS, chapter
from tokviz.course.letters import TOKENIZERS

OWN = "Zoë ate 3 🍕 in the café."
HOSTILE = {
    "empty": "",
    "long": "A line of English, and 语言. " * 3_500,  # more than 100 KB
    "right to left": "שלום עולם، مرحبا بالعالم",
    "half a pair": "a\ud83cb\udf55c",
}


WITH_OWN_TEXT = [name for name in CHAPTERS if name != "checking"]


def open_chapter(page: Page, url: str, name: str, rest: str = "") -> Locator:
    page.goto("about:blank")
    page.goto(f"{url}course#chapter={name}{rest}")
    article = page.locator("article.chapter")
    expect(article.get_by_role("heading", level=1)).to_have_text(chapter(name).title)
    uncover(page)
    return article


def uncover(page: Page) -> None:
    """Show the figures that wait for an answer."""
    page.locator(".cover button").evaluate_all("(buttons) => buttons.forEach((button) => button.click())")


def figure(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure={name}]")


def own_text(page: Page | Locator) -> Locator:
    return page.get_by_label("Your text", exact=True).locator("visible=true").first


def expect_no_problem(page: Page) -> None:
    expect(page.locator(".course .problem:not(:empty), .course .connection:not(:empty)")).to_have_count(0)


def test_a_reader_goes_through_all_chapters_with_a_text_of_their_own(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}course")
    page.get_by_role("link", name=chapter(CHAPTERS[0]).title, exact=True).click()
    for number, name in enumerate(CHAPTERS):
        expect(page.locator(".course h1")).to_have_text(chapter(name).title)
        expect(page.locator("figure[data-figure]")).to_have_count(len(chapter(name).first_values))
        uncover(page)
        box = own_text(page)
        if number == 0:
            expect(box).not_to_have_value("")
            box.fill(OWN)
        if name in WITH_OWN_TEXT:
            expect(box).to_have_value(OWN)
        page.locator(".course .end").scroll_into_view_if_needed()
        if number + 1 < len(CHAPTERS):
            page.get_by_role("navigation", name="Chapters").get_by_role("link").last.click()
    page.get_by_role("link", name="All chapters").click()
    expect(page.locator(".chapters > li.read")).to_have_count(len(CHAPTERS))
    page.get_by_role("link", name="Other courses").click()
    expect(page.get_by_text("Right: 12 merges.")).to_be_visible()
    expect(page.get_by_text("Right: 3 tokens.")).to_be_visible()
    expect_no_problem(page)
    page.go_back()
    page.go_back()
    expect(page.locator(".course h1")).to_have_text(chapter(CHAPTERS[-1]).title)


def test_what_is_said_of_a_late_answer_goes_with_its_chapter(page: Page, widgets_url: str) -> None:
    page.route("**/course/figure/**", lambda _: None)  # no answer ever
    open_chapter(page, widgets_url, "pieces")
    late = page.locator(".course .connection").first
    expect(late).to_contain_text("No answer yet")
    page.get_by_role("link", name="All chapters").click()
    expect(late).to_be_empty()


def test_reading_on_takes_the_text_along(page: Page, app_url: str) -> None:
    open_chapter(page, app_url, "letters")
    own_text(page).fill(OWN)
    page.get_by_role("link", name="See its tokens").click()
    expect(page.get_by_label("Your text")).to_have_value(OWN)
    open_chapter(page, app_url, "letters")
    expect(own_text(page)).to_have_value(OWN)
    page.get_by_role("link", name="Compare three tokenizers on it").click()
    expect(page.get_by_label("Your text", exact=True)).to_have_value(OWN)
    figures = [f"{tokviz.count(OWN, name):,}" for name in TOKENIZERS]
    expect(page.locator(".counts > div.main dd")).to_have_text(figures)


def test_hostile_texts(page: Page, widgets_url: str) -> None:
    """Each goes from chapter to chapter in a tab of its own, so that all wait for answers at the same time."""
    tabs = [page, *(page.context.new_page() for _ in list(HOSTILE)[1:])]
    for tab, text in zip(tabs, HOSTILE.values(), strict=True):
        open_chapter(tab, widgets_url, WITH_OWN_TEXT[-1])
        paste(own_text(tab), text)
        tab.reload()
    for name in WITH_OWN_TEXT:
        for tab in tabs:
            tab.evaluate("name => { location.hash = `chapter=${name}` }", name)
        for tab, text in zip(tabs, HOSTILE.values(), strict=True):
            expect(tab.locator("article.chapter > h1")).to_have_text(chapter(name).title)
            uncover(tab)
            expect_answers(tab)
            assert own_text(tab).input_value()[:1] == text[:1], name  # no tab took another's
            expect_no_problem(tab)
            expect_no_sideways_scrolling(tab)


def test_a_link_opens_a_figure_as_it_was_with_the_text(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "letters")
    own_text(page).fill(OWN)
    apart = figure(page, "apart")
    apart.get_by_role("button", name="zero width joiner").first.click()
    expect(apart.locator("output")).to_have_text("👨👩\u200d👧\u200d👦")
    fragment = share(page).partition("#")[2]
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(f"{widgets_url}course#{fragment}")
    expect(apart.locator("output")).to_have_text("👨👩\u200d👧\u200d👦")
    expect(own_text(page)).to_have_value(OWN)
    expect(page).to_have_url(re.compile(r"#chapter=letters&figure=apart&value=1%3B[^&]*$"))


def test_a_sentence_drives_a_figure_and_bits_can_be_flipped_by_keyboard(page: Page, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "letters")
    field = figure(page, "character").get_by_label("A character")
    article.get_by_role("link", name="ñ", exact=True).click()
    expect(field).to_have_value("ñ")
    expect(figure(page, "character").locator(".about")).to_contain_text("LATIN SMALL LETTER N WITH TILDE")
    bits = figure(page, "character").get_by_role("button", name=re.compile("^Bit"))
    expect(bits).to_have_count(11)
    bits.first.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(field).to_have_value(chr(ord("ñ") ^ 1))
    expect(figure(page, "character").get_by_role("button", name="Bit 0 is 0")).to_be_focused()


def test_a_byte_that_is_taken_out_breaks_its_character(page: Page, watched: Watched, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "letters")
    decoded = figure(page, "bytes")
    decoded.get_by_role("button", name="Take out byte c3").click()
    expect(decoded.locator("output")).to_have_text("\ufeffcaf\ufffd 🍕")
    expect(decoded.locator(".broken")).to_have_count(1)
    decoded.get_by_label("Bytes in hexadecimal").fill("e2 82 ac 0")
    expect(decoded.get_by_role("alert")).to_contain_text("lacks its second")
    watched.problems.clear()


def test_pairs_are_chosen_and_taken_back(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "pairs")
    choosing = figure(page, "pairs")
    says = choosing.get_by_role("status")
    symbols = choosing.locator(".symbol")
    expect(symbols).to_have_count(11)
    choosing.get_by_role("button", name="b + d 1×").click()
    expect(says).to_contain_text("another pair 4 times")
    choosing.get_by_role("button", name="undo").click()
    for left in (9, 7, 5):
        choosing.locator(".pair").first.click()
        expect(symbols).to_have_count(left)
    expect(symbols).to_have_text(["aaab", "d", "aaab", "a", "c"])
    fragment = share(page).partition("#")[2]
    open_chapter(page, widgets_url, "letters")
    page.goto(f"{widgets_url}course#{fragment}")
    expect(symbols).to_have_text(["aaab", "d", "aaab", "a", "c"])


def test_windows_fall_while_merges_play_and_grow_back(page: Page, widgets_url: str) -> None:
    page.clock.install()
    open_chapter(page, widgets_url, "pairs")
    windows = figure(page, "windows")
    count = windows.locator(".large-count")
    expect(count).to_have_text("24 windows, 1,163 tokens")
    windows.get_by_role("button", name="play").click()
    page.clock.run_for(20_000)
    expect(count).to_have_text("17 windows, 821 tokens")
    windows.get_by_role("slider", name="Merges").press("Home")
    expect(count).to_have_text("24 windows, 1,163 tokens")
    windows.get_by_role("slider", name="Merges").press("ArrowRight")
    expect(count).to_have_text("23 windows, 1,119 tokens")
    expect(page).to_have_url(re.compile("figure=windows&value=anna%2C1$"))


def test_a_door_to_a_chapter_opens_it(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "checking")
    page.get_by_role("link", name="Read how pairs are counted").click()
    expect(page.locator(".course h1")).to_have_text(chapter("pairs").title)


def test_a_link_to_a_figure_step_opens_there(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "pairs", "&figure=windows&value=anna%2C20")
    expect(figure(page, "windows").locator(".large-count")).to_have_text("17 windows, 821 tokens")
    expect(figure(page, "windows")).to_be_in_viewport()


def test_alternatives_are_switched_off_and_rewritten(page: Page, watched: Watched, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "cuts")
    cutting = figure(page, "alternatives")
    pieces = cutting.locator(".piece-of")
    article.get_by_role("link", name="digits", exact=True).click()
    expect(pieces).to_have_text(["In", "·", "202", "6", ",", "·pi", "·is", "·", "3", ".", "141", "592", "65"])
    struck = re.compile("line-through")
    labels = cutting.locator(".label-of")
    expect(labels.nth(2)).not_to_have_css("text-decoration-line", struck)
    cutting.get_by_role("switch", name="Alternative 3").uncheck()
    expect(labels.nth(2)).to_have_css("text-decoration-line", struck)
    expect(labels.nth(1)).not_to_have_css("text-decoration-line", struck)
    expect(cutting.locator(".piece-of.none")).to_have_text(["2026", "3", "14159265"])
    cutting.get_by_role("switch", name="Alternative 3").check()
    cutting.get_by_label("Pattern of alternative 3").fill(r"\p{N}")
    expect(pieces).to_have_count(20)
    cutting.get_by_label("Pattern of alternative 3").fill("(")
    expect(cutting.get_by_role("alert")).not_to_be_empty()
    watched.problems.clear()


def test_a_change_is_searched_for(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "cuts")
    changes = figure(page, "changes")
    changes.get_by_role("button", name="spaces with the line end").click()
    expect(changes.locator(".side .piece-of")).not_to_have_count(0)
    expect(changes.locator(".side")).to_have_count(2)


def test_a_vector_is_moved_by_keyboard_and_pointer_and_its_link_opens(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "vectors")
    plane = figure(page, "plane")
    chances = plane.locator("tbody tr td:nth-child(6)")
    tip = plane.get_by_role("button", name="The model’s vector")
    tip.press("ArrowUp")
    expect(tip).to_have_accessible_name("The model’s vector: 1.2, -0.3. Arrow keys move it.")
    middle = plane.locator(".plane").bounding_box()
    assert middle
    tip.hover()
    page.mouse.down()
    page.mouse.move(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2, steps=3)
    page.mouse.up()
    expect(chances).to_have_text(["25 %"] * 4)
    fragment = share(page).partition("#")[2]
    open_chapter(page, widgets_url, "letters")
    page.goto(f"{widgets_url}course#{fragment}")
    expect(chances).to_have_text(["25 %"] * 4)


def test_the_small_model_writes_and_a_vocabulary_has_its_price(page: Page, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "vectors")
    pipeline = figure(page, "pipeline")
    chances = pipeline.get_by_role("group", name="The next token").get_by_role("button")
    for word in ("be", "used"):
        chances.filter(has_text=re.compile(f"^·{word}[0-9]")).click()
        expect(pipeline.locator(".chip.new").last).to_contain_text(f"·{word}")
    expect(pipeline.locator(".chip")).to_have_count(4)
    pipeline.get_by_role("button", name="undo").click()
    expect(pipeline.locator(".chip")).to_have_count(3)
    article.get_by_role("link", name="two", exact=True).click()
    expect(figure(page, "neighbors").locator("li")).to_contain_text(["·two", "·three"])
    sizes = figure(page, "sizes")
    article.get_by_role("link", name="small model").click()
    expect(sizes.get_by_role("slider", name="d: numbers in a row")).to_have_attribute("aria-valuetext", "256")
    before = sizes.locator(".large-count b").inner_text()
    sizes.get_by_role("slider", name="V: tokens in the vocabulary").press("Home")
    expect(sizes.locator(".large-count b")).not_to_have_text(before)


def test_special_tokens_are_listed_holes_move_and_a_forged_turn_is_shown(page: Page, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "specials")
    article.get_by_role("link", name="BERT").click()
    names = figure(page, "specials").get_by_role("group", name="Special tokens").get_by_role("button")
    expect(names).to_have_text(["[PAD]0", "[UNK]100", "[CLS]101", "[SEP]102", "[MASK]103"])
    expect(names.nth(2)).to_have_attribute("aria-pressed", "true")
    names.nth(4).click()
    expect(names.nth(4)).to_be_focused()
    hole = figure(page, "hole")
    expect(hole.locator("mark")).to_have_text(" return")
    hole.get_by_role("slider", name="The hole ends").press("ArrowLeft")
    expect(hole.locator("mark")).to_have_text(" retur")
    expect(hole.get_by_role("status")).to_contain_text("The hole ends within a token")
    injected = figure(page, "injected")
    careful, careless = injected.get_by_role("region", name=re.compile("server$")).all()
    expect(careful.locator(".turns b")).to_have_text(["system", "user", "assistant"])
    expect(careless.locator(".turns b")).to_have_text(["system", "user", "system", "assistant"])
    expect(injected.locator(".forged")).to_have_count(1)
    injected.get_by_label("The user writes").fill("Hi!")
    expect(injected.locator(".forged")).to_have_count(0)
    expect(injected.get_by_role("status")).to_contain_text("Both read the same")


def test_what_no_piece_spells_is_switched_to_bytes(page: Page, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "families")
    strangers = figure(page, "strangers")
    struck = strangers.locator(".unknown")
    expect(struck).to_have_text(["!", "好", "世界!"])
    strangers.get_by_role("radio", name="its bytes").check()
    expect(struck).to_have_count(0)
    expect(strangers.locator(".piece-of", has_text="<0xE7>")).to_have_count(1)
    article.get_by_role("link", name="100 %", exact=True).click()
    expect(struck).to_have_text(["!", "世界!"])
    strangers.get_by_role("slider", name="Coverage").press("Home")
    expect(struck).to_have_text(["!", "好", "世界!"])
    expect(page).to_have_url(re.compile(r"figure=strangers&value=0\.98%3Bunk%3B"))
    ways = figure(page, "threeways")
    expect(ways.locator("[data-widget]")).to_have_count(3)
    ways.get_by_label("A word to cut in three ways").fill("")
    expect(ways.locator("section:visible")).to_have_count(0)


def test_a_token_in_a_figure_has_its_card_and_nothing_moves(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "families")
    kinds = figure(page, "kinds")
    row = kinds.get_by_role("region", name="cl100k")
    chips = row.locator(".piece-of")
    ids = encoding_of("cl100k_base").encode_ordinary(own_text(kinds).input_value())
    expect(chips).to_have_count(len(ids))
    place = ids.index(encoding_of("cl100k_base").encode(" serves")[0])
    chips.nth(place).scroll_into_view_if_needed()
    before = resting_boxes(kinds)
    chips.nth(place).hover()
    bubble = page.locator(".info-bubble:popover-open")
    expect(bubble).to_contain_text(re.compile(rf"{ids[place]}.*merge [\d,]+ joins"))
    chips.nth(place).click()
    drawer = row.get_by_role("region", name="Token")
    expect(drawer).to_contain_text(str(ids[place]))
    expect(bubble).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(drawer).to_contain_text(str(ids[place + 1]))
    expect(drawer.get_by_role("term").filter(has_text="here")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    assert resting_boxes(kinds) == before
    own_text(kinds).fill("once " * 100)  # of which a row shows the beginning, where nothing can be counted
    expect(row).to_contain_text("more")
    chips.first.click()
    expect(drawer.get_by_role("term").filter(has_text="hex")).to_have_count(1)
    expect(drawer.get_by_role("term").filter(has_text="here")).to_have_count(0)


def test_sharing_begins_with_a_picture_of_the_figure_in_sight(page: Page, widgets_url: str) -> None:
    chapter = open_chapter(page, widgets_url, "pieces")
    chapter.locator("figure").nth(1).evaluate("figure => figure.scrollIntoView({ block: 'center' })")
    shown = resting_box(chapter.locator("figure").nth(1))
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_alt_text("What is in sight, as a picture")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG").click()
    png = Path(download.value.path()).read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG")
    assert (width, height) == tuple(2 * (math.ceil(shown[side]) + 2 * 16) for side in ("width", "height"))


def test_the_gallery_of_what_goes_wrong(page: Page, watched: Watched, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "trouble")
    spelling = figure(page, "spelling")
    expect(spelling.get_by_role("status")).to_contain_text("r stands here 3 times")
    article.get_by_role("link", name="reverse it").click()
    expect(spelling.get_by_role("region", name="cl100k")).to_contain_text(
        "The word itself has 3 tokens: none of them is here again."
    )
    sums = figure(page, "sums")
    sums.get_by_label("Number 2").fill("1")
    expect(sums.get_by_role("region", name="Qwen3")).to_contain_text("cut at the same places")
    sums.get_by_label("Number 2").fill("one")
    expect(sums.get_by_role("alert")).to_contain_text("Type two whole numbers")
    expect(sums.get_by_role("region")).to_have_count(0)  # no sum of other numbers
    watched.problems.clear()  # the word that was refused
    twice = figure(page, "twice")
    twice.get_by_role("button", name="GPT-2").press("Enter")
    expect(twice.get_by_role("heading")).to_have_text(["GPT-2: 62 tokens", "GPT-2: 334 tokens"])
    expect(twice.get_by_role("button", name="GPT-2")).to_be_focused()
    twice.get_by_role("radio", name="last space").check()
    expect(twice.get_by_role("status")).to_contain_text("In BERT, it keeps its tokens.")
    commands = figure(page, "commands")
    commands.get_by_label("A text with special tokens").fill("[SEP]")
    expect(commands.get_by_role("status")).to_have_text(re.compile("^In BERT, some of this"))
    unseen = figure(page, "unseen")
    expect(unseen.locator("code").first).to_have_text("StarryOtter")
    article.get_by_role("link", name="GPT-2's", exact=True).click()
    expect(unseen.locator(".token-list code").first).to_have_text("·SolidGoldMagikarp", timeout=30_000)
    expect(unseen.get_by_role("row", name="BERT")).to_contain_text("[unused516]")
    gist = figure(page, "gist")
    tokens = len(encoding_of("gpt2").encode_ordinary(gist.get_by_label("A prompt").input_value()))
    gist.get_by_role("radio", name="2").check()
    expect(gist.get_by_role("status")).to_contain_text(f"2 places instead of {tokens},")
    codes = figure(page, "codes")
    codes.get_by_role("radio", name="4", exact=True).check()
    expect(codes.get_by_role("img", name="made of 4 different patches")).to_be_visible()
    expect(page).to_have_url(re.compile("figure=codes&value=4$"))
    own_text(figure(page, "tokenless")).fill("é")
    expect(figure(page, "tokenless").get_by_role("region", name="bytes")).to_contain_text("2 bytes")


def test_a_term_is_explained_by_pointer_and_keyboard_and_its_example_opens(page: Page, widgets_url: str) -> None:
    article = open_chapter(page, widgets_url, "letters")
    term = article.get_by_role("button", name="zero width joiner", exact=True).first
    explanation = article.locator(".explanation", has_text="makes one picture")
    expect(explanation).to_be_hidden()
    term.hover()
    expect(explanation).to_be_visible()
    page.mouse.move(0, 0)
    expect(explanation).to_be_hidden()
    term.focus()
    expect(explanation).to_be_visible()
    expect(term).to_have_accessible_description(re.compile("makes one picture"))
    page.keyboard.press("Escape")
    expect(explanation).to_be_hidden()
    article.get_by_role("button", name="code point", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(figure(page, "character").get_by_label("A character")).to_be_in_viewport()


def test_every_example_of_the_glossary_opens(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}course")
    page.get_by_role("link", name="Glossary").click()
    expect(page.locator(".course h1")).to_have_text("Glossary")
    page.get_by_role("link", name="An example: combining mark").click()
    expect(figure(page, "apart").locator("input")).to_have_value("ệ")
    page.go_back()
    expect(page.locator(".course h1")).to_have_text("Glossary")
    examples = page.locator(".glossary dd a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    of_chapters = [urlsplit(each).fragment for each in examples if each.startswith("/course#")]
    assert len(of_chapters) > 20
    for fragment in dict.fromkeys(of_chapters):
        page.evaluate("fragment => (location.hash = fragment)", fragment)
        expect(figure(page, parse_qs(fragment)["figure"][0])).to_be_in_viewport()
        expect_no_problem(page)


FROM_FIRST = """parts => parts.map((part) => part.getBoundingClientRect().top - parts[0].getBoundingClientRect().top)"""
"""How far each part is beneath the first."""

SIDES = (
    "parts => parts.map((part) => part.getBoundingClientRect()).map(({ left, right, height }) => [left, right, height])"
)


def test_predict_then_see(page: Page, widgets_url: str) -> None:
    """Neither an answer nor its figure, which is out of focus until then, moves what is beside or beneath."""
    page.goto(f"{widgets_url}course#chapter=letters")
    question = page.get_by_role("region", name="Predict").first
    answer = question.get_by_role("status")
    covered = page.locator(".covered")
    expect(covered.first).to_be_visible()
    expect_answers(page)
    places = page.locator(".chapter > :is(h1, h2, figure, .doors)")
    before = places.evaluate_all(FROM_FIRST)
    choices = question.locator(".choice")
    widths = choices.evaluate_all(SIDES)
    expect(answer).to_have_text("")
    question.get_by_role("button", name="4").click()
    expect(answer).to_contain_text("No: B.")
    question.get_by_role("button", name="2").click()
    expect(answer).to_contain_text("Yes.")
    assert choices.evaluate_all(SIDES) == widths  # there is room for its mark
    marked = "span => getComputedStyle(span, '::after').visibility === 'visible'"
    assert [span.inner_text() for span in choices.locator("span").all() if span.evaluate(marked)] == ["2"]
    uncover(page)
    expect(covered).to_have_count(0)
    expect(page.locator(".chapter [inert]")).to_have_count(0)
    assert places.evaluate_all(FROM_FIRST) == before


def test_a_solution_is_checked_as_it_is_typed(page: Page, watched: Watched, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "checking")
    merges = figure(page, "merges")
    expect(merges.get_by_role("status").first).to_contain_text("Merge 3: you join c + a")
    expect(merges.locator("[data-widget=replay]")).to_be_visible()
    merges.get_by_label("Your merges").fill("[(b't', b'h'), (b'th', b'e')]")
    expect(merges.get_by_role("status").first).to_contain_text("Right: 2 merges.")
    expect(merges.locator("[data-widget=replay]")).to_have_count(0)
    merges.get_by_label("Your merges").fill("[(b't', b'h'")
    expect(merges.get_by_role("alert").first).to_contain_text("no list of Python's or JSON's")
    ids = figure(page, "ids")
    expect(ids.get_by_role("status").first).to_contain_text("you have 7012 (ba); it is 3820 (ban)")
    watched.problems.clear()  # the solution that was refused


@pytest.mark.parametrize("name", ["", "glossary", *CHAPTERS])
def test_axe_finds_nothing_nothing_scrolls_sideways_and_presented_type_is_large(
    page: Page, widgets_url: str, name: str
) -> None:
    page.goto(f"{widgets_url}course#chapter={name}")
    expect(page.locator(".course h1")).to_be_visible()
    expect_answers(page)
    for look in looks(page, (1280, 375)):
        expect_no_sideways_scrolling(page)
        expect_accessible(page, look, colors_only=look.startswith("dark"))
    if name in CHAPTERS:
        page.emulate_media(color_scheme="light")
        uncover(page)
        present(page)
        expect_large_type(page)
        expect_no_sideways_scrolling(page)


def test_a_printed_chapter_has_its_answers_and_no_controls(page: Page, widgets_url: str) -> None:
    open_chapter(page, widgets_url, "letters")
    page.emulate_media(media="print")
    expect(page.locator(".on-paper").first).to_be_visible()
    expect(page.locator(".doors")).to_be_hidden()
