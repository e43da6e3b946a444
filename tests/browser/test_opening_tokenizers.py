"""Tokenizer files opened as if they were texts: the page asks what to do with them."""

from playwright.sync_api import FilePayload, Locator, Page, Route, expect
from tabs import Watched

import tokviz
from pages import TokensPage
from tokviz import formats
from tokviz.app.answers.visitors.kept_tokenizers import registry

TEXT = "the cat in the hat, the cat"
TOK = tokviz.train(TEXT, num_merges=9, split_pattern="gpt2")
FILES = {name: formats.write(TOK, name).files[name] for name in ("tokenizer.json", "some.tiktoken")}
FILES["bert-vocab.txt"] = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nin\nhat\n,\n"
FILES["merges.txt"] = b"#version: 0.2\nt h\n"
SPECIAL = tokviz.train(f"{TEXT}<s>", num_merges=9, split_pattern="[a-z]+|.", special_tokens=["<s>"])
FILES |= formats.write(SPECIAL, "vocab.bpe").files


def choose(tokens: TokensPage, name: str) -> Locator:
    """Choose a file to open, and return the dialog that asks what to do with it."""
    file: FilePayload = {"name": name, "mimeType": "", "buffer": FILES[name]}
    tokens.page.get_by_label("A text file").set_input_files(file)
    return tokens.page.get_by_role("dialog", name="Open it as a tokenizer?")


def test_dropped_tokenizer_is_applied_and_listed(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    tokens.write(TEXT)
    dialog = choose(tokens, "tokenizer.json")
    expect(dialog).to_contain_text("“tokenizer.json” holds a tokenizer")
    dialog.get_by_role("button", name="use the tokenizer").click()
    expect(tokens.tokenizer).to_have_value("tokenizer.json (262 tokens)")
    expect(tokens.count("tokens")).to_have_text(str(len(TOK.encode(TEXT))))
    expect(tokens.editor).to_have_value(TEXT)
    page.get_by_role("link", name="Compare").first.click()
    page.get_by_role("combobox", name="Reference").click()
    expect(page.get_by_role("option", name="tokenizer.json (262 tokens) vocabulary of 262 tokens")).to_be_visible()


def test_the_reader_names_a_tokenizer_in_the_question(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    name = choose(tokens, "tokenizer.json").get_by_label("Its name, if you like")
    name.fill("my cats")
    name.press("Enter")
    expect(tokens.tokenizer).to_have_value("my cats")


def test_the_reader_says_what_a_file_lacks(page: Page, widgets_url: str, watched: Watched) -> None:
    """A split pattern of one's own and special tokens, of a file that holds neither."""
    tokens = TokensPage.open(page, widgets_url)
    dialog = choose(tokens, "some.tiktoken")
    pattern = dialog.get_by_label("A regular expression, as Python’s regex reads it")
    expect(pattern).not_to_be_visible()
    dialog.get_by_label("Split pattern").select_option("my own")
    pattern.fill("[a-z]+|.")
    dialog.get_by_text("Special tokens and their ids").click()
    dialog.get_by_label("Special tokens and their ids, one a line").fill("<s> 300")
    dialog.get_by_role("button", name="use the tokenizer").click()
    expect(tokens.tokenizer).to_have_value("some.tiktoken")
    tokens.write(TEXT)
    expect(tokens.count("tokens")).to_have_text(str(len(TOK.with_split_pattern("[a-z]+|.").encode(TEXT))))
    choose(tokens, "some.tiktoken").get_by_text("Special tokens and their ids").click()
    dialog.get_by_label("Special tokens and their ids, one a line").fill("<s>")
    dialog.get_by_role("button", name="use the tokenizer").click()
    expect(page.get_by_text("'<s>' should be a special token, a space, and its id.")).to_be_visible()
    watched.problems.clear()  # the refusal


def test_two_files_are_opened_one_after_the_other(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.write(TEXT)
    choose(tokens, "vocab.bpe")
    waiting = page.get_by_role("dialog", name="Open it as a text?")
    expect(waiting).to_contain_text("holds merges without a vocabulary: open it together with its encoder.json")
    waiting.get_by_role("button", name="cancel").click()
    dialog = choose(tokens, "encoder.json")
    expect(dialog).to_contain_text("“encoder.json” and “vocab.bpe” hold a tokenizer without its split pattern")
    dialog.get_by_label("Split pattern").select_option("none")
    dialog.get_by_role("button", name="use the tokenizer").click()
    expect(tokens.tokenizer).to_have_value(f"encoder.json and vocab.bpe ({len(SPECIAL.vocab)} tokens)")
    expect(tokens.count("tokens")).to_have_text(str(len(SPECIAL.with_split_pattern(None).encode(TEXT))))


def test_what_can_not_be_used_as_a_tokenizer_says_so_and_keeps_the_text(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.write(TEXT)
    whole = FILES["tokenizer.json"]
    for name, data, says in (
        ("rwkv_vocab.txt", b"1 '\\x00' 1\n2 '\\x01' 1\n3 '\\x02' 1\n", "is the vocabulary of RWKV"),
        ("tokenizer.json", whole[: len(whole) // 2], "tokenizer.json is incomplete or damaged: download it again."),
    ):
        page.get_by_label("A text file").set_input_files({"name": name, "mimeType": "", "buffer": data})
        dialog = page.get_by_role("dialog", name="Open it as a text?")
        expect(dialog).to_contain_text(says)
        dialog.get_by_role("button", name="cancel").click()
    expect(tokens.editor).to_have_value(TEXT)


def test_file_without_a_split_pattern_can_be_read_as_text(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    before = tokens.editor.input_value()
    dialog = choose(tokens, "some.tiktoken")
    expect(dialog).to_contain_text("without its split pattern")
    dialog.get_by_role("button", name="cancel").click()
    expect(tokens.editor).to_have_value(before)
    choose(tokens, "some.tiktoken").get_by_role("button", name="open as text").click()
    expect(tokens.editor).to_have_value(FILES["some.tiktoken"].decode())
    tokens.tokenizer.fill("claude")
    expect(page.get_by_text("No tokenizer here is called “claude”")).to_contain_text(
        "drop its file tokenizer.json on this page"
    )


def test_a_tokenizer_that_an_engine_runs_is_applied(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.write(TEXT)
    choose(tokens, "bert-vocab.txt").get_by_role("button", name="use the tokenizer").click()
    expect(tokens.tokenizer).to_have_value("bert-vocab.txt")
    expect(tokens.count("tokens")).to_have_text(str(len(TEXT.replace(",", " ,").split())))


def test_unsupported_vocabulary_is_named_and_can_be_read_as_text(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    before = tokens.editor.input_value()
    choose(tokens, "merges.txt")
    dialog = page.get_by_role("dialog", name="Open it as a text?")
    expect(dialog).to_contain_text("merges.txt holds merges without a vocabulary")
    expect(tokens.editor).to_have_value(before)
    dialog.get_by_role("button", name="open as text").click()
    expect(tokens.editor).to_have_value(FILES["merges.txt"].decode())


def test_a_model_is_fetched_by_name_where_the_server_allows_it(page: Page, widgets_url: str) -> None:
    tokenizer = registry.register(TOK, "owner/name")

    def allow(route: Route) -> None:
        route.fulfill(body=route.fetch().text().replace('"hub": false', '"hub": true'), content_type="text/html")

    page.route(widgets_url, allow)
    described = registry.describe(tokenizer).as_data()
    page.route("**/_tokviz/hub-tokenizer?name=hf%3Aowner%2Fname", lambda route: route.fulfill(json=described))
    tokens = TokensPage.open(page, widgets_url)
    tokens.write(TEXT)
    tokens.tokenizer.fill("hf:owner/name")
    expect(page.get_by_text("Press Enter to fetch the tokenizer of this model")).to_be_visible()
    tokens.tokenizer.press("Enter")
    expect(tokens.tokenizer).to_have_value("owner/name")
    expect(tokens.count("tokens")).to_have_text(str(len(TOK.encode(TEXT))))


def test_nothing_is_fetched_where_the_server_does_not_allow_it(page: Page, widgets_url: str) -> None:
    tokens = TokensPage.open(page, widgets_url)
    tokens.tokenizer.fill("hf:owner/name")
    expect(page.get_by_text("No tokenizer here is called “hf:owner/name”")).to_be_visible()
