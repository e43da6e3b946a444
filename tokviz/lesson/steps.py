"""The lesson's steps: figures, questions and right answers, with the words of a language (see `languages`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from tokviz.lesson.languages import read

CAT = "the cat in the hat"
DOGS = "dog. dog! dog? dog. dog! dog?"
WORDS = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)


@dataclass(frozen=True)
class Link:
    """A link to a page of the app, with a text and settings.

    `page` is its address from the app's root; "" is the Tokens page. `fields` are the settings that the `link.js` of
    its widget reads. `text` is None if the fields name a sample, or if the page has its own texts.
    """

    label: str
    page: str
    fields: Mapping[str, str]
    text: str | None = None


Covering = Literal["open", "covered"]
"""How a step's figure stands on its slide before the answer: as it is, or as plain text."""


@dataclass(frozen=True)
class Step:
    """A few minutes of the lesson: two sentences to say, a question, and the answer.

    `minutes` are its start and end. `answers` are the indices of the right choices. `links` are opened to ask the
    question, `afterwards` to show the answer. On a slide, the figure at `asked_figure` of all links stands beneath the
    question as `covering` says, and the one at `answer_figure` beneath the answer. All of this is the same in every
    language; the rest, and the labels of links, are a language's texts. Backquotes in them enclose a piece of text or a
    token; `·` in it is a space.
    """

    minutes: tuple[int, int]
    answers: tuple[int, ...]
    links: tuple[Link, ...]
    afterwards: tuple[Link, ...] = ()
    covering: Covering = "covered"
    asked_figure: int = 0
    answer_figure: int = 0
    id: str = ""
    title: str = ""
    say: str = ""
    question: str = ""
    choices: tuple[str, ...] = ("",) * 3
    reveal: str = ""


Words = Mapping[str, Any]
"""Texts by name: a text about a number has its forms by plural category. "language" is their language's tag."""


@dataclass(frozen=True)
class Lesson:
    """The lesson in a language. `words` are those of its pages, by table of the language's file and name."""

    language: str
    steps: tuple[Step, ...]
    background: str
    beforehand: str
    rooms: str
    without_network: str
    misconceptions: tuple[tuple[str, str], ...]
    words: Mapping[str, Words]


_FOUR_CHOICES = ("",) * 4


def _tokens(tokenizer: str, text: str, **fields: str) -> Link:
    return Link("", "", {"tokenizer": tokenizer, **fields}, text)


def _sample(tokenizer: str, sample: str) -> Link:
    return Link("", "", {"tokenizer": tokenizer, "sample": sample})


def _compare(tokenizers: str, text: str) -> Link:
    return Link("", "compare", {"compare": tokenizers}, text)


def _apply(tokenizer: str, text: str, **fields: str) -> Link:
    return Link("", "replay", {"story": "apply", "tokenizer": tokenizer, "step": "0", **fields}, text)


def _learn(text: str, step: int, split: str = "none", **fields: str) -> Link:
    learning = {"split": split, "alphabet": "bytes", "ties": "first-seen", "merges": "20"}
    return Link("", "replay", {"story": "learn", "step": str(step), **learning, **fields}, text)


_WITH_END_MARKS = {"alphabet": "characters", "ends": "1"}
_HELLO = "Hello, 🌍! 你好!"

_STEPS = {
    "strawberry": Step(
        (0, 4),
        (0,),
        (_tokens("cl100k_base", "How many r's are in strawberry?", view="all"),),
        (_tokens("cl100k_base", "strawberry", view="all"),),
    ),
    "names": Step(
        (4, 8),
        (1,),
        (_tokens("gpt2", " Emma"), _tokens("gpt2", "Emma")),
        (_compare("gpt2,cl100k_base,o200k_base", "Nguyễn"),),
        covering="open",
        answer_figure=1,
    ),
    "lengths": Step(
        (8, 13),
        (1,),
        (_tokens("cl100k_base", _HELLO),),
        (_compare("bytes,code-points,gpt2,cl100k_base,o200k_base", _HELLO),),
        answer_figure=1,
    ),
    "learning": Step(
        (13, 19),
        (0, 1),
        (_learn(CAT, 0, predict="1"),),
        (_learn(CAT, 1), _learn(CAT, 4)),
        choices=_FOUR_CHOICES,
        covering="open",
        answer_figure=1,
    ),
    "never-seen": Step(
        (19, 24),
        (2, 3),
        (_learn(WORDS, 0, predict="1", **_WITH_END_MARKS),),
        (
            _learn(WORDS, 1, **_WITH_END_MARKS),
            _learn(WORDS, 5, **_WITH_END_MARKS),
            _learn(WORDS, 5, **_WITH_END_MARKS, story="apply", word="lowest", tried="15"),
        ),
        choices=_FOUR_CHOICES,
        covering="open",
        answer_figure=1,
    ),
    "cut-first": Step(
        (24, 26),
        (1,),
        (_learn(DOGS, 0),),
        (_learn(DOGS, 7), _learn(DOGS, 3, split="gpt2")),
        covering="open",
        answer_figure=1,
    ),
    "reading": Step(
        (26, 31),
        (0,),
        (_apply("gpt2", "hello", predict="1"),),
        (
            _apply("gpt2", "hello", step="1"),
            _apply("cl100k_base", "hello"),
            _apply("gpt2", " strawberry"),
        ),
        choices=_FOUR_CHOICES,
        covering="open",
        answer_figure=1,
    ),
    "code": Step(
        (31, 37),
        (1,),
        (Link("", "compare", {"compare": "gpt2,cl100k_base", "sample": "code-python"}),),
        (_compare("gpt2,cl100k_base", "1234567"),),
    ),
    "formats": Step(
        (37, 39),
        (0,),
        (Link("", "compression?chart=Formats", {}),),
        tuple(_sample("cl100k_base", name) for name in ("json-compact", "yaml", "json-pretty")),
        asked_figure=2,
    ),
    "languages": Step(
        (39, 43),
        (2,),
        (Link("", "compression?chart=Languages", {}),),
        (_sample("gpt2", "prose-ta"), _sample("gpt2", "prose-en")),
        asked_figure=1,
    ),
    "last-space": Step(
        (43, 45),
        (1,),
        (_tokens("gpt2", "The capital of France is ", view="all"),),
        (_tokens("gpt2", " Paris", view="all"), _tokens("gpt2", " SolidGoldMagikarp", view="all")),
    ),
}


@cache
def lesson(language: str = "en") -> Lesson:
    """Return the lesson in a language. Raises ValueError if its file doesn't fit the steps."""
    sizes = {name: (len(step.choices), len(step.links + step.afterwards)) for name, step in _STEPS.items()}
    texts = read(language, sizes)
    return Lesson(
        steps=tuple(_written(step, name, texts["steps"][name]) for name, step in _STEPS.items()),
        misconceptions=tuple((each["belief"], each["correction"]) for each in texts["misconceptions"]),
        language=language,
        words={
            name: {**table, "language": language}
            for name, table in texts.items()
            if name not in ("about", "steps", "misconceptions")
        },
        **texts["about"],
    )


def _written(step: Step, name: str, texts: Mapping[str, Any]) -> Step:
    """Return a step with the texts of a language."""
    labels = iter(texts["labels"])
    links, afterwards = (
        tuple(replace(link, label=next(labels)) for link in part) for part in (step.links, step.afterwards)
    )
    said = {key: texts[key] for key in ("title", "say", "question", "reveal")}
    return replace(step, id=name, links=links, afterwards=afterwards, choices=tuple(texts["choices"]), **said)
