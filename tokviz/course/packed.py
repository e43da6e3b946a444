"""Answers that the chapters' figures get in a file without a server: for the chapters' own texts.

Each figure is followed as a reader would: its first value, those that sentences put in, and what one click makes of
them. `widgets/course/packed.js` finds an answer by what is asked; the reader's own texts have none.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl

from tokviz.course import checking
from tokviz.course.beyond import VOCABULARIES
from tokviz.course.chapters import CHAPTERS, chapter, contents
from tokviz.course.cuts import RULES
from tokviz.course.families import COVERAGES
from tokviz.course.figures import FIGURES
from tokviz.lesson.figures import figure
from tokviz.lesson.steps import Link
from tokviz.pretokens.splitting import PATTERNS
from tokviz.samples import sample
from tokviz.tokenizer_colors import WELL_KNOWN
from tokviz.tokenizers.train import train
from tokviz.widgets.columns import learn_columns
from tokviz.widgets.wire import pack

Answer = tuple[str, Any]
"""A question, as the key that `keyOf` in packed.js makes of it, and its answer."""

ANNA_KARENINA = "training-anna-karenina"

Follow = Callable[[str, str], Iterator[Answer]]
"""Yields what a figure asks about a value; the second argument is the figure's first value in its chapter."""

_MOST_TAKEN_OUT = 2  # code points of a character, at once
_MOST_WRITTEN = 3  # tokens that a model writes


@cache
def packed_course() -> dict[str, Any]:
    """Return the course as data for its widget: its contents, and all answers by what is asked."""
    return {"chapters": contents(), "answers": dict(answer for name in CHAPTERS for answer in answers(name))}


def answers(name: str) -> Iterator[Answer]:
    """Yield a chapter, and what its figures ask."""
    blocks = chapter(name).blocks
    first = chapter(name).first_values
    put_in = [(part.target, part.value) for block in blocks for part in block.all_parts if part.kind == "figure"]
    yield _asked("course/chapter", name), chapter(name).as_data()
    for figure_name, value in (*first.items(), *put_in):
        follow = FOLLOWED.get(figure_name) or _plainly(figure_name)
        yield from follow(value, first[figure_name])


def _asked(route: str, *parameters: object) -> str:
    """Return the key of a question: its route, the values of its query, and the text, if there are any."""
    return json.dumps([route, *map(str, parameters)], ensure_ascii=False, separators=(",", ":"))


def _described(name: str, text: str, /, **options: str) -> Answer:
    return _asked(f"course/figure/{name}", *options.values(), text), FIGURES[name].describe(text, options)


# Chapter "letters"


def _character(value: str, _: str) -> Iterator[Answer]:
    """Follow a character, and each bit of it that can be turned over."""
    yield _described("characters", value)
    bits = sum(len(payload) for _, payload in _described("characters", value)[1]["points"][0]["utf8"])
    for bit in range(bits):
        flipped = ord(value) ^ 1 << bit
        if flipped < 0x110000 and not 0xD800 <= flipped < 0xE000:
            yield _described("characters", chr(flipped))


def _apart(value: str, _: str) -> Iterator[Answer]:
    """Follow a character, and what is left of it when code points are taken out."""
    for count in range(_MOST_TAKEN_OUT + 1):
        for taken in combinations(range(len(value)), count):
            yield _described("characters", "".join(char for place, char in enumerate(value) if place not in taken))


def _bytes(value: str, _: str) -> Iterator[Answer]:
    """Follow bytes, and what is left when one is taken out."""
    yield _described("decoded", value)
    pairs = value.split()
    for place in range(len(pairs)):
        yield _described("decoded", " ".join(pairs[:place] + pairs[place + 1 :]))


# Chapter "pairs"


def _pairs(value: str, _: str) -> Iterator[Answer]:
    """Follow the most frequent pairs to the end, and at each step all other choices."""
    text, _, chosen = value.rpartition(";")
    while True:
        found = _described("pairs", text, chosen=chosen)
        yield found
        steps = [",".join(filter(None, (chosen, "-".join(map(str, each["pair"]))))) for each in found[1]["pairs"]]
        yield from (_described("pairs", text, chosen=step) for step in steps)
        if not steps or found[1]["pairs"][0]["count"] == 1:
            return
        chosen = steps[0]


def _windows(value: str, _: str) -> Iterator[Answer]:
    """Follow the page, and the example that stands for the reader's own text."""
    text, example = sample(ANNA_KARENINA).text, value.partition(";")[2]
    yield _asked("sample", ANNA_KARENINA), {"text": text}
    yield _learned(text, "none", 20)
    if example:
        yield _learned(example, "none", 20)


def _learned(text: str, pattern: str, merges: int) -> Answer:
    """Learn merges as learned.js asks for them."""
    trained = train(text, num_merges=merges, split_pattern=PATTERNS.get(pattern))
    columns = pack(*learn_columns(trained.replay(text)))
    return _asked("replay/learn", "bytes", "first-seen", 0, pattern, merges, text), columns


# Chapter "cuts"


def _uncut(value: str, _: str) -> Iterator[Answer]:
    for pattern in ("none", "gpt2"):
        yield _learned(value, pattern, 30)


def _alternatives(value: str, _: str) -> Iterator[Answer]:
    """Follow a text under each named pattern, and without one of its alternatives."""
    first, _, text = value.partition(";")
    text = text.replace("\\n", "\n")
    for pattern in dict.fromkeys((first, "gpt2", "cl100k", "o200k")):
        found = _described("alternatives", text, pattern=pattern, off="")
        yield found
        for off in range(len(found[1]["alternatives"])):
            yield _described("alternatives", text, pattern=pattern, off=str(off))


def _changes(_value: str, _: str) -> Iterator[Answer]:
    for name in RULES:
        yield _described("changes", "", name=name)


# Chapter "vectors"


def _pipeline(_: str, first: str) -> Iterator[Answer]:
    """Follow the most probable tokens for a while, and at each step all others that are offered."""
    written = ""
    for _step in range(_MOST_WRITTEN):
        found = _described("pipeline", first, written=written)
        yield found
        choices = [",".join(filter(None, (written, str(each["id"])))) for each in found[1]["chances"]]
        yield from (_described("pipeline", first, written=choice) for choice in choices)
        written = choices[0]


def _sizes(value: str, first: str) -> Iterator[Answer]:
    width, layers, tied = value.split(",")[:3] if value != first else ("768", "12", "1")
    yield _described("sizes", first, width=width, layers=layers, tied=tied)


def _added(value: str, _: str) -> Iterator[Answer]:
    name, _, text = value.partition(";")
    yield _described("adding", text, name=name)


# Chapter "specials"


def _specials(value: str, _: str) -> Iterator[Answer]:
    """Follow all special tokens of a tokenizer."""
    name, _, _token = value.partition(";")
    found = _described("specials", "", tokenizer=name)
    yield found
    for each in found[1]["tokens"]:
        yield _described("control", each["text"], tokenizer=name)


def _hole(_: str, first: str) -> Iterator[Answer]:
    """Follow a hole of which one end is moved."""
    begins, ends = 17, 24
    for place in range(len(first) + 1):
        yield _described("hole", first, start=str(place), end=str(max(place, ends)))
        yield _described("hole", first, start=str(min(begins, place)), end=str(place))


def _nothing(_value: str, _: str) -> Iterator[Answer]:
    """Follow a figure that asks nothing, or only what the app renders."""
    return iter(())


# Chapter "families"


def _strangers(value: str, _: str) -> Iterator[Answer]:
    """Follow a text at each coverage, with and without byte fallback."""
    text = value.split(";", 2)[2]
    for coverage in COVERAGES:
        for fallback in ("unk", "bytes"):
            yield _described("strangers", text, coverage=coverage, bytes=fallback)


# Chapter "trouble"


def _spelling(value: str, _: str) -> Iterator[Answer]:
    _mode, letter, word = value.split(";", 2)
    for mode in ("count", "reverse"):
        yield _described("spelling", word, letter=letter, mode=mode)


def _sums(value: str, _: str) -> Iterator[Answer]:
    first, second = value.split("+")
    yield _described("sums", "", first=first, second=second)


def _twice(value: str, _: str) -> Iterator[Answer]:
    """Follow two texts under each tokenizer."""
    for label in WELL_KNOWN.values():
        yield _described("twice", "", kind=value, tokenizer=label)


def _unseen(value: str, _: str) -> Iterator[Answer]:
    """Follow the example that stands for the reader's own text, and GPT-2's tokens."""
    if value == "gpt2":
        yield _described("glitches", "")
    else:
        example, _, other = value.removeprefix("own;").partition("|")
        yield _described("unseen", _json([example.replace("\\n", "\n"), other]))


def _codes(_value: str, _: str) -> Iterator[Answer]:
    for size in VOCABULARIES:
        yield _described("codes", "", size=str(size))


# Chapter "checking"


def _checked(route: str, check: Callable[[dict[str, str]], dict[str, Any]]) -> Follow:
    def follow(value: str, _: str) -> Iterator[Answer]:
        """Follow a solution, and the step where it goes wrong."""
        fields = dict(parse_qsl(value, keep_blank_values=True))
        checked = check(fields)
        yield _asked(f"course/figure/{route}", _json(fields)), checked
        if checked["link"]:
            yield _asked("figure", _json(checked["link"])), json.loads(figure(Link(**checked["link"])).as_json())

    return follow


def _json(value: object) -> str:
    """Serialize as the browser does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plainly(name: str) -> Follow:
    """Follow a figure that asks about its value and nothing else."""
    return lambda value, _: iter((_described(name, value),))


FOLLOWED: dict[str, Follow] = {
    "added": _added,
    "alternatives": _alternatives,
    "apart": _apart,
    "bytes": _bytes,
    "changes": _changes,
    "character": _character,
    "control": lambda value, _: iter((_described("control", value, tokenizer="gpt2"),)),
    "codes": _codes,
    "hole": _hole,
    "ids": _checked("ids", checking.check_ids),
    "injected": _nothing,
    "merges": _checked("merges", checking.check_merges),
    "pairs": _pairs,
    "pipeline": _pipeline,
    "plane": _nothing,
    "sizes": _sizes,
    "specials": _specials,
    "spelling": _spelling,
    "strangers": _strangers,
    "sums": _sums,
    "twice": _twice,
    "uncut": _uncut,
    "unseen": _unseen,
    "windows": _windows,
}
"""What figures ask about a value, by their names in the chapters; others ask about the value and nothing else."""
