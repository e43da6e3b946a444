from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from tokviz.subwords.unigram import Prefixes

LETTERS = st.text("abé\U0010ffff", max_size=6)


@examples(200)
@given(st.sets(LETTERS.filter(bool), max_size=12), LETTERS)
def test_finds_each_piece_that_a_text_begins_with(pieces: set[str], text: str) -> None:
    index = Prefixes(pieces)
    assert index.of(text) == sorted(filter(text.startswith, pieces), key=len)
    assert index.longest == max(map(len, pieces), default=0)
