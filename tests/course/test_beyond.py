"""The cards of the chapter "trouble": tokens as libraries count them, and a picture in codes against slow loops."""

from itertools import product

import pytest
from shipped import encoding_of

from tokviz.course import beyond

Color = tuple[int, int, int]


def colors(data: str) -> list[Color]:
    numbers = bytes.fromhex(data)
    return [(numbers[i], numbers[i + 1], numbers[i + 2]) for i in range(0, len(numbers), 3)]


def cut(pixels: list[Color]) -> list[list[Color]]:
    """Cut a picture into patches, row by row."""
    corners = product(range(0, beyond.SIDE, beyond.PATCH), repeat=2)
    inside = list(product(range(beyond.PATCH), repeat=2))
    return [[pixels[(top + y) * beyond.SIDE + left + x] for y, x in inside] for top, left in corners]


def apart(one: list[Color], other: list[Color]) -> int:
    return sum((a - b) ** 2 for left, right in zip(one, other, strict=True) for a, b in zip(left, right, strict=True))


def lost(size: int) -> int:
    """Return how far a picture is from what its codes say, after a check that no other codes would be nearer."""
    found = beyond.codes(size)
    patches, learned = cut(colors(found["pixels"])), [colors(patch) for patch in found["patches"]]
    assert set(found["codes"]) == set(range(size))
    distances = [[apart(patch, each) for each in learned] for patch in patches]
    for row, code in zip(distances, found["codes"], strict=True):
        assert row[code] <= min(row) * 1.001 + beyond.PATCH**2  # the colors of what is learned are rounded
    return sum(row[code] for row, code in zip(distances, found["codes"], strict=True))


def test_each_patch_has_the_nearest_code_and_more_codes_lose_less() -> None:
    losses = [lost(size) for size in beyond.VOCABULARIES]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] / 10


def test_learned_patches_are_the_means_of_theirs() -> None:
    found = beyond.codes(16)
    patches = cut(colors(found["pixels"]))
    for code, learned in enumerate(colors(patch) for patch in found["patches"]):
        own = [patch for patch, each in zip(patches, found["codes"], strict=True) if each == code]
        for place, color in enumerate(learned):
            means = [sum(patch[place][channel] for patch in own) / len(own) for channel in range(3)]
            assert all(abs(mean - stated) <= 0.5 for mean, stated in zip(means, color, strict=True))


@pytest.mark.parametrize("size", [-1, 0, 5, 10**6])
def test_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="4, 16, 64"):
        beyond.codes(size)


@pytest.mark.parametrize("text", ["", "Tokyo is 東京. 😊", "\ud800", "x" * 1_000])
def test_tokens_and_bytes(text: str) -> None:
    tokens, read = beyond.tokenless(text)["rows"]
    shown = text[: beyond.MAX_READ].encode("utf-8", "replace").decode().replace("?", "\ufffd")
    assert tokens["count"] == len(encoding_of("o200k_base").encode_ordinary(shown))
    assert read["count"] == len(shown.encode())
    prompt = text[: beyond.MAX_PROMPT].encode("utf-8", "replace").decode().replace("?", "\ufffd")
    assert beyond.say_times(tokens["count"], read["count"]) in (
        "Type a text.",
        f"{read['count'] / max(1, tokens['count']):.1f} times as many bytes as tokens.",
    )
    assert beyond.prompt(text)["count"] == len(encoding_of("gpt2").encode_ordinary(prompt))
