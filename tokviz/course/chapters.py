"""The chapters: markdown files, read into blocks that a page or a sheet draws.

A chapter may hold only this much of markdown, so that a teacher can correct a sentence and nothing is ever guessed:

    # Title                           > Lead: what the chapter is about, in the contents and under the title.
    ## Heading
    A paragraph with `code`, *emphasis*, [a page of the web](https://…), [another chapter](letters),
    [a value for a figure](spellings=ệ) and [a page of the app](compare). Emphasis explains a term of the glossary.
    ![What to do with the figure](spellings "ệ")          a figure by its name, with its first value

    A question?                       - [ ] wrong  - [x] right      > What is said once it is answered.
    - ![Images as codes](codes "16") A card: its title, a small figure with its first value, and what is said of both.
    - [Compare two tokenizers](compare) Ways on, at the end.

Anything else is a ValueError that names the file and its line.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tokviz.widgets import FOLDER

CHAPTERS = ("letters", "pieces", "pairs", "cuts", "vectors", "specials", "families", "trouble", "checking")
"""The chapters in their order, each a file and a link's name."""

TEACHERS = "teachers"
"""The page for teachers, which is read like a chapter, but is none of the course."""

PAGES = ("", "tokens", "compare", "replay", "compression", "train", "chat", "lesson")
"""Pages of the app that a chapter leads to."""

FIGURE_MODULES = FOLDER / "course" / "figures"
"""The widget's modules of figures, named after them."""

_FILES = Path(__file__).parent / "chapters"

_PART = re.compile(
    r"`(?P<code>[^`]+)`|\*(?P<emphasis>[^*]+)\*|\[(?P<link>[^\]]+)\]\((?P<target>[^)\s]*|[^)=]*=[^)]*)\)"
)
_FIGURE = re.compile(r'!\[(?P<caption>[^\]]+)\]\((?P<name>[a-z0-9-]+)(?: "(?P<value>[^"]*)")?\)')
_CARD = re.compile(rf"- {_FIGURE.pattern} (?P<text>.+)")
_CHOICE = re.compile(r"- \[(?P<right>[ x])\] (?P<text>.+)")
_WAY = re.compile(r"- \[(?P<label>[^\]]+)\]\((?P<target>\S+)\)")
_STRAY = re.compile(r"[`*\[\]]|!\[")

PartKind = Literal["text", "code", "emphasis", "figure", "chapter", "page", "web"]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a paragraph.

    `target` is where a link leads: a figure, which gets `value`, a chapter, a page with the fields in `value`, or an
    address of the web.
    """

    kind: PartKind
    text: str
    target: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its title, the name and first value of its small figure, and a paragraph."""

    title: str
    name: str
    value: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a figure, a question, cards or the ways on. Only the fields of its `kind` are filled.

    A figure has its `name`, its first `value`, and as `parts` what to do with it. A question has `choices`, of which
    `right` is the index of the right one, and `answer`. Ways on are `ways`, links.
    """

    kind: Literal["heading", "paragraph", "figure", "question", "cards", "ways"]
    parts: tuple[Part, ...] = ()
    name: str = ""
    value: str = ""
    choices: tuple[tuple[Part, ...], ...] = ()
    right: int = 0
    answer: tuple[Part, ...] = ()
    cards: tuple[Card, ...] = ()
    ways: tuple[Part, ...] = field(default=())

    @property
    def all_parts(self) -> Iterator[Part]:
        """The parts of all that is read in the block, besides the ways on."""
        yield from self.parts
        yield from self.answer
        for choice in self.choices:
            yield from choice
        for card in self.cards:
            yield Part("text", f"{card.title}\n")
            yield from card.parts


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its name in links, its title, its lead with *terms* that are explained, and its blocks in order."""

    name: str
    title: str
    lead: str
    blocks: tuple[Block, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the chapter as JSON data, with the forms of its figures that have no module of their own."""
        from tokviz.course.figures import FIGURES  # which computes what the contents don't need

        forms = {name: FIGURES[name].form for name in self.first_values if name in FIGURES}
        return asdict(self) | {"forms": {name: form for name, form in forms.items() if form}}

    @property
    def text(self) -> str:
        """All that is read in the chapter besides its figures."""
        shown = (*self.blocks, Block("paragraph", (Part("text", self.lead),)))
        ways = [part.text for block in self.blocks for part in block.ways]
        return "\n".join([self.title, *("".join(part.text for part in block.all_parts) for block in shown), *ways])

    @property
    def figures(self) -> list[str]:
        """Names of the chapter's figures, in order, besides the small ones on cards."""
        return [block.name for block in self.blocks if block.kind == "figure"]

    @property
    def first_values(self) -> dict[str, str]:
        """The first value of each figure, with those on cards."""
        cards = {card.name: card.value for block in self.blocks for card in block.cards}
        return {block.name: block.value for block in self.blocks if block.kind == "figure"} | cards


@cache
def chapter(name: str) -> Chapter:
    """Return the chapter of that name, or the page for teachers. Raises ValueError if there is none."""
    if name not in (*CHAPTERS, TEACHERS):
        raise ValueError(f"no chapter is named {name!r}; choose one of {', '.join(CHAPTERS)}")
    return parse((_FILES / f"{name}.md").read_text("utf-8"), name)


def contents() -> list[dict[str, str]]:
    """Return the names, titles and leads of all chapters, for the widget's contents."""
    every = map(chapter, CHAPTERS)
    return [{"name": each.name, "title": each.title, "lead": each.lead.replace("*", "")} for each in every]


def figure_names() -> set[str]:
    """Names of all figures: each is a module of the widget, or data that one module draws."""
    from tokviz.course.figures import FIGURES  # which chapters need only when they are read

    drawn_from_data = {name for name, figure in FIGURES.items() if figure.form}
    return drawn_from_data | {path.stem for path in FIGURE_MODULES.glob("*.js")}


def parse(source: str, name: str) -> Chapter:
    """Read a chapter's markdown. Raises ValueError, with the line, for what a chapter may not hold."""
    paragraphs = list(_paragraphs(source))
    title, lead = [*(text for _, text in paragraphs[:2]), "", ""][:2]
    if not title.startswith("# ") or not lead.startswith("> "):
        raise ValueError(f"{name}.md, line 1: a chapter begins with “# ” and its title, then “> ” and its lead")
    blocks: list[Block] = []
    for line, text in paragraphs[2:]:
        try:
            _add(blocks, text)
        except ValueError as error:
            raise ValueError(f"{name}.md, line {line}: {error}") from None
    return Chapter(name, title[2:], lead[2:], tuple(blocks))


def _paragraphs(source: str) -> Iterator[tuple[int, str]]:
    """Yield what blank lines separate, with the number of its first line. The lines of prose are joined by spaces."""
    for found in re.finditer(r"(?:.*\S.*\n?)+", source):
        lines = found[0].rstrip("\n").split("\n")
        yield source.count("\n", 0, found.start()) + 1, ("\n" if lines[0].startswith("- ") else " ").join(lines)


def _add(blocks: list[Block], text: str) -> None:
    """Add what a paragraph of the source is to the blocks."""
    if text.startswith("## "):
        blocks.append(Block("heading", _parts(text[3:])))
    elif text.startswith("!["):
        found = _FIGURE.fullmatch(text)
        if not found:
            raise ValueError('a figure is ![what to do](name) or ![what to do](name "first value")')
        blocks.append(Block("figure", _parts(found["caption"]), _figure_name(found["name"]), found["value"] or ""))
    elif text.startswith("- !["):
        blocks.append(_cards(text))
    elif text.startswith("- ["):
        _add_list(blocks, text)
    elif text.startswith("> "):
        if not blocks or blocks[-1].kind != "question" or blocks[-1].answer:
            raise ValueError("“> ” begins the answer to a question, after its choices")
        question = blocks.pop()
        blocks.append(Block("question", question.parts, "", "", question.choices, question.right, _parts(text[2:])))
    elif re.match(r"#|- |\d+\. |```|    |\|", text):
        raise ValueError("of markdown, a chapter has “## ” headings, figures, choices, cards and ways on only")
    else:
        blocks.append(Block("paragraph", _parts(text)))


def _figure_name(name: str) -> str:
    if name not in figure_names():
        raise ValueError(f"no figure is named {name!r}; there are {', '.join(sorted(figure_names()))}")
    return name


def _cards(text: str) -> Block:
    found = [_CARD.fullmatch(line) for line in text.split("\n")]
    if not all(found):
        raise ValueError('cards are lines of - ![title](figure "first value") and a paragraph')
    cards = (
        Card(card["caption"], _figure_name(card["name"]), card["value"] or "", _parts(card["text"]))
        for card in found
        if card
    )
    return Block("cards", cards=tuple(cards))


def _add_list(blocks: list[Block], text: str) -> None:
    """Add the choices of the question before, or ways on."""
    items = text.split("\n")
    choices = [_CHOICE.fullmatch(item) for item in items]
    if any(choices):
        right = [place for place, choice in enumerate(choices) if choice and choice["right"] == "x"]
        if not all(choices) or len(right) != 1 or not blocks or blocks[-1].kind != "paragraph":
            raise ValueError("choices are lines of “- [ ] ”, one of them “- [x] ”, after a question")
        asked = blocks.pop()
        texts = tuple(_parts(choice["text"]) for choice in choices if choice)
        blocks.append(Block("question", asked.parts, choices=texts, right=right[0]))
        return
    ways = [_WAY.fullmatch(item) for item in items]
    if not all(ways):
        raise ValueError("ways on are lines of “- [what is there](page)”")
    blocks.append(Block("ways", ways=tuple(_link(way["label"], way["target"]) for way in ways if way)))


def _parts(text: str) -> tuple[Part, ...]:
    """Split a paragraph into its parts."""
    parts: list[Part] = []
    place = 0
    for found in _PART.finditer(text):
        _add_text(parts, text[place : found.start()])
        if found["link"]:
            parts.append(_link(found["link"], found["target"]))
        else:
            parts.append(Part("code", found["code"]) if found["code"] else Part("emphasis", found["emphasis"]))
        place = found.end()
    _add_text(parts, text[place:])
    return tuple(parts)


def _add_text(parts: list[Part], text: str) -> None:
    stray = _STRAY.search(text)
    if stray:
        raise ValueError(f"“{stray[0]}” without its other half, or more markdown than a chapter has")
    if text:
        parts.append(Part("text", text))


def _link(label: str, target: str) -> Part:
    name, equals, value = target.partition("=")
    if target.startswith("https://"):
        return Part("web", label, target)
    if target in CHAPTERS:
        return Part("chapter", label, target)
    if equals and name in figure_names():
        return Part("figure", label, name, value)
    page, _, fields = target.partition("?")
    if page in PAGES:
        return Part("page", label, "" if page == "tokens" else page, fields)
    raise ValueError(f"“{target}” is neither a figure's value, nor a chapter, nor a page")
