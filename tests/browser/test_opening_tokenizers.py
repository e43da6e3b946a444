"""A file that holds a tokenizer, opened where a text is: the page asks what is meant, and does it."""

from playwright.sync_api import Page, expect

import tokviz
from tokviz import formats

TEXT = "the cat in the hat, the cat"
TOK = tokviz.train(TEXT, num_merges=9, split_pattern="gpt2")
FILES = {name: formats.write(TOK, name).files[name] for name in ("tokenizer.json", "some.tiktoken")}


def choose(page: Page, name: str) -> None:
    page.get_by_label("A text file").set_input_files({"name": name, "mimeType": "", "buffer": FILES[name]})


def test_a_dropped_tokenizer_cuts_the_text_and_stays_in_the_list(page: Page, app_url: str) -> None:
    page.goto(app_url)
    text, tokens = page.get_by_label("Your text"), page.locator('[data-count="tokens"]')
    text.fill(TEXT)
    choose(page, "tokenizer.json")
    dialog = page.get_by_role("dialog", name="Open it as a tokenizer?")
    expect(dialog).to_contain_text("“tokenizer.json” holds a tokenizer")
    dialog.get_by_role("button", name="use the tokenizer").click()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("tokenizer.json")
    expect(tokens).to_have_text(str(len(TOK.encode(TEXT))))
    expect(text).to_have_value(TEXT)
    page.get_by_role("link", name="Compare").first.click()
    page.get_by_role("combobox", name="Reference").click()
    expect(page.get_by_role("option", name="tokenizer.json vocabulary of 262")).to_be_visible()


def test_the_file_itself_can_be_shown_and_one_without_a_pattern_is_pointed_on(page: Page, app_url: str) -> None:
    page.goto(app_url)
    text = page.get_by_label("Your text")
    expect(text).not_to_have_value("")
    before = text.input_value()
    dialog = page.get_by_role("dialog", name="Open it as a tokenizer?")
    choose(page, "some.tiktoken")
    expect(dialog).to_contain_text("open it on the Train page")
    dialog.get_by_role("button", name="cancel").click()
    expect(text).to_have_value(before)
    choose(page, "some.tiktoken")
    dialog.get_by_role("button", name="open as text").click()
    expect(text).to_have_value(FILES["some.tiktoken"].decode())
    picker = page.get_by_role("combobox", name="Tokenizer")
    picker.fill("llama3")
    expect(page.get_by_text("No tokenizer here is called “llama3”")).to_contain_text(
        "tokenizer.json: open it on the Tokens"
    )
