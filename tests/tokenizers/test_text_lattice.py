"""The lattice and the longest matches of a text in segments: ids and positions in the reader's text."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.subwords.unigram import UnigramModel
from tokviz.subwords.word_piece import WordPieceModel
from tokviz.tokenizers.engines.segments import Segment, original_offsets
from tokviz.tokenizers.lattice import TextLattice
from tokviz.tokenizers.matches import TextMatches

NAMED = tokviz.CharacterTokenizer()


def lattice_of(text: str, segments: list[Segment], n: int) -> TextLattice:
    return TextLattice(NAMED, NAMED.tokenize(text), MODEL, segments, n)


PIECES = {"a": -3.0, "b": -4.0, "ab": -5.0, "ba": -7.5, "aba": -9.0}
MODEL = UnigramModel({piece: i for i, piece in enumerate(PIECES, 1)}, np.array([0.0, *PIECES.values()]), -19.0, 0)


def plain(*texts: str) -> list[Segment]:
    """Segments of a text that nothing normalizes."""
    starts = itertools.accumulate((len(text.encode()) for text in texts), initial=0)
    lengths = ([len(text[:i].encode()) for i in range(len(text) + 1)] for text in texts)
    columns = zip(texts, lengths, starts, strict=False)
    return [Segment(text, np.array(offsets, np.int32) + start) for text, offsets, start in columns]


@examples(60)
@given(st.lists(st.text("abc", min_size=1, max_size=4), max_size=4))
def test_ways_are_the_best_combinations_of_the_segments(texts: list[str]) -> None:
    lattice = lattice_of("".join(texts), plain(*texts), 6)
    all_paths = [part.paths(1_000) for part in lattice.lattices if part]
    sums = sorted((sum(path.score for path in paths) for paths in itertools.product(*all_paths)), reverse=True)
    assert [way.score for way in lattice.ways] == pytest.approx(sums[:6])
    assert lattice.num_ways == len(sums)
    for path, paths in zip(lattice.ways[0].paths, all_paths, strict=True):
        assert path.edges.tolist() == paths[0].edges.tolist()
    for way in lattice.ways[1:]:
        tokenization = lattice.tokenization(way)
        assert b"".join(tokenization.token_bytes).decode() == "".join(texts)


def test_tokens_cover_what_their_characters_came_from() -> None:
    # The text "ﬁ b" became "ab b", and a dummy was put in front: the first character covers nothing, the next one "ﬁ".
    segments = [Segment("aab", np.array([0, 0, 3, 3], np.int32)), Segment("b", np.array([3, 5], np.int32))]
    lattice = lattice_of("ﬁ b", segments, 2)
    assert lattice.ids(lattice.ways[0]).tolist() == [1, 3, 2]
    tokenization = lattice.tokenization(lattice.ways[1])
    assert tokenization.ids.tolist() == [1, 1, 2, 2]
    assert tokenization.token_bytes == [b"", "ﬁ".encode(), b"", b" b"]
    assert tokenization.pretoken_index.tolist() == [0, 0, 0, 1]


def test_offsets_inside_a_character_stay_inside_it() -> None:
    segment = Segment("🍕x", np.array([0, 4, 5], np.int32))
    assert original_offsets([segment], np.array([0, 1, 2, 3, 4, 5])).tolist() == [0, 1, 2, 3, 4, 5]
    from_one_byte = Segment("é", np.array([0, 1], np.int32))
    assert original_offsets([from_one_byte], np.array([0, 1, 2])).tolist() == [0, 0, 1]


def test_special_tokens_are_no_part_of_any_lattice() -> None:
    segments = [*plain("ab"), Segment("<s>", np.array([2, 3, 4, 5], np.int32), special=9)]
    lattice = lattice_of("ab<s>", segments, 3)
    assert [lattice.ids(way).tolist() for way in lattice.ways] == [[3, 9], [1, 2, 9]]
    assert lattice.tokenization(lattice.ways[1]).token_bytes == [b"a", b"b", b"<s>"]


def test_nothing_has_one_empty_way() -> None:
    lattice = lattice_of("", [], 5)
    assert (lattice.num_ways, [way.score for way in lattice.ways]) == (1, [0.0])
    assert lattice.tokenization(lattice.ways[0]).ids.tolist() == []


def test_words_are_matched_one_by_one() -> None:
    model = WordPieceModel({"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3}, 0)
    segments = [*plain("unaffable", "q"), Segment("<s>", np.array([10, 11, 12, 13], np.int32), special=9)]
    found = TextMatches(NAMED, "unaffableq<s>", model, segments)
    assert found.ids == [1, 2, 3, 0, 9]
    assert [(word.start, word.end) for word in found.words] == [(0, 9), (9, 10)]
