"""Tests of what reaches a terminal: colors by its abilities, contrast, and no control character of a text."""

import io
import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import every_character

from tokviz.command.terminal import _SIXTEEN, Colors, chips, colors_for
from tokviz.widgets.notebook import INK, TINTS

COLORING = re.compile(r"\x1b\[[\d;]*m")
CONTROLS = [char for char in every_character() if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def joined(tokens: list[bytes], colors: Colors = Colors.NONE) -> str:
    return "".join(chips(tokens, colors))


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm-256color"}, Colors.SIXTEEN),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colors.TRUE),
        ({"TERM": "xterm-direct"}, Colors.TRUE),
        ({"WT_SESSION": "1"}, Colors.TRUE),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colors.NONE),
        ({}, Colors.NONE),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Colors.NONE),
        ({"TERM": "xterm", "NO_COLOR": ""}, Colors.SIXTEEN),
    ],
)
def test_colors_follow_the_terminal(environment: dict[str, str], expected: Colors) -> None:
    assert colors_for("auto", Screen(), environment) is expected
    assert colors_for("auto", io.StringIO(), environment) is Colors.NONE
    assert colors_for("never", Screen(), environment) is Colors.NONE
    assert colors_for("always", io.StringIO(), environment) is not Colors.NONE


def test_tokens_are_separated_without_colors_also_at_line_ends() -> None:
    assert joined([b"I", b" love", b" \xf0\x9f", b"\x8d"]) == "I|·love|· f0 9f|8d"
    assert joined([b"a", b"\n", b"b"]) == "a|↵|\nb"
    assert joined([b"a", b"\nb"]) == "a|↵\nb"
    assert joined([b"a|b", b""]) == "a[|]b|[end]"
    assert joined([b"a\n\n"]) == "a↵\n↵\n"
    assert joined([]) == ""


def test_without_breaks_all_is_one_line() -> None:
    assert "".join(chips([b"a\n", b"b\r\n"], Colors.NONE, breaks=False)) == "a↵|b[CR]↵"


def test_24_bit_colors_are_those_of_the_token_view() -> None:
    def code(color: str) -> str:
        return ";".join(str(int(color[i : i + 2], 16)) for i in (1, 3, 5))

    expected = [f"\x1b[38;2;{code(INK)};48;2;{code(tint)}m" for tint in (*TINTS, TINTS[0])]
    assert COLORING.findall(joined([b"a"] * 5, Colors.TRUE))[::2] == expected


def test_16_colors_are_black_on_bright_and_differ_between_neighbors() -> None:
    assert all(re.fullmatch(r"\x1b\[30;10[2-7]m", code) for code in _SIXTEEN)
    assert all(one != other for one, other in pairwise((*_SIXTEEN, _SIXTEEN[0])))


def test_colors_end_before_a_line_does() -> None:
    """A terminal would otherwise color the rest of the line."""
    for colors in (Colors.SIXTEEN, Colors.TRUE):
        for line in joined([b"a\n\nb", b"\n", b"c"], colors).split("\n"):
            assert not line or line.endswith("\x1b[0m")


@given(st.lists(st.one_of(st.binary(max_size=8), st.sampled_from(CONTROLS).map(str.encode)), max_size=6))
def test_no_control_character_of_a_text_reaches_the_terminal(tokens: list[bytes]) -> None:
    for colors in Colors:
        for text in COLORING.sub("", joined(tokens, colors)).split("\n"):
            assert text.isprintable()
