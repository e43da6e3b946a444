"""The glossary: one list, whose examples open, and which explains the terms that chapters emphasize."""

import re
import unicodedata
from urllib.parse import parse_qs, urlsplit

from glossary import LIST, TERMS

from tokviz import widgets
from tokviz.app.answers.compression.questions import QUESTIONS
from tokviz.app.answers.visitors.kept_tokenizers import DESCRIPTIONS
from tokviz.chats.templates import TITLES
from tokviz.course.chapters import CHAPTERS, chapter
from tokviz.samples import samples

NO_TERMS = {"character", "seen first", "lowest numbers", "last in the alphabet", "Anna Karenina"}
"""What chapters emphasize besides: a title, the names of rules, and an everyday word."""


def test_terms_are_in_order_and_explained_once_in_a_sentence_or_two() -> None:
    terms = [term for term, _, _ in LIST]
    assert terms == sorted(set(terms), key=str.lower)
    for term, means, _ in LIST:
        assert means.endswith("."), term
        assert len(means) <= 150, term


KNOWN = {
    "template": set(TITLES),
    "tokenizer": {each.name for each in DESCRIPTIONS},
    "sample": {each.name for each in samples()},
    "chart": {each.name for each in QUESTIONS},
    "algorithm": {"sentencepiece-unigram"},
    "view": {"all"},
    "train": {"1"},
    "byte_fallback": {"1"},
    "size": {"500"},
}
"""Allowed values of the fields in examples on other pages than the course."""


def test_every_example_is_a_figure_of_a_chapter_or_a_page_that_knows_what_it_names() -> None:
    for term, _, example in LIST:
        if example.startswith("chapter="):
            fields = parse_qs(example, strict_parsing=True)
            (name,), (figure,) = fields["chapter"], fields["figure"]
            assert figure in chapter(name).figures, term
        else:
            address = urlsplit(example)
            assert address.path in {".", "chat", "replay", "train", "compression"}, term
            fields = parse_qs(address.query or address.fragment, strict_parsing=True)
            assert all(value in KNOWN[name] for name, values in fields.items() for value in values), term


def test_every_term_that_a_chapter_emphasizes_is_explained() -> None:
    known = {term.lower() for term in TERMS}
    for name in CHAPTERS:
        parts = [part for block in chapter(name).blocks for part in (*block.parts, *block.answer)]
        emphasized = {part.text for part in parts if part.kind == "emphasis"} - NO_TERMS
        emphasized |= set(re.findall(r"\*(.+?)\*", chapter(name).lead))
        assert {term for term in emphasized if not {term.lower(), term.lower().removesuffix("s")} & known} == set()


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
    """No other file of a widget or of the package has a sentence of the list."""
    package = widgets.FOLDER.parent
    for path in (*package.rglob("*.js"), *package.rglob("*.py"), *package.rglob("*.md")):
        if path.name == "glossary.js":
            continue
        source = path.read_text("utf-8")
        assert not [term for term, means, _ in LIST if means in source], path
