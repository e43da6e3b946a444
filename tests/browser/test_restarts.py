"""The server is restarted while a tab is open: the reader's own tokenizer is made again from its recipe in the tab."""

from dataclasses import asdict

from browsing import served
from playwright.sync_api import Page, expect
from running_app import free_port
from tabs import Watched

import tokviz
from pages import TRAINING_MS, TokensPage
from tokviz.app.processes.training_recipes import Recipe
from tokviz.app.visitors.share_codes import Origin, write
from tokviz.lesson.links import write_link

RECIPE = Recipe(270)
TRAINED_ON, TYPED = "the cat in the hat", "the hat in the cat, the hat"


def test_a_tokenizer_that_a_restart_took_is_made_again_with_the_first_key(page: Page, watched: Watched) -> None:
    recipe = write(Origin("made of cats", RECIPE, texts=(TRAINED_ON,)))
    expected = len(tokviz.train(TRAINED_ON, **asdict(RECIPE)).encode(TYPED))
    assert expected != len(tokviz.load("cl100k_base").encode(TYPED))
    port = free_port()
    with served(port) as url:
        tokens = TokensPage.open(page, write_link(url, {"tokenizer": "gone", "made": f"gone.{recipe}"}, TYPED))
        expect(tokens.tokenizer).to_have_value("made of cats", timeout=TRAINING_MS)
        expect(tokens.count("tokens")).to_have_text(str(expected))
    with served(port):
        tokens.editor.press("End")
        tokens.editor.press_sequentially("s")
        expect(page.get_by_text("The server no longer had “made of cats”, so it was made again.")).to_be_visible()
        expect(tokens.count("tokens")).to_have_text(str(expected + 1))
        expect(tokens.tokenizer).to_have_value("made of cats")
    with served(port):
        page.reload()
        expect(tokens.tokenizer).to_have_value("made of cats", timeout=TRAINING_MS)
        expect(tokens.count("tokens")).to_have_text(str(expected + 1))
    watched.problems.clear()  # requests while the server was away


def test_a_tokenizer_from_a_file_that_a_restart_took_is_named(page: Page, app_url: str, watched: Watched) -> None:
    """Nothing in the tab can make it again, so the page says why it shows another."""
    page.goto(app_url)
    page.evaluate(
        """() => {
            sessionStorage.setItem("tokviz:/:own", JSON.stringify([["a".repeat(22), "", "my.model"]]));
            sessionStorage.setItem("tokviz:/", JSON.stringify({ tokenizer: "a".repeat(22), source: "the cat" }));
        }"""
    )
    page.reload()
    expect(page.get_by_text("“my.model” is no longer on this server: train it again")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("cl100k (GPT-4, GPT-3.5)")
    watched.problems.clear()  # the server says that it is gone
