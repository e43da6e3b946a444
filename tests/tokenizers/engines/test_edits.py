"""Edits of a text, applied to it, give what the libraries normalize it to."""

import pytest
import sentencepiece
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from tokenizers import Tokenizer

from tokviz.texts import repair
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.rewriting import Edit
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

TEXTS = [repair(text)[0] for text in nasty_texts(600)]


def applied(text: str, edits: list[Edit]) -> str:
    data, done, place = text.encode(), b"", 0
    for start, old, new in edits:
        assert data[start : start + len(old.encode())] == old.encode()
        assert start >= place
        assert old != new
        done += data[place:start] + new.encode()
        place = start + len(old.encode())
    return (done + data[place:]).decode()


@pytest.mark.parametrize("name", FAMILIES)
def test_hugging_face_families(name: str) -> None:
    tok, engine = HuggingFaceTokenizer(name, family(name)), Tokenizer.from_str(family(name).decode())
    always = [token.content for token in tok.added_tokens.values() if not token.special]
    for text in TEXTS:
        if any(token in text for token in always):
            continue  # these are cut out and left as they are
        normalized = text if engine.normalizer is None else engine.normalizer.normalize_str(text)
        assert applied(text, tok.edits(text)).replace("▁", " ") == normalized.replace("▁", " ")


@pytest.mark.parametrize("options", [{}, {"add_dummy_prefix": False}, {"normalization_rule_name": "nfkc_cf"}])
def test_sentencepiece(options: dict[str, object]) -> None:
    data = sentencepiece_model(**options)
    tok, engine = SentencePieceTokenizer("some", data), sentencepiece.SentencePieceProcessor()
    engine.LoadFromSerializedProto(data)
    for text in TEXTS:
        assert applied(text, tok.edits(text)).replace("▁", " ") == engine.normalize(text).replace("▁", " ")


def test_neighboring_changes_are_one_edit_and_what_stays_at_its_ends_is_no_part_of_it() -> None:
    bert = HuggingFaceTokenizer("bert", family("bert"))
    assert bert.edits("a MAT, Öl") == [Edit(2, "MAT", "mat"), Edit(7, "Ö", "o")]
    assert bert.edits("low") == []
    assert bert.edits("\0") == [Edit(0, "\0", "")]
