"""Sample texts for trying out a tokenizer, written for tokviz, but for the opening of *Anna Karenina*.

That is Constance Garnett's translation of 1901, in the public domain, as published figures use it: with its misprint.

    >>> from tokviz.samples import sample
    >>> sample("words-contractions").text.splitlines()[0]
    "DON'T PANIC, IT'S 2026!"

A text is its file, byte for byte: some hold tabs, CR LF, no-break spaces or zero-width characters on
purpose, and no file ends in a line break.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tokviz.samples.index import INDEX, KINDS, Direction, Kind

__all__ = ["KINDS", "Direction", "Kind", "Sample", "parallel_passages", "sample", "samples"]

_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}


@dataclass(frozen=True)
class Sample:
    """A sample text, with what a page needs to list and display it.

    `name` is the sample's name in links and never changes; `title` is for a menu, under the heading
    `KINDS[kind]`; `lang` is a BCP 47 tag, or None for a text in no particular language.
    """

    name: str
    title: str
    kind: Kind
    text: str
    lang: str | None
    direction: Direction


@cache
def samples() -> tuple[Sample, ...]:
    """All samples, in menu order: kind by kind, as in `KINDS`."""
    return tuple(_read(kind, *row) for kind in KINDS for row in INDEX[kind])


def sample(name: str) -> Sample:
    """Return the sample of that name. Raises ValueError if there is none."""
    by_name = {each.name: each for each in samples()}
    if name not in by_name:
        raise ValueError(f"no sample is named {name!r}; choose one of {', '.join(by_name)}")
    return by_name[name]


def parallel_passages() -> tuple[Sample, ...]:
    """One short passage in many languages, English first.

    Line n means the same in each, so a difference in tokens is the language's and the tokenizer's, not the
    content's.
    """
    return tuple(each for each in samples() if each.kind == "prose")


def _read(kind: Kind, name: str, title: str, lang: str | None) -> Sample:
    file = files(__name__) / kind / f"{name.removeprefix(kind + '-')}.txt"
    text = file.read_bytes().decode("utf-8")  # read_text would translate CR LF
    return Sample(name, title, kind, text, lang, "rtl" if lang in _RIGHT_TO_LEFT else "ltr")
