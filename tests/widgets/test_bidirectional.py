"""Tests of the order of letters, against Unicode's own examples."""

import pytest

from tokviz.widgets.bidirectional import has_controls, levels_of, line_levels, visual_order

# Code points; direction asked for, and that of the paragraph; levels; places from left to right.
EXAMPLES = """
0627 0628 062C 0020 0062 006F 006F 006B 0028 0073 0029;0;0;1 1 1 0 0 0 0 0 0 0 0;2 1 0 3 4 5 6 7 8 9 10
0627 0628 062C 0020 0062 006F 006F 006B 0028 0073 0029;1;1;1 1 1 1 2 2 2 2 2 2 2;4 5 6 7 8 9 10 3 2 1 0
05D0 0028 0661 0029;0;0;1 1 2 1;3 2 1 0
0028 0661 0029 05D0;0;0;0 2 0 1;0 1 2 3
0061 0028 0031 0029;1;1;2 2 2 2;0 1 2 3
0627 0028 0661 0029;1;1;1 1 2 1;3 2 1 0
0028 0627 0029 0661;0;0;0 1 0 2;0 1 2 3
0661 0028 0061 0029;1;1;2 1 2 1;3 2 1 0
05D0 0028 0061 005B 0062 005D 0021 0029 05D1;1;1;1 1 2 2 2 2 1 1 1;8 7 6 2 3 4 5 1 0
0061 0028 05D0 005B 05D1 005D 0021 0029 0062;0;0;0 0 1 1 1 1 0 0 0;0 1 5 4 3 2 6 7 8
062A 0031 002F 0032;1;1;1 2 2 2;1 2 3 0
0627 0028 06F1 0029;0;0;1 1 2 1;3 2 1 0
0031 0661 0028 0627 0029;0;0;0 2 1 1 1;0 4 3 2 1
0028 0031 0029 05D0;1;1;1 2 1 1;3 2 1 0
061C 0020 06F1 0020 06F2 002D 06F3;0;0;1 1 2 1 2 1 2;6 5 4 3 2 1 0
05D0 0028 0031 0029;0;0;1 1 2 1;3 2 1 0
2680 0028 0028 2681 005B 005D 0061 05D0 0029;0;0;0 0 0 0 0 0 0 1 0;0 1 2 3 4 5 6 7 8
0028 2680 0028 005B 05D0 0061 005D 2681 0029;0;0;0 0 0 0 1 0 0 0 0;0 1 2 3 4 5 6 7 8
2680 005D 05D0 0028 0061 05D1 0029;1;1;1 1 1 1 2 1 1;6 5 4 3 2 1 0
05D0 005B 05D1 0028 2680 0029 0061;0;0;1 1 1 0 0 0 0;2 1 0 3 4 5 6
0028 05D0 005B 0061 05D1 005D 2680 0029;0;0;0 1 0 0 1 0 0 0;0 1 2 3 4 5 6 7
0028 2680 0029 05D0 0061 005B 005D 05D1;0;0;0 0 0 1 0 0 0 1;0 1 2 3 4 5 6 7
005B 0028 0061 2680 0029 0062;1;1;1 1 2 1 1 2;5 4 3 2 1 0
0028 05D0 2680 005B 05D1 0029 0061 005D;0;0;0 1 1 1 1 0 0 0;0 4 3 2 1 5 6 7
0028 0061 0029 0028 05D0 2680 05D1 0029;1;1;1 2 1 1 1 1 1 1;7 6 5 4 3 2 1 0
0061 0028 0028 005B 0029 2680 05D0 005D 2681;1;1;2 1 1 1 1 1 1 1 1;8 7 6 5 4 3 2 1 0
2680 005B 2681 0028 0029 05D0;1;1;1 1 1 1 1 1;5 4 3 2 1 0
0061 005B 05D0 2680 0028 0029 05D1;1;1;2 1 1 1 1 1 1;6 5 4 3 2 1 0
2680 0028 0061 005B 0029 05D0 005D 05D1;0;0;0 0 0 0 0 1 1 1;0 1 2 3 4 7 6 5
05D0 0028 2680 005B 2681 0061 005D 0029;0;0;1 0 0 0 0 0 0 0;0 1 2 3 4 5 6 7
05D0 2680 0028 2681 0061 0029 005B;1;1;1 1 1 1 2 1 1;6 5 4 3 2 1 0
0028 0061 005B 0062 05D0 0029 0063;0;0;0 0 0 0 1 0 0;0 1 2 3 4 5 6
"""
"""Lines of BidiCharacterTest.txt of Unicode 15.0."""


@pytest.mark.parametrize("example", EXAMPLES.split("\n")[1:-1])
def test_letters_stand_as_in_unicodes_examples(example: str) -> None:
    codes, _, base, levels, order = example.split(";")
    text = "".join(chr(int(code, 16)) for code in codes.split())
    found = line_levels(text, levels_of(text, int(base)), int(base))
    assert found == [*map(int, levels.split())]
    assert visual_order(found) == [*map(int, order.split())]


def test_controls_of_direction_are_found() -> None:
    assert has_controls("a\u202eb") and has_controls("\u2067א\u2069")
    assert not has_controls("שלום \u200f a")
