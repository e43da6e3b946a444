"""Decoding equals the engine's, with and without special tokens, of encoded texts and of any ids."""

import random
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from sentencepiece import SentencePieceProcessor
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, processors

import tokviz
from tokviz.pretrained import open_models
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MISTRALS = ("mistral-7b", "mistral-7b-v0.1")
TEXTS = nasty_texts(400)


def sequences(tok: Any, vocab_size: int) -> list[list[int]]:
    """Ids of texts, with special tokens in them and around them, and ids at random."""
    rng = random.Random(3)
    ids = [tok.encode(text, "all", add_special=add_special) for text in TEXTS for add_special in (False, True)]
    ids += [tok.encode(text) for text in TEXTS]
    return ids + [[rng.randrange(vocab_size) for _ in range(rng.randint(1, 12))] for _ in range(400)]


def check_hugging_face(data: bytes) -> None:
    tok, reference = HuggingFaceTokenizer("some", data), Tokenizer.from_buffer(data)
    is_byte_level = isinstance(reference.decoder, decoders.ByteLevel)
    for ids in sequences(tok, reference.get_vocab_size()):
        expected = reference.decode(ids, skip_special_tokens=False)
        assert tok.decode(ids) == expected
        found = tok.decode_bytes(ids)
        assert (found.decode("utf-8", "replace") if is_byte_level else found.decode()) == expected


@pytest.mark.parametrize("name", FAMILIES)
def test_hugging_face_families(name: str) -> None:
    check_hugging_face(family(name))


@pytest.mark.parametrize("name", [*MISTRALS, "bpe", "unigram", "word", "char"])
def test_sentencepiece_models(name: str) -> None:
    falls_back = name in ("bpe", "unigram")
    data = (
        open_models.read(name)
        if name in MISTRALS
        else sentencepiece_model(model_type=name, byte_fallback=falls_back, hard_vocab_limit=False)
    )
    tok, reference = SentencePieceTokenizer("some", data), SentencePieceProcessor(model_proto=data)
    for ids in sequences(tok, len(reference)):
        assert tok.decode(ids) == reference.decode(ids)
        assert tok.decode_bytes(ids).decode("utf-8", "replace") == reference.decode(ids)


@cache
def mistral_for_hugging_face() -> bytes:
    """Mistral's model as a tokenizer.json, as transformers converts it: a merge for each split of a piece into two."""
    pieces = SentencePieceTokenizer("mistral", open_models.read("mistral-7b-v0.1")).model.pieces
    ids = {piece: token for token, (piece, _) in enumerate(pieces)}
    merges = []
    for piece, score in pieces:
        halves = [(piece[:at], piece[at:]) for at in range(1, len(piece))]
        known = sorted((ids[left], ids[right]) for left, right in halves if left in ids and right in ids)
        merges += [(-score, pieces[left][0], pieces[right][0]) for left, right in known]
    merges.sort(key=lambda merge: merge[0])
    pairs = [(left, right) for _, left, right in merges]
    engine = Tokenizer(models.BPE(ids, pairs, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    engine.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    engine.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    engine.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in ("<unk>", "<s>", "</s>")])
    engine.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    return engine.to_str().encode()


def test_mistral_for_hugging_face_decodes_as_there_and_encodes_as_sentencepiece() -> None:
    check_hugging_face(mistral_for_hugging_face())
    one = HuggingFaceTokenizer("one", mistral_for_hugging_face())
    other = SentencePieceTokenizer("other", open_models.read("mistral-7b-v0.1"))
    for text in ("Hello world", "naïve cafés,  你好 🍕", "def f(x):\n    return x", "  two spaces"):
        assert one.encode(text) == other.encode(text)
        assert one.decode(one.encode(text)) == other.decode(other.encode(text)) == text
        step = one.replay(text)[-1]
        assert (one.parents(step.new), other.parents(step.new)) == ((step.left, step.right),) * 2


def check_canonical(tok: EngineTokenizer) -> tuple[int, int]:
    """Count the texts whose ids are known to be canonical, and those of which this can't be told."""
    known = untold = 0
    for text in ["hello world", "tokenization", "don't", "\N{REPLACEMENT CHARACTER}", *TEXTS[:200]]:
        for allowed in ((), "all"):
            ids = tok.encode(text, allowed)
            try:
                assert tok.canonical(ids) == (ids, [])
                known += 1
            except ValueError as refusal:
                assert "can't be told" in str(refusal)
                untold += 1
    return known, untold


LOSSY = {"llama2 metaspace", "clip", "t5", "t5 bytes"}
"""Families that decode some ids to a text without all that they stand for, such as a space in front."""


@pytest.mark.parametrize("name", FAMILIES)
def test_ids_of_a_text_are_canonical(name: str) -> None:
    known, untold = check_canonical(HuggingFaceTokenizer(name, family(name)))
    assert known and (not untold or name in LOSSY)


@pytest.mark.parametrize("name", ["mistral-7b", "bert-base-uncased", "qwen3"])
def test_other_ids_of_a_text_are_not_canonical(name: str) -> None:
    tok = tokviz.load(name)
    assert isinstance(tok, EngineTokenizer)
    _, untold = check_canonical(tok)
    assert not untold
    ids = tok.encode("see tokenization is")
    for way in tok.segmentations("see tokenization is", 9):
        found = tok.canonical(way)
        assert found.ids == ids and bool(found) == (way == ids)
        for deviation in reversed(found.deviations):
            assert way[deviation.start : deviation.end] == deviation.given
            way[deviation.start : deviation.end] = deviation.canonical
        assert way == ids
    with pytest.raises(ValueError, match="can't be told" if tok.model.byte_ids else "not in use"):
        tok.canonical([tok.model.byte_ids[0xE4]] if tok.model.byte_ids else [tok.vocab_size])


OPENED: dict[str, Callable[[], tokviz.Tokenizer]] = {
    **{name: partial(HuggingFaceTokenizer, name, family(name)) for name in FAMILIES},
    **{name: partial(tokviz.load, name) for name in ("mistral-7b", "bert-base-uncased", "qwen3")},
}


@pytest.mark.parametrize("name", OPENED)
def test_offsets_are_places_in_the_decoded_text_or_refused(name: str) -> None:
    tok, known = OPENED[name](), 0
    for ids in sequences(tok, tok.vocab_size)[:600]:
        try:
            offsets = tok.offsets(ids)
        except ValueError as refusal:
            assert "can't be told" in str(refusal) or "not in use" in str(refusal)
            continue
        data, text, known = tok.decode_bytes(ids), tok.decode(ids), known + 1
        assert (offsets.byte_offsets[-1], offsets.code_point_offsets[-1]) == (len(data), len(text))
        for token, (start, end) in zip(ids, pairwise(offsets.byte_offsets.tolist()), strict=True):
            assert data[start:end] in tok.vocab[token]
    assert known > 20


def test_offsets_by_hand() -> None:
    mistral, bert = tokviz.load("mistral-7b"), tokviz.load("bert-base-uncased")
    assert mistral.offsets(mistral.encode("hello world")).code_point_offsets.tolist() == [0, 4, 5, 11]
    assert bert.offsets(bert.encode("tokenization")).code_point_offsets.tolist() == [0, 5, 12]
    with pytest.raises(ValueError, match="decodes them to a text that is not the tokens one after another"):
        bert.offsets(bert.encode("two words"))
