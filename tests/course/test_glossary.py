"""The glossary: one list, whose examples open, and which explains the terms that chapters emphasize."""

import json
import re
import unicodedata
from urllib.parse import parse_qs

from tokviz import widgets
from tokviz.course.chapters import CHAPTERS, chapter

SOURCE = (widgets.FOLDER / "shared" / "text" / "glossary.js").read_text("utf-8")
LIST: list[tuple[str, str, str]] = json.loads(
    SOURCE.partition("const LIST = ")[2].partition(";\n\n/**")[0].replace(",\n]", "\n]")
)
TERMS = {term for term, _, _ in LIST}

NO_TERMS = {"character", "seen first", "lowest numbers", "last in the alphabet", "Anna Karenina"}
"""What chapters emphasize besides: a title, the names of rules, and an everyday word."""


def test_terms_are_in_order_and_explained_once_in_a_sentence_or_two() -> None:
    terms = [term for term, _, _ in LIST]
    assert terms == sorted(set(terms), key=str.lower)
    for term, means, _ in LIST:
        assert means.endswith("."), term
        assert len(means) <= 150, term


def test_every_example_is_a_figure_of_a_chapter_with_something_to_show() -> None:
    for term, _, example in LIST:
        fields = parse_qs(example, strict_parsing=True)
        (name,), (figure,) = fields["chapter"], fields["figure"]
        assert figure in chapter(name).figures, term


def test_every_term_that_a_chapter_emphasizes_is_explained() -> None:
    for name in CHAPTERS:
        parts = [part for block in chapter(name).blocks for part in (*block.parts, *block.answer)]
        emphasized = {part.text for part in parts if part.kind == "emphasis"}
        assert {term for term in emphasized if term not in TERMS and term.removesuffix("s") not in TERMS} <= NO_TERMS


def test_facts_of_the_list() -> None:
    means = {term: sentence for term, sentence, _ in LIST}
    assert "U+FEFF" in means["byte order mark"]
    assert unicodedata.name("\ufeff") == "ZERO WIDTH NO-BREAK SPACE"  # its name as a character; as a mark, BOM
    assert "U+FFFF" in means["surrogates"]
    assert len("\uffff".encode("utf-16-le")) == 2 and len(chr(0x10000).encode("utf-16-le")) == 4
    assert "0 to 255" in means["byte"]
    assert re.search("one to four bytes", means["UTF-8"])
    assert {len(char.encode()) for char in "A\u0080\u0800\U00010000"} == {1, 2, 3, 4}


def test_the_words_are_listed_once() -> None:
    """No other file of a widget has a sentence of the list."""
    for path in widgets.FOLDER.rglob("*.js"):
        if path.name == "glossary.js":
            continue
        source = path.read_text("utf-8")
        assert not [term for term, means, _ in LIST if means in source], path
