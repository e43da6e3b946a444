"""The lesson as a class uses it: every link, the figures on screen, and the printed sheets."""

import re
from pathlib import Path

import pytest
from browsing import TIMEOUT_MS, accessibility_violations, expect_accessible
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

import tokviz
from pages import CHARTS_MS, TokensPage, expect_no_sideways_scrolling, looks, next_frame, rest, resting_box
from tokviz import pretrained
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.course.chapters import CHAPTERS, chapter
from tokviz.lesson.sheet import letters
from tokviz.lesson.steps import Link, Step, lesson
from tokviz.samples import parallel_passages, sample, samples

STEPS = lesson().steps

PROJECTOR = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=375, height=812)


ASKED = [(step, link) for step in STEPS for link in step.links]
ALL = [(step, link) for step in STEPS for link in (*step.links, *step.afterwards)]


def open_lesson(page: Page, url: str) -> Locator:
    page.goto(url)
    lesson = page.locator(".lesson")
    expect(lesson.locator(".step")).to_have_count(len(STEPS))
    return lesson


def step_of(page: Page, step: Step) -> Locator:
    return page.locator(".lesson .step").filter(has=page.get_by_role("heading", name=step.title, exact=True))


def link_of(page: Page, step: Step, link: Link) -> Locator:
    return step_of(page, step).get_by_role("link", name=link.label, exact=True)


def address_of(link: Locator) -> str:
    """Return the address of a link that can be clicked."""
    link.click(trial=True)
    return str(link.evaluate("link => link.href"))


def follow(page: Page, step: Step, link: Link) -> None:
    if link in step.afterwards:
        step_of(page, step).get_by_text("Answer", exact=True).click()
    link_of(page, step, link).click()


def count(name: str, text: str) -> int:
    return len(registry.get(name).encode(text))


def expect_page(page: Page, link: Link) -> None:
    """Expect the link's text under its tokenizers, at its step, with the lesson's figures."""
    checks = {"": expect_tokens, "replay": expect_replay, "compare": expect_comparison}
    checks.get(link.page, expect_chart)(page, link)


def text_of(link: Link) -> str:
    return sample(link.fields["sample"]).text if link.text is None else link.text


def expect_tokens(page: Page, link: Link) -> None:
    text, name = text_of(link), link.fields["tokenizer"]
    expect(page.get_by_label("Your text")).to_have_value(text)
    expect(page.locator('[data-count="tokens"]')).to_have_text(f"{count(name, text):,}")
    expect(page.locator('[data-count="bytes"]')).to_have_text(f"{len(text.encode()):,}")
    if link.fields.get("view"):
        TokensPage(page).expect_ids(registry.get(name).encode(text))


def expect_comparison(page: Page, link: Link) -> None:
    names = link.fields["compare"].split(",")
    expect(page.get_by_label("Your text", exact=True)).to_have_value(text_of(link))
    figures = [f"{count(name, text_of(link)):,}" for name in names]
    expect(page.locator(".counts > div.main dd")).to_have_text(figures)


def expect_replay(page: Page, link: Link) -> None:
    fields, step = link.fields, int(link.fields["step"])
    replay = replay_of(link)
    widget = page.locator(".replay")
    expect(widget).to_have_attribute("data-step", str(step))
    expect(widget).to_have_attribute("data-story", fields["story"])
    expect(page.get_by_role("slider", name="Step", include_hidden=True)).to_have_attribute("max", str(len(replay)))
    expect(page.locator('[data-figure="tokens left"]')).to_have_text(str(replay.token_counts[step]))
    if fields.get("predict"):
        expect_choices_of_the_sheet(page, link)


def expect_choices_of_the_sheet(page: Page | Locator, link: Link) -> None:
    """Expect the same pairs as on the sheet, under the same letters."""
    step = next(step for step in STEPS if link in step.links)
    expect(page.locator(".replay .caption", has_text=re.compile("Which .*pair.*\\?")).first).to_be_visible()
    choices = [f"{letter}{choice.strip('`')}" for letter, choice in zip("ABCD", step.choices, strict=True)]
    expect(page.get_by_role("region", name="Predict").locator(".choice")).to_have_text(choices)


def replay_of(link: Link) -> tokviz.Replay:
    fields, text = link.fields, text_of(link)
    if "split" not in fields:
        return pretrained.load(fields["tokenizer"]).replay(text)
    tokenizer = tokviz.train(
        text,
        num_merges=int(fields["merges"]),
        split_pattern=None if fields["split"] == "none" else fields["split"],
        alphabet="characters" if fields["alphabet"] == "characters" else "bytes",
        end_of_word="</w>" if fields.get("ends") else None,
    )
    return tokenizer.replay(fields.get("word", text))


def expect_chart(page: Page, link: Link) -> None:
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=CHARTS_MS)
    answer = languages() if link.page.endswith("Languages") else formats()
    expect(page.locator("section.drawn").get_by_text(answer)).to_be_visible()


def languages() -> str:
    counts = {each.title.split(" · ")[0]: count("gpt2", each.text) for each in parallel_passages()}
    most = max(counts, key=lambda language: counts[language])
    return f"GPT-2: {most} takes most, {counts[most] / counts['English']:.0f}"


def formats() -> str:
    counts = {each.title: count("cl100k_base", each.text) for each in samples() if each.kind == "data"}
    least = min(counts, key=lambda title: counts[title])
    return f"cl100k: {least} takes least ({counts[least]})"


def addresses(page: Page, url: str, links: list[tuple[Step, Link]]) -> list[str]:
    """Return the addresses of links that can be clicked in the lesson, with its answers open."""
    lesson = open_lesson(page, f"{url}lesson")
    for summary in lesson.get_by_text("Answer", exact=True).all():
        summary.click()
    return [address_of(link_of(page, step, link)) for step, link in links]


def test_every_link_shows_what_the_lesson_says(page: Page, widgets_url: str) -> None:
    page.set_viewport_size(PROJECTOR)
    for address, (_, link) in zip(addresses(page, widgets_url, ALL), ALL, strict=True):
        page.goto("about:blank")  # two addresses may differ in their text alone
        page.goto(address)
        expect_page(page, link)


def test_links_can_be_tapped_on_a_phone_and_ask_as_the_sheet_does(page: Page, widgets_url: str) -> None:
    page.set_viewport_size(PHONE)
    asks = next(k for k, (_, link) in enumerate(ASKED) if link.fields.get("predict"))
    page.goto(addresses(page, widgets_url, ASKED)[asks])
    expect_page(page, ASKED[asks][1])


def test_back_returns_to_the_same_place_with_its_answer_open(page: Page, app_url: str) -> None:
    open_lesson(page, f"{app_url}lesson")
    step = next(step for step in STEPS[6:] if step.links)
    answer = step_of(page, step).locator("details").last
    answer.get_by_text("Answer", exact=True).click()
    # Wait until the page is complete before its position is read, so that the click doesn't scroll it.
    pack = page.get_by_role("link", name="Class pack")
    expect(pack).to_be_visible()
    expect(page.get_by_role("button", name="share")).to_be_visible()
    rest(page)
    link_of(page, step, step.links[0]).scroll_into_view_if_needed()
    next_frame(page)
    before = page.get_by_test_id("stMain").evaluate("element => element.scrollTop")
    assert before > 500
    follow(page, step, step.links[0])
    expect_page(page, step.links[0])
    page.go_back()
    expect(answer).to_have_attribute("open", "")
    expect(pack).to_be_visible()
    page.wait_for_function(
        "before => Math.abs(document.querySelector('[data-testid=stMain]').scrollTop - before) < 50", arg=before
    )


def test_answer_is_shown_on_request(page: Page, widgets_url: str) -> None:
    open_lesson(page, f"{widgets_url}lesson")
    for step in STEPS:
        folded = step_of(page, step).locator("details")
        answer = folded.locator("p").first
        expect(answer).to_be_hidden()
        folded.get_by_text("Answer", exact=True).click()
        expect(answer).to_be_visible()
        expect(answer).to_have_text(f"{letters(step)}: {step.reveal.replace('`', '')}")


def test_lesson_is_shared_as_the_students_sheet(page: Page, app_url: str) -> None:
    open_lesson(page, f"{app_url}lesson")
    page.get_by_role("button", name="share").click()
    expect(page.get_by_alt_text("What is in sight, as a picture")).to_be_visible()
    link = page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile(r"/lesson\?for=students$"))
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    page.goto(f"{app_url}lesson?for=students")
    expect(page).to_have_url(f"{app_url}sheet")
    expect(page.get_by_role("heading")).to_have_text(STEPS[0].question.replace("`", ""))


def test_axe_finds_nothing_and_nothing_scrolls_sideways(page: Page, app_url: str) -> None:
    lesson = open_lesson(page, f"{app_url}lesson")
    folded = lesson.locator("details:not([open]) > summary")
    expect(folded).not_to_have_count(0)
    for closed in reversed(folded.all()):  # each that is opened is none of them any more
        closed.click()
    expect(folded).to_have_count(0)
    for look in looks(page, (PROJECTOR["width"], PHONE["width"])):
        expect_no_sideways_scrolling(page)
        expect_accessible(page, look, colors_only=look.startswith("dark"))


def test_touch_targets_are_large_enough_on_a_phone(page: Page, widgets_url: str) -> None:
    page.set_viewport_size(PHONE)
    lesson = open_lesson(page, f"{widgets_url}lesson")
    folded = lesson.locator("summary")
    for closed in folded.all():
        closed.click()
    links = lesson.get_by_role("link")
    expect(folded).not_to_have_count(0)
    expect(links).not_to_have_count(0)
    for target in (*folded.all(), *links.all()):
        assert resting_box(target)["height"] >= 44, target.inner_text()


def test_answers_are_printed_on_a_second_sheet(page: Page, app_url: str) -> None:
    open_lesson(page, f"{app_url}lesson")
    page.evaluate("document.fonts.ready")
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 2, paper
    page.emulate_media(media="print")
    expect(page.locator(".lesson .links").first).to_be_hidden()
    answers = page.get_by_role("heading", name="Answers", exact=True)
    expect(answers).to_have_count(1)


@pytest.fixture(scope="module")
def pack(browser: Browser, app_url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class pack as the app gives it to a teacher, once, because making it takes ten seconds."""
    with browser.new_context() as context:
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        open_lesson(page, f"{app_url}lesson")
        with page.expect_download(timeout=CHARTS_MS) as download:
            page.get_by_role("link", name="Class pack").click()
        path = tmp_path_factory.mktemp("pack") / download.value.suggested_filename
        download.value.save_as(path)
    return path


def test_the_class_pack_opens_from_disk_with_the_network_off_and_is_accessible(page: Page, pack: Path) -> None:
    page.context.set_offline(True)
    page.goto(pack.as_uri())
    expect(page.locator(".step")).to_have_count(len(STEPS))
    expect_accessible_pack(page)
    for step in STEPS:
        for link in (*step.links, *step.afterwards):
            if link in step.afterwards and link is step.afterwards[0]:
                step_of(page, step).get_by_text("Answer", exact=True).click()
            unfold_and_check(page, step, link)


def expect_accessible_pack(page: Page) -> None:
    """Expect axe to find nothing at all in a class pack, with its answers and tables unfolded. Folds them again."""
    folds = page.locator("details").filter(
        has=page.get_by_text(re.compile("^(See the languages|See all formats|Answer)$"))
    )
    unfold = "(all, open) => { for (const fold of all) fold.open = open }"
    folds.evaluate_all(unfold, True)
    for look in looks(page, (PROJECTOR["width"], PHONE["width"])):
        assert accessibility_violations(page, colors_only=look.startswith("dark")) == [], look
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), look
    page.set_viewport_size(PROJECTOR)
    folds.evaluate_all(unfold, False)


def unfold_and_check(page: Page, step: Step, link: Link) -> None:
    summary = step_of(page, step).locator("summary", has_text=re.compile(f"^{re.escape(link.label)}$"))
    summary.click()
    inside = summary.locator("..").locator(".figure")
    if link.page.startswith("compression"):
        expect_bars(inside, link)
    elif link.page == "replay":
        expect(inside.locator(".replay")).to_have_attribute("data-step", link.fields["step"])
        left = replay_of(link).token_counts[int(link.fields["step"])]
        expect(inside.locator('[data-figure="tokens left"]')).to_have_text(str(left))
        if link.fields.get("predict"):
            expect_choices_of_the_sheet(inside, link)
    elif link.page == "compare":
        names = link.fields["compare"].split(",")
        expect(inside.locator(".counts dd")).to_have_text([f"{count(name, text_of(link))}" for name in names])
    else:
        tokens = count(link.fields["tokenizer"], text_of(link))
        expect(inside.get_by_text(re.compile(rf"^{tokens} tokens? of "))).to_be_visible()
    summary.click()


def test_the_slides_of_the_class_pack_count_hands(page: Page, pack: Path) -> None:
    page.context.set_offline(True)
    page.set_viewport_size(PROJECTOR)
    page.goto(pack.as_uri())
    page.get_by_role("button", name="Show the slides").click()
    slides = page.get_by_role("region", name="Slides")
    for letter, hands in zip("ABC", ("4", "9", "2"), strict=True):
        slides.get_by_label(f"Hands for {letter}").fill(hands)
    expect(slides.locator(".vote-bar b")).to_have_text(["4", "9", "2"])
    widths = slides.locator(".vote-bar i").evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().width)")
    assert widths[0] / widths[1] == pytest.approx(4 / 9, abs=0.02)
    page.keyboard.press("Escape")  # the first ends the typing
    for step in STEPS[:4]:
        expect(slides.locator(".question")).to_have_text(step.question.replace("`", ""))
        page.keyboard.press("PageDown")
        expect(slides.locator(".figure:not([aria-busy])")).to_be_visible()
        page.keyboard.press("PageDown")
    page.keyboard.press("Escape")
    expect(slides).to_be_hidden()
    expect(page.locator(".step")).to_have_count(len(STEPS))


def test_the_chapters_of_the_class_pack_need_no_network(page: Page, pack: Path) -> None:
    page.context.set_offline(True)
    page.goto(pack.as_uri())
    course = page.locator("#course")
    tried = 0
    for name in CHAPTERS:
        course.get_by_role("link", name=chapter(name).title, exact=True).click()
        expect(course.locator("figure[data-figure]")).to_have_count(len(chapter(name).first_values))
        tried += (links := course.locator("a.try")).count()
        for link in links.all():
            link.click()
            expect(course.locator("figure[data-figure]").first).to_be_attached()
        problems = page.locator(".course figure:not([data-figure=injected]) .problem:not(:empty)")
        expect(problems).to_have_count(0)  # a chat is rendered by the app
        course.get_by_role("link", name="All chapters").click()
    assert tried > len(CHAPTERS)
    course.get_by_role("link", name=chapter("letters").title, exact=True).click()
    course.get_by_label("Your text", exact=True).locator("visible=true").first.fill("Zoë ate 3 🍕 in the café.")
    expect(course.get_by_role("alert").filter(has_text="on its site")).to_be_visible()


def expect_bars(folded: Locator, link: Link) -> None:
    """Expect a table of the figures, each with a bar of matching length."""
    names = ("gpt2", "cl100k_base", "o200k_base")
    if link.page.endswith("Languages"):
        english = parallel_passages()[0].text
        texts, units, digits = parallel_passages(), [count(name, english) for name in names], 1
    else:
        texts, units, digits = tuple(each for each in samples() if each.kind == "data"), [1, 1, 1], 0
    figures = {
        each.title.split(" · ")[0]: [count(name, each.text) / unit for name, unit in zip(names, units, strict=True)]
        for each in texts
    }
    expect(folded.get_by_role("columnheader")).to_have_text(["GPT-2", "cl100k", "o200k"])
    shown = folded.locator("tbody tr").evaluate_all(
        """rows => rows.map((row) => [row.querySelector("th").textContent, [...row.querySelectorAll("td")].map((cell) =>
            [cell.querySelector("b").textContent, cell.querySelector(".bar").getBoundingClientRect().width])])"""
    )
    said = {title: [text for text, _ in cells] for title, cells in shown}
    assert said == {title: [f"{figure:.{digits}f}" for figure in row] for title, row in figures.items()}
    drawn = {title: [width for _, width in cells] for title, cells in shown}
    scale = max(max(row) for row in drawn.values()) / max(max(row) for row in figures.values())
    for title, row in figures.items():
        assert drawn[title] == pytest.approx([figure * scale for figure in row], abs=1)
