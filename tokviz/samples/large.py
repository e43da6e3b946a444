"""Large texts that every Python has, read when they are asked for: its documentation's topics, and its own sources.

They differ a little from one version of Python to the next. Where Python was installed without them, they are not
offered.
"""

import re
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

MAX_SIZE = 2_000_000
"""Maximum code points of a large sample."""

_UNDERLINE = re.compile(r"\s*([*=^~\"-])\1{3,}")  # a line that only underlines the heading before it


class LargeSample(NamedTuple):
    """A large sample: its name in links, which never changes, its title in menus, and what it is."""

    name: str
    title: str
    about: str


@cache
def large_samples() -> tuple[LargeSample, ...]:
    """The large samples that this Python has."""
    return tuple(each for each in _READERS if large_texts(each.name))


@cache
def large_texts(name: str) -> tuple[str, ...]:
    """Return the texts of a large sample, at most `MAX_SIZE` code points of them in all; none if they are missing.

    Raises ValueError if there is no such sample.
    """
    for each, read in _READERS.items():
        if each.name == name:
            return tuple(_first(read(), MAX_SIZE))
    raise ValueError(f"no large sample is named {name!r}; choose one of {', '.join(each.name for each in _READERS)}")


def _first(texts: Iterator[str], most: int) -> Iterator[str]:
    """Yield texts as long as they fit into `most` code points; the first that doesn't is cut."""
    for text in texts:
        if most > 0 and text:
            yield text[:most]
        most -= len(text)
        if most <= 0:
            return


def _read_topics() -> Iterator[str]:
    try:
        topics: dict[str, str] = import_module("pydoc_data.topics").topics
    except ImportError:
        return
    lines = "\n\n".join(topics[name].strip() for name in sorted(topics)).splitlines()
    yield "\n".join(line for line in lines if not _UNDERLINE.fullmatch(line))


def _read_sources() -> Iterator[str]:
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        try:
            yield path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue


_READERS: dict[LargeSample, Callable[[], Iterator[str]]] = {
    LargeSample(
        "python-docs", "Python's documentation", "English, some 400 KB, from this server's Python"
    ): _read_topics,
    LargeSample("python-sources", "Python's own sources", "code, 2 MB, from this server's Python"): _read_sources,
}
