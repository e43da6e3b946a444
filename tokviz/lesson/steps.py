"""The lesson's steps: what is shown and what is right, with the words of a language (see `languages`)."""

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
    question as `covering` says, and the one at `answer_figure` beneath the answer. Backquotes enclose a piece of text
    or a token; `·` in it is a space.
    """

    id: str
    minutes: tuple[int, int]
    title: str
    say: str
    question: str
    choices: tuple[str, ...]
    answers: tuple[int, ...]
    reveal: str
    links: tuple[Link, ...]
    afterwards: tuple[Link, ...] = ()
    covering: Covering = "open"
    asked_figure: int = 0
    answer_figure: int = 0


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


@dataclass(frozen=True)
class _Plan:
    """What a step shows and what is right, in every language. Its links have no labels yet."""

    minutes: tuple[int, int]
    answers: tuple[int, ...]
    links: tuple[Link, ...]
    afterwards: tuple[Link, ...] = ()
    choices: int = 3
    covering: Covering = "covered"
    asked_figure: int = 0
    answer_figure: int = 0


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

_PLANS = {
    "strawberry": _Plan(
        (0, 4),
        (0,),
        (_tokens("cl100k_base", "How many r's are in strawberry?", ids="1"),),
        (_tokens("cl100k_base", "strawberry", ids="1"),),
    ),
    "names": _Plan(
        (4, 8),
        (1,),
        (_tokens("gpt2", " Emma"), _tokens("gpt2", "Emma")),
        (_compare("gpt2,cl100k_base,o200k_base", "Nguyễn"),),
        covering="open",
        answer_figure=1,
    ),
    "lengths": _Plan(
        (8, 13),
        (1,),
        (_tokens("cl100k_base", _HELLO),),
        (_compare("bytes,code-points,gpt2,cl100k_base,o200k_base", _HELLO),),
        answer_figure=1,
    ),
    "learning": _Plan(
        (13, 19),
        (0, 1),
        (_learn(CAT, 0, predict="1"),),
        (_learn(CAT, 1), _learn(CAT, 4)),
        choices=4,
        covering="open",
        answer_figure=1,
    ),
    "never-seen": _Plan(
        (19, 24),
        (2, 3),
        (_learn(WORDS, 0, predict="1", **_WITH_END_MARKS),),
        (
            _learn(WORDS, 1, **_WITH_END_MARKS),
            _learn(WORDS, 5, **_WITH_END_MARKS),
            _learn(WORDS, 5, **_WITH_END_MARKS, story="apply", word="lowest", tried="15"),
        ),
        choices=4,
        covering="open",
        answer_figure=1,
    ),
    "cut-first": _Plan(
        (24, 26),
        (1,),
        (_learn(DOGS, 0),),
        (_learn(DOGS, 7), _learn(DOGS, 3, split="gpt2")),
        covering="open",
        answer_figure=1,
    ),
    "reading": _Plan(
        (26, 31),
        (0,),
        (_apply("gpt2", "hello", predict="1"),),
        (
            _apply("gpt2", "hello", step="1"),
            _apply("cl100k_base", "hello"),
            _apply("gpt2", " strawberry"),
        ),
        choices=4,
        covering="open",
        answer_figure=1,
    ),
    "code": _Plan(
        (31, 37),
        (1,),
        (Link("", "compare", {"compare": "gpt2,cl100k_base", "sample": "code-python"}),),
        (_compare("gpt2,cl100k_base", "1234567"),),
    ),
    "formats": _Plan(
        (37, 39),
        (0,),
        (Link("", "compression?chart=Formats", {}),),
        tuple(_sample("cl100k_base", name) for name in ("json-compact", "yaml", "json-pretty")),
        asked_figure=2,
    ),
    "languages": _Plan(
        (39, 43),
        (2,),
        (Link("", "compression?chart=Languages", {}),),
        (_sample("gpt2", "prose-ta"), _sample("gpt2", "prose-en")),
        asked_figure=1,
    ),
    "last-space": _Plan(
        (43, 45),
        (1,),
        (_tokens("gpt2", "The capital of France is ", ids="1"),),
        (_tokens("gpt2", " Paris", ids="1"), _tokens("gpt2", " SolidGoldMagikarp", ids="1")),
    ),
}


@cache
def lesson(language: str = "en") -> Lesson:
    """Return the lesson in a language. Raises ValueError if its file says too little, too much or something else."""
    texts = read(language, {name: (plan.choices, len(plan.links + plan.afterwards)) for name, plan in _PLANS.items()})
    return Lesson(
        steps=tuple(_step(name, plan, texts["steps"][name]) for name, plan in _PLANS.items()),
        misconceptions=tuple((each["belief"], each["correction"]) for each in texts["misconceptions"]),
        language=language,
        words={
            name: {**table, "language": language}
            for name, table in texts.items()
            if name not in ("about", "steps", "misconceptions")
        },
        **texts["about"],
    )


def _step(name: str, plan: _Plan, texts: Mapping[str, Any]) -> Step:
    links = [
        replace(link, label=label) for link, label in zip(plan.links + plan.afterwards, texts["labels"], strict=True)
    ]
    asked = len(plan.links)
    said = {key: texts[key] for key in ("title", "say", "question", "reveal")}
    return Step(
        name,
        plan.minutes,
        choices=tuple(texts["choices"]),
        answers=plan.answers,
        links=tuple(links[:asked]),
        afterwards=tuple(links[asked:]),
        covering=plan.covering,
        asked_figure=plan.asked_figure,
        answer_figure=plan.answer_figure,
        **said,
    )
