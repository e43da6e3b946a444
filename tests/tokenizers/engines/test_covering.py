"""Offsets that tile a text, from spans that don't."""

import numpy as np
import pytest

from tokviz.tokenizers.engines.covering import cover, with_added


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("ab cd", [(0, 2, b"ab"), (3, 5, b"cd")], [0, 2, 5]),  # a space joins the token after it
        ("e\u0301x", [(0, 1, "é".encode()), (3, 4, b"x")], [0, 3, 4]),  # a composed mark joins the letter
        ("e\u0301 x", [(0, 1, "é".encode()), (4, 5, b"x")], [0, 3, 5]),
        (" ab ", [(1, 3, b"ab")], [0, 4]),
        ("🍕", [(0, 4, b"\xf0\x9f"), (0, 4, b"\x8d"), (0, 4, b"\x95")], [0, 2, 3, 4]),
        ("a🍕b", [(0, 5, b"a\xf0"), (1, 5, b"\x9f"), (1, 6, b"\x8d\x95b")], [0, 2, 3, 6]),
        ("🍕", [(0, 4, b" \xf0\x9f"), (0, 4, b"\x8d\x95")], [0, 2, 4]),  # a space was put in front
        ("ﬁ", [(0, 3, b"f"), (0, 3, b"i")], [0, 0, 3]),  # the last token covers what was rewritten
        ("x", [(0, 1, b" "), (0, 1, b"x")], [0, 0, 1]),
        ("   ", [], [0]),
    ],
)
def test_offsets(text: str, tokens: list[tuple[int, int, bytes]], expected: list[int]) -> None:
    starts = np.array([start for start, _, _ in tokens], np.int32)
    ends = np.array([end for _, end, _ in tokens], np.int32)
    assert cover(text.encode(), starts, ends, lambda token: tokens[token][2]).tolist() == expected


def test_tokens_put_around_a_text_cover_nothing_unless_they_are_alone() -> None:
    is_added = np.array([True, False, False, True])
    assert with_added(np.array([0, 2, 5], np.int32), is_added, 5).tolist() == [0, 0, 2, 5, 5]
    assert with_added(np.zeros(1, np.int32), np.array([True, True]), 3).tolist() == [0, 0, 3]
    assert with_added(np.zeros(1, np.int32), np.zeros(0, np.bool_), 3).tolist() == [0]
