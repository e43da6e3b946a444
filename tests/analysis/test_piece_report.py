"""Bytes that tokens of other libraries stand for, compared with what these libraries give back."""

import pytest
import tokenizers
from sentencepiece import SentencePieceProcessor

import tokviz
from tokviz.analysis.training.piece_report import piece_report
from tokviz.tokenizers.engines.training import ModelType

TEXT = "The lower, the lowest low. " * 20
SPACED = "the   low\n\nthe lowest  "


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_bytes_that_sentencepiece_drops_are_not_spelled(model_type: ModelType, prefix: bool) -> None:
    trained = tokviz.train_sentencepiece(
        TEXT, model_type=model_type, vocab_size=40, hard_vocab_limit=False, add_dummy_prefix=prefix
    )
    library = SentencePieceProcessor(model_proto=trained.data)
    found = piece_report(trained, [TEXT], [SPACED])
    for (row, *peers), text in ((found.learned_from, TEXT), (found.measured, SPACED)):
        back = library.decode(library.encode(text))
        assert (row.bytes, row.spelled, row.tokens) == (len(text), len(back), len(library.encode(text)))
        assert row.bytes_per_token == len(back) / len(library.encode(text))
        assert all(peer.spelled == len(text) for peer in peers)
    assert found.measured[0].spelled == len("the low the lowest")


def test_unknown_characters_are_not_spelled_unless_as_bytes() -> None:
    for byte_fallback, lost in ((False, len("東京é".encode())), (True, 0)):
        trained = tokviz.train_sentencepiece(
            TEXT,
            vocab_size=300,
            hard_vocab_limit=False,
            byte_fallback=byte_fallback,
            normalization_rule_name="identity",
        )
        text = "the 東京 low é"
        [row, *_] = piece_report(trained, [TEXT], [text]).measured
        assert row.bytes - row.spelled == lost


def test_characters_that_are_replaced_are_spelled_as_far_as_their_bytes_go() -> None:
    """One character that becomes two pieces, or more bytes than it had, counts as itself at most."""
    trained = tokviz.train_sentencepiece(f"{TEXT}fi 1/2 ⁄", vocab_size=60, hard_vocab_limit=False, character_coverage=1)
    for text, spelled in (("the ﬁ low", "the fi low"), ("the ½ low", "the ½ low"), ("the ｌｏｗ", "the low")):
        [row, *_] = piece_report(trained, [TEXT], [text]).measured
        assert (row.bytes, row.spelled) == (len(text.encode()), len(spelled.encode())), text


def test_word_pieces_spell_no_white_space() -> None:
    trained = tokviz.train_word_piece(TEXT, vocab_size=60)
    library = tokenizers.Tokenizer.from_buffer(trained.data)
    for text in (TEXT, SPACED, "The low zebra"):
        pieces = library.encode(text, add_special_tokens=False).tokens
        spelled = sum(len(piece.removeprefix("##").encode()) for piece in pieces if piece != "[UNK]")
        [row, *_] = piece_report(trained, [TEXT], [text]).measured
        assert (row.spelled, row.tokens) == (spelled, len(pieces))
