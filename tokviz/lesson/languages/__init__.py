"""The lesson's texts, one file for each language, and the check that a file says all that a page shows.

Another language is a second file with the same tables and keys. Backquotes enclose a piece of text or a token; `·` in
it is a space. The page fills in a name in {braces}. A text about a number is a table of its forms, by the
plural categories of Unicode's CLDR: "other", and those that the language has.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent

_STEP = {"title": str, "say": str, "question": str, "choices": list, "reveal": str, "labels": list}
_MISCONCEPTION = {"belief": str, "correction": str}
_ORIGINAL = "en"
_PLURALS = frozenset(("zero", "one", "two", "few", "many", "other"))


def languages() -> tuple[str, ...]:
    """Return the languages that have a file, as language tags."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def read(language: str, steps: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Return a language's texts. `steps` has the number of choices and of links of each step, by id.

    Raises ValueError with the first thing that a file lacks or has too much, and if there is no such file.
    """
    if language not in languages():
        raise ValueError(f"the lesson is not in {language!r}; its languages are {', '.join(languages())}")
    texts = _parsed(language)
    for problem in _problems(texts, steps):
        raise ValueError(f"languages/{language}.toml: {problem}")
    return texts


def _parsed(language: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))


def _problems(texts: dict[str, Any], steps: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Yield what is wrong with a file, in sentences."""
    original = _parsed(_ORIGINAL)
    yield from _differences("the file", texts, original)
    yield from _differences("[steps]", texts["steps"], steps)
    for name in original.keys() - {"steps", "misconceptions"}:
        yield from _differences(f"[{name}]", texts[name], original[name])
        yield from _wrong_fields(f"[{name}]", texts[name], original[name])
    for name, (choices, links) in steps.items():
        step = texts["steps"][name]
        yield from _differences(f"[steps.{name}]", step, _STEP)
        for key, count in (("choices", choices), ("labels", links)):
            if len(step[key]) != count:
                yield f"[steps.{name}] has {len(step[key])} {key}, not {count}"
    for each in texts["misconceptions"]:
        yield from _differences("[[misconceptions]]", each, _MISCONCEPTION)
    for text in _strings(texts):
        if not text.strip() or text.count("`") % 2:
            yield f"this text is empty, or lacks a backquote: {text!r}"


def _differences(where: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    for key in wanted.keys() - found.keys():
        yield f"{where} lacks {key!r}"
    for key in found.keys() - wanted.keys():
        yield f"{where} has {key!r}, which no page shows"


def _wrong_fields(where: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that fill in something else than those of the original, or lack a form for numbers."""
    for key, text in wanted.items():
        forms, others = _forms(text), _forms(found[key])
        if isinstance(text, str) != isinstance(found[key], str) or not {"other"} <= others.keys() <= _PLURALS:
            yield f"{where} {key!r} must be {'a text' if isinstance(text, str) else 'forms for numbers'}"
        elif any(_fields(form) != _fields(forms["other"]) for form in others.values()):
            yield f"{where} {key!r} must fill in {', '.join(_fields(forms['other'])) or 'nothing'}"


def _forms(text: Any) -> Mapping[str, str]:
    return text if isinstance(text, dict) else {"other": text}


def _fields(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for each in value.values() if isinstance(value, dict) else value:
        yield from _strings(each)
