"""The chapter "pieces": its facts, and the figures it computes."""

import re
from collections import Counter
from pydoc_data.topics import topics

import pytest
from chapter_facts import Facts, expect_true
from shipped import encoding_of

from tokviz.course import pieces
from tokviz.course.chapters import chapter

EXAMPLE = next(block.value for block in chapter("pieces").blocks if block.name == "frequencies")
TRIED = [part.value for block in chapter("pieces").blocks for part in block.parts if part.target == "ladder"]


def documentation() -> str:
    return "\n".join(topics.values())


def is_unknown(text: str) -> bool:
    """Whether the documentation lacks a word or a character of a text."""
    known = documentation()
    learned = set(re.findall(r"\w+|[^\w\s]", known))
    return not set(re.findall(r"\w+|[^\w\s]", text)) <= learned


FACTS: Facts = {
    "all 256 are known beforehand": lambda: 2**8 == 256,
    "a name that the documentation doesn't have": lambda: is_unknown("Ngozi Okonjo-Iweala"),
    "GPT-2's pieces begin with all 256 of them": lambda: (
        {bytes([byte]) for byte in range(256)} <= set(encoding_of("gpt2").token_byte_values())
    ),
    "你好 is two characters and six bytes": lambda: (len("你好"), len("你好".encode())) == (2, 6),
    "GPT-2 took 50,257 entries": lambda: encoding_of("gpt2").n_vocab == 50_257,
    "Most words are rare, in any text": lambda: Counter(documentation().split()).most_common()[-1][1] == 1,
}


def test_every_fact_is_true() -> None:
    expect_true("pieces", FACTS)


def test_what_is_to_make_it_harder_is_unknown_to_words() -> None:
    """But for the first, which is plain English."""
    rungs = {text: {rung["name"]: rung["unknown"] for rung in pieces.ladder(text)["rungs"]} for text in TRIED}
    harder = [text for text in TRIED if text != "the cat in the hat"]
    assert len(harder) == 5
    assert all(rungs[text]["words"] for text in harder)
    assert not any(rungs[text][name] for text in TRIED for name in ("bytes", "pieces"))
    assert rungs["你好，世界"]["characters"]


def test_ladder_counts_as_each_way_does() -> None:
    text = "The quick brown fox"
    counts = {rung["name"]: rung["count"] for rung in pieces.ladder(text)["rungs"]}
    assert counts == {
        "characters": len(text),
        "bytes": len(text.encode()),
        "words": len(text.split()),
        "pieces": len(encoding_of("gpt2").encode(text)),
    }


def test_words_go_on_and_characters_are_soon_complete() -> None:
    rows = pieces.growth()["rows"]
    half, last = rows[len(rows) // 2], rows[-1]
    found = re.findall(r"\w+|[^\w\s]", "\n".join([documentation()]))
    assert last["read"] > 0.9 * len(found)
    assert half["characters"] >= 0.9 * last["characters"]
    assert half["words"] <= 0.8 * last["words"]
    assert [row["words"] for row in rows] == sorted(row["words"] for row in rows)


def test_frequencies_are_those_of_a_counter() -> None:
    found = pieces.frequencies(EXAMPLE)
    words = Counter(re.findall(r"\w+|[^\w\s]", EXAMPLE))
    assert (found["words"]["all"], found["words"]["different"]) == (words.total(), len(words))
    assert found["words"]["once"] == sum(count == 1 for count in words.values())
    assert [count for _, count in found["words"]["most"]] == [count for _, count in words.most_common(10)]
    assert found["characters"]["all"] == len(EXAMPLE)


@pytest.mark.parametrize("text", ["", "\ud800", "x " * 100_000, "שלום עולם"])
def test_hostile_texts(text: str) -> None:
    counts = pieces.frequencies(text)
    assert counts["characters"]["all"] == len(text)
    assert all(rung["count"] <= 4 * pieces.MAX_CHARACTERS for rung in pieces.ladder(text)["rungs"])
