"""Tokens for what no token spells, counted against Hugging Face's library."""

import reference
from tokenizers import Tokenizer

import tokviz
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

TEXT = "Hello 喜欢 你好 1234567 𓀀"


def test_they_are_counted_as_the_library_makes_them() -> None:
    bert = tokviz.load("bert-base-uncased")
    assert isinstance(bert, HuggingFaceTokenizer)
    tokens = Tokenizer.from_str(bert.data.decode()).encode(TEXT, add_special_tokens=False).tokens
    comparison = tokviz.compare(TEXT, ["gpt2", bert], names=["GPT-2", "BERT"])
    none, unknown = comparison.unknown
    assert none is None and unknown is not None
    assert (unknown.text, unknown.count) == ("[UNK]", tokens.count("[UNK]"))
    said = f"{tokens.count('[UNK]')} of BERT's {len(tokens)} tokens are [UNK], which says nothing of the text."
    assert comparison.unknown_sentences == ("", said)
    assert said in str(comparison)
    assert said.replace("'", "&#x27;") in comparison._repr_html_()


def test_one_is_singular_and_its_own_text_is_none() -> None:
    comparison = tokviz.compare("a 喜 [UNK]", ["gpt2", "bert-base-uncased"], "all")
    assert comparison.unknown_sentences[1].startswith("1 of bert-base-uncased's 3 tokens is [UNK]")


def test_words_that_were_not_learned_are_unknown() -> None:
    words = tokviz.WordTokenizer.from_text("low lower")
    unknown = tokviz.compare("low lowest", ["gpt2", words]).unknown[1]
    assert unknown is not None and (unknown.text, unknown.count) == ("<unk>", 1)
    assert tokviz.compare("low lower", ["gpt2", words]).unknown == (None, None)


def test_a_word_that_an_unknown_token_stands_for_is_not_kept_whole() -> None:
    """Counted with the offsets of Hugging Face's library: x and ሰላም lie in its [UNK], the last one only in part."""
    text = "ሰላም Hello x🍕 wörld, unbelievably 🍕 ab ለዓለም🍕"
    bert = tokviz.load("bert-base-uncased")
    assert isinstance(bert, HuggingFaceTokenizer)
    encoding = Tokenizer.from_str(bert.data.decode()).encode(text, add_special_tokens=False)
    unknown = [span for span, token in zip(encoding.offsets, encoding.tokens, strict=True) if token == "[UNK]"]
    borders = {place for span in encoding.offsets for place in span}
    words = reference.words(text)
    whole = [
        text[start:end]
        for start, end in words
        if borders.isdisjoint(range(start + 1, end)) and not any(one < end and start < other for one, other in unknown)
    ]
    for texts in (text, [text, "", text]):
        (row,) = tokviz.measure(texts, [bert])
        times = 1 if isinstance(texts, str) else 2
        assert row.words == times * len(words) and row.whole_words == times * len(whole)
        assert row.unknown_tokens == times * len(unknown)
    assert whole == ["Hello", "wörld", "ab"]
    assert tokviz.measure("[UNK] low", [bert])[0].unknown_tokens == 0
