"""One color per tokenizer, the same on every page, in every chart and picture.

A color is a number here: `own-N` of `widgets/shared/dom/palette.css` behind text, `charts.chart.COLORS` for lines.
"""

from collections.abc import Iterable
from itertools import count
from zlib import crc32

NUM_COLORS = 8

_KNOWN = (
    ("GPT-2", "gpt2"),
    ("cl100k", "cl100k_base"),
    ("o200k", "o200k_base"),
    ("Mistral 7B", "mistral-7b"),
    ("Qwen3", "qwen3"),
    ("DeepSeek V3", "deepseek"),
    ("BERT", "bert-base-uncased"),
)
"""Tokenizers with a color of their own, by number: the short label on pages, and the name for `tokviz.load`."""

WELL_KNOWN = {name: label for label, name in _KNOWN}
"""The short labels of well-known tokenizers, by name."""

_NUMBERS = {name: number for number, names in enumerate(_KNOWN) for name in names}


def color_numbers(names: Iterable[str]) -> dict[str, int]:
    """Return the color of each tokenizer among those shown together, by display name or by name.

    Well-known tokenizers have fixed colors. Every other name prefers a color that depends on the name alone, and gets
    the next free one if another tokenizer has it. The order of the names does not matter. Numbers are distinct: from
    `NUM_COLORS` on, colors repeat, and a chart tells them apart by dashes and symbols.

    >>> color_numbers(["cl100k", "gpt2"])
    {'gpt2': 0, 'cl100k': 1}
    """
    found: dict[str, int] = {}
    for name in sorted(set(names), key=lambda name: (_NUMBERS.get(name, NUM_COLORS), name)):
        used = set(found.values())
        found[name] = next(number for number in _preferred(name) if number not in used)
    return found


def short_label(name: str) -> str:
    """Return the short label on pages of a well-known tokenizer, and the name of any other.

    >>> short_label("cl100k_base")
    'cl100k'
    """
    return WELL_KNOWN.get(name, name)


def _preferred(name: str) -> Iterable[int]:
    """Yield the numbers of colors for a name, the best first. Other names avoid the colors of those seen most."""
    first = _NUMBERS.get(name, NUM_COLORS - 1 - crc32(name.encode()) % (NUM_COLORS // 2))
    for shown in count(0, NUM_COLORS):
        for step in range(NUM_COLORS):
            yield shown + (first - step) % NUM_COLORS
