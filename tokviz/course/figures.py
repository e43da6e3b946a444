"""The computations behind the figures of all chapters, of a text and options that anybody may have sent."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tokviz.course import beyond, cuts, families, letters, pairs, pieces, specials, trouble, vectors

MAX_SHORT = 1_000
"""Maximum bytes of the text of a figure that shows each character by itself."""

MAX_LONG = 1_000_000
"""Maximum bytes of the reader's own text in a figure."""

Options = Mapping[str, str]


class Figure(NamedTuple):
    """A computation: of a text of at most `limit` bytes, and options. It raises ValueError for those that are wrong."""

    describe: Callable[[str, Options], dict[str, Any]]
    limit: int


def _decoded(text: str, _: Options) -> dict[str, Any]:
    """Decode bytes that are given in hexadecimal; all else in the text separates them."""
    digits = "".join(re.findall("[0-9A-Fa-f]", text))
    if len(digits) % 2:
        raise ValueError("each byte is two hexadecimal digits: the last one lacks its second")
    return letters.decoded(bytes.fromhex(digits))


def _choosing(text: str, options: Options) -> dict[str, Any]:
    if len(text.encode()) > pairs.MAX_BYTES:
        raise ValueError(f"this figure takes texts of up to {pairs.MAX_BYTES} bytes")
    chosen = _numbers(options.get("chosen", ""))
    return pairs.choosing(text, list(zip(chosen[::2], chosen[1::2], strict=False)))


def _cutting(text: str, options: Options) -> dict[str, Any]:
    pattern = options.get("pattern", "")
    if len(pattern) > cuts.MAX_PATTERN:
        raise ValueError(f"this figure takes patterns of up to {cuts.MAX_PATTERN:,} characters")
    return cuts.cutting(text, pattern, _numbers(options.get("off", "")))


def _sizes(text: str, options: Options) -> dict[str, Any]:
    return vectors.sizes(text, _number(options, "width"), _number(options, "layers"), tied=options.get("tied") == "1")


def _strangers(text: str, options: Options) -> dict[str, Any]:
    return families.strangers(text, options.get("coverage", ""), byte_fallback=options.get("bytes") == "bytes")


def _sums(_: str, options: Options) -> dict[str, Any]:
    return trouble.sums(options.get("first", ""), options.get("second", ""))


def _twice(text: str, options: Options) -> dict[str, Any]:
    return trouble.twice(options.get("kind", ""), _both(text) if text else (), options.get("tokenizer", ""))


def _both(text: str) -> tuple[str, str]:
    """Read two texts from the JSON of a list."""
    try:
        first, second = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        first = second = None
    if not (isinstance(first, str) and isinstance(second, str)):
        raise ValueError("this figure takes two texts")
    return first, second


def _numbers(text: str) -> list[int]:
    """Read the whole numbers in an option."""
    return [int(number) for number in re.findall("[0-9]{1,6}", text)]


def _number(options: Options, name: str) -> int:
    """Read a whole number, 0 without one."""
    return next(iter(_numbers(options.get(name, ""))), 0)


FIGURES: dict[str, Figure] = {
    "characters": Figure(lambda text, _: letters.characters(text), MAX_SHORT),
    "spellings": Figure(lambda text, _: letters.spellings(text), MAX_SHORT),
    "decoded": Figure(_decoded, MAX_SHORT),
    "measured": Figure(lambda text, _: letters.measured(text), MAX_LONG),
    "ladder": Figure(lambda text, _: pieces.ladder(text), 4 * pieces.MAX_CHARACTERS),
    "growth": Figure(lambda _text, _options: pieces.growth(), MAX_SHORT),
    "frequencies": Figure(lambda text, _: pieces.frequencies(text), MAX_LONG),
    "pairs": Figure(_choosing, MAX_SHORT),
    "cost": Figure(lambda text, _: pairs.cost_in_gpt2(text), MAX_LONG),
    "alternatives": Figure(_cutting, 4 * cuts.MAX_CHARACTERS),
    "pipeline": Figure(lambda text, options: vectors.reading(text, _numbers(options.get("written", ""))), MAX_LONG),
    "similar": Figure(lambda text, _: vectors.similar(text), MAX_SHORT),
    "sizes": Figure(_sizes, MAX_LONG),
    "adding": Figure(lambda text, options: vectors.adding(text, options.get("name", "")), MAX_SHORT),
    "control": Figure(lambda text, options: specials.both_ways(text, options.get("tokenizer", "")), MAX_SHORT),
    "specials": Figure(lambda _, options: specials.listed(options.get("tokenizer", "")), MAX_SHORT),
    "hole": Figure(
        lambda text, options: specials.filling(text, _number(options, "start"), _number(options, "end")), MAX_LONG
    ),
    "strangers": Figure(_strangers, 4 * families.MAX_CHARACTERS),
    "threeways": Figure(lambda text, _: families.three_ways(text), MAX_SHORT),
    "kinds": Figure(lambda text, _: families.kinds(text), MAX_LONG),
    "spelling": Figure(lambda text, options: trouble.spelling(text, options.get("letter", "")), MAX_SHORT),
    "sums": Figure(_sums, MAX_SHORT),
    "twice": Figure(_twice, MAX_LONG),
    "commands": Figure(lambda text, _: trouble.commands(text), MAX_SHORT),
    "unseen": Figure(lambda text, _: trouble.unseen(*_both(text)), MAX_LONG),
    "glitches": Figure(lambda _text, _options: trouble.glitches(), MAX_SHORT),
    "prompt": Figure(lambda text, _: beyond.prompt(text), MAX_SHORT),
    "codes": Figure(lambda _, options: beyond.codes(_number(options, "size")), MAX_SHORT),
    "tokenless": Figure(lambda text, _: beyond.tokenless(text), MAX_LONG),
    "changes": Figure(lambda _, options: cuts.witness(options.get("name", "")), MAX_SHORT),
}
"""Figures by the name that their widget asks for."""
