"""Reading chapters: what a chapter may hold, and that all of them keep to it."""

import re
from pathlib import Path

import pytest

from tokviz import widgets
from tokviz.course.chapters import CHAPTERS, FIGURE_MODULES, TEACHERS, Part, chapter, figure_names, parse
from tokviz.course.figures import FIGURES

MAX_WORDS, MAX_FIGURES = 700, 5
BEGINNING = "# Title\n\n> Lead.\n\n"


@pytest.mark.parametrize("name", [*CHAPTERS, TEACHERS])
def test_a_chapter_is_short(name: str) -> None:
    read = chapter(name)
    assert len(re.findall(r"\w[\w'’-]*", read.text)) <= MAX_WORDS
    assert len(read.figures) <= MAX_FIGURES
    assert len(set(read.figures)) == len(read.figures)


def test_every_file_is_a_chapter_and_every_figure_is_used_and_can_be_created() -> None:
    folder = Path(__file__).parents[2] / "tokviz" / "course" / "chapters"
    assert {file.stem for file in folder.iterdir()} == {*CHAPTERS, TEACHERS}
    used = [figure for name in CHAPTERS for figure in chapter(name).first_values]
    assert set(used) == figure_names()
    modules = [widgets.FOLDER / "course" / "parts.js", *FIGURE_MODULES.iterdir()]
    assert all(re.search(r"^export (?:function|const) create\b", module.read_text("utf-8"), re.M) for module in modules)
    as_data = {name for name, each in FIGURES.items() if each.form}
    assert not as_data & {module.stem for module in modules}


def test_parts_of_a_paragraph() -> None:
    source = "Say `a*b`, *loudly*, [é](apart=e=1), [first](letters), [look](compare?compare=gpt2) [x](https://a.b/)."
    (block,) = parse(BEGINNING + source, "test").blocks
    assert block.parts == (
        Part("text", "Say "),
        Part("code", "a*b"),
        Part("text", ", "),
        Part("emphasis", "loudly"),
        Part("text", ", "),
        Part("figure", "é", "apart", "e=1"),
        Part("text", ", "),
        Part("chapter", "first", "letters"),
        Part("text", ", "),
        Part("page", "look", "compare", "compare=gpt2"),
        Part("text", " "),
        Part("web", "x", "https://a.b/"),
        Part("text", "."),
    )


def test_blocks() -> None:
    source = """## Heading

Two lines
of prose.

Which?

- [ ] one
- [x] `two`

> Two it is.

![Do it.](bytes "e2 82 ac")

- ![One](gist) Of it.
- ![Two](codes "4") Of *that*.

- [Tokens of it](tokens)
"""
    read = parse(BEGINNING + source, "test")
    heading, prose, question, figure, cards, ways = read.blocks
    assert (read.title, read.lead) == ("Title", "Lead.")
    assert [block.kind for block in read.blocks] == ["heading", "paragraph", "question", "figure", "cards", "ways"]
    assert heading.parts == (Part("text", "Heading"),)
    assert prose.parts == (Part("text", "Two lines of prose."),)
    assert (question.parts, question.right) == ((Part("text", "Which?"),), 1)
    assert question.choices == ((Part("text", "one"),), (Part("code", "two"),))
    assert question.answer == (Part("text", "Two it is."),)
    assert (figure.name, figure.value, read.figures) == ("bytes", "e2 82 ac", ["bytes"])
    assert [(card.title, card.name, card.value) for card in cards.cards] == [("One", "gist", ""), ("Two", "codes", "4")]
    assert cards.cards[1].parts == (Part("text", "Of "), Part("emphasis", "that"), Part("text", "."))
    assert read.first_values == {"bytes": "e2 82 ac", "gist": "", "codes": "4"}
    assert ways.ways == (Part("page", "Tokens of it", ""),)
    assert (
        read.text
        == "Title\nHeading\nTwo lines of prose.\nWhich?Two it is.onetwo\nDo it.\nOne\nOf it.Two\nOf that.\n\nLead.\n"
        "Tokens of it"
    )


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        ("Text", 1, "begins with"),
        (BEGINNING + "![x](no-such-figure)", 5, "no figure is named 'no-such-figure'"),
        (BEGINNING + "- ![x](no-such-figure) Text.", 5, "no figure is named 'no-such-figure'"),
        (BEGINNING + "- ![x](codes)", 5, "cards are"),
        (BEGINNING + "- ![x](codes) Text.\n- [Tokens](tokens) Text.", 5, "cards are"),
        (BEGINNING + "![x](bytes 'a')", 5, "a figure is"),
        (BEGINNING + "One.\n\nTwo *is.", 7, "without its other half"),
        (BEGINNING + "A [link](nowhere).", 5, "neither a figure's value, nor a chapter, nor a page"),
        (BEGINNING + "A [link](javascript:alert).", 5, "neither"),
        (BEGINNING + "A [link](http://a.b).", 5, "neither"),
        (BEGINNING + "Q?\n\n- [ ] a\n- [ ] b", 7, "one of them"),
        (BEGINNING + "- [x] a\n- [ ] b", 5, "after a question"),
        (BEGINNING + "> Answer", 5, "begins the answer"),
        (BEGINNING + "### Small", 5, "only"),
        (BEGINNING + "- item", 5, "only"),
        (BEGINNING + "```\ncode\n```", 5, "only"),
    ],
)
def test_anything_else_is_refused_with_its_line(source: str, line: int, says: str) -> None:
    with pytest.raises(ValueError, match=rf"^test\.md, line {line}: .*{re.escape(says)}"):
        parse(source, "test")


def test_an_unknown_chapter() -> None:
    with pytest.raises(ValueError, match="no chapter is named 'x'; choose one of letters"):
        chapter("x")
