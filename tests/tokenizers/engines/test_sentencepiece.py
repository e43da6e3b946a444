"""SentencePiece as the engine: ids, decoding and spans are its own."""

import pickle
from itertools import pairwise
from typing import Any

import pytest
from engine_files import nasty_texts, sentencepiece_model
from sentencepiece import SentencePieceProcessor

from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MODELS: dict[str, dict[str, Any]] = {
    "bpe": {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity"},
    "bpe without bytes": {"model_type": "bpe", "user_defined_symbols": "the,<mask>"},
    "unigram": {"model_type": "unigram", "byte_fallback": True, "control_symbols": "<|end|>"},
    "unigram, lower case": {"model_type": "unigram", "normalization_rule_name": "nmt_nfkc_cf"},
    "suffix": {"model_type": "bpe", "treat_whitespace_as_suffix": True, "remove_extra_whitespaces": False},
    "words": {"model_type": "word", "use_all_vocab": True},
    "characters": {"model_type": "char", "add_dummy_prefix": False, "bos_id": -1},
}


def opened(name: str, **options: Any) -> SentencePieceTokenizer:
    return SentencePieceTokenizer(name, sentencepiece_model(**MODELS[name]), **options)


def engine(name: str) -> Any:
    return SentencePieceProcessor(model_proto=sentencepiece_model(**MODELS[name]))


@pytest.mark.parametrize("name", MODELS)
def test_equals_the_library_on_nasty_texts(name: str) -> None:
    tok, reference = opened(name), engine(name)
    texts = nasty_texts(3_000, name)
    for text, expected in zip(texts, reference.encode(texts, return_type="proto"), strict=True):
        found = tok.tokenize(text)
        assert found.ids.tolist() == [piece.id for piece in expected.pieces]
        offsets, data = found.byte_offsets.tolist(), text.encode()
        assert offsets == sorted(offsets)
        assert (offsets[0], offsets[-1]) == (0, len(data) if expected.pieces else 0)
        for (start, end), piece in zip(pairwise(offsets), expected.pieces, strict=True):
            is_byte = reference.is_byte(piece.id)
            assert is_byte or start <= piece.begin <= piece.end <= end
        assert tok.decode(found.ids.tolist()) == reference.decode(found.ids.tolist())


@pytest.mark.parametrize("name", MODELS)
def test_bytes_of_a_character_cover_themselves(name: str) -> None:
    tok = opened(name)
    found = tok.tokenize("low 🍕 low")
    if tok.model.byte_ids:
        assert [data for data in found.token_bytes if len(data) == 1 and data[0] > 127] == [
            b"\xf0",
            b"\x9f",
            b"\x8d",
            b"\x95",
        ]
    else:
        assert any("🍕".encode() in data for data in found.token_bytes)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_put_around_a_text(name: str) -> None:
    reference = engine(name)
    for bos, eos in ((True, True), (True, False), (False, True), (False, False)):
        tok = opened(name, add_bos=bos, add_eos=eos)
        expected = reference.encode("the low", add_bos=bos and reference.bos_id() >= 0, add_eos=eos)
        assert tok.encode("the low", add_special=True) == expected
        assert tok.tokenize("the low", add_special=True).ids.tolist() == expected
        assert tok.is_around_known
    assert not opened(name).is_around_known
    usual = opened(name).around
    assert usual == (((1,), ()) if reference.bos_id() >= 0 else ((), (reference.eos_id(),)))


def test_control_symbols_are_found_only_where_allowed() -> None:
    tok, reference = opened("unigram"), engine("unigram")
    text = "the<|end|>low</s>"
    assert tok.encode(text) == reference.encode(text)
    specials = tok.special_tokens
    assert tok.encode(text, {"<|end|>"}) == [
        *reference.encode("the"), specials["<|end|>"], *reference.encode("low</s>"),
    ]  # fmt: skip
    found = tok.tokenize(text, "all")
    assert found.token_bytes[-1] == b"</s>"
    assert found.special.sum() == 2
    assert b"".join(found.token_bytes) == text.encode()


def test_dropped_text_is_covered_all_the_same() -> None:
    tok = opened("unigram")
    for text in ("   </s>", "</s>   ", "  </s>  </s>  a  "):
        assert b"".join(tok.tokenize(text, "all").token_bytes) == text.encode()
    assert tok.tokenize("   ").byte_offsets.tolist() == [0]
    assert tok.tokenize("   ", add_special=True).token_bytes == [b"   "]


@pytest.mark.parametrize("name", MODELS)
def test_stages_end_in_the_tokens(name: str) -> None:
    tok, reference = opened(name), engine(name)
    for text in nasty_texts(200):
        normalized, tokens, whole = tok.stages(text)
        assert "".join(normalized.pieces) == reference.normalize(text)
        assert tokens.pieces == tuple(reference.id_to_piece(reference.encode(text)))
        assert len(whole.pieces) == len(tokens.pieces) + 1


def test_stages_say_what_they_changed() -> None:
    changes = [change for stage in opened("bpe").stages("low 🍕") for change in stage.changes]
    assert changes == [
        "puts a space in front", "writes each space as ▁", "writes characters without a token as UTF-8 bytes",
        "puts <s> in front",
    ]  # fmt: skip
    assert opened("characters").stages("low")[0].changes == ()
    assert opened("suffix").stages("low")[0].changes[0] == "puts a space at the end"
    rewritten = opened("unigram, lower case").stages(" LOW")[0].changes
    assert rewritten[:2] == (
        "replaces characters using the table nmt_nfkc_cf",
        "removes extra spaces",
    )


def test_model() -> None:
    for name in MODELS:
        model, reference = opened(name).model, engine(name)
        assert model.pieces == tuple((reference.id_to_piece(i), reference.get_score(i)) for i in range(len(reference)))
        assert model.unknown == reference.unk_id()
        assert len(model.byte_ids) == (256 if "byte_fallback" in MODELS[name] else 0)
    assert {opened(name).algorithm for name in MODELS} == {"bpe", "unigram", "word", "char"}
    literal = opened("bpe without bytes").model.literal_ids
    assert {opened("bpe without bytes").model.pieces[token][0] for token in literal} == {"the", "<mask>"}


def test_pickles_hold_the_file() -> None:
    tok = opened("bpe")
    assert pickle.loads(pickle.dumps(tok)) is tok
    given = {"name", "data", "around", "is_around_known", "_adds", "_load"}
    assert tok.__getstate__().keys() <= given | {"_key", "_is_sealed"}


def test_wrong_ids_and_files_are_refused() -> None:
    tok = opened("bpe")
    for wrong in (-1, tok.vocab_size, 2**40):
        with pytest.raises(ValueError, match="is not in use"):
            tok.decode([wrong])
    for damaged in (b"", b"minbpe v1\n", tok.data[:-100]):
        with pytest.raises(ValueError, match="not a SentencePiece model"):
            SentencePieceTokenizer("broken", damaged)


def test_decoding_bytes() -> None:
    tok = opened("bpe")
    assert tok.decode_bytes(tok.encode("low 🍕")) == "low 🍕".encode()


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@pytest.mark.parametrize("is_on", [True, False])
def test_byte_fallback_changes_only_what_no_piece_spells(model_type: str, is_on: bool) -> None:
    """The library's pieces are the same once bytes are joined to the characters that `<unk>` stands for."""
    tok = SentencePieceTokenizer("x", sentencepiece_model(model_type=model_type, byte_fallback=is_on))
    other = tok.with_byte_fallback(not is_on)
    assert tok.with_byte_fallback(is_on) is tok
    assert other.vocab_size == tok.vocab_size + (-256 if is_on else 256)
    libraries = [SentencePieceProcessor(model_proto=each.data) for each in (tok, other)]
    fallback, unknown = libraries if is_on else libraries[::-1]
    saw_bytes = False
    for text in nasty_texts(300):
        spelled: list[str] = []
        was_byte = False
        for piece, token in zip(fallback.encode(text, out_type=str), fallback.encode(text), strict=True):
            is_byte = fallback.is_byte(token)
            part = bytes([int(piece[3:5], 16)]).hex() if is_byte else piece
            spelled = [*spelled[:-1], spelled[-1] + part] if is_byte and was_byte else [*spelled, part]
            was_byte = is_byte
        expected = [
            piece.encode().hex() if unknown.is_unknown(token) else piece
            for piece, token in zip(unknown.encode(text, out_type=str), unknown.encode(text), strict=True)
        ]
        saw_bytes |= spelled != fallback.encode(text, out_type=str)
        assert spelled == expected
    assert saw_bytes
    assert other.around[0] == tok.around[0]
