"""The lesson in a language that nobody speaks: its letters have accents, so that a text from elsewhere stands out."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tokviz.course.pack import class_pack
from tokviz.lesson import languages
from tokviz.lesson.steps import lesson

FOLDER = Path(languages.__file__).parent
ACCENTED = dict(zip("abcdefghijklmnopqrstuvwxyz", "àƀćđéƒğĥíĵķĺɱñóƥɋŕšţúṽŵẋýž", strict=True))
ACCENTED |= {plain.upper(): accented.upper() for plain, accented in ACCENTED.items() if len(accented.upper()) == 1}
LETTERS = str.maketrans(ACCENTED)

# What stays as it is: tokens and pieces of text between backquotes, and what the page fills in.
KEPT = re.compile(r"(`[^`]*`|\{\w+\})")

ENGLISH = re.compile("[A-Za-z]{2,}")
NAMES = re.compile(r"GPT-2|cl100k|o200k|tokviz")
"""Names that are the same in all languages."""


def translated(value: Any) -> Any:
    """Translate all texts in a language's file."""
    if isinstance(value, dict):
        return {key: translated(each) for key, each in value.items()}
    if isinstance(value, list):
        return [translated(each) for each in value]
    parts = KEPT.split(value)
    return "".join(part if k % 2 else part.translate(LETTERS) for k, part in enumerate(parts))


def english_in(text: str) -> list[str]:
    """Return the words of a text that are not in that language."""
    return ENGLISH.findall(NAMES.sub("", text))


@contextmanager
def spoken() -> Iterator[None]:
    """Let the lesson be in that language within the block."""
    texts = translated(tomllib.loads((FOLDER / "en.toml").read_text("utf-8")))
    read = languages._parsed
    languages._parsed = lambda language: texts
    try:
        _forget()
        yield
    finally:
        languages._parsed = read
        _forget()


def _forget() -> None:
    lesson.cache_clear()
    class_pack.cache_clear()
