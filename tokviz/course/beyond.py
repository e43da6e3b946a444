"""Pictures on the cards of the chapter "trouble": model inputs that are not tokens of a text."""

from functools import cache
from typing import Any

import numpy as np

from tokviz.arrays import Float64Array, Int64Array
from tokviz.course.figure import MAX_LONG, OWN_TEXT, Figure, Part, number_in, rounded, rung, says, sections
from tokviz.course.inside import row
from tokviz.pretrained import load
from tokviz.texts import repair
from tokviz.tokenizers.simple import ByteTokenizer

MAX_PROMPT = 400
"""Maximum code points of a prompt whose tokens gist tokens stand for."""

MAX_READ = 60
"""Maximum code points of a text that is shown in bytes."""

SIDE = 48
"""Width and height of the picture, in pixels."""

PATCH = 4
"""Width and height of a patch."""

VOCABULARIES = (4, 16, 64)
"""Numbers of patches that the picture is written with."""

_MAX_ROUNDS = 50


def prompt(text: str) -> dict[str, Any]:
    """Cut a prompt into GPT-2's tokens."""
    return row("GPT-2", load("gpt2"), repair(text)[0][:MAX_PROMPT])


def tokenless(text: str) -> dict[str, Any]:
    """Compare the tokens of GPT-4o's o200k with the bytes of a text."""
    text = repair(text)[0][:MAX_READ]
    return {"rows": [row("o200k", load("o200k_base"), text), row("bytes", ByteTokenizer(), text)]}


# A picture in codes


@cache
def codes(size: int) -> dict[str, Any]:
    """Learn a vocabulary of patches from the picture, and write it with them.

    `pixels` are the picture's colors in hexadecimal, row by row; `codes` a number for each of its patches, row by row;
    `patches` the colors of each number's patch. Raises ValueError for another size than those in `VOCABULARIES`.
    """
    if size not in VOCABULARIES:
        raise ValueError(f"the vocabulary has {', '.join(map(str, VOCABULARIES))} patches")
    picture = _picture()
    count = SIDE // PATCH
    patches = picture.reshape(count, PATCH, count, PATCH, 3).swapaxes(1, 2).reshape(count * count, -1)
    learned, found = _learn(patches.astype(np.float64), size)
    return {
        "side": SIDE,
        "patch": PATCH,
        "pixels": picture.tobytes().hex(),
        "codes": found.tolist(),
        "patches": [patch.tobytes().hex() for patch in learned.round().astype(np.uint8)],
    }


def _picture() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Draw an evening at the sea."""
    y, x = np.mgrid[:SIDE, :SIDE] / SIDE
    sky = np.stack([120 + 135 * y / 0.6, 60 + 100 * y / 0.6, 170 - 80 * y / 0.6], axis=-1)
    waves = 18 * np.sin(60 * y) * np.cos(14 * x + 30 * y)
    sea = np.stack([25 + waves, 110 + waves, 120 + waves], axis=-1)
    picture = np.where((y < 0.6)[..., None], sky, sea)
    picture[(x - 0.62) ** 2 + (y - 0.42) ** 2 < 0.02] = (255, 236, 160)  # the sun
    picture[(y > 0.62) & (abs(x - 0.62) < 0.11 - 0.12 * (y - 0.6)) & (waves > 0)] = (244, 178, 110)  # its reflection
    picture[(y < 0.6) & (y > 0.6 - 0.28 * np.exp(-(((x - 0.12) / 0.2) ** 2)))] = (46, 38, 60)  # a hill
    return picture.clip(0, 255).astype(np.uint8)


def _learn(patches: Float64Array, size: int) -> tuple[Float64Array, Int64Array]:
    """Find `size` patches that stand for all, by k-means, and each patch's nearest: at first, those furthest apart."""
    chosen = [int(_distances(patches, patches.mean(axis=0, keepdims=True)).argmin())]
    while len(chosen) < size:
        chosen.append(int(_distances(patches, patches[chosen]).min(axis=1).argmax()))
    learned = patches[chosen]
    found = _distances(patches, learned).argmin(axis=1)
    for _ in range(_MAX_ROUNDS):
        learned = np.stack([patches[found == code].mean(axis=0) for code in range(size)])
        before, found = found, _distances(patches, learned).argmin(axis=1)
        if (before == found).all():
            break
    return learned, found


def _distances(patches: Float64Array, others: Float64Array) -> Float64Array:
    distances: Float64Array = ((patches[:, None] - others) ** 2).sum(axis=2)
    return distances


def tokenless_rungs(text: str) -> list[Part]:
    """Show the tokens of a text above its bytes, and say how many times as many there are."""
    tokens, data = tokenless(text)["rows"]
    both = sections("rungs", [rung(tokens), rung(data, unit="byte")])
    return [says(say_times(tokens["count"], data["count"])), both]


def say_times(tokens: int, data: int) -> str:
    """Say how many times as many bytes a text has as tokens."""
    return f"{rounded(data / tokens, 1)} times as many bytes as tokens." if tokens else "Type a text."


FIGURES = {
    "gist": Figure(prompt),
    "codes": Figure(
        lambda _, size="": codes(number_in(size)),
        asks=lambda _value, _first: (("codes", "", {"size": str(size)}) for size in VOCABULARIES),
    ),
    "tokenless": Figure(tokenless_rungs, MAX_LONG, OWN_TEXT),
}
