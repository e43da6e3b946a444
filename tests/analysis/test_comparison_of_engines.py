"""Reasons for differences between tokenizers of other libraries, and between these and byte pair encodings."""

import json
import unicodedata

import numpy as np
import pytest
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from tokenizers import Tokenizer, models, normalizers

import tokviz
from tokviz.analysis.comparison.exchanges import Exchange, exchange_of
from tokviz.analysis.comparison.reasons import Effect, Reason
from tokviz.analysis.known_patterns import patterns_of
from tokviz.tokenizers.base import Tokenizer as OurTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer


def word_pieces(*pieces: str, lowercase: bool = False) -> HuggingFaceTokenizer:
    """Return a WordPiece tokenizer without specials other than [UNK], which keeps white space as a part of words."""
    engine = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(["[UNK]", *pieces])}, unk_token="[UNK]"))
    if lowercase:
        engine.normalizer = normalizers.Lowercase()
    return HuggingFaceTokenizer("pieces", engine.to_str().encode())


def merging(*tokens: bytes) -> tokviz.BPETokenizer:
    """Return a tokenizer that merges bytes, each token from its beginning and its last byte."""
    vocab = {value: bytes([value]) for value in range(256)}
    vocab |= {256 + number: token for number, token in enumerate(tokens)}
    ids = {data: token for token, data in vocab.items()}
    merges = {(ids[token[:-1]], ids[token[-1:]]): ids[token] for token in tokens}
    return tokviz.BPETokenizer("merging", vocab, merges)


def only(comparison: tokviz.Comparison) -> tuple[Reason, str]:
    [segment] = comparison.differing.tolist()
    explanation = comparison.explain(segment, 1)
    assert explanation is not None
    return explanation.reasons, explanation.sentence


def test_a_token_that_is_cut_out_is_no_matter_of_the_split() -> None:
    """Qwen's pattern cuts through `[MASK]`, which BERT finds before it cuts at all."""
    compared = tokviz.compare("a [MASK] b", ["bert-base-uncased", "qwen3"], allowed_special={"[MASK]"})
    reasons, _ = only(compared)
    assert Reason.ALPHABET in reasons
    assert Reason.SPLIT not in reasons


def test_choosing_the_longest_token_is_another_algorithm_than_merging() -> None:
    """Merges join `bc` first, so `abc` is `a` and `bc`; the longest token that fits first is `ab`. Both have all."""
    merges = merging(b"bc", b"ab")
    pieces = word_pieces("a", "ab", "##c", "##bc", "bc", "b")
    comparison = tokviz.compare("abc", [merges, pieces])
    assert comparison[0].cuts == ((b"a", b"bc"), (b"ab", b"c"))
    reasons, sentence = only(comparison)
    assert reasons == Reason.ALGORITHM
    assert "merging merges pairs of neighbors, and pieces takes the longest token that fits" in sentence
    assert "the longest tokens of merging that fit are “ab|c”, too" in sentence


def test_normalization_is_confirmed_by_giving_it_to_the_other() -> None:
    merges, pieces = merging(b"lo", b"low"), word_pieces("low", lowercase=True)
    comparison = tokviz.compare("LOW", [merges, pieces])
    explanation = comparison.explain(0, 1)
    assert explanation is not None
    assert Reason.NORMALIZATION in explanation.reasons
    assert explanation.normalization == Effect.AGREES
    assert explanation.alone == {Reason.NORMALIZATION: Effect.AGREES}
    assert "pieces first makes all letters lower case, so that it reads “low”" in explanation.sentence
    assert "Given the text as pieces normalizes it, merging cuts as pieces does." in explanation.sentence


def test_normalization_that_changes_no_cut_is_no_reason() -> None:
    """Bytes are cut apart in lower case as well."""
    comparison = tokviz.compare("AB", [merging(), word_pieces("ab", lowercase=True)])
    reasons, sentence = only(comparison)
    assert reasons == Reason.VOCABULARY
    assert "lower case" not in sentence and "normalizes" not in sentence


def test_only_what_normalization_did_at_a_place_is_said_there() -> None:
    """Of all that BERT's normalizer can do, it takes an accent and a capital from `Café`, and nothing from `中`."""
    comparison = tokviz.compare("Café 中", ["gpt2", "bert-base-uncased"])
    said = [explained.sentence for number in range(len(comparison)) if (explained := comparison.explain(number, 1))]
    assert "first removes accents and makes all letters lower case, so that it reads “cafe”" in said[0]
    assert all("control" not in sentence and "Chinese" not in sentence for sentence in said)
    assert not any("first" in sentence for sentence in said[1:])


def test_several_unknown_words_and_what_is_read_with_one() -> None:
    one = SentencePieceTokenizer("sp", sentencepiece_model(model_type="unigram"))
    comparison = tokviz.compare("喜欢", [one, "bert-base-uncased"])
    _, sentence = only(comparison)
    assert "bert-base-uncased has no tokens that spell “喜” and “欢”, so [UNK] stands for each" in sentence
    assert sentence.endswith("; sp first puts a space in front.")  # not: so that it reads “<unk>”


def test_giving_a_normalization_is_encoding_the_normalized_text() -> None:
    """With as many bytes before and after, tokens end at the same places of both texts."""
    merges, pieces = merging(b"lo", b"low", b"er"), word_pieces("lo", "##wer", lowercase=True)
    for text in ("LOWER", "lOWeR", "XloweRX"):
        comparison = tokviz.compare(text, [merges, pieces])
        given = merges.tokenize(text.lower()).byte_offsets.tolist()
        for number, segment in enumerate(comparison):
            explanation = comparison.explain(number, 1)
            if explanation is None or explanation.normalization is None:
                continue
            cuts = [
                {place for place in offsets if segment.start <= place <= segment.end}
                for offsets in (given, *(each.byte_offsets.tolist() for each in comparison.tokenizations))
            ]
            expected = [Effect.CHANGES, Effect.NOTHING, Effect.AGREES][
                1 if cuts[0] == cuts[1] else 2 * (cuts[0] == cuts[2])
            ]
            assert explanation.normalization == expected


def test_pieces_inside_words_are_known_to_a_tokenizer_without_marks() -> None:
    comparison = tokviz.compare("lower", [merging(b"lo", b"low", b"er"), word_pieces("lo", "##wer")])
    reasons, sentence = only(comparison)
    assert Reason.VOCABULARY in reasons
    assert "pieces has the token “wer”, which merging lacks" in sentence
    assert "##" not in sentence


def test_what_no_token_spells_is_named() -> None:
    reasons, sentence = only(tokviz.compare("é", [merging(), word_pieces("e")]))
    assert Reason.ALPHABET in reasons
    assert "pieces has no tokens that spell “é”, so [UNK] stands for it" in sentence


def byte_level(*patterns: str, name: str = "engine") -> HuggingFaceTokenizer:
    engine = Tokenizer.from_str(family("roberta").decode())
    content = json.loads(engine.to_str()) | {"added_tokens": [], "post_processor": None, "normalizer": None}
    splits = [
        {"type": "Split", "pattern": {"Regex": each}, "behavior": "Isolated", "invert": False} for each in patterns
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    content["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [*splits, level]}
    return HuggingFaceTokenizer(name, json.dumps(content).encode())


def test_one_that_takes_patterns_is_given_those_of_an_engine() -> None:
    engine = byte_level(r"\p{N}", r"\p{N}{1,3}")
    assert patterns_of(engine) == (r"\p{N}", r"\p{N}{1,3}")
    assert patterns_of(byte_level(r"\s|\S+")) is None  # not a known one
    gpt2 = tokviz.load("gpt2")
    assert exchange_of(engine, gpt2) is Exchange.DONE
    comparison = tokviz.compare("2024", [gpt2, engine])
    explanation = comparison.explain(0, 1)
    assert explanation is not None
    assert Reason.SPLIT in explanation.reasons
    assert (
        explanation.alone[Reason.SPLIT] == Effect.AGREES
    )  # with a pattern that cuts digits apart, GPT-2 cuts them, too


@pytest.mark.parametrize("name", ["qwen3", "deepseek"])
def test_patterns_of_shipped_engines_cut_as_these_do(name: str) -> None:
    engine = tokviz.load(name)
    patterns = patterns_of(engine)
    assert patterns is not None
    cutting = tokviz.load("cl100k_base").with_split_patterns(patterns)
    for text in nasty_texts(500):
        if unicodedata.is_normalized("NFC", text) and not any(map(text.__contains__, engine.special_tokens)):
            assert engine.pretokens(text) == cutting.pretokens(text)


def test_patterns_that_are_not_known_are_not_exchanged() -> None:
    gpt2 = tokviz.load("gpt2")
    for engine in (HuggingFaceTokenizer("bert", family("bert")), SentencePieceTokenizer("sp", sentencepiece_model())):
        assert exchange_of(engine, gpt2) is Exchange.IMPOSSIBLE
        comparison = tokviz.compare("The lowest 🍕", [gpt2, engine])
        for number in comparison.differing.tolist():
            explanation = comparison.explain(number, 1)
            assert explanation is not None
            assert explanation.alone.keys() <= {Reason.NORMALIZATION}
            assert "split pattern" not in explanation.sentence


@pytest.mark.parametrize("name", FAMILIES)
def test_any_two_families_are_compared_and_explained(name: str) -> None:
    others: list[OurTokenizer] = [
        tokviz.load("gpt2"),
        SentencePieceTokenizer("sp", sentencepiece_model(model_type="bpe")),
        HuggingFaceTokenizer("bert", family("bert")),
    ]
    first = HuggingFaceTokenizer("first", family(name))
    for text in nasty_texts(60):
        comparison = tokviz.compare(text, [first, *others], "all")
        for other in range(1, 4):
            differs = comparison.differs[other]
            assert (comparison.reasons(other) > 0).tolist() == differs.tolist()
            for number in np.flatnonzero(differs).tolist():
                explanation = comparison.explain(number, other)
                assert explanation is not None
                assert explanation.sentence.count("“") == explanation.sentence.count("”")
                assert Reason.ORDER not in explanation.reasons or first.algorithm == "bpe"


@pytest.mark.parametrize(("text", "name", "word"), [("say hello", "mistral-7b", "hello"), ("a istral", "gpt2", "ist")])
def test_a_token_without_the_space_is_not_one_with_it(text: str, name: str, word: str) -> None:
    """BERT drops the space; the other's token would have to begin with it, and `hello` alone is no such token."""
    tok = tokviz.load(name)
    assert tok.knows(word.encode()) and not tok.knows(f" {word}".encode())
    explained = tokviz.compare(text, [name, "bert-base-uncased"]).explain(1, 1)
    assert explained
    assert tokviz.Reason.VOCABULARY in explained.reasons and tokviz.Reason.ALGORITHM not in explained.reasons
    assert f"has the token “{word}”, which {name} has only without the space (no “·{word}”)" in explained.sentence
