"""The pages: their names, and what a chat or a search engine says of a link to one."""

import re
from dataclasses import dataclass, replace

ICON = "_tokviz/pictures/icon.png"
"""Address of their icon from the app's root."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, whose script is `pages/NAME.py`."""

    name: str
    title: str
    """Its name in the navigation."""
    headline: str
    description: str
    widget: str = ""
    """Folder of its widget, if that has another name."""
    language: str = "en"
    is_hidden: bool = False
    """True if the navigation leaves it out."""

    @property
    def path(self) -> str:
        """Its address from the app's root."""
        return "" if self.name == _FIRST else self.name


_FIRST = "tokens"
_LESSON = "lesson"

PAGES = (
    Page(
        _FIRST,
        "Tokens",
        "See a text as a language model reads it",
        "Paste a text and watch it become tokens as you type: how GPT-2, GPT-4 and others cut it, byte by byte.",
    ),
    Page(
        "compare",
        "Compare",
        "Same text, different tokens",
        "Where tokenizers cut the same text differently, how many tokens that costs, and why.",
    ),
    Page(
        "replay",
        "Merge replay",
        "Watch a text become tokens",
        "How a tokenizer reads a text, merge by merge, with the real merges of GPT-2, GPT-4 and others.",
    ),
    Page(
        "compression",
        "Compression",
        "What merges buy, and what a text costs",
        "Which languages and formats take more tokens, and how many a text of yours takes.",
    ),
    Page(
        "train",
        "Train",
        "Train a tokenizer of your own",
        "Learn merges from a text of yours, watch pairs become tokens, and take the tokenizer along.",
    ),
    Page(
        "chat",
        "Chat",
        "A chat as a model reads it",
        "A model reads no messages, but one long text: what a chat template makes of yours, token by token.",
    ),
    Page(
        "course",
        "Course",
        "How tokenizers work",
        "Short chapters with figures to try out: letters and bytes, pairs and merges, and what goes wrong.",
    ),
    Page(_LESSON, "Lesson", "", "", widget="frame", is_hidden=True),
)
"""The pages in the order of the navigation. The lesson's texts say what the last is about: see `page_at`."""


def page_at(path: str) -> Page | None:
    """Return the page at an address from the app's root, if there is one."""
    page = next((page for page in PAGES if page.path == path), None)
    return lesson_page() if page and page.name == _LESSON else page


def tab_title(path: str) -> str:
    """Return the title of a page's tab, until its widget says what it shows (`shared/page/title.js`)."""
    page = page_at(path)
    return titled(page.title) if page else "tokviz"


def titled(name: str) -> str:
    """Return the title of a tab with something of this name."""
    return f"{name} · tokviz"


def lesson_page() -> Page:
    """Return the Lesson page as the lesson's texts call it, which other pages don't need."""
    from tokviz.lesson.steps import lesson

    words = lesson().words["page"]
    return replace(
        PAGES[-1],
        title=words["title"],
        headline=words["title"],
        description=re.split(r"(?<=[.。।])\s", words["introduction"])[0].replace("*", ""),
        language=lesson().language,
    )
