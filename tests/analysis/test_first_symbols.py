"""Code points first or bytes first, against SentencePiece itself and against properties of UTF-8."""

from pathlib import Path

import pytest
from sentencepiece import SentencePieceProcessor

import tokviz
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

TEXT = "the cat in the hat, the cat and the rat\n" * 60 + "a rare 🍕 and ₿, ₿"
RARE = {"🍕": 1, "₿": 2}
ANNA = (Path(__file__).parents[2] / "tokviz" / "samples" / "training" / "anna-karenina.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def found() -> tokviz.CodePointsOrBytes:
    return tokviz.code_points_or_bytes(TEXT, vocab_size=400, character_coverage=0.998)


def test_each_way_is_what_its_library_says(found: tokviz.CodePointsOrBytes) -> None:
    unknown, fallback, from_bytes = found.ways
    for way in (unknown, fallback):
        assert isinstance(way.tokenizer, SentencePieceTokenizer)
        library = SentencePieceProcessor(model_proto=way.tokenizer.data)
        ids = library.encode(TEXT)
        assert way.tokens == len(ids)
        assert way.is_lossless == (library.decode(ids) == TEXT)
    assert from_bytes.tokens == len(from_bytes.tokenizer.encode(TEXT))
    assert [way.is_lossless for way in found.ways] == [False, True, True]


def test_what_is_rare(found: tokviz.CodePointsOrBytes) -> None:
    rare = {row.character: row.times for row in found.rare if row.character.isprintable()}
    assert rare == RARE
    unknown, fallback, from_bytes = found.ways
    assert unknown.unknown == sum(row.times for row in found.rare)
    assert (fallback.unknown, from_bytes.unknown) == (0, 0)
    assert unknown.parts == 0
    assert fallback.parts == sum(len(character.encode()) * count for character, count in RARE.items())
    for row in found.rare:
        data = row.character.encode()
        assert row.spelled[0] == ("<unk>",)
        assert row.spelled[1] == tuple(f"<0x{value:02X}>" for value in data)
        assert " ".join(row.spelled[2]) == data.hex(" ")


def test_vocabularies_have_one_size() -> None:
    asked = tokviz.code_points_or_bytes(ANNA, vocab_size=350)
    assert asked.vocab_size == 350
    most = tokviz.code_points_or_bytes(ANNA, vocab_size=4000)
    assert most.vocab_size == tokviz.train(ANNA, split_pattern="gpt2", vocab_size=4000).vocab_size < 4000
    for found in (asked, most):
        assert [way.tokenizer.vocab_size for way in found.ways] == [found.vocab_size] * 3


def test_a_short_text_gives_no_sizes_to_compare_but_what_is_rare() -> None:
    found = tokviz.code_points_or_bytes("the cat in the hat " * 30 + "🍕", vocab_size=400, character_coverage=0.998)
    assert found.vocab_size is None
    assert [row.character for row in found.rare] == ["🍕"]


def test_a_text_of_common_characters_only() -> None:
    found = tokviz.code_points_or_bytes(ANNA, vocab_size=350, character_coverage=1.0)
    assert {row.character for row in found.rare} <= {"\n"}
    assert [way.unknown == ANNA.count("\n") * (place == 0) for place, way in enumerate(found.ways)] == [True] * 3


def test_refusals() -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        tokviz.code_points_or_bytes("")
    with pytest.raises(ValueError, match="any single bytes alone are 265 pieces, and vocab_size is 100"):
        tokviz.code_points_or_bytes("the cat", vocab_size=100)
