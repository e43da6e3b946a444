"""Figures of the chapter "specials": special tokens of all kinds, as text and as control, and gaps to fill."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from tokviz.course.figure import MAX_LONG, Figure, Question, number_in
from tokviz.course.inside import columns_of
from tokviz.loading import load_shipped
from tokviz.texts import repair
from tokviz.tokenizer_colors import short_label
from tokviz.tokenizers.base import Tokenizer

TOKENIZERS = (
    "gpt2",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "qwen3",
    "deepseek",
    "mistral-7b",
    "bert-base-uncased",
)
"""Tokenizers whose special tokens can be listed."""

MAX_HOLED = 300
"""Maximum code points of a text that a hole is cut into."""

_FILLER = "cl100k_base"
BEFORE, AFTER, MIDDLE, END = "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|endoftext|>"

_PURPOSES = (
    (r"endoftext|end▁of▁sentence|</s>", "a text ends here"),
    (r"startoftext|begin▁of▁sentence|<s>", "a text begins here"),
    (r"fim_prefix|\[PREFIX\]", "what stands before a hole comes next"),
    (r"fim_suffix|\[SUFFIX\]", "what stands after a hole comes next"),
    (r"fim_middle|\[MIDDLE\]", "the model fills the hole from here on"),
    (r"im_start|<\|start\|>", "a turn of a chat begins here"),
    (r"im_end|<\|end\|>|return", "a turn of a chat ends here"),
    (r"channel", "what follows says whether a message is a thought or the answer"),
    (r"<\|message\|>", "the words of a turn begin here"),
    (r"constrain", "what follows names the form of the words, such as JSON"),
    (r"<\|call\|>|TOOL|\[/AVAIL", "the model uses a program, such as a search"),
    (r"INST", "what the user writes begins or ends here"),
    (r"CLS", "stands in front of each text; its row sums the text up"),
    (r"SEP", "a text ends here, or one of two texts"),
    (r"UNK", "stands for what no other token spells"),
    (r"MASK", "a gap: the model learns by guessing what stood here"),
    (
        r"\[PAD\]|▁pad▁",
        "fills short texts up, so that several of one length are read at once",
    ),
    (r"image|vision|video|IMG", "marks a picture or a film"),
    (r"box|quad|point|polygon|ref", "marks a thing in a picture, and where it is"),
    (r"reserved|holder|control_", "reserved: it has no use yet"),
)
"""Purposes of special tokens, by patterns of their names; the first that fits counts."""

_NUMBERED = re.compile(r"\d+")


def both_ways(text: str, name: str) -> dict[str, Any]:
    """Read a text twice: special tokens in it as text like any other, and as control tokens."""
    tokenizer, text = _load(name), repair(text)[0]
    return {"text": columns_of(tokenizer.tokenize(text)), "control": columns_of(tokenizer.tokenize(text, "all"))}


def listed(name: str) -> dict[str, Any]:
    """List a tokenizer's special tokens in the order of their ids.

    Those that differ only in a number, such as reserved ones, are one entry with `more` of them.
    """
    tokenizer = _load(name)
    tokens = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    runs = [list(run) for _, run in groupby(tokens, key=lambda item: _NUMBERED.sub("#", item[0]))]
    return {
        "names": [[each, short_label(each)] for each in TOKENIZERS],
        "tokens": [
            {
                "text": run[0][0],
                "id": run[0][1],
                "more": len(run) - 1,
                "last": run[-1][1],
                "purpose": next((says for pattern, says in _PURPOSES if re.search(pattern, run[0][0])), ""),
            }
            for run in runs
        ],
        "count": len(tokens),
        "vocabulary": len(tokenizer.vocab),
    }


def filling(text: str, start: int, end: int) -> dict[str, Any]:
    """Cut a hole into a text, and return what a model reads that is to fill it, and what it has to write.

    `start` and `end` count code points. Special tokens in the text are text: the markers are put in by id.
    """
    text = repair(text)[0][:MAX_HOLED]
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    before, middle, after = text[:start], text[start:end], text[end:]
    tokenizer = _load(_FILLER)
    whole = tokenizer.tokenize(text)
    bounds = whole.code_point_offsets[~whole.inside_character].tolist()
    return {
        "length": len(text),
        "parts": [before, middle, after],
        "prompt": _joined(tokenizer, [(BEFORE, True), (before, False), (AFTER, True), (after, False), (MIDDLE, True)]),
        "answer": _joined(tokenizer, [(middle, False), (END, True)]),
        "whole": len(whole),
        "apart": sum(len(tokenizer.encode(part)) for part in (before, middle, after)),
        "inside": [place not in bounds for place in (start, end)],
    }


def _joined(tokenizer: Tokenizer, parts: Iterable[tuple[str, bool]]) -> dict[str, Any]:
    """Join the tokens of texts, and of special tokens by their names, as a view in the browser draws them."""
    joined: dict[str, Any] = {"text": "", "ids": [], "byte_lengths": [], "special": []}
    for text, is_special in parts:
        tokens = columns_of(tokenizer.tokenize(text, "all" if is_special else ()))
        joined = {name: value + tokens[name] for name, value in joined.items()}
    return joined


def _load(name: str) -> Tokenizer:
    if name not in TOKENIZERS:
        raise ValueError(f"this figure has {', '.join(TOKENIZERS)}, not {name!r}")
    return load_shipped(name)


def _ask_listed(value: str, _: str) -> Iterator[Question]:
    """Ask about all special tokens of a tokenizer."""
    name, _, _token = value.partition(";")
    yield "specials", "", {"tokenizer": name}
    for each in listed(name)["tokens"]:
        yield "control", each["text"], {"tokenizer": name}


def _ask_hole(_: str, first: str) -> Iterator[Question]:
    """Ask about a hole of which one end is moved."""
    begins, ends = 17, 24
    for place in range(len(first) + 1):
        yield "hole", first, {"start": str(place), "end": str(max(place, ends))}
        yield "hole", first, {"start": str(min(begins, place)), "end": str(place)}


FIGURES = {
    "control": Figure(
        lambda text, tokenizer="": both_ways(text, tokenizer),
        asks=lambda value, _: [("control", value, {"tokenizer": "gpt2"})],
    ),
    "specials": Figure(lambda _, tokenizer="": listed(tokenizer), asks=_ask_listed),
    "hole": Figure(
        lambda text, start="", end="": filling(text, number_in(start), number_in(end)),
        MAX_LONG,
        asks=_ask_hole,
    ),
}
