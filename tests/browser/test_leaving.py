"""Changes of page: input made just before one is kept, and nothing is asked for that the tab has."""

from playwright.sync_api import Page, expect

from pages import TRAINING_MS, ComparePage, CompressionPage, TokensPage, go_to, rest
from tokviz.app.answers.visitors.share_codes import Origin, write
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson.links import write_link

PAINTED = """async (link) => {
    const inside = (root) => [...root.querySelectorAll("*")].flatMap(
        (element) => [element, ...(element.shadowRoot ? inside(element.shadowRoot) : [])]);
    link.click();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const [shown, ...others] = inside(document.body).filter((element) => element.matches(".tokviz.in-app"));
    return [shown.className.split(" ")[1], shown.querySelector(".t") ? link.innerText.trim() : "blank", ...others];
}"""
"""Click a link. Returns the page that is shown two frames later, and the link's name if its tokens are there."""


def test_text_typed_just_before_or_after_the_click_that_leaves_is_kept(page: Page, app_url: str) -> None:
    tokens = TokensPage.open(page, app_url)
    expect(page.locator(".t").first).to_contain_text("The")
    tokens.editor.fill("typed last")
    # Like a tap: the editor loses focus and the link is followed immediately.
    page.get_by_role("link", name="Compression").evaluate("link => { document.activeElement.blur(); link.click() }")
    expect(page.get_by_role("heading", name="What merges buy, and what a text costs")).to_be_visible()
    CompressionPage(page).ask("What does each merge buy?")
    expect(page.get_by_text("10 bytes").first).to_be_visible()
    go_to(page, "Tokens")
    expect(tokens.text.locator(".t").first).to_contain_text("typed")
    # What is sent after the click does not lead back.
    tokens.editor.focus()
    link = page.get_by_role("link", name="Compression").element_handle()
    tokens.editor.evaluate(
        """(box, link) => {
            link.click();
            box.value = "typed later";
            box.dispatchEvent(new Event("input", { bubbles: true }));
            box.blur();
        }""",
        link,
    )
    expect(page.get_by_role("heading", name="What merges buy, and what a text costs")).to_be_visible()
    CompressionPage(page).ask("What does each merge buy?")
    expect(page.get_by_text("11 bytes").first).to_be_visible()


def test_tokenizer_from_a_link_opened_just_before_leaving_is_kept(page: Page, app_url: str) -> None:
    recipe = write(Origin("made of cats", Recipe(280), texts=("the cat in the hat",)))
    page.goto(write_link(app_url, {"tokenizer": "gone", "made": f"gone.{recipe}"}, "the cat"))
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("made of cats", timeout=TRAINING_MS)
    page.get_by_role("link", name="Compression").click()
    expect(page.get_by_role("button", name="Remove made of cats")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Remove made of cats")).to_have_count(1)


def test_a_page_seen_before_is_painted_at_once_from_what_the_tab_has(page: Page, app_url: str) -> None:
    """In the frame of the click, before the session has answered, and without any request."""
    tokens = TokensPage.open(page, app_url)
    tokens.write("seen on both pages")
    go_to(page, "Compare")
    expect(ComparePage(page).tokens("GPT-2")).to_have_text("4")
    rest(page)
    go_to(page, "Tokens")
    expect(tokens.text.locator(".t")).to_have_count(4)
    rest(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name, widget in (("Compare", "compare"), ("Tokens", "tokens")):
        painted = page.get_by_role("link", name=name, exact=True).first.evaluate(PAINTED)
        assert painted == [widget, name]
        rest(page)
    page.go_back()
    expect(page.locator(".tokviz.compare")).to_be_visible()
    expect(ComparePage(page).tokens("GPT-2")).to_have_text("4")
    assert asked == []
