"""The lesson as HTML: the teacher's sheet, with answers on demand and in print.

The markup is self-contained: it needs no script, and its stylesheet is `lesson.css`.
"""

import re
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from tokviz.display import shown as spelled
from tokviz.lesson.steps import Link, Step, Words, lesson
from tokviz.loading import load_shipped
from tokviz.samples import sample

STYLE = Path(__file__).parent / "lesson.css"

_TOKENIZER = "cl100k_base"

MAX_LINES, MAX_CHARACTERS = 4, 125
"""Maximum of each of several samples of a step on the printed sheet, which is one page. A single one is whole."""

Address = Callable[[Link], str]
"""Returns the address of a link, for `href`."""

Shown = Callable[[Link], str]
"""Renders a link in a sheet as HTML."""


def pack_sheet(shown: Shown) -> str:
    """Render the teacher's sheet with the linked content in place of links."""
    return _sheet(shown, _paragraphs(lesson().background, lesson().without_network))


def title_in_tokens(address: Address) -> str:
    """Render the lesson's title as a model is given it: its tokens, each over its id. They lead to the Tokens page."""
    words = lesson().words["page"]
    title, tokenizer = words["title"], load_shipped(_TOKENIZER)
    link = Link(words["given"], "", {"tokenizer": _TOKENIZER, "view": "all"}, title)
    ids = tokenizer.encode(title)
    pairs = zip(tokenizer.decode_tokens_bytes(ids), ids, strict=True)
    chips = "".join(f"<span><code>{escape(spelled(token))}</code><small>{id_}</small></span>" for token, id_ in pairs)
    return f'<p class="given">{escape(words["given"])}</p><a class="given" href="{escape(address(link))}">{chips}</a>'


def shared_style(root: str) -> str:
    """Import the widgets' colors, and their buttons and ways on: for what has the class `tokviz`."""
    imports = (f'@import "{root}_tokviz/static/shared/dom/{name}.css";' for name in ("palette", "controls"))
    return f"<style>{''.join(imports)}</style>"


def ways_on(root: str, chapters: int) -> str:
    """Render the links that the page ends with: to the course, of so many chapters, and to the Tokens page."""
    words = lesson().words["page"]
    tokens = len(load_shipped(_TOKENIZER).encode(words["title"]))
    says = {"course": words["to_course"].format(chapters=chapters), "": words["to_tokens"].format(tokens=tokens)}
    links = "".join(f'<a class="door" href="{root}{page}">{escape(text)} →</a>' for page, text in says.items())
    return f'<div class="tokviz"><nav class="doors" aria-label="{escape(words["onward"])}">{links}</nav></div>'


def teachers_sheet(address: Address) -> str:
    """Render minutes, what to say, questions, and answers that unfold. In print, the answers are a separate sheet."""
    blanks = "".join(f"<span>{escape(_words()[name])}:</span>" for name in ("pupil", "class"))
    return f'<p class="pupil">{blanks}</p>{_sheet(_anchors(address), _about(), _printed_answers())}'


def _sheet(shown: Shown, about: str, *printed: str) -> str:
    steps = _list(_step(step, shown) for step in lesson().steps)
    beliefs = _fold(_words()["beliefs"], _misconceptions())
    return f'<div class="lesson">{"".join((_fold(_words()["teaching"], about), steps, beliefs, *printed))}</div>'


def _words() -> Words:
    return lesson().words["sheet"]


def _list(steps: Iterable[str]) -> str:
    return f'<ol class="steps">{"".join(steps)}</ol>'


def _step(step: Step, shown: Shown) -> str:
    start, end = step.minutes
    parts = [
        f"<h2>{_text(step.title)}</h2>",
        f'<p class="minutes">{escape(_words()["minutes"].format(start=start, end=end))}</p>',
        f'<p class="say">{_with_terms(_text(step.say))}</p>',
        f'<p class="question">{_text(step.question)}</p>',
        f'<ol class="choices">{"".join(f"<li>{_text(choice)}</li>" for choice in step.choices)}</ol>',
        _samples(step),
        _links(step.links, shown),
        _fold(_words()["answer"], f"<p>{_answer(step)}</p>{_links(step.afterwards, shown)}"),
    ]
    return f'<li class="step">{"".join(parts)}</li>'


def _anchors(address: Address) -> Shown:
    return lambda link: f'<a class="button" href="{escape(address(link))}">{escape(link.label)}</a>'


def _links(links: Iterable[Link], shown: Shown) -> str:
    return f'<div class="tokviz links">{"".join(map(shown, links))}</div>'


def _samples(step: Step) -> str:
    """Render the samples that a step is about, for paper, which has no links. Several are cut short."""
    samples = [link for link in (*step.links, *step.afterwards) if "sample" in link.fields]
    if len(samples) == 1:
        return _sample("", sample(samples[0].fields["sample"]).text)
    beginnings = ((link.label, _beginning(sample(link.fields["sample"]).text)) for link in samples)
    return "".join(_sample(f"<b>{escape(label)}</b>", beginning) for label, beginning in beginnings)


def _sample(title: str, text: str) -> str:
    return f'<pre class="sample" dir="auto">{title}{escape(text)}</pre>'


def _beginning(text: str) -> str:
    shown = "\n".join(text.splitlines()[:MAX_LINES])[:MAX_CHARACTERS]
    return shown if shown == text else f"{shown} …"


def _answer(step: Step) -> str:
    return f"<b>{letters(step)}:</b> {_text(step.reveal)}"


def letters(step: Step) -> str:
    """Letters of the right choices: "A, B"."""
    return ", ".join("ABCDEFGH"[index] for index in step.answers)


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _about() -> str:
    return _paragraphs(lesson().background, lesson().beforehand, lesson().rooms)


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{_text(text)}</p>" for text in texts)


def _misconceptions() -> str:
    rows = (f"<dt>“{_text(belief)}”</dt><dd>{_text(correction)}</dd>" for belief, correction in lesson().misconceptions)
    return f"<dl>{''.join(rows)}</dl>"


def _printed_answers() -> str:
    rows = _list(f"<li><h3>{_text(step.title)}</h3><p>{_answer(step)}</p></li>" for step in lesson().steps)
    heads = [f"<h2>{escape(_words()[name])}</h2>" for name in ("answers", "teaching", "beliefs")]
    return (
        f'<section class="paper">{heads[0]}{rows}<div>{heads[1]}{_about()}</div>'
        f"<div>{heads[2]}{_misconceptions()}</div></section>"
    )


def _with_terms(html: str) -> str:
    """Mark the terms between asterisks, which `explainTerms` in the widgets explains."""
    term = r'<span class="together"><button type="button" class="term">\1</button>\2</span>'
    return re.sub(r"\*([^*]+)\*([^\s<]*)", term, html)


def _text(text: str) -> str:
    """Escape a text, and set the parts between backquotes in the monospaced face: `a|b` as two tokens."""
    parts = escape(text).split("`")
    return "".join(_quoted(part) if number % 2 else part for number, part in enumerate(parts))


def _quoted(part: str) -> str:
    """Render a piece of text, or the tokens of one."""
    tokens = part.split("|")
    if len(tokens) == 1:
        return f"<code>{part}</code>"
    return f'<code class="cut">{"<i>|</i>".join(f"<span>{token}</span>" for token in tokens)}</code>'
