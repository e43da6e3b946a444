"""The class pack: the lesson as one HTML page that needs no network, with all that its links open inside.

Each thing to look at is a page of its own in a frame, which the browser makes when it is unfolded.
"""

from functools import cache
from html import escape

from tokviz import export
from tokviz.lesson.sheet import STYLE, pack_sheet
from tokviz.lesson.steps import Link
from tokviz.pretrained import load
from tokviz.samples import parallel_passages, sample, samples
from tokviz.tokenizers import ByteTokenizer, CharacterTokenizer, Tokenizer
from tokviz.trainer import train
from tokviz.widgets import replays

_SIMPLE = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}
_COUNTED = ("gpt2", "cl100k_base", "o200k_base")

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
td, th {{ padding: 0 1rem 0 0; text-align: right }}
:is(td, th):first-child {{ text-align: left }}
</style>
<h1>How a model reads</h1>
<p>Choose an answer first, then unfold what is beneath it. This page needs no network.</p>
{sheet}
</html>
"""


@cache
def class_pack() -> str:
    """The whole page. Save it as UTF-8."""
    return _PAGE.format(style=STYLE.read_text("utf-8"), sheet=pack_sheet(_unfolded))


def _unfolded(link: Link) -> str:
    """What a link opens, to unfold."""
    shown = _table(link) if link.page.startswith("compression") else "".join(_frames(link))
    return f"<details><summary>{escape(link.label)}</summary>{shown}</details>"


def _frames(link: Link) -> list[str]:
    if link.page == "replay":
        return [_frame(_player(link), "Merge replay")]
    text = sample(link.fields["sample"]).text if link.text is None else link.text
    names = (link.fields.get("compare") or link.fields["tokenizer"]).split(",")
    return [_frame(export.to_html(_tokenizer(name), text), f"Tokens of {name}") for name in names]


def _frame(page: str, title: str) -> str:
    return f'<iframe loading="lazy" title="{escape(title)}" srcdoc="{escape(page)}"></iframe>'


def _player(link: Link) -> str:
    fields, text = link.fields, link.text or ""
    step = int(fields["step"])
    if "split" not in fields:
        return replays.page(*replays.apply_columns(load(fields["tokenizer"]), text), step)
    learned = train(
        text,
        num_merges=int(fields.get("tried", fields["merges"])),
        split_pattern=None if fields["split"] == "none" else fields["split"],
        alphabet="characters" if fields["alphabet"] == "characters" else "bytes",
        end_of_word="</w>" if fields.get("ends") else None,
    )
    if fields["story"] == "learn":
        return replays.page(*replays.learn_columns(learned, text), step)
    return replays.page(*replays.apply_columns(learned, fields["word"]), step)


def _tokenizer(name: str) -> Tokenizer:
    return _SIMPLE[name]() if name in _SIMPLE else load(name)


def _table(link: Link) -> str:
    """The numbers of a chart: tokens for each text under three tokenizers, the fewest first."""
    is_languages = link.page.endswith("Languages")
    texts = parallel_passages() if is_languages else [each for each in samples() if each.kind == "data"]
    counts = {each.title: [len(load(name).encode(each.text)) for name in _COUNTED] for each in texts}
    heads = "".join(f"<th>{escape(head)}</th>" for head in ("tokens", *_COUNTED))
    rows = "".join(
        f"<tr><th>{escape(title)}</th>{''.join(f'<td>{count}</td>' for count in row)}</tr>"
        for title, row in sorted(counts.items(), key=lambda each: each[1])
    )
    return f"<table><tr>{heads}</tr>{rows}</table>"
