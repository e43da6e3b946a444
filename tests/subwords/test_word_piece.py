"""Longest match first gives what tokenizers gives, and what its steps say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from subword_models import hugging_face_word_piece

from tokviz.subwords.word_piece import WordPieceModel, longest_matches

WORDS = st.lists(
    st.sampled_from(
        ["the", "un", "aff", "able", "low", "est", "Ü", "é", "e\u0301", "日本", "語", "q", "🍕", "#", "##a"]
    )
).map("".join)


@examples(300)
@given(WORDS)
def test_pieces_are_those_of_tokenizers(word: str) -> None:
    engine = hugging_face_word_piece()
    model = WordPieceModel(engine.get_vocab(), engine.token_to_id("[UNK]") or 0, max_chars=20)
    found = longest_matches(model, word)
    expected = engine.model.tokenize(word)
    assert found.ids == [token.id for token in expected]
    assert found.is_too_long == (len(word) > 20)
    if found.stuck_at is None:
        pieces = [word[match.start : match.end] for match in found.matches]
        assert pieces == [word.encode()[slice(*token.offsets)].decode() for token in expected]


@examples(100)
@given(WORDS)
def test_lookups_are_counted_as_in_a_simple_search(word: str) -> None:
    vocab = hugging_face_word_piece().get_vocab()
    expected = 0
    rest, at = word, 0
    while rest:
        for length in range(len(rest), 0, -1):
            piece = rest[:length] if not at else "##" + rest[:length]
            expected += 1
            if piece in vocab:
                rest, at = rest[length:], at + length
                break
        else:
            break
    found = longest_matches(WordPieceModel(vocab, 0, max_chars=10_000), word)
    assert found.num_attempts == expected


def test_words_that_are_too_long_are_not_tried() -> None:
    found = longest_matches(WordPieceModel({"a": 1, "##a": 2}, 0, max_chars=3), "aaaa")
    assert (found.ids, found.is_too_long, found.num_attempts) == ([0], True, 0)
