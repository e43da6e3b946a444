"""Figures of the chapter "pieces": one text by four tokenizers, words that never end, and how often each is used."""

import re
from collections import Counter
from functools import cache
from typing import Any

from tokviz.course.figure import MAX_LONG, OWN_TEXT, Figure, Part, bars, field, note, rung, section, sections
from tokviz.course.inside import MAX_SHOWN, row
from tokviz.display import counted, visible
from tokviz.pretrained import load
from tokviz.samples import samples
from tokviz.samples.large import large_texts
from tokviz.texts import repair

MAX_CHARACTERS = 300
"""Maximum code points of a text on the ladder."""

MAX_LISTED = 10
"""Maximum characters and words whose frequencies are listed."""

POINTS = 40
"""Points of the curve of a growing vocabulary."""

_CORPUS = "python-docs"
_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[str]:
    """Split a text into words and single signs. White space is left out.

    >>> words("It's 5, ok?")
    ['It', "'", 's', '5', ',', 'ok', '?']
    """
    return _WORD.findall(text)


@cache
def corpus() -> str:
    """Return the text that vocabularies of words and of characters are learned from: Python's documentation.

    Where Python has none, the samples.
    """
    return "\n".join(large_texts(_CORPUS)) or "\n".join(each.text for each in samples())


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(corpus()), frozenset(words(corpus()))


def ladder(text: str) -> dict[str, Any]:
    """Cut a text into characters, bytes, words and pieces, with the size of each vocabulary and what it lacks."""
    text = repair(text)[0][:MAX_CHARACTERS]
    known_characters, known_words = _known()
    gpt2 = load("gpt2")
    return {
        "rungs": [
            _rung("characters", len(known_characters), [(visible(char), char in known_characters) for char in text]),
            _rung("bytes", 256, [(f"{byte:02x}", True) for byte in text.encode()]),
            _rung("words", len(known_words), [(word, word in known_words) for word in words(text)]),
            row("pieces", gpt2, text) | {"vocabulary": len(gpt2.vocab)},
        ]
    }


def _rung(name: str, vocabulary: int, tokens: list[tuple[str, bool]]) -> dict[str, Any]:
    unknown = [token for token, is_known in tokens if not is_known]
    return {
        "name": name,
        "vocabulary": vocabulary,
        "count": len(tokens),
        "pieces": tokens[:MAX_SHOWN],
        "unknown": len(unknown),
    }


@cache
def growth() -> dict[str, Any]:
    """Return how many different words and characters there are in the first n words of the corpus, at POINTS places.

    With each, the last word that was new there.
    """
    found = words(corpus())
    step = max(1, len(found) // POINTS)
    seen: set[str] = set()
    characters: set[str] = set()
    newest = ""
    rows: list[dict[str, Any]] = []
    for place, word in enumerate(found, 1):
        if word not in seen:
            seen.add(word)
            characters.update(word)
            newest = word
        if place % step == 0:
            rows.append({"read": place, "words": len(seen), "characters": len(characters), "newest": newest})
    return {"rows": rows}


def frequencies(text: str) -> dict[str, Any]:
    """Count a text's characters and words: the most frequent, how many there are, and how many occur only once."""
    text, _ = repair(text)
    return {"characters": _frequent(Counter(text)), "words": _frequent(Counter(words(text)))}


def _frequent(counts: Counter[str]) -> dict[str, Any]:
    return {
        "all": counts.total(),
        "different": len(counts),
        "once": sum(count == 1 for count in counts.values()),
        "most": [(visible(each), count) for each, count in counts.most_common(MAX_LISTED)],
    }


def _frequent_section(one: str, found: dict[str, Any]) -> Part:
    title = f"{counted(one, found['all'])}, {found['different']:,} different"
    once = note(f"{found['once']:,} of the {found['different']:,} stand here only once.")
    return section(title, bars(found["most"]), once, label=f"{one}s")


def frequencies_columns(text: str) -> list[Part]:
    """Show the most frequent characters and words side by side."""
    found = frequencies(text)
    return [sections("columns", [_frequent_section(one, found[f"{one}s"]) for one in ("character", "word")])]


def ladder_rungs(text: str) -> list[Part]:
    """Show what each way makes of a text, one below the other."""
    rows = ladder(text)["rungs"]
    return [sections("rungs", (rung(each, f"vocabulary of {each['vocabulary']:,} · ") for each in rows))]


FIGURES = {
    "ladder": Figure(ladder_rungs, 4 * MAX_CHARACTERS, field("A text to cut in four ways", MAX_CHARACTERS)),
    "growth": Figure(lambda _: growth()),
    "frequencies": Figure(frequencies_columns, MAX_LONG, OWN_TEXT),
}
