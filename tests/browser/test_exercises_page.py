"""Exercises: checked by the page with reasons, and a worksheet on paper."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from pages import expect_accessible_in_all_looks
from tokviz.lesson.exercises import EXERCISES, exercises

SHOWN = {each["id"]: each for each in exercises()["exercises"]}


def exercise(page: Page, name: str) -> Locator:
    number = [each.id for each in EXERCISES].index(name)
    return page.locator(".exercise").nth(number)


@pytest.fixture
def opened(page: Page, widgets_url: str) -> Page:
    page.goto(f"{widgets_url}lesson?for=exercises")
    expect(page.locator(".exercise")).to_have_count(len(EXERCISES))
    return page


def test_a_text_is_cut_by_tapping_and_wrong_cuts_are_explained(opened: Page) -> None:
    cut, tokens = exercise(opened, "cut-digits"), SHOWN["cut-digits"]["tokens"]
    gaps = cut.locator(".gap")
    gaps.nth(0).click()
    cut.get_by_role("button", name="Check").click()
    said = cut.get_by_role("status")
    expect(said).to_contain_text(
        f"Not yet. {tokens[0]['text']} is one token, number {tokens[0]['id']}: nothing cuts it."
    )
    gaps.nth(0).click()
    at = 0
    for token in tokens[:-1]:
        at += len(token["text"])
        gaps.nth(at - 1).click()
    cut.get_by_role("button", name="Check").click()
    expect(said).to_have_text(f"Right. The tokens are {'|'.join(token['text'] for token in tokens)}. ")
    expect(opened.get_by_text(f"1 of {len(EXERCISES)} right")).to_be_visible()


def test_a_text_of_seven_tokens_is_counted_by_the_server(opened: Page) -> None:
    write = exercise(opened, "seven")
    said = write.get_by_role("status")
    write.get_by_role("textbox").fill("one two three four five six")
    opened.keyboard.press("Enter")
    expect(said).to_have_text(re.compile(r"^Not yet\. That is 6 tokens: one\|.*Write more\.\s*$"))
    write.get_by_role("textbox").fill("one two three four five six seven")
    write.get_by_role("button", name="Check").click()
    expect(said).to_have_text(re.compile(r"^Right\. That is 7 tokens"))


def test_the_worksheet_prints_boxes_and_its_answers_on_a_second_sheet(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}lesson?for=exercises")
    expect(page.locator(".exercise")).to_have_count(len(EXERCISES))
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 2, paper
    page.emulate_media(media="print")
    expect(page.locator(".gap").first).to_be_hidden()
    expect(page.get_by_role("heading", name="Answers")).to_be_visible()
    expect(page.get_by_role("button", name="Check").first).to_be_hidden()


def test_axe_finds_nothing_and_nothing_scrolls_sideways(page: Page, widgets_url: str) -> None:
    page.goto(f"{widgets_url}lesson?for=exercises")
    expect(page.locator(".exercise")).to_have_count(len(EXERCISES))
    exercise(page, "merge-banana").get_by_role("button").first.click()
    expect_accessible_in_all_looks(page)
