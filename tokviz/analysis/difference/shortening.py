"""Shortening of a text that shows something, until no part of it can be left out (delta debugging)."""

from collections.abc import Callable


def shorten_while(text: str, shows: Callable[[str], bool]) -> str:
    """Return a part of `text` that still `shows` it, from which no single character can be left out.

    Larger parts are left out first: halves, then quarters, and so on (Zeller and Hildebrandt, 2002).

    >>> shorten_while("some (text) here", lambda text: "(" in text and ")" in text)
    '()'
    """
    size = max(1, len(text) // 2)
    while True:
        before = len(text)
        start = 0
        while start < len(text):
            rest = text[:start] + text[start + size :]
            if shows(rest):
                text = rest
            else:
                start += size
        if size == 1 and len(text) == before:
            return text
        size = max(1, size // 2)
