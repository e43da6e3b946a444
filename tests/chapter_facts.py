"""Facts that a chapter of the course states, each with a check by something independent of tokviz."""

import re
from collections.abc import Callable

from tokviz.course.chapters import chapter

Facts = dict[str, Callable[[], bool]]
"""Words of a chapter -> whether they are true."""

# A number, a code point, or bytes in hexadecimal.
_STATED = re.compile(r"U\+[0-9A-F]+|(?<![\w-])\d[\d,.]*\d|(?<![\w-])\d(?!\w)")

# Names that contain a number.
_NAMES = re.compile(r"GPT-\d|UTF-\d+|GPT-4o|cl100k|o200k")


def expect_true(name: str, facts: Facts) -> None:
    """Expect that a chapter says each of the facts, that each is true, and that no number in it stands unchecked."""
    text = chapter(name).text
    unchecked = _NAMES.sub("", text)
    for words, check in facts.items():
        assert words in text, f"{name} no longer says: {words}"
        assert check(), f"{name} is wrong: {words}"
        unchecked = unchecked.replace(_NAMES.sub("", words), "")
    assert _STATED.findall(unchecked) == [], name
