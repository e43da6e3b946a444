"""The class pack: the lesson as one HTML page that needs no network, with everything that its links open embedded.

Each link is replaced by a page in an inline frame, which the browser loads when it is unfolded.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from tokviz import export
from tokviz.lesson.sheet import STYLE, pack_sheet
from tokviz.lesson.steps import Link
from tokviz.pretrained import load
from tokviz.samples import Sample, parallel_passages, sample, samples
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer
from tokviz.tokenizers.train import train
from tokviz.widgets import replays
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.wire import Columns

_SIMPLE = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}
_TOKENIZER_LABELS = {"gpt2": "GPT-2", "cl100k_base": "cl100k", "o200k_base": "o200k"}

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How a model reads: class pack</title>
<style>
{style}
:root {{ color-scheme: light dark }}
body {{ max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }}
.lesson {{ max-width: none }}
iframe {{ display: block; width: 100%; height: 26rem; border: 1px solid GrayText; border-radius: 0.5rem }}
iframe[title="Merge replay"] {{ height: 46rem }}
table {{ width: 100%; table-layout: fixed; border-collapse: collapse; font-variant-numeric: tabular-nums }}
caption, td, th {{ padding: 0.2rem 0.5rem 0.2rem 0; text-align: left; vertical-align: top; font-weight: normal }}
td, th {{ overflow-wrap: anywhere; border-top: 1px solid GrayText }}
.bar {{ height: 0.5rem; background: currentColor; opacity: 0.6 }}
</style>
<main>
<h1>How a model reads</h1>
<p>Choose an answer first, then unfold what is beneath it. This page needs no network;
what has to be typed, such as your own name, needs the app.</p>
{sheet}
</main>
</html>
"""


@cache
def class_pack() -> str:
    """Render the whole page. Save it as UTF-8."""
    return _PAGE.format(style=STYLE.read_text("utf-8"), sheet=pack_sheet(_details))


def _details(link: Link) -> str:
    """Render what a link opens as an element to unfold."""
    shown = _chart(link) if link.page.startswith("compression") else "".join(_frames(link))
    return f"<details><summary>{escape(link.label)}</summary>{shown}</details>"


def _frames(link: Link) -> list[str]:
    if link.page == "replay":
        return [_frame(_replay_page(link), "Merge replay")]
    text = sample(link.fields["sample"]).text if link.text is None else link.text
    names = (link.fields.get("compare") or link.fields["tokenizer"]).split(",")
    return [_frame(export.to_html(_tokenizer(name), text), f"Tokens of {name}") for name in names]


def _frame(page: str, title: str) -> str:
    return f'<iframe loading="lazy" title="{escape(title)}" srcdoc="{escape(page)}"></iframe>'


def _replay_page(link: Link) -> str:
    columns, meta = _replay_columns(link)
    return replays.page(columns, meta, int(link.fields["step"]), predict=link.fields.get("predict") == "1")


def _replay_columns(link: Link) -> tuple[Columns, dict[str, Any]]:
    fields, text = link.fields, link.text or ""
    if "split" not in fields:
        return apply_columns(load(fields["tokenizer"]).replay(text))
    trained = train(
        text,
        num_merges=int(fields.get("tried", fields["merges"])),
        split_pattern=None if fields["split"] == "none" else fields["split"],
        alphabet="characters" if fields["alphabet"] == "characters" else "bytes",
        end_of_word="</w>" if fields.get("ends") else None,
    )
    if fields["story"] == "learn":
        return learn_columns(trained.replay(text))
    return apply_columns(trained.replay(fields["word"]))


def _tokenizer(name: str) -> Tokenizer:
    return _SIMPLE[name]() if name in _SIMPLE else load(name)


def _chart(link: Link) -> str:
    """Render a chart as a table with bars: tokens of each text under three tokenizers, least first."""
    if link.page.endswith("Languages"):
        counts = _counts(parallel_passages())
        english = next(iter(counts.values()))
        values = {
            title: [tokens / reference for tokens, reference in zip(row, english, strict=True)]
            for title, row in counts.items()
        }
        return _table("Tokens for each token of the English text", values, ".1f")
    return _table("Tokens", _counts([each for each in samples() if each.kind == "data"]), ".0f")


def _counts(texts: Iterable[Sample]) -> dict[str, list[int]]:
    return {each.title: [len(load(name).encode(each.text)) for name in _TOKENIZER_LABELS] for each in texts}


def _table(caption: str, values: Mapping[str, Sequence[float]], form: str) -> str:
    longest = max(max(row) for row in values.values())
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("text", *_TOKENIZER_LABELS.values()))
    rows = "".join(
        f'<tr><th scope="row">{escape(title)}</th>{"".join(_bar(value, longest, form) for value in row)}</tr>'
        for title, row in sorted(values.items(), key=lambda each: tuple(each[1]))
    )
    return f"<table><caption>{escape(caption)}</caption><tr>{heads}</tr>{rows}</table>"


def _bar(value: float, longest: float, form: str) -> str:
    return f'<td>{value:{form}}<div class="bar" style="width: {value / longest:.1%}"></div></td>'
