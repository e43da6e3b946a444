"""Questions that a projector sends to its room, and the votes that fit them. Anybody may send any data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_CHOICES = 8
MAX_LINKS = 6
MAX_FIELDS = 20
MAX_LINE, MAX_QUESTION, MAX_ANSWER = 300, 2_000, 4_000
"""Maximum characters of a title, a choice or a link; of a question, and what is said before it; of an answer."""

MAX_NUMBER = 1_000
"""Largest number that can be a free answer: tokens of a name."""

SCRIPTS = (
    *("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali", "Gurmukhi"),
    *("Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"),
    *("Ethiopic", "Hangul", "Hiragana", "Katakana", "Han"),
)
"""Scripts that a free answer may name, by their names in Unicode."""

OTHER_SCRIPT = "other"

_ID = re.compile("[a-z0-9-]{1,60}")
_TOKENIZER = re.compile("[A-Za-z0-9._-]{1,60}")
# A path on this server: neither "//host" nor "/\host", which lead elsewhere.
_HREF = re.compile(r"/(?![/\\])[!-~]{0,6000}")


class Invalid(ValueError):
    """Data that is no question, answer or vote. The message is a sentence."""


@dataclass(frozen=True)
class Kind:
    """The votes that a question takes: one of so many choices, or a number where there are none.

    The number is that of the tokens of a text, which stays on the phone. With `has_scripts`, its script is sent.
    """

    choices: int = 0
    has_scripts: bool = False


@dataclass(frozen=True)
class Question:
    """A question as phones may see it. `shown` is its JSON."""

    id: str
    kind: Kind
    shown: Mapping[str, Any]


@dataclass(frozen=True)
class Vote:
    """A choice, or a number with the script of the text that it was counted in, as an index of SCRIPTS; -1 for none."""

    value: int
    script: int = -1


def question_from(data: object) -> Question:
    """Check a question. Raises Invalid."""
    given = _fields(data)
    if not _ID.fullmatch(id := _text(given, "id", MAX_LINE)):
        raise Invalid("A question's id has only small letters, digits and hyphens.")
    shown: dict[str, Any] = {"id": id, "question": _text(given, "question", MAX_QUESTION)}
    for name, most in (("title", MAX_LINE), ("say", MAX_QUESTION)):
        if given.get(name):  # nothing is said before a question about a page
            shown[name] = _text(given, name, most)
    if "number" in given:
        kind, described = _number(given["number"])
        return Question(id, kind, shown | {"number": described})
    choices = _list(given.get("choices"), "choices", 2, MAX_CHOICES)
    shown["choices"] = [_text({"choice": choice}, "choice", MAX_LINE) for choice in choices]
    return Question(id, Kind(len(shown["choices"])), shown)


def answer_from(data: object, question: Question) -> dict[str, Any]:
    """Check the answer to a question, as phones may see it once it is revealed. Raises Invalid."""
    given = _fields(data)
    answers = _list(given.get("answers", []), "answers", 0, MAX_CHOICES)
    if not all(_is_whole(answer, question.kind.choices - 1) for answer in answers):
        raise Invalid("An answer is the index of a choice.")
    answer: dict[str, Any] = {"answers": answers, "links": _links(given.get("links", []))}
    if given.get("reveal") is not None:
        answer["reveal"] = _text(given, "reveal", MAX_ANSWER)
    if given.get("figure") is not None:
        answer["figure"] = _figure(given["figure"])
    return answer


def vote_from(data: object, kind: Kind) -> Vote:
    """Check a vote on a question of this kind. Raises Invalid."""
    given = _fields(data)
    if kind.choices:
        if not _is_whole(given.get("choice"), kind.choices - 1):
            raise Invalid("This is none of the choices.")
        return Vote(given["choice"])
    if not _is_whole(given.get("number"), MAX_NUMBER):
        raise Invalid(f"Send a whole number from 0 to {MAX_NUMBER:,}.")
    script = given.get("script") if kind.has_scripts else None
    if script not in (*SCRIPTS, OTHER_SCRIPT, None):
        raise Invalid("This is not the name of a script.")
    return Vote(given["number"], SCRIPTS.index(script) if script in SCRIPTS else -1)


def _number(data: object) -> tuple[Kind, dict[str, Any]]:
    given = _fields(data)
    has_scripts = given.get("scripts") is True
    if not _TOKENIZER.fullmatch(name := _text(given, "tokenizer", MAX_LINE)):
        raise Invalid("This is not the name of a tokenizer.")
    return Kind(has_scripts=has_scripts), {"tokenizer": name, "scripts": [*SCRIPTS] if has_scripts else []}


def _fields(data: object) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise Invalid("This is not an object of JSON.")
    return data


def _text(given: Mapping[str, Any], name: str, most: int) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise Invalid(f"“{name}” must be a text of up to {most:,} characters.")
    return value


def _list(value: object, name: str, least: int, most: int) -> Sequence[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise Invalid(f"“{name}” must be a list of {least} to {most}.")
    return value


def _links(value: object) -> list[dict[str, str]]:
    links = [_fields(link) for link in _list(value, "links", 0, MAX_LINKS)]
    return [{"label": _text(link, "label", MAX_LINE), "href": _href(link.get("href"))} for link in links]


def _figure(value: object) -> dict[str, Any]:
    """Return a link of the lesson as data, which phones show as a figure (see `widgets/figure/figure.js`)."""
    given = _fields(value)
    fields = _fields(given.get("fields", {}))
    if len(fields) > MAX_FIELDS or not all(isinstance(each, str) for each in fields.values()):
        raise Invalid(f"A figure has up to {MAX_FIELDS} settings, which are texts.")
    page, text = given.get("page"), given.get("text")
    if not isinstance(page, str) or not isinstance(text, str | None):
        raise Invalid("A figure has a page, and may have a text.")
    return {"label": _text(given, "label", MAX_LINE), "page": page, "fields": dict(fields), "text": text}


def _href(value: object) -> str:
    """Return the address of a page of this server. Others could run a script, or pass for this server's."""
    if not isinstance(value, str) or not _HREF.fullmatch(value):
        raise Invalid("A link leads to a page of this server: it begins with /.")
    return value


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
