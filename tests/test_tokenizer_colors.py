"""One color per tokenizer: the same whatever it is shown with, and told apart from all that are shown with it."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.charts.chart import COLORS
from tokviz.tokenizer_colors import NUM_COLORS, color_numbers
from tokviz.widgets.svg import palette

CLASSICS = ["GPT-2", "cl100k", "o200k"]
NAMES = st.lists(st.one_of(st.sampled_from([*CLASSICS, "gpt2", "BERT"]), st.text(max_size=5)), max_size=20)


@given(NAMES)
def test_each_of_those_shown_has_its_own_color_in_whatever_order(names: Sequence[str]) -> None:
    numbers = color_numbers(names)
    assert set(numbers) == set(names)
    assert len(set(numbers.values())) == len(numbers)
    rounds = max(numbers.values(), default=0) // NUM_COLORS
    assert set(numbers.values()) >= set(range(NUM_COLORS * rounds)), "a color is shared while another is free"
    assert color_numbers(names[::-1]) == numbers


@pytest.mark.parametrize("name", ["Bytes", "My tokenizer", "Mistral 7B v0.1", "Заказ", "tokenizer.json"])
def test_a_readers_own_tokenizer_keeps_its_color_beside_the_classics(name: str) -> None:
    alone = color_numbers([name])[name]
    for names in permutations([name, *CLASSICS]):
        assert color_numbers(names)[name] == alone


def test_the_classics_have_the_same_colors_by_name_and_by_label() -> None:
    by_label = color_numbers([*CLASSICS, "another", "one more"])
    by_name = color_numbers(["o200k_base", "gpt2", "cl100k_base"])
    assert [by_label[label] for label in CLASSICS] == [by_name[name] for name in ("gpt2", "cl100k_base", "o200k_base")]


def test_lines_and_pieces_have_a_color_for_each_number() -> None:
    assert len(COLORS) == NUM_COLORS == sum(name.startswith("own-") for name in palette(False))
