"""Visitors' files for native engines: opened in guarded processes, with the ids of the engines themselves."""

import pytest
import sentencepiece
import tokenizers
from engine_files import family, nasty_texts, sentencepiece_model

import tokviz
from tokviz import formats
from tokviz.app.processes import opening
from tokviz.app.processes.guarded import GuardedTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer


@pytest.mark.parametrize("name", ["bert", "t5", "llama2"])
def test_a_tokenizer_json_of_any_family(name: str) -> None:
    opened = opening.open_files({f"{name}.json": family(name)})
    library = tokenizers.Tokenizer.from_buffer(family(name))
    library.encode_special_tokens = True
    here = HuggingFaceTokenizer(name, family(name))
    assert isinstance(opened, GuardedTokenizer)
    assert (opened.name, opened.vocab, opened.special_tokens, opened.around, opened.rewriting) == (
        name,
        here.vocab,
        here.special_tokens,
        here.around,
        here.rewriting,
    )
    for text in nasty_texts(40):
        assert opened.encode(text) == library.encode(text, add_special_tokens=False).ids
    text = "The lowest, café"
    assert opened.encode(text, add_special=True) == here.encode(text, add_special=True)
    there, expected = opened.tokenize(text, add_special=True), here.tokenize(text, add_special=True)
    assert there.byte_offsets.tolist() == expected.byte_offsets.tolist()
    assert there.pretoken_index.tolist() == expected.pretoken_index.tolist()
    assert there.special.tolist() == expected.special.tolist()
    assert opened.decode(opened.encode(text)) == here.decode(here.encode(text))


def test_a_sentencepiece_model() -> None:
    data = sentencepiece_model(model_type="bpe", byte_fallback=True)
    opened = opening.open_files({"tokenizer.model": data})
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert isinstance(opened, GuardedTokenizer)
    for text in nasty_texts(40):
        assert opened.encode(text) == library.encode(text)


def test_files_with_merges_of_our_own_kind_are_read_as_before() -> None:
    files = formats.write(tokviz.train("the cat, the hat", num_merges=5, split_pattern="gpt2"), "tokenizer.json").files
    assert isinstance(opening.open_files(files), tokviz.BPETokenizer)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        (
            "tokenizer.json",
            b'{"model": {"type": "None"}}',
            "Hugging Face's library can't open tokenizer",
        ),
        ("some.model", b"\x0a\x0e\x0a\x05<unk>\0\0\0\0", "some.model is not a SentencePiece model, or is damaged"),
        ("some.model", b"\x0a" + bytes(formats.MAX_FILE), "some.model has 40,000,001 bytes"),
    ],
)
def test_damaged_files_are_refused(name: str, data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        opening.open_files({name: data})


def test_a_vocabulary_of_word_pieces() -> None:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s"]
    opened = opening.open_files({"vocab.txt": "\n".join(pieces).encode()})
    assert isinstance(opened, GuardedTokenizer)
    assert [pieces[token] for token in opened.encode("The cats")] == ["the", "cat", "##s"]
