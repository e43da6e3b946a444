"""Figures of the chapter "vectors": a text in a small model, tokens with similar rows, and what a vocabulary costs."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tokviz.analysis.cost.curves import compression_curve, vocabulary_costs
from tokviz.course.embedding import Embedding, embedding, tokenizer
from tokviz.course.figure import MAX_LONG, Figure, Part, Question, field, number_in, numbers_in, says, strips
from tokviz.course.inside import columns_of
from tokviz.display import shown
from tokviz.pretrained import load
from tokviz.texts import repair

MAX_READ = 8
"""Maximum tokens at the end of a text whose rows are shown."""

MAX_WRITTEN = 40
"""Maximum tokens that the small model writes after a text."""

MAX_LISTED = 8
"""Maximum tokens that are listed: the most probable, or the most similar."""

MIN_SEEN = 20
"""Times that the training text has a token, at least, for it to be listed as similar."""

POINTS = 60
"""Sizes of a vocabulary whose cost is worked out."""

MAX_WIDTH, MAX_LAYERS = 20_000, 200

_MOST_WRITTEN = 3  # tokens that the model writes on pages without a server
_PART = 2_000  # code points at the end of a text that are read
_GPT2_WIDTH = 768


# The pipeline


def reading(text: str, written: Sequence[int]) -> dict[str, Any]:
    """Read the end of a text as the small model does, with the tokens that it wrote before: rows, and what may follow.

    Ids in `written` that are no tokens are left out.
    """
    text = repair(text)[0]
    known, model = tokenizer(), embedding()
    read = known.encode(text[-_PART:])
    added = [token for token in written[:MAX_WRITTEN] if token < len(model.rows)]
    ids = [*read, *added]
    last = ids[-MAX_READ:]
    return {
        "tokens": [_row(model, token) for token in last],
        "written": added,
        "before": len(ids) - len(last) > 0 or len(text) > _PART,
        "chances": _most_probable(model, ids[-1]) if ids else [],
        "merges": known.num_merges,
        "vocabulary": len(model.rows),
        "width": model.rows.shape[1],
    }


def _row(model: Embedding, token: int) -> dict[str, Any]:
    return {
        "id": token,
        "text": shown(tokenizer().vocab[token]),
        "row": model.rows[token].astype(float).round(2).tolist(),
        "count": int(model.counts[token]),
    }


def _most_probable(model: Embedding, last: int) -> list[dict[str, Any]]:
    chances = model.chances(last)
    best = np.argsort(-chances, kind="stable")[:MAX_LISTED].tolist()
    vocab = tokenizer().vocab
    return [{"id": token, "text": shown(vocab[token]), "chance": float(chances[token])} for token in best]


def similar(text: str) -> dict[str, Any]:
    """List the tokens whose rows point most nearly in the direction of a token's row.

    The token is the text as a word after a space, if there is such a token, otherwise the text's first token.
    A row that was never trained has no similar ones.
    """
    text = repair(text)[0].replace("·", " ")
    if not text:
        return {"token": None, "rows": []}
    word, ids = (tokenizer().encode(each) for each in (f" {text}", text))
    ids = word if len(word) == 1 else ids
    model = embedding()
    seen = model.counts >= (MIN_SEEN if model.counts[ids[0]] else np.inf)
    cosines = model.cosines(ids[0])
    order = [token for token in np.argsort(-cosines, kind="stable").tolist() if seen[token]]
    listed = [token for token in order if token != ids[0]][:MAX_LISTED]
    rows = [{**_row(model, token), "cosine": round(float(cosines[token]), 2)} for token in listed]
    return {"token": _row(model, ids[0]), "rows": rows}


def neighbors(text: str) -> list[Part]:
    """Show a token's row above those that are most similar."""
    found = similar(text)
    token = found["token"]
    if token is None:
        return [strips([]), says("Type a word."), strips([])]
    return [strips([token]), says(say_similar(token["count"])), strips(found["rows"]), {"kind": "key"}]


def say_similar(count: int) -> str:
    """Say how often the training text has a token, which rows are listed, or why none are."""
    if not count:
        return "The training text never has this token. Its row is still random, so there is nothing to compare."
    times = "once" if count == 1 else f"{count:,} times"
    return f"The training text has this token {times}. The most similar of those that it has at least {MIN_SEEN} times:"


# What a vocabulary costs


def sizes(text: str, width: int, layers: int, *, tied: bool) -> dict[str, Any]:
    """Work out, for vocabularies of many sizes, a model's parameters and its work on a text.

    The vocabularies are those of o200k's first merges. A layer has 12 x width² parameters, as in GPT-2; a token meets
    each of these once, and each of the output table's, and costs two operations for each: a product and a sum.
    """
    if not (1 <= width <= MAX_WIDTH and 1 <= layers <= MAX_LAYERS):
        raise ValueError(f"rows have 1 to {MAX_WIDTH:,} numbers here, and models 1 to {MAX_LAYERS} layers")
    curve = compression_curve(repair(text)[0], "o200k_base")
    stops = np.unique(np.geomspace(256, 256 + curve.num_merges, POINTS).round().astype(int)) - 256
    inside = 12 * layers * width**2
    costs = vocabulary_costs(curve, width=width, tied=tied, context=1, merges=stops.tolist())
    rows = [
        {
            "vocabulary": cost.vocabulary,
            "tokens": cost.tokens,
            "parameters": cost.parameters,
            "work": 2 * cost.tokens * (inside + cost.vocabulary * width),
        }
        for cost in costs
    ]
    best = min(range(len(rows)), key=lambda index: rows[index]["work"])
    return {"rows": rows, "inside": inside, "best": best, "bytes": curve.bytes}


# A new token


def adding(text: str, name: str) -> dict[str, Any]:
    """Read a text with GPT-2's tokenizer, and with a further special token. Raises ValueError for an invalid one."""
    text = repair(text)[0]
    before = load("gpt2")
    after = before.with_special_tokens([repair(name)[0]])
    return {
        "before": columns_of(before.tokenize(text)),
        "after": columns_of(after.tokenize(text, "all")),
        "sizes": [before.vocab_size, after.vocab_size],
        "rows": [[token, shown(after.vocab[token])] for token in range(after.vocab_size - 4, after.vocab_size)],
        "width": _GPT2_WIDTH,
    }


def _sizes(text: str, width: str = "", layers: str = "", tied: str = "") -> dict[str, Any]:
    return sizes(text, number_in(width), number_in(layers), tied=tied == "1")


def _ask_next(_: str, first: str) -> Iterator[Question]:
    """Ask about the most probable tokens for a while, and at each step about all others that are offered."""
    written = ""
    for _step in range(_MOST_WRITTEN):
        yield "pipeline", first, {"written": written}
        offered = reading(first, numbers_in(written))["chances"]
        choices = [",".join(filter(None, (written, str(each["id"])))) for each in offered]
        yield from (("pipeline", first, {"written": choice}) for choice in choices)
        written = choices[0]


def _ask_sizes(value: str, first: str) -> Iterator[Question]:
    width, layers, tied = value.split(",")[:3] if value != first else ("768", "12", "1")
    yield "sizes", first, {"width": width, "layers": layers, "tied": tied}


def _ask_added(value: str, _: str) -> Iterator[Question]:
    name, _, text = value.partition(";")
    yield "added", text, {"name": name}


FIGURES = {
    "pipeline": Figure(lambda text, written="": reading(text, numbers_in(written)), MAX_LONG, asks=_ask_next),
    "neighbors": Figure(neighbors, form=field("A word or a token", 40, "mono wide-field")),
    "sizes": Figure(_sizes, MAX_LONG, asks=_ask_sizes),
    "added": Figure(lambda text, name="": adding(text, name), asks=_ask_added),
}
